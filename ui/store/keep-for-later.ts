import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { openAccountStore } from "./account-store.ts";

/** Adds a change to an account's outbox; the next page sends it. */
export async function addToOutbox(accountId: string, change: Change): Promise<void> {
  const store = await openAccountStore(accountId);
  try {
    await store.outbox.put({ key: change.changeId, change });
  } finally {
    store.close();
  }
}
