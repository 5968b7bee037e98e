import { curveOf, lettersAt, rounded } from "@colloquy/schemas/explainers/plane.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";

type Plane = SceneContent<"plane">;

/**
 * A plane with the numbers that are computed from it, as a viewer reads them: the slope of each tangent where it comes, where it travels
 * to and when the parameter moves, and the parameter before and after. Pure.
 * @param msOf when a cue is spoken
 */
export function metPlane(plane: Plane, msOf: (cue: string) => number): object {
  const { curves, tangents = [], parameter } = plane;
  const slopeAt = ({ curve, at, to }: (typeof tangents)[number], ms: number): string => {
    const x = to && msOf(to.cue) <= ms ? to.at : at;
    const value = parameter && msOf(parameter.cue) <= ms ? parameter.to : parameter?.from;
    return rounded(curveOf(curves[curve]?.expression ?? "", lettersAt(plane, value))?.slope(x) ?? Number.NaN);
  };
  const moves = parameter && msOf(parameter.cue);
  const slopes = tangents.map((tangent) => (moves == null || msOf(tangent.cue) > moves ? null : slopeAt(tangent, moves)));
  return {
    ...plane,
    tangents: tangents.map((tangent) => ({
      ...tangent,
      slope: slopeAt(tangent, msOf(tangent.cue)),
      to: tangent.to && { ...tangent.to, slope: slopeAt(tangent, msOf(tangent.to.cue)) },
    })),
    parameter: parameter && [
      { shown: `${parameter.name} = ${rounded(parameter.from)}`, cue: "" },
      {
        moves: `${parameter.name} = ${rounded(parameter.to)}`,
        slopes: slopes.some((slope) => slope !== null) ? slopes : null,
        cue: parameter.cue,
      },
    ],
  };
}
