import { chanceAfter, gapTex, intervalsOf, modelTex, stabilityTex } from "@colloquy/schemas/explainers/forgetting.ts";
import { solutionTex, solvedOf } from "@colloquy/schemas/explainers/number-line.ts";
import { areaOf, determinant, planeFacts, rounded, statesOf } from "@colloquy/schemas/explainers/plane.ts";
import type { Scene, SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";

/** What a picture says, and from when on, in milliseconds. */
interface Fact {
  ms: number;
  thing: string;
}

/**
 * What a viewer reads in a picture that is computed from its content, with the time from which it stands there. Pure.
 * @param msOf when a cue is spoken
 */
export function metFacts({ layout, content }: Scene, msOf: (cue: string) => number): Fact[] {
  switch (layout) {
    case "plane":
      return planeStates(content, msOf);
    case "number-line":
      return content.intervals.flatMap(({ inequality, cue }) => {
        const solved = solvedOf(content, inequality);
        const solution = solved.kind === "solved" ? solutionTex(inequality, solved) : [];
        return solution.length > 0 ? [{ ms: msOf(cue), thing: `named: ${solution.join(" or ")}` }] : [];
      });
    case "forgetting":
      return forgettingStates(content, msOf);
    default:
      return [];
  }
}

/** Matrices stand beside a plane from the start; what follows from a map changes when it is done. Curves and slopes are met elsewhere. */
function planeStates(plane: SceneContent<"plane">, msOf: (cue: string) => number): Fact[] {
  const done = [0, ...plane.maps.map(({ cue }) => msOf(cue))];
  const beside = (cue: string, states: readonly string[]): Fact[] =>
    states.map((state, index) => ({ ms: Math.max(msOf(cue), done[index] ?? 0), thing: `beside: ${state}` }));
  const shown: readonly string[] = ["map", "determinant", "vector"];
  const areas = plane.polygons.flatMap(({ corners, measured, cue }) =>
    measured
      ? beside(
          cue,
          statesOf(plane.maps).map((state) => `area = ${rounded(areaOf(corners) * Math.abs(determinant(state)))}`),
        )
      : [],
  );
  return [...planeFacts(plane).flatMap(({ kind, cue, states }) => (shown.includes(kind) ? beside(cue, states) : [])), ...areas];
}

function forgettingStates(forgetting: SceneContent<"forgetting">, msOf: (cue: string) => number): Fact[] {
  const { cue, recalls, marks, target } = forgetting;
  const intervals = intervalsOf(forgetting);
  const times = [msOf(cue), ...recalls.map((recall) => msOf(recall.cue))];
  const states = intervals.map((one, index) => ({
    ms: times[index] ?? 0,
    thing: `beside: ${[stabilityTex(one), ...(recalls.length > 0 ? [gapTex(one, target)] : [])].join(", ")}`,
  }));
  const days = intervals.slice(1).map(({ from }, index) => ({ ms: times[index + 1] ?? 0, thing: `recall at: ${rounded(from)}` }));
  const chances = marks.map((mark) => ({
    ms: msOf(mark.cue),
    thing: `chance at ${rounded(mark.at)}: ${Math.round(chanceAfter(mark.at, intervals[0]?.stability ?? Number.NaN) * 100)} %`,
  }));
  return [{ ms: 0, thing: `beside: ${modelTex}` }, ...states, ...days, ...chances];
}
