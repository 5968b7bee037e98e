import type { ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";

export interface HistoryGroup {
  name: (typeof names)[number];
  rows: ConversationSummary[];
}

/** Message keys of the groups. */
const names = ["workspace.pinned", "workspace.today", "workspace.yesterday", "workspace.lastWeek", "workspace.older"] as const;

/** Groups the history by last use, in local calendar days; keeps the order and omits empty groups. */
export function groupHistory(rows: readonly ConversationSummary[], now: Date): HistoryGroup[] {
  const groups = new Map(names.map((name) => [name, [] as ConversationSummary[]]));
  for (const row of rows) groups.get(row.pinned ? "workspace.pinned" : groupOf(new Date(row.updatedAt), now))?.push(row);
  return names.map((name) => ({ name, rows: groups.get(name) ?? [] })).filter((group) => group.rows.length);
}

function groupOf(time: Date, now: Date): HistoryGroup["name"] {
  const days = daysBetween(time, now);
  return days <= 0 ? "workspace.today" : days === 1 ? "workspace.yesterday" : days <= 7 ? "workspace.lastWeek" : "workspace.older";
}

/** Calendar days, so that a day of 23 hours counts too. */
function daysBetween(time: Date, now: Date): number {
  const day = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return Math.round((day(now) - day(time)) / 86_400_000);
}
