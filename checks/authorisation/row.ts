import type { SampleData } from "./sample-data.ts";

/** A route as it is asked, and the status each who asks gets. */
export interface Row<Who extends string> {
  /** The address with real ids in it; unless set, the route's own path with the sample data's ids. */
  path?: (things: SampleData) => string;
  /** A body that would be carried out; without one an empty object is sent, which who may ask is told is not valid (400). */
  body?: (things: SampleData) => object;
  headers?: Record<string, string>;
  /** What the learner sends before anybody asks: what is answered goes on meanwhile. */
  first?: (things: SampleData) => { path: string; body: object };
  answers: Record<Who, number>;
  /** Where everybody is told the same: what the learner reads afterwards, behind each who asked. */
  afterwards?: { path: (things: SampleData) => string; answers: Record<Who, number> };
}

/** The learner last, whose things are still there then, whoever asked before. */
export const inOrder = <Who extends string>(names: readonly Who[]): Who[] =>
  names.toSorted((one, other) => Number(last.has(one)) - Number(last.has(other)));
const last = new Set<string>(["learner", "embed"]);
