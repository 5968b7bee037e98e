import type { Operation, Outcome } from "./recording.ts";

/** What the embedded store means to answer otherwise than EventStoreDB, each with its reason. The comparison counts these apart. */
export interface IntendedDifference {
  name: string;
  reason: string;
  /** "usual": only outside strict mode. */
  mode: "always" | "usual";
  matches(difference: Difference): boolean;
}

export interface Difference {
  operation: Operation;
  recorded: Outcome;
  answered: Outcome;
  before: readonly Operation[];
}

export const intendedDifferences: readonly IntendedDifference[] = [];
