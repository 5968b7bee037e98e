import type { Placed } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneLayout } from "@colloquy/schemas/explainers/storyboard.ts";
import { fast } from "../frames/moves.ts";

/** A picture that does not change for longer than this is a slide. */
export const stillMostMs = 4_000;
/** The share of a film's time in which its pictures change, at least. */
export const changingLeast = 0.35;
/** A title is read at a glance. */
const titleMostMs = 3_000;

/** In milliseconds of a scene. */
export interface Stretch {
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

/** Stretches in which nothing changes. Pure. */
export function stillStretches(placed: Placed): Stretch[] {
  const changes = [{ from: 0, to: 0 }, ...changesOf(placed), { from: placed.durationMs, to: placed.durationMs }];
  return changes.slice(1).map(({ from }, index) => ({ from: changes[index]?.to ?? 0, to: from }));
}

export const lengthOf = ({ from, to }: Stretch): number => to - from;

/** How long a picture changes in all, and its longest stretch without a change, in milliseconds. Pure. */
export function stillnessOf(placed: Placed): { changingMs: number; longest: Stretch } {
  const still = stillStretches(placed);
  const longest = still.reduce((most, one) => (lengthOf(one) > lengthOf(most) ? one : most), { from: 0, to: 0 });
  return { changingMs: placed.durationMs - still.reduce((sum, one) => sum + lengthOf(one), 0), longest };
}

const secondsOf = (ms: number): string => (ms / 1_000).toFixed(1);

/** What keeps a scene from being a moving picture: a title that stands, a stretch without a change. A question may stand. Pure. */
export function stillFindings(layout: SceneLayout, placed: Placed): string[] {
  if (layout === "question") return [];
  if (layout === "title") {
    const stands = `The title stands for ${secondsOf(placed.durationMs)} seconds, and at most for ${titleMostMs / 1_000}`;
    return placed.durationMs > titleMostMs ? [`${stands}: shorten it, or say fewer words.`] : [];
  }
  const { longest } = stillnessOf(placed);
  if (lengthOf(longest) <= stillMostMs) return [];
  const [seconds, at] = [lengthOf(longest), longest.from].map(secondsOf);
  return [`Nothing changes for ${seconds} seconds from ${at} s on: let something appear or move there, or say less.`];
}
