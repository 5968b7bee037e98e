import type { Placed } from "@colloquy/schemas/explainers/placed.ts";
import { fast } from "../frames/moves.ts";

/** A picture that does not change for longer than this is a slide. */
export const stillMostMs = 4_000;

interface Stretch {
  from: number;
  to: number;
}

/** When a picture changes, in milliseconds of the scene, as stretches that do not meet. Pure. */
function changesOf({ items, durationMs }: Placed): Stretch[] {
  const all = items
    .flatMap(({ from, takes, motion, until, moves = [] }): Stretch[] => [
      ...(from > 0 || motion !== "still" ? [{ from, to: from + (motion === "still" ? 0 : takes) }] : []),
      ...(until === undefined ? [] : [{ from: until - (takes === 0 ? 0 : fast), to: until }]),
      ...moves.map((move) => ({ from: move.from, to: move.from + move.takes })),
    ])
    .map(({ from, to }) => ({ from: Math.max(0, from), to: Math.min(to, durationMs) }))
    .filter(({ from, to }) => from <= to)
    .toSorted((one, other) => one.from - other.from);
  const joined: Stretch[] = [];
  for (const { from, to } of all) {
    const last = joined.at(-1);
    if (last && from <= last.to + joinMs) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}
/** Numbers that change several times a second are one change. */
const joinMs = 250;

/** How long a picture changes in all, and its longest stretch without a change, in milliseconds. Pure. */
export function stillnessOf(placed: Placed): { changingMs: number; longest: Stretch } {
  const changes = changesOf(placed);
  const edges = [{ from: 0, to: 0 }, ...changes, { from: placed.durationMs, to: placed.durationMs }];
  let longest = { from: 0, to: 0 };
  for (const [index, { from }] of edges.entries()) {
    const before = edges[index - 1]?.to ?? 0;
    if (from - before > longest.to - longest.from) longest = { from: before, to: from };
  }
  return { changingMs: changes.reduce((sum, { from, to }) => sum + to - from, 0), longest };
}
