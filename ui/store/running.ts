import type { ConversationChangeData, RecordedTurn } from "@colloquy/schemas/sync/changes.ts";
import type { AccountStore } from "./account-store.ts";
import type { OwnChange } from "./library.ts";
import { isHeld, turnLock } from "./locks.ts";
import type { RunningRow } from "./rows.ts";
import { titleOf } from "./title.ts";

/** What a conversation begins with, by its first question and what is attached to it. */
export function startedBy({
  model,
  references,
  question,
}: Pick<RunningRow, "references" | "model" | "question">): ConversationChangeData["started"] {
  return { mode: "ask", model, references, title: titleOf(question, references) };
}

/** What makes a conversation and its turn true: the changes to be recorded for a turn that ended. */
export function changesOf(
  row: Pick<RunningRow, "conversationId" | "recorded" | "references" | "model" | "question" | "at">,
  turn: RecordedTurn,
): OwnChange[] {
  const { conversationId, at } = row;
  const started: OwnChange = { conversationId, type: "started", at, data: startedBy(row) };
  return [...(row.recorded ? [] : [started]), { conversationId, type: "turn_recorded", data: turn }];
}

/** Answers that were being written when their page went away; those another tab is still receiving are left alone. */
export async function orphans(store: AccountStore): Promise<RunningRow[]> {
  const found: RunningRow[] = [];
  for (const row of await store.running.all()) if (!(await isHeld(turnLock(row.key)))) found.push(row);
  return found;
}
