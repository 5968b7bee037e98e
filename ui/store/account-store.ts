import { uuidv7 } from "../api/uuid.ts";
import { createMutex } from "./buffered-writes.ts";
import type { AccountDatabase } from "./database.ts";
import { Emitter } from "./emitter.ts";
import { MemoryTable } from "./memory-table.ts";
import { clearStash } from "./page-stash.ts";
import { createTables, type Tables } from "./rows.ts";

/** The tables that this browser stores for one account. */
export interface AccountStore extends Tables {
  readonly accountId: string;
  readonly deviceId: string;
  /** False once the browser has refused to store: data then lasts only as long as the page. */
  readonly persistent: boolean;
  readonly events: Emitter<{ refused: undefined }>;
  /** A transaction: all writes of `work` or none, without another tab in between. */
  atomically<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>;
  /** Deletes everything, as at sign-out. */
  remove(): Promise<void>;
  close(): void;
}

/** Opens the account's store. Loads the database library on first use. */
export async function openAccountStore(accountId: string): Promise<AccountStore> {
  const events = new Emitter<{ refused: undefined }>();
  let persistent = true;
  const refused = () => {
    if (!persistent) return;
    persistent = false;
    events.emit("refused");
  };
  const database = await load(accountId, refused);
  const tables = database?.tables ?? memoryTables();
  const deviceId = (await tables.meta.get("deviceId"))?.value ?? uuidv7();
  await tables.meta.put({ key: "deviceId", value: deviceId });
  return {
    ...tables,
    accountId,
    deviceId,
    get persistent() {
      return persistent;
    },
    events,
    atomically: database ? (work) => database.atomically(work) : memoryAtomically(tables),
    remove: async () => {
      clearStash();
      // Pages without the editor load nothing of it; if this import fails, the rest must still be deleted.
      const drafts = import("./course-drafts.ts").then(({ deleteCourseDrafts: forgetCourseDrafts }) => forgetCourseDrafts(accountId));
      await Promise.all([database?.remove(), drafts]);
    },
    close: () => database?.close(),
  };
}

async function load(accountId: string, refused: () => void): Promise<AccountDatabase | null> {
  try {
    const { openDatabase } = await import("./database.ts");
    return await openDatabase(accountId, refused);
  } catch {
    // The chunk did not load (offline, or a new release): continue in memory.
    refused();
    return null;
  }
}

/** Transactions on tables in memory, one after the other. */
export function memoryAtomically(tables: Tables): AccountStore["atomically"] {
  const turn = createMutex();
  return (work) => turn(() => work(tables));
}

export const memoryTables = (): Tables => createTables(() => new MemoryTable());
