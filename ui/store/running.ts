import { emptyTurn } from "@colloquy/schemas/ask/turn-progress.ts";
import type { ConversationChangeData, RecordedTurn } from "@colloquy/schemas/sync/changes.ts";
import type { AccountStore } from "./account-store.ts";
import type { LocalChange } from "./library.ts";
import { holdLock, isLockHeld, turnLock } from "./locks.ts";
import type { RunningRow } from "./rows.ts";
import { conversationTitle } from "./title.ts";

/** How often a growing answer is stored. */
const keepMs = 400;

/** The data of a conversation's `started` change, from its first question and references. */
export function startedData({
  model,
  references,
  question,
}: Pick<RunningRow, "references" | "model" | "question">): ConversationChangeData["started"] {
  return { mode: "ask", model, references, title: conversationTitle(question, references) };
}

/** The changes that record a finished turn, with the conversation if it is new. */
export function turnChanges(
  row: Pick<RunningRow, "conversationId" | "recorded" | "references" | "model" | "question" | "at">,
  turn: RecordedTurn,
): LocalChange[] {
  const { conversationId, at } = row;
  const started: LocalChange = { conversationId, type: "started", at, data: startedData(row) };
  return [...(row.recorded ? [] : [started]), { conversationId, type: "turn_recorded", data: turn }];
}

/** Turns that were running when their page was closed; turns of other open tabs are left alone. */
export async function orphanedTurns(store: AccountStore): Promise<RunningRow[]> {
  const found: RunningRow[] = [];
  // A row of an older version has fewer fields.
  for (const row of await store.running.getAll())
    if (!(await isLockHeld(turnLock(row.key)))) found.push({ ...row, turn: { ...emptyTurn, ...row.turn } });
  return found;
}

/**
 * Stores a turn while it runs: at intervals, and at once when the page is left. `end` deletes the row, or replaces it by one that waits to
 * be sent again.
 */
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
