import { diffWordsWithSpace } from "diff";

/** A piece of a word diff. */
export interface Piece {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Upper bound of the edit length: time grows with its square. */
const mostEdits = 1_500;

/**
 * Texts with too little in common are shown one after the other, because a word diff of them is unreadable: less than `leastKept` of the longer
 * one is shared, unless most of the shorter one is (then text was only added or removed).
 */
const leastKept = 0.3;
const mostlyKept = 0.9;

/** The word diff of two texts. */
export function wordDifference(before: string, after: string): Piece[] {
  if (before === after) return [{ kind: "same", text: after }];
  const changes = diffWordsWithSpace(before, after, { maxEditLength: mostEdits });
  const kept = changes?.reduce((sum, { added, removed, value }) => sum + (added || removed ? 0 : value.trim().length), 0) ?? 0;
  const [shorter, longer] = [before.length, after.length].toSorted((one, other) => one - other) as [number, number];
  if (!changes || (kept < longer * leastKept && kept < shorter * mostlyKept))
    return [
      { kind: "removed" as const, text: before },
      { kind: "added" as const, text: after },
    ].filter(({ text }) => text !== "");
  return changes.map(({ added, removed, value }) => ({ kind: added ? "added" : removed ? "removed" : "same", text: value }));
}
