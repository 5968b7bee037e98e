import type { ConversationChangeData, RecordedTurn } from "@colloquy/schemas/sync/changes.ts";
import type { AccountStore } from "./account-store.ts";
import type { LocalChange } from "./library.ts";
import { holdLock, isLockHeld, turnLock } from "./locks.ts";
import type { RunningRow } from "./rows.ts";
import { conversationTitle } from "./title.ts";

/** How often the text that arrived is kept while an answer is being written. */
const keepMs = 400;

/** What a conversation begins with, by its first question and what is attached to it. */
export function startedData({
  model,
  references,
  question,
}: Pick<RunningRow, "references" | "model" | "question">): ConversationChangeData["started"] {
  return { mode: "ask", model, references, title: conversationTitle(question, references) };
}

/** What makes a conversation and its turn true: the changes to be recorded for a turn that ended. */
export function turnChanges(
  row: Pick<RunningRow, "conversationId" | "recorded" | "references" | "model" | "question" | "at">,
  turn: RecordedTurn,
): LocalChange[] {
  const { conversationId, at } = row;
  const started: LocalChange = { conversationId, type: "started", at, data: startedData(row) };
  return [...(row.recorded ? [] : [started]), { conversationId, type: "turn_recorded", data: turn }];
}

/** Answers that were being written when their page went away; those another tab is still receiving are left alone. */
export async function orphanedTurns(store: AccountStore): Promise<RunningRow[]> {
  const found: RunningRow[] = [];
  for (const row of await store.running.getAll()) if (!(await isLockHeld(turnLock(row.key)))) found.push(row);
  return found;
}

/** Keeps a turn while it runs: now and then, and at once when the page is left. `end` lets go of it, unless it waits to be sent again. */
export function persistRunningTurn(store: AccountStore, row: RunningRow): { soon(): void; end(waits?: RunningRow | null): Promise<void> } {
  const release = holdLock(turnLock(row.key));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    return store.running.put({ ...row, savedAt: Date.now() });
  };
  const leaving = () => void now();
  addEventListener("pagehide", leaving);
  let writing = now();
  return {
    soon() {
      timer ??= setTimeout(() => {
        writing = now();
      }, keepMs);
    },
    async end(waits = null) {
      clearTimeout(timer);
      removeEventListener("pagehide", leaving);
      await writing;
      if (waits) await store.running.put({ ...waits, savedAt: Date.now() });
      else await store.running.delete(row.key);
      release();
    },
  };
}
