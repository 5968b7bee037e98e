import type { Things } from "./things.ts";

/** A route as it is asked, and the status each who asks gets. */
export interface Row<Who extends string> {
  /** The address with real ids in it; the route's own path where there are none. */
  path?: (things: Things) => string;
  /** A body that would be carried out; without one an empty object is sent, which who may ask is told is not valid (400). */
  body?: (things: Things) => object;
  headers?: Record<string, string>;
  /** What the learner sends before anybody asks: what is answered goes on meanwhile. */
  first?: (things: Things) => { path: string; body: object };
  answers: Record<Who, number>;
  /** Where everybody is told the same: what the learner reads afterwards, behind each who asked. */
  afterwards?: { path: (things: Things) => string; answers: Record<Who, number> };
}

/** The learner last, whose things are still there then, whoever asked before. */
export const inOrder = <Who extends string>(names: readonly Who[]): Who[] =>
  names.toSorted((one, other) => Number(last.has(one)) - Number(last.has(other)));
const last = new Set<string>(["learner", "embed"]);
