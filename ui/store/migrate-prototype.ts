import { timeNotKept } from "@colloquy/schemas/conversations/export.ts";
import type { AccountStore } from "./account-store.ts";
import type { Library } from "./library.ts";
import { withLock } from "./locks.ts";
import { prototypeKey, sharedSetAsideKey } from "./prototype.ts";
import { type MigrationPlan, migratedPrefix, planMigration, type SetAside } from "./prototype-record.ts";
import { addSetAside, adoptSetAside } from "./set-aside.ts";

export interface MigrationReport {
  migrated: number;
  setAside: SetAside[];
}

interface Needs {
  store: AccountStore;
  library: Library;
  storage: Storage;
  /** Called after each step; tests make it throw. */
  reached?: (step: "read" | "planned" | "stored" | "verified" | "set aside" | "removed") => void;
}

/**
 * Migrates the prototype's record once, for the first account that signs in. Its conversations become changes in the outbox, in one
 * transaction and with deterministic ids, so a repeated run adds nothing. The old record is deleted only after the service has confirmed
 * every change and returns the same content; unreadable or rejected entries are set aside unchanged. Null: nothing to do, or not finished
 * yet.
 */
export async function migratePrototype(needs: Needs): Promise<MigrationReport | null> {
  return withLock("colloquy-migration", () => migrate(needs));
}

async function migrate({ store, library, storage, reached = () => undefined }: Needs): Promise<MigrationReport | null> {
  const text = readItem(storage, prototypeKey);
  // Without persistent storage the migrated data would be lost.
  if (text === null || !store.persistent) return null;
  reached("read");
  const plan = await planMigration(text, store.accountId, timeNotKept);
  reached("planned");
  const key = await planKey(text);
  const state = (await store.meta.get("migration"))?.value;
  if (state !== key) {
    const changes = plan.conversations.flatMap((one) => one.changes);
    await store.atomically(async (tables) => {
      await tables.outbox.putAll(changes.map((change) => ({ key: change.changeId, change })));
      await tables.meta.put({ key: "migration", value: key });
    });
    reached("stored");
    await library.replica.reloadLocalChanges();
    void library.outbox.send();
  }
  const waiting = (await store.outbox.getAll()).some((row) => row.key.startsWith(migratedPrefix));
  if (waiting || !library.loaded) return null;
  const missing = await missingConversations(library, plan);
  reached("verified");
  const setAside = [...plan.setAside, ...missing];
  await addSetAside(store, setAside);
  // Storage was refused just now, so the set-aside entries last only as long as the page: keep the old record.
  if (!store.persistent) return null;
  reached("set aside");
  storage.removeItem(prototypeKey);
  await store.meta.delete("migration");
  reached("removed");
  return { migrated: plan.conversations.length - missing.length, setAside };
}

/** Conversations that the service confirmed but does not return in full. */
async function missingConversations(library: Library, { conversations }: MigrationPlan): Promise<SetAside[]> {
  const missing: SetAside[] = [];
  for (const { entry, conversationId, turns } of conversations) {
    const record = await library.stored(conversationId);
    if (!record || record.turns.length < turns) missing.push({ entry, reason: "The service did not take all of it." });
  }
  return missing;
}

async function planKey(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Storage may be refused. */
function readItem(storage: Storage, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

/** Migrates now and again whenever the outbox is empty, until the old record is gone. Calls `done` with the result. */
export function migrateWhenPossible(needs: Omit<Needs, "storage">, done: (report: MigrationReport) => void): void {
  let storage: Storage;
  try {
    storage = localStorage;
  } catch {
    return;
  }
  if (readItem(storage, sharedSetAsideKey) !== null)
    void withLock("colloquy-migration", () => adoptSetAside(needs.store, storage)).catch((error) => console.error(error));
  if (readItem(storage, prototypeKey) === null) return;
  let stop: (() => void)[] = [];
  const again = async (): Promise<void> => {
    const report = await migratePrototype({ ...needs, storage });
    if (report) done(report);
    if (readItem(storage, prototypeKey) === null) for (const end of stop) end();
  };
  const soon = (): void => void again().catch((error) => console.error(error));
  stop = [needs.library.events.on("summaries", soon), needs.library.outbox.events.on("state", ({ unsent }) => unsent === 0 && soon())];
  soon();
}
