import type { Box, Move } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { cameraTo, type Region, viewOf, zoomOf } from "../../frames/camera.ts";
import { cueAt } from "../cues.ts";
import { missingSigns } from "../fonts.ts";
import { minTextSize } from "../limits.ts";
import { calm, putBlock, putBox, putHeading, putLine, quoted, refuse, type Stage, startX, wordsOn } from "../stage.ts";
import { type Block, largest, measure, setBlock } from "../text.ts";
import { putBand } from "./band.ts";

type Figure = SceneContent<"figure">;

const { zoom: zoomBounds, pixels: mostPixels } = filmBounds.figure;
/** How long the camera travels, and a part takes to be uncovered, in milliseconds. */
const pace = { camera: 2_000, uncover: 900, draw: 2_600 };
/** Paper about a picture. */
const rim = 10;
const pinSize = 42;
const chipSize = pinSize - 6;
/** Between a pin and the edge of the picture. */
const pinInset = 4;
/** Between two pins, from middle to middle. */
const pinsApart = pinSize + 6;
const wholePicture: Region = { x: 0, y: 0, width: 1, height: 1 };
const list = { gap: 18, chip: 52, between: 44, share: 0.34 };
/** A pixel of a picture is at most so many pixels of the film at 720p. */
const mostEnlarged = 2;
/** A picture that is smaller than this, in pixels of the film, shows nothing. */
const leastSides = { wide: { width: 300, height: 200 }, tall: { width: 300, height: 160 } };

interface Row {
  label: string;
  block: Block;
}

/** The words of call-outs as large as they fit beside or below the picture. */
function rowsOf(stage: Stage, { callouts }: Figure, room: { width: number; height: number }): Row[] | undefined {
  const labels = callouts.map(({ label }) => wordsOn(stage, label, "beside"));
  const blocks = largest(stage.wide ? 32 : 34, minTextSize, (size) => {
    const set = labels.map((text) => setBlock(text, { face: "beside", size, width: room.width - list.chip, leading: 1.2 }));
    const whole = set.filter((block) => block !== undefined);
    if (whole.length < set.length || whole.some(({ lines }) => lines.length > 3)) return undefined;
    return heightOf(whole) <= room.height ? whole : undefined;
  });
  return blocks?.map((block, index) => ({ label: labels[index] ?? "", block }));
}
const rowHeight = ({ height }: Block): number => Math.max(height, chipSize);
const heightOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + rowHeight(block), list.gap * Math.max(0, blocks.length - 1));

/** Where the picture stands and where its call-outs; nothing where they do not fit. */
function planOf(stage: Stage, figure: Figure): { frame: Box; rows: Row[]; list: Box } | undefined {
  const { body, wide, rtl } = stage;
  const { picture, callouts } = figure;
  const aside = wide && callouts.length > 0 ? body.width * list.share : 0;
  const rows =
    callouts.length > 0 ? rowsOf(stage, figure, { width: aside || body.width, height: wide ? body.height : body.height * 0.5 }) : [];
  if (!rows) return refuse(stage, "The call-outs do not fit beside the picture: take fewer of them, or shorter ones.");
  const listHeight = heightOf(rows.map(({ block }) => block));
  const room = {
    width: body.width - rim * 2 - (aside ? aside + list.between : 0),
    height: body.height - rim * 2 - (wide || rows.length === 0 ? 0 : listHeight + list.between),
  };
  const largestScale = picture.type === "image/svg+xml" ? Number.POSITIVE_INFINITY : mostEnlarged;
  const scale = Math.min(room.width / picture.width, room.height / picture.height, largestScale);
  const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
  const least = leastSides[wide ? "wide" : "tall"];
  if (width < least.width && height < least.height)
    return refuse(stage, `The picture would be only ${width} by ${height} pixels: too small to see what is in it.`);
  const whole = width + rim * 2 + (aside ? aside + list.between : 0);
  const left = body.x + (body.width - whole) / 2 + rim + (rtl && aside ? aside + list.between : 0);
  const taken = height + rim * 2 + (wide || rows.length === 0 ? 0 : list.between + listHeight);
  const top = body.y + rim + Math.max(0, (body.height - taken) * (wide ? 0.4 : 0.3));
  const frame = { x: Math.round(left), y: Math.round(top), width, height };
  const listBox = wide
    ? {
        x: rtl ? frame.x - rim - list.between - aside : frame.x + width + rim + list.between,
        y: body.y + Math.max(0, Math.min(body.height - listHeight, frame.y - body.y + (height - listHeight) / 2)),
        width: aside,
        height: listHeight,
      }
    : { x: body.x, y: frame.y + height + rim + list.between, width: body.width, height: listHeight };
  return { frame, rows, list: listBox };
}

/** A figure of the course: parts are uncovered as they are spoken of, a camera goes to what matters, call-outs say what is where. */
export function placeFigure(stage: Stage, figure: Figure): undefined {
  const { picture } = figure;
  putHeading(stage, figure.heading);
  const missing = missingSigns(picture.signs, "read");
  if (missing.length > 0)
    return refuse(stage, `The text in the picture has signs the film's fonts do not have: ${missing.slice(0, 5).join(" ")}`);
  if (picture.type !== "image/svg+xml" && picture.width * picture.height > mostPixels)
    return refuse(stage, "The picture has too many pixels: save it smaller.");
  const plan = planOf(stage, figure);
  if (!plan) return;
  const { frame, rows } = plan;
  const zooms = zoomsOf(stage, figure);
  refuseUnreadable(stage, figure, frame);
  if (stage.findings.length > 0) return;
  const moves = zooms.map(({ view, from }): Move => ({ from, takes: pace.camera, to: cameraTo(view, frame) }));
  putPicture(stage, figure, frame, moves);
  if (rows.length > 0) putCallouts(stage, figure, { frame, rows, list: plan.list, zooms });
}

interface Zoom {
  view: Region;
  from: number;
}

/** What the camera looks at, and from when on it travels there. */
function zoomsOf(stage: Stage, { zooms }: Figure): Zoom[] {
  let shown = wholePicture;
  let ends = 0;
  return zooms.map(({ region, cue }) => {
    if (region.x + region.width > 1.001 || region.y + region.height > 1.001)
      refuse(stage, "The camera is sent to a part that reaches beyond the picture.");
    const view = viewOf(region);
    const from = Math.max(1, cueAt(stage, cue));
    if (from < ends) refuse(stage, `The camera would leave for ${quoted(cue)} before it has arrived: say more between them.`);
    ends = from + pace.camera;
    if (ends > stage.durationMs - 400) refuse(stage, `There is too little time for the camera after ${quoted(cue)}: say more.`);
    const change = Math.max(shown.width / view.width, view.width / shown.width);
    const travels = Math.hypot(view.x - shown.x, view.y - shown.y) / Math.min(view.width, shown.width);
    if (change < zoomBounds.least && travels < 0.15) refuse(stage, `The camera would hardly move at ${quoted(cue)}.`);
    if (zoomOf(region) > zoomBounds.most) refuse(stage, `The part at ${quoted(cue)} is too small: show more around it.`);
    shown = view;
    return { view, from };
  });
}

/** Refuses a picture that is enlarged beyond its pixels, or whose own words cannot be read where the camera is nearest. */
function refuseUnreadable(stage: Stage, { picture, zooms }: Figure, frame: Box): void {
  const nearest = Math.max(1, ...zooms.map(({ region }) => zoomOf(region)));
  const enlarged = (frame.width / picture.width) * nearest;
  if (picture.type !== "image/svg+xml" && enlarged > mostEnlarged * 1.01)
    refuse(stage, `The camera goes so near that the picture is blurred: it has ${picture.width} by ${picture.height} pixels.`);
  const size = picture.textSize * enlarged;
  if (size > 0 && size < minTextSize)
    refuse(
      stage,
      `The words in the picture would be ${Math.floor(size)} pixels high, and ${minTextSize} can be read: let the camera go nearer.`,
    );
}

const shared = (one: Box, other: Box): boolean =>
  Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x) > 0.5 &&
  Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y) > 0.5;

function putPicture(stage: Stage, { picture: { sha256, type }, parts }: Figure, frame: Box, moves: readonly Move[]): void {
  const part = "figure";
  const boxes = parts.map(({ region }): Box => {
    const [left, top] = [Math.round(frame.x + region.x * frame.width), Math.round(frame.y + region.y * frame.height)];
    const [right, bottom] = [frame.x + (region.x + region.width) * frame.width, frame.y + (region.y + region.height) * frame.height];
    return { x: left, y: top, width: Math.round(right) - left, height: Math.round(bottom) - top };
  });
  if (type !== "image/svg+xml" && parts.some(({ drawn }) => drawn))
    refuse(stage, "Only an SVG can be drawn line by line: let the part be uncovered.");
  if (boxes.some((box) => box.x + box.width > frame.x + frame.width + 1 || box.y + box.height > frame.y + frame.height + 1))
    refuse(stage, "A part reaches beyond the picture.");
  if (boxes.some((box, index) => boxes.slice(index + 1).some((other) => shared(box, other))))
    refuse(stage, "Two parts of the picture lie on one another.");
  const paper = { x: frame.x - rim, y: frame.y - rim, width: frame.width + rim * 2, height: frame.height + rim * 2 };
  const fill = type === "image/svg+xml" ? "figure-paper" : "picture-paper";
  putBox(stage, paper, { radius: 6, fill, stroke: "line", strokeWidth: 2 }, { part, from: 0, motion: "still" });
  const shown = { kind: "picture", sha256, whole: frame, clip: frame, part, ...(moves.length > 0 && { moves }) } as const;
  stage.items.push({ ...shown, box: frame, without: boxes, from: 0, motion: "fade", takes: calm });
  boxes.forEach((box, index) => {
    const isDrawn = parts[index]?.drawn ?? false;
    const from = Math.max(1, cueAt(stage, parts[index]?.cue ?? ""));
    stage.items.push({
      ...shown,
      box: grownWithin(box, frame),
      from,
      motion: isDrawn ? "draw" : "wipe",
      takes: isDrawn ? pace.draw : pace.uncover,
    });
  });
}

/** A part with a pixel of what is beside it, so that no seam is seen. */
function grownWithin(box: Box, frame: Box): Box {
  const [x, y] = [Math.max(frame.x, box.x - 1), Math.max(frame.y, box.y - 1)];
  return {
    x,
    y,
    width: Math.min(frame.x + frame.width, box.x + box.width + 1) - x,
    height: Math.min(frame.y + frame.height, box.y + box.height + 1) - y,
  };
}

const isShown = ({ x, y }: { x: number; y: number }, view: Region): boolean =>
  x >= view.x && x <= view.x + view.width && y >= view.y && y <= view.y + view.height;

/** Each call-out: a pin with a number on the picture, which the camera carries along, and the number with its words in the list. */
function putCallouts(
  stage: Stage,
  { callouts }: Figure,
  { frame, rows, list: room, zooms }: { frame: Box; rows: readonly Row[]; list: Box; zooms: readonly Zoom[] },
): undefined {
  const times = callouts.map(({ cue }) => Math.max(1, cueAt(stage, cue)));
  if (times.some((at, index) => at <= (times[index - 1] ?? 0)))
    return refuse(stage, "The call-outs are not in the order in which the narration speaks of them.");
  const tops = rows.map((_, index) => room.y + heightOf(rows.slice(0, index).map(({ block }) => block)) + (index > 0 ? list.gap : 0));
  const bands = rows.map(({ block }, index) => ({
    x: room.x - 12,
    y: (tops[index] ?? 0) - 7,
    width: room.width + 24,
    height: rowHeight(block) + 14,
  }));
  putBand(stage, bands, times, { colour: "accent-wash", part: "call-outs" });
  const pins: Box[] = [];
  callouts.forEach(({ at, side }, index) => {
    const row = rows[index];
    const from = times[index];
    if (!row || from === undefined) return;
    const begin = zooms.findLast((zoom) => zoom.from <= from)?.view ?? wholePicture;
    const end = zooms.at(-1)?.view ?? wholePicture;
    if (!isShown(at, begin)) refuse(stage, `${quoted(row.label)} points at what the camera does not show at that time.`);
    else if (!isShown(at, end)) refuse(stage, `At the end the camera no longer shows what ${quoted(row.label)} points at.`);
    const pin = putPin(
      stage,
      { point: { x: frame.x + at.x * frame.width, y: frame.y + at.y * frame.height }, side, number: index + 1, from },
      frame,
      zooms,
    );
    if (pins.some((other) => Math.hypot(other.x - pin.x, other.y - pin.y) < pinsApart))
      refuse(stage, `${quoted(row.label)} points nearly where another call-out does: their numbers would lie on one another.`);
    pins.push(pin);
    putRow(stage, row, { room, top: tops[index] ?? 0, number: index + 1, from });
  });
}

/** Where a point of the whole picture is while the camera shows a view. */
function placeIn(view: Region, frame: Box, { x, y }: { x: number; y: number }): { x: number; y: number } {
  const [scale, , , , across, down] = cameraTo(view, frame);
  return { x: scale * x + across, y: scale * y + down };
}

/** A number whose corner is at a point of the picture, on a side where it is whole in everything the camera shows from then on. */
function putPin(
  stage: Stage,
  {
    point,
    side,
    number,
    from,
  }: { point: { x: number; y: number }; side: Figure["callouts"][number]["side"]; number: number; from: number },
  frame: Box,
  zooms: readonly Zoom[],
): Box {
  const views = [
    zooms.findLast((zoom) => zoom.from <= from)?.view ?? wholePicture,
    ...zooms.flatMap((zoom) => (zoom.from > from ? zoom.view : [])),
  ];
  const places = views.map((view) => placeIn(view, frame, point));
  const isLeft = side.endsWith("left")
    ? places.every(({ x }) => x - pinSize >= frame.x + pinInset)
    : !places.every(({ x }) => x + pinSize <= frame.x + frame.width - pinInset);
  const isAbove = side.startsWith("top")
    ? places.every(({ y }) => y - pinSize >= frame.y + pinInset)
    : !places.every(({ y }) => y + pinSize <= frame.y + frame.height - pinInset);
  const box = { x: isLeft ? point.x - pinSize : point.x, y: isAbove ? point.y - pinSize : point.y, width: pinSize, height: pinSize };
  const corner = (at: boolean): number => (at ? 3 : pinSize / 2);
  const radius: [number, number, number, number] = [
    corner(!isLeft && !isAbove),
    corner(isLeft && !isAbove),
    corner(isLeft && isAbove),
    corner(!isLeft && isAbove),
  ];
  const part = `call-out ${number}`;
  const before = stage.items.length;
  const look = { radius, fill: "accent", stroke: "paper", strokeWidth: 3 } as const;
  stage.items.push({ kind: "box", box, ...look, part, from, motion: "fade", takes: calm });
  putNumber(stage, number, box, { part, from, motion: "fade" });
  // It keeps its size while the camera goes nearer, and stays at its point.
  const moves = zooms.map(({ view, from: leaves }): Move => {
    const { x, y } = placeIn(view, frame, point);
    return { from: leaves, takes: pace.camera, to: [1, 0, 0, 1, x - point.x, y - point.y] };
  });
  for (const item of stage.items.slice(before)) {
    if (moves.length > 0) item.moves = moves;
    item.clip = frame;
  }
  return box;
}

/** The words of a call-out behind its number. */
function putRow(stage: Stage, { block }: Row, { room, top, number, from }: { room: Box; top: number; number: number; from: number }): void {
  const y = top + Math.max(0, chipSize - block.leading) / 2;
  const chip = {
    x: startX(stage, room, 0, chipSize),
    y: y + (block.leading - chipSize) / 2,
    width: chipSize,
    height: chipSize,
  };
  const shown = { part: "call-outs", from, motion: "rise" } as const;
  putBox(stage, chip, { radius: chipSize / 2, fill: "accent" }, shown);
  putNumber(stage, number, chip, shown);
  const x = stage.rtl ? room.x : room.x + list.chip;
  putBlock(stage, block, { ...shown, x, y, width: room.width - list.chip });
}

function putNumber(stage: Stage, number: number, box: Box, shown: { part: string; from: number; motion: "fade" | "rise" }): void {
  const text = String(number);
  const size = minTextSize;
  const { advance } = measure(text, "beside-strong", size);
  const x = box.x + (box.width - advance) / 2;
  const baseline = box.y + box.height / 2 + size * 0.36;
  putLine(stage, { text, face: "beside-strong", size, x, baseline }, { ...shown, colour: "accent-ink", direction: "ltr" });
}
