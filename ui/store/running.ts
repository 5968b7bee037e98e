import type { RecordedTurn } from "@colloquy/schemas/sync/changes.ts";
import type { AccountStore } from "./account-store.ts";
import type { Library, OwnChange } from "./library.ts";
import { isHeld, turnLock } from "./locks.ts";
import type { RunningRow } from "./rows.ts";
import { titleOf } from "./title.ts";

/** What makes a conversation and its turn true: the changes to be recorded for a turn that ended. */
export function changesOf(
  row: Pick<RunningRow, "conversationId" | "recorded" | "references" | "model" | "question" | "at">,
  turn: RecordedTurn,
): OwnChange[] {
  const { conversationId, references, model, question, at } = row;
  const started: OwnChange = { conversationId, type: "started", at, data: { mode: "ask", model, references, title: titleOf(question) } };
  return [...(row.recorded ? [] : [started]), { conversationId, type: "turn_recorded", data: turn }];
}

/** A turn of which only text arrived: nobody said which model wrote it, so it names the slot that was asked first and no model. */
export function stoppedTurn(row: Pick<RunningRow, "key" | "question" | "text" | "model" | "provider" | "replaces">): RecordedTurn {
  const { model } = row;
  return {
    turnId: row.key,
    question: row.question,
    answer: row.text,
    citations: [],
    outcome: "stopped",
    provider: row.provider,
    model: model.choice === "pinned" && !model.allowFallbackWhenPinned ? model.id.slice(model.id.indexOf("/") + 1) : "",
    fallbackDepth: 0,
    ...(row.replaces && { replaces: row.replaces }),
  };
}

/**
 * Finds answers that were being written when their page went away. Text that had come is recorded as a stopped turn;
 * a question without an answer is given back, to be put into a composer.
 */
export async function recoverRunning(store: AccountStore, library: Library): Promise<RunningRow[]> {
  const givenBack: RunningRow[] = [];
  for (const row of await store.running.all()) {
    if (await isHeld(turnLock(row.key))) continue;
    if (row.text) await library.commit(changesOf(row, stoppedTurn(row)));
    else givenBack.push(row);
    await store.running.delete(row.key);
  }
  return givenBack;
}
