import type { Affine, Box, Item, Move } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { cueAt } from "../cues.ts";
import { calm, putHeading, quoted, refuse, type Stage, wordsOn } from "../stage.ts";
import { checkKeys, edgePart, nodePart, putDiagram, type Spoken } from "./diagram.ts";

type Build = SceneContent<"build">;

/** How long the camera moves, and how near it comes at most. */
const cameraTakes = { most: 1_800, least: 1_400 };
const nearest = 1.9;
/** So much is seen about the boxes that the camera is on. */
const around = 46;
/** An arrow follows the box that it comes with. */
const arrowAfter = 100;
/** Nearer together than in a diagram: the camera shows parts larger. */
const spacing = { wraps: [260, 190, 160, 130], ranks: [84, 44, 32] };

interface Look {
  on: ReadonlySet<string>;
  from: number;
}

/** When boxes and arrows come, and which boxes have the accent: the last that came, or those that the camera is on. */
function spokenOf(stage: Stage, { nodes, edges }: Build, looks: readonly Look[]): Spoken {
  const times = new Map(nodes.map(({ key, cue }) => [key, cueAt(stage, cue)]));
  const at = (key: string): number => times.get(key) ?? 0;
  const changes = [...new Set([...times.values(), ...looks.map(({ from }) => from)])].toSorted((one, other) => one - other);
  // What is there from the start stands out only by itself.
  const isAlone = [...times.values()].filter((time) => time === 0).length === 1;
  const isLit = (key: string, time: number): boolean =>
    (at(key) === time && (time > 0 || isAlone)) || (at(key) <= time && looks.some(({ on, from }) => from === time && on.has(key)));
  return {
    nodes: nodes.map(({ key, label }) => {
      const lit: { from: number; until?: number }[] = [];
      changes.forEach((time, index) => {
        if (!isLit(key, time)) return;
        const before = lit.at(-1)?.until === time ? lit.pop() : undefined;
        const until = changes[index + 1];
        lit.push({ from: before?.from ?? time, ...(until !== undefined && { until }) });
      });
      return { label: wordsOn(stage, label), from: at(key), still: at(key) === 0, lit };
    }),
    edges: edges.map(({ from, to, label, cue }) => {
      const both = Math.max(at(from), at(to));
      const still = both === 0 && cue === "";
      const spoken = still ? 0 : cue === "" ? both + arrowAfter : cueAt(stage, cue);
      if (spoken < both) refuse(stage, `The arrow at ${quoted(cue)} comes before one of its boxes.`);
      return { label: wordsOn(stage, label, "beside"), from: spoken, still };
    }),
  };
}

/** The picture moved and enlarged so that some boxes fill its body; as it is laid out where there are none. */
function cameraOn(boxes: readonly Box[], body: Box): Affine {
  if (boxes.length === 0) return [1, 0, 0, 1, 0, 0];
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))];
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  const times = Math.max(1, Math.min(nearest, body.width / (right - left + 2 * around), body.height / (bottom - top + 2 * around)));
  const centre = { x: body.x + body.width / 2, y: body.y + body.height / 2 };
  return [times, 0, 0, times, centre.x - (times * (left + right)) / 2, centre.y - (times * (top + bottom)) / 2];
}

/** When the camera moves to where; from the start on it may be somewhere already. */
function movesOf(stage: Stage, looks: readonly Look[], affines: readonly Affine[]): Move[] {
  return looks.flatMap(({ from }, index): Move[] => {
    const to = affines[index];
    if (!to) return [];
    if (from === 0) return [{ from: -2, takes: 1, to }];
    const room = (looks[index + 1]?.from ?? stage.durationMs - 300) - from;
    if (room < cameraTakes.least) refuse(stage, "There is no time to come nearer to a part of the diagram: name it earlier.");
    return [{ from, takes: Math.min(cameraTakes.most, room), to }];
  });
}

/** A diagram that grows: every box has its place from the start, and the camera comes nearer to a part and goes back. */
export function placeBuild(stage: Stage, build: Build): undefined {
  putHeading(stage, build.heading);
  checkKeys(stage, build);
  const keys = build.nodes.map(({ key }) => key);
  const lost = build.focus.flatMap(({ on }) => on).find((one) => !keys.includes(one));
  if (lost !== undefined) refuse(stage, `There is no box ${lost} to look at.`);
  const looks = build.focus.map(({ on, cue }): Look => ({ on: new Set(on), from: cueAt(stage, cue) }));
  if (looks.some(({ from }, index) => from <= (looks[index - 1]?.from ?? -1)))
    refuse(stage, "The diagram is looked at in another order than it is spoken of.");
  const spoken = spokenOf(stage, build, looks);
  if (stage.findings.length > 0) return;
  const before = stage.items.length;
  const boxes = putDiagram(stage, build, spoken, spacing);
  if (!boxes || looks.length === 0) return;
  const affines = looks.map(({ on }) =>
    cameraOn(
      boxes.filter((_, index) => on.has(keys[index] ?? "")),
      stage.body,
    ),
  );
  const moves = movesOf(stage, looks, affines);
  if (stage.findings.length > 0) return;
  const { body, safe } = stage;
  const clip = { x: safe.x, y: body.y - 20, width: safe.width, height: body.height + 30 };
  const drawn = stage.items.splice(before);
  const hidden = hiddenAt(build, drawn, moves, clip);
  stage.items.push(...drawn.flatMap((item) => shownBeside(item, hidden(item.part)).map((one) => ({ ...one, moves, camera: true, clip }))));
}

interface Window {
  from: number;
  until: number;
}

/** Shares of a camera's move after which the parts that it comes to appear, and those that it leaves behind go: the picture is never empty. */
const [comesAt, goesAt] = [0.25, 0.5];

/**
 * When parts are not shown: boxes that the camera would cut through or leave out, with their arrows, and arrows whose words it would cut.
 */
function hiddenAt({ nodes, edges }: Build, items: readonly Item[], moves: readonly Move[], clip: Box): (part: string) => Window[] {
  const windows = moves.map(({ from, takes, to: [times, , , , x, y] }, index) => {
    const next = moves[index + 1];
    const isSeen = ({ box }: Item): boolean => {
      const [left, top] = [times * box.x + x, times * box.y + y];
      const [right, bottom] = [left + times * box.width, top + times * box.height];
      return left >= clip.x && right <= clip.x + clip.width && top >= clip.y && bottom <= clip.y + clip.height;
    };
    const cut = new Set(items.filter((item) => item.kind !== "line" && !isSeen(item)).map(({ part }) => part));
    const isHidden = (key: string): boolean => cut.has(nodePart(nodes.findIndex((node) => node.key === key)));
    for (const [place, edge] of edges.entries()) if (isHidden(edge.from) || isHidden(edge.to)) cut.add(edgePart(place));
    return { cut, from: from + takes * goesAt, until: next ? next.from + next.takes * comesAt : Number.POSITIVE_INFINITY };
  });
  return (part) => windows.filter(({ cut }) => cut.has(part));
}

/** An item as often as it is shown beside the windows in which it is not. */
function shownBeside(item: Item, windows: readonly Window[]): Item[] {
  let shown = [item];
  for (const { from, until } of windows)
    shown = shown.flatMap((one) => {
      const end = one.until ?? Number.POSITIVE_INFINITY;
      if (end <= from || one.from >= until) return one;
      const before = one.from < from ? [{ ...one, until: from }] : [];
      const after = until < end ? [{ ...one, from: until, motion: "fade" as const, takes: calm }] : [];
      return [...before, ...after];
    });
  return shown;
}
