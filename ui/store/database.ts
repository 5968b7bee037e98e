/// <reference path="./dexie-module.d.ts" />
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { workspaceEntity } from "@colloquy/schemas/sync/entities.ts";
import { Dexie } from "dexie/dist/modern/dexie.mjs";
import { uuidv7 } from "../api/uuid.ts";
import { applyWrites, bufferWrites, createMutex, type Write } from "./buffered-writes.ts";
import { storeLock, withLock } from "./locks.ts";
import { FallbackTable } from "./memory-table.ts";
import { createTables, type Table, type Tables, tableNames } from "./rows.ts";

/** The IndexedDB database of one account. */
export interface AccountDatabase {
  tables: Tables;
  /**
   * A transaction: all writes of `work` or none, without another tab in between. If the browser refuses to store, it continues in memory.
   */
  atomically<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>;
  /** Closes and deletes the database. */
  remove(): Promise<void>;
  close(): void;
}

export const databaseName = (accountId: string): string => `colloquy-${accountId}`;

/**
 * Opens `colloquy-<accountId>`. Every table continues in memory once the browser refuses to store.
 * @param refused called with the first failure
 */
export async function openDatabase(accountId: string, refused: (error: unknown) => void): Promise<AccountDatabase> {
  let isRefused = false;
  const reportRefusal = (error: unknown): void => {
    isRefused = true;
    refused(error);
  };
  // A late write must not recreate a deleted database.
  const database = new Dexie(databaseName(accountId), { autoOpen: false });
  // 2: preferences. 3: quizzes. 4: everything of the account; caches of older versions are dropped. 5: preferences are synced. 6:
  // workspace. 7: review.
  const first = tableNames.filter((name) => name !== "workspace" && name !== "review");
  database
    .version(4)
    .stores({ preferences: "key", ...Object.fromEntries(first.map((name) => [name, "key"])) })
    .upgrade(async (transaction) => {
      for (const name of ["summaries", "records"]) await transaction.table(name).clear();
      await transaction.table("meta").delete("cursor");
      const changes = hiddenModelChanges(await transaction.table("preferences").toArray());
      await transaction.table("outbox").bulkPut(changes.map((change) => ({ key: change.changeId, change })));
    });
  database.version(5).stores({ preferences: null });
  database.version(6).stores({ workspace: "key" });
  database.version(7).stores({ review: "key" });
  await database.open().catch(reportRefusal);
  const tables = createTables((name) => new FallbackTable(storedTable(database, name), reportRefusal));
  const turn = createMutex();
  /** Applies writes in one transaction. After a refusal some rows live in memory, so each write is applied by itself. */
  const writeAll = async (writes: readonly Write[]): Promise<void> => {
    if (writes.length === 0) return;
    if (!isRefused)
      try {
        const names = [...new Set(writes.map(({ table }) => table))];
        return await database.transaction("rw", names, () => {
          for (const { table, rows, deleted } of writes) {
            if (rows) void database.table(table).bulkPut(rows);
            if (deleted) void database.table(table).bulkDelete(deleted);
          }
        });
      } catch (error) {
        reportRefusal(error);
      }
    await applyWrites(tables, writes);
  };
  return {
    tables,
    atomically: (work) =>
      turn(() =>
        withLock(storeLock(accountId), async () => {
          const writes: Write[] = [];
          const result = await work(bufferWrites(tables, writes));
          await writeAll(writes);
          return result;
        }),
      ),
    remove: () =>
      turn(async () => {
        // Pending reads and writes keep the connection open, which would block the deletion.
        await database.transaction("rw", [...tableNames], () => undefined).catch(() => undefined);
        await database.delete().catch(() => undefined);
      }),
    close: () => database.close(),
  };
}

function storedTable<Row extends { key: string }>(database: Dexie, name: string): Table<Row> {
  const table = database.table<Row, string>(name);
  return {
    get: (key) => table.get(key),
    put: async (row) => {
      await table.put(row);
    },
    putAll: async (rows) => {
      await table.bulkPut(rows);
    },
    delete: (key) => table.delete(key),
    getAll: () => table.orderBy("key").toArray(),
    getMany: async (keys) => (await table.bulkGet(keys)).filter((row) => row !== undefined),
    deleteAll: (keys) => table.bulkDelete(keys),
  };
}

/** Models that were hidden when this was a local setting become synced changes. */
function hiddenModelChanges(rows: { data?: { hiddenModels?: string[] } }[]): Change[] {
  const at = new Date().toISOString();
  const hidden = rows.flatMap(({ data }) => data?.hiddenModels ?? []);
  return hidden.map((modelId) => ({
    changeId: uuidv7(),
    domain: "preferences",
    entityId: workspaceEntity,
    type: "model_hidden",
    at,
    data: { modelId },
  }));
}
