import type { Letters } from "@colloquy/schemas/explainers/expression.ts";
import type { LineItem, Move } from "@colloquy/schemas/explainers/placed.ts";
import { lettersAt } from "@colloquy/schemas/explainers/plane.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { shareAt } from "../../frames/moves.ts";
import { cueAt } from "../cues.ts";
import { refuse, type Stage } from "../stage.ts";
import { spokenAt } from "../timing.ts";

type Plane = SceneContent<"plane">;

/** A faster movement cannot be followed. */
const movesLeast = 1_600;
const restMs = 500;
/** A cue behind this share of the narration leaves no time to see what moves. */
const latestShare = 0.75;

/** When a movement begins and how long it takes: at its cue, or a little earlier or faster where a voice leaves less time. */
export function fitMove(
  stage: Stage,
  cue: string,
  { takes, free = 0, rest = restMs }: { takes: number; free?: number; rest?: number },
): Pick<Move, "from" | "takes"> | undefined {
  const { durationMs, speech } = stage;
  const spoken = cueAt(stage, cue);
  // By its words alone, so that no voice finds a scene too late that was checked before it was spoken.
  const { from: begins, to: ends } = speech;
  const inWords = cue === "" ? 0 : (spokenAt(cue, { ...stage, speech: { from: begins, to: ends } }) ?? 0);
  if (inWords > begins + (ends - begins) * latestShare) return undefined;
  const fitted = Math.min(takes, Math.max(movesLeast, durationMs - rest - spoken));
  const from = Math.max(free, Math.min(spoken, durationMs - rest - fitted));
  const room = durationMs - rest - from;
  return room < movesLeast ? undefined : { from, takes: Math.min(fitted, room) };
}

/** What something is like from one time until another; without an end until the scene's. */
export interface State<Value> {
  value: Value;
  from: number;
  until?: number;
}

/** How long a number takes from one value to another, and how long what it has become is seen at least. */
const pace = { takes: 4_000, rest: 1_300 };

/** The share of its way that something has moved at each of its frames; undefined where there is no time for it. Pure but for findings of cues. */
export function sharesOf(stage: Stage, cue: string): State<number>[] | undefined {
  const move = fitMove(stage, cue, pace);
  if (!move) return undefined;
  const count = Math.round((move.takes / 1_000) * filmBounds.pictures.perSecond);
  const starts = Array.from({ length: count }, (_, index) => Math.round(move.from + ((index + 1) * move.takes) / count));
  return inTurn(starts.map((from) => ({ value: shareAt(move, from + 1), from })));
}

/** Its end, where it has one. */
export const untilOf = ({ until }: { until?: number }): { until?: number } => (until === undefined ? {} : { until });

/** States each of which ends when the next begins. */
export function inTurn<Value>(states: readonly { value: Value; from: number }[]): State<Value>[] {
  return states.map((state, index) => {
    const until = states[index + 1]?.from;
    return { ...state, ...(until !== undefined && { until }) };
  });
}

/** A number that moves from one value to another at a cue: its states from the scene's beginning. */
function numberStates(stage: Stage, what: string, { from, to, cue }: { from: number; to: number; cue: string }): State<number>[] {
  const shares = sharesOf(stage, cue);
  if (!shares) refuse(stage, `${what} moves too late to be seen whole: name it earlier.`);
  return inTurn([{ value: from, from: 0 }, ...(shares ?? []).map((share) => ({ ...share, value: from + (to - from) * share.value }))]);
}

/** What the letters of a plane stand for as its parameter moves. */
export function letterStates(stage: Stage, plane: Plane): State<Letters>[] {
  const { parameter } = plane;
  if (!parameter) return [{ value: {}, from: 0 }];
  return numberStates(stage, `The parameter ${parameter.name}`, parameter).map((state) => ({
    ...state,
    value: lettersAt(plane, state.value),
  }));
}

/** Where a tangent touches its curve as it travels. */
export const touchStates = (stage: Stage, { at, to }: NonNullable<Plane["tangents"]>[number]): State<number>[] =>
  to ? numberStates(stage, "A tangent", { from: at, to: to.at, cue: to.cue }) : [{ value: at, from: 0 }];

/** The states of two things together. */
export function bothStates<One, Other>(ones: readonly State<One>[], others: readonly State<Other>[]): State<[One, Other]>[] {
  const times = [...new Set([...ones, ...others].map(({ from }) => from))].toSorted((one, other) => one - other);
  return inTurn(
    times.flatMap((from) => {
      const one = ones.findLast((state) => state.from <= from);
      const other = others.findLast((state) => state.from <= from);
      return one && other ? [{ value: [one.value, other.value] as [One, Other], from }] : [];
    }),
  );
}

/** How something comes that is not there from the start. */
type Coming = Pick<LineItem, "motion" | "takes">;

/** The states of something that comes at a time, each with how it is shown: the first one comes, the others take its place at once. */
export function shownFrom<Value>(states: readonly State<Value>[], comes: number, coming: Coming): (State<Value> & Coming)[] {
  return states
    .filter(({ until }) => until === undefined || until > comes)
    .map((state, index) => {
      const from = Math.max(state.from, comes);
      const hasTime = state.until === undefined || state.until - from > coming.takes;
      return { ...state, from, ...(index === 0 && comes > 0 && hasTime ? coming : ({ motion: "still", takes: 0 } as const)) };
    });
}
