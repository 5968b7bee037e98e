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
 * @param matrixMs when the matrix of a map comes
 */
export function metFacts({ layout, content }: Scene, msOf: (cue: string) => number, matrixMs: MatrixMs): Fact[] {
  switch (layout) {
    case "plane":
      return planeStates(content, msOf, matrixMs);
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

type MatrixMs = (map: { name: string; cue: string }) => number;

/** Matrices come when their maps are first named; what follows from a map changes when it is done. Curves and slopes are met elsewhere. */
function planeStates(plane: SceneContent<"plane">, msOf: (cue: string) => number, matrixMs: MatrixMs): Fact[] {
  const done = [0, ...plane.maps.map(({ cue }) => msOf(cue))];
  const besideFrom = (ms: number, states: readonly string[]): Fact[] =>
    states.map((state, index) => ({ ms: Math.max(ms, done[index] ?? 0), thing: `beside: ${state}` }));
  const beside = (cue: string, states: readonly string[]): Fact[] => besideFrom(msOf(cue), states);
  const shown: readonly string[] = ["map", "determinant", "vector"];
  const areas = plane.polygons.flatMap(({ corners, measured, cue }) =>
    measured
      ? beside(
          cue,
          statesOf(plane.maps).map((state) => `area = ${rounded(areaOf(corners) * Math.abs(determinant(state)))}`),
        )
      : [],
  );
  const facts = planeFacts(plane).filter(({ kind }) => shown.includes(kind));
  return [...facts.flatMap((fact) => besideFrom(fact.kind === "map" ? matrixMs(fact) : msOf(fact.cue), fact.states)), ...areas];
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
