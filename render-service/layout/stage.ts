import type { Box, ColourRole, Face, Item, Motion } from "@colloquy/schemas/explainers/placed.ts";
import type { Speech } from "@colloquy/schemas/explainers/timing.ts";
import { directionOf } from "@colloquy/schemas/languages.ts";
import { fast } from "../frames/moves.ts";
import type { VectorColours } from "../frames/vector-colours.ts";
import { missingSigns } from "./fonts.ts";
import { minTextSize } from "./limits.ts";
import { type Block, cleaned, largest, measure, setBlock, shortened } from "./text.ts";
import { reveals } from "./timing.ts";

/** Where a scene is being placed: the room it has, what stands in it so far, and what speaks against it. */
export interface Stage {
  wide: boolean;
  rtl: boolean;
  language: string;
  width: number;
  height: number;
  safe: Box;
  /** Between heading and footnote; shrinks when the heading is set. */
  body: Box;
  narration: string;
  speech: Speech;
  durationMs: number;
  /** Of a plane's vectors, where they are not in their order. */
  colours?: VectorColours;
  items: Item[];
  findings: string[];
}

/** How long a thing that is looked at takes to come, in milliseconds: as everywhere in the interface. */
export const calm = 260;

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 59).trimEnd()}…` : text);
export const quoted = (text: string): string => `“${short(text)}”`;

export function newStage(options: Pick<Stage, "wide" | "language" | "narration" | "speech" | "durationMs" | "colours">): Stage {
  const { wide, language, ...rest } = options;
  const [width, height] = wide ? [1280, 720] : [720, 1280];
  return {
    ...rest,
    wide,
    rtl: directionOf(language) === "rtl",
    language,
    width,
    height,
    safe: wide ? { x: 64, y: 36, width: 1152, height: 648 } : { x: 36, y: 64, width: 648, height: 1152 },
    body: wide ? { x: 96, y: 72, width: 1088, height: 524 } : { x: 60, y: 132, width: 600, height: 978 },
    items: [],
    findings: [],
  };
}

export function refuse(stage: Stage, finding: string): undefined {
  if (!stage.findings.includes(finding)) stage.findings.push(finding);
  return undefined;
}

/** A text of the storyboard as it is set; notes signs that no font of ours has. */
export function wordsOn(stage: Stage, text: string, face: Face = "read"): string {
  const clean = cleaned(text);
  const missing = missingSigns(clean, face);
  if (missing.length > 0) refuse(stage, `${quoted(clean)} has signs the film's fonts do not have: ${missing.slice(0, 5).join(" ")}`);
  if (clean === "" && text !== "") refuse(stage, "A text has nothing that can be seen.");
  return clean;
}

export const revealsOn = (stage: Stage, labels: readonly string[]): number[] => reveals(labels, stage);

interface Putting {
  /** The room: lines begin at its start, which is its right side where one writes from the right. */
  x: number;
  y: number;
  width: number;
  align?: "start" | "centre" | "end";
  colour?: ColourRole;
  part: string;
  from: number;
  until?: number;
  motion?: Motion;
  /** How long it is written, line after line, in milliseconds; of motion "wipe". */
  writes?: number;
  /** A rim of paper about its letters. */
  rim?: boolean;
  /** Against the direction of the language: code, formulas. */
  direction?: "ltr" | "rtl";
}

/** From which side a text is written: one without a letter of the right-to-left scripts reads from the left in every film. */
const sideOf = (stage: Stage, text: string): "ltr" | "rtl" =>
  stage.rtl && /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text) ? "rtl" : "ltr";

/** Puts one line of text where its baseline is; `x` is its left end. */
export function putLine(
  stage: Stage,
  line: { text: string; face: Face; size: number; x: number; baseline: number },
  {
    colour = "ink",
    part,
    from,
    until,
    motion = "fade",
    writes,
    rim,
    direction = sideOf(stage, line.text),
  }: Omit<Putting, "x" | "y" | "width">,
): void {
  const { left, right, ascent, descent } = measure(line.text, line.face, line.size, direction);
  stage.items.push({
    kind: "text",
    ...line,
    direction,
    colour,
    ...(rim && { rim }),
    box: { x: line.x + left, y: line.baseline - ascent, width: right - left, height: ascent + descent },
    part,
    from,
    ...(until !== undefined && { until }),
    motion,
    takes: writes ?? (motion === "rise" ? calm : fast),
  });
}

/** The baseline of the first line of a block whose top is at `y`: capitals stand in the middle of their line. */
export const baselineOf = (y: number, { leading, size }: Pick<Block, "leading" | "size">): number => y + leading / 2 + size * 0.35;

/** Puts a block of text and answers where it ends. */
export function putBlock(stage: Stage, block: Block, putting: Putting): number {
  const { x, y, width, align = "start", direction = sideOf(stage, block.lines.join(" ")) } = putting;
  const fromRight = (align === "end") !== stage.rtl;
  const { writes, from } = putting;
  const signs = block.lines.reduce((sum, text) => sum + text.length, 0) || 1;
  let before = 0;
  block.lines.forEach((text, index) => {
    const written = writes === undefined ? {} : { from: from + (writes * before) / signs, writes: (writes * text.length) / signs };
    before += text.length;
    const { advance } = measure(text, block.face, block.size, direction);
    const left = align === "centre" ? x + (width - advance) / 2 : fromRight ? x + width - advance : x;
    const { lines: _, leading, height: __, width: ___, ...face } = block;
    putLine(stage, { text, ...face, x: left, baseline: baselineOf(y, block) + index * leading }, { ...putting, ...written, direction });
  });
  return y + block.height;
}

/** The left end of a thing that begins `offset` after the start of a room. */
export const startX = (stage: Stage, room: { x: number; width: number }, offset: number, width: number): number =>
  stage.rtl ? room.x + room.width - offset - width : room.x + offset;

/** As fast as signs are spoken at 150 words a minute. */
const writtenSignMs = 78;

/** How long a text is written that comes at a time: as fast as it is spoken, and done before the next. */
export function writingTime(stage: Stage, text: string, from: number, next: number | undefined): number {
  const room = (next ?? stage.durationMs - 1_500) - from;
  return Math.max(300, Math.min(text.length * writtenSignMs, room - 60));
}

/** Puts the heading of a scene and takes its room from the body. */
export function putHeading(stage: Stage, text: string): undefined {
  const clean = wordsOn(stage, text, "read-strong");
  const { body, wide } = stage;
  const mostLines = wide ? 2 : 4;
  const block = largest(wide ? 48 : 54, 36, (size) => {
    const set = setBlock(clean, { face: "read-strong", size, width: body.width, leading: 1.2, balanced: true });
    return set && set.lines.length <= mostLines ? set : undefined;
  });
  if (!block) return refuse(stage, `The heading ${quoted(clean)} does not fit in ${mostLines} lines.`);
  const end = putBlock(stage, block, { ...body, part: "heading", from: 0 });
  const gap = wide ? 36 : 52;
  stage.body = { ...body, y: end + gap, height: body.y + body.height - end - gap };
}

/** Colloquy's mark, quietly, and where the scene comes from. */
export function putFootnote(stage: Stage, title: string | undefined): void {
  const { wide, height, body } = stage;
  const baseline = height - (wide ? 54 : 104);
  const clean = title === undefined ? "" : cleaned(title);
  if (clean === "" || missingSigns(clean, "beside").length > 0) return;
  const text = shortened(clean, "beside", minTextSize, body.width - 30);
  const { advance } = measure(text, "beside", minTextSize, sideOf(stage, text));
  putLeaf(stage, startX(stage, body, 0, 14), baseline - 15, 14, "footnote", 0);
  putLine(
    stage,
    { text, face: "beside", size: minTextSize, x: startX(stage, body, 26, advance), baseline },
    { colour: "ink-faint", part: "footnote", from: 0, motion: "still" },
  );
}

/** The leaf of Colloquy's mark: a round form with one corner. */
export function putLeaf(stage: Stage, x: number, y: number, size: number, part: string, from: number): void {
  const round = size * 0.48;
  stage.items.push({
    kind: "box",
    box: { x, y, width: size, height: size },
    radius: [round, round, round, size * 0.12],
    fill: "accent",
    part,
    from,
    motion: "still",
    takes: fast,
  });
}

/** A surface. */
export function putBox(
  stage: Stage,
  box: Box,
  look: { radius?: number; fill?: ColourRole; stroke?: ColourRole; strokeWidth?: number },
  { part, from, until, motion = "fade" }: { part: string; from: number; until?: number; motion?: Motion },
): void {
  const { radius = 14, ...colours } = look;
  const takes = motion === "fade" || motion === "still" ? fast : calm;
  stage.items.push({ kind: "box", box, radius, ...colours, part, from, ...(until !== undefined && { until }), motion, takes });
}
