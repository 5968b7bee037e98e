import { Dexie } from "dexie/dist/modern/dexie.mjs";
import { CautiousTable } from "./memory-table.ts";
import { type Table, type Tables, tableNames } from "./rows.ts";

/** The browser database of an account. */
export interface AccountDatabase {
  tables: Tables;
  /** Closes it and takes it away with all it holds. */
  remove(): Promise<void>;
  close(): void;
}

export const databaseName = (accountId: string): string => `colloquy-${accountId}`;

/**
 * Opens `colloquy-<accountId>`. Every table goes on in memory once the browser refuses to store.
 * @param refused called with the first failure
 */
export async function openDatabase(accountId: string, refused: (error: unknown) => void): Promise<AccountDatabase> {
  // Once removed it must not come back for a write that was late.
  const database = new Dexie(databaseName(accountId), { autoOpen: false });
  // 2: preferences. 3: quizzes.
  database.version(3).stores(Object.fromEntries(tableNames.map((name) => [name, "key"])));
  await database.open().catch(refused);
  const tables = Object.fromEntries(tableNames.map((name) => [name, new CautiousTable(storedTable(database, name), refused)]));
  return {
    tables: tables as unknown as Tables,
    remove: () => database.delete().catch(() => undefined),
    close: () => database.close(),
  };
}

function storedTable(database: Dexie, name: string): Table<{ key: string }> {
  const table = database.table<{ key: string }, string>(name);
  return {
    get: (key) => table.get(key),
    put: async (row) => {
      await table.put(row);
    },
    putAll: async (rows) => {
      await table.bulkPut(rows);
    },
    delete: (key) => table.delete(key),
    all: () => table.orderBy("key").toArray(),
  };
}
