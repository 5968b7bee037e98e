import type { ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import type { HistoryGroup } from "./history-groups.ts";

type GroupName = HistoryGroup["name"];

/** A line of the list: a group's heading, or a conversation with its position in the list. Search results are one group without a name. */
export type Line = { kind: "heading"; name: GroupName } | { kind: "row"; row: ConversationSummary; place: number; group: GroupName | null };

/** Line heights in CSS pixels. */
export interface Heights {
  heading: number;
  row: number;
}

export function linesOf(groups: readonly (Omit<HistoryGroup, "name"> & { name: GroupName | null })[]): Line[] {
  const lines: Line[] = [];
  let place = 0;
  for (const { name, rows } of groups) {
    if (name) lines.push({ kind: "heading", name });
    for (const row of rows) {
      place += 1;
      lines.push({ kind: "row", row, place, group: name });
    }
  }
  return lines;
}

/** The offset of each line, and the total height at the end. */
export function offsetsOf(lines: readonly Line[], heights: Heights): number[] {
  const offsets = [0];
  for (const { kind } of lines) offsets.push((offsets.at(-1) ?? 0) + heights[kind]);
  return offsets;
}

/** The lines to render for the visible area, with a margin on both sides. */
export function windowOf(offsets: readonly number[], top: number, height: number, beyond = 600): { from: number; to: number } {
  const lineAt = (at: number): number => {
    let [low, high] = [0, offsets.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((offsets[middle + 1] ?? Number.POSITIVE_INFINITY) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const count = offsets.length - 1;
  return { from: Math.min(lineAt(top - beyond), Math.max(0, count - 1)), to: Math.min(count, lineAt(top + height + beyond) + 1) };
}
