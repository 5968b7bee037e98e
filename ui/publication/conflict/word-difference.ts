import { diffWordsWithSpace } from "diff";

/** A piece of a text beside the one it came from. */
export interface Piece {
  kind: "same" | "added" | "removed";
  text: string;
}

/** More changes than this are not worth being told apart; the time it takes grows with their square. */
const mostEdits = 1_500;

/**
 * Texts with less in common are shown one after the other: word by word nobody could read them. That is so when little of the longer one is
 * kept, unless nearly all of the shorter one is: then something was only added, or only taken away.
 */
const leastKept = 0.3;
const mostlyKept = 0.9;

/** How a text differs from the one it came from, word by word. */
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
