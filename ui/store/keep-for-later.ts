import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { openAccountStore } from "./account-store.ts";

/** Puts a change into an account's outbox, for the next page that sends it. */
export async function addToOutbox(accountId: string, change: Change): Promise<void> {
  const store = await openAccountStore(accountId);
  try {
    await store.outbox.put({ key: change.changeId, change });
  } finally {
    store.close();
  }
}
