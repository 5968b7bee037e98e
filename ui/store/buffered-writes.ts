import { byKey } from "./memory-table.ts";
import { type Table, type Tables, tableNames } from "./rows.ts";

/** Rows to put into, or keys to delete from, one table. */
export interface Write {
  table: keyof Tables;
  rows?: { key: string }[];
  deleted?: string[];
}

/**
 * Tables whose reads see the stored rows and whose writes are collected in `writes`. IndexedDB commits a transaction as soon as no request
 * is pending, so decisions cannot be made within one; the collected writes are applied in one transaction afterwards.
 */
export function bufferWrites(tables: Tables, writes: Write[]): Tables {
  const gathered = tableNames.map((name) => {
    const stored = tables[name] as unknown as Table<{ key: string }>;
    const table: Table<{ key: string }> = {
      get: (key) => stored.get(key),
      getAll: async () => (await stored.getAll()).sort(byKey),
      getMany: (keys) => stored.getMany(keys),
      put: (row) => table.putAll([row]),
      putAll: async (rows) => {
        if (rows.length > 0) writes.push({ table: name, rows });
      },
      delete: (key) => table.deleteAll([key]),
      deleteAll: async (keys) => {
        if (keys.length > 0) writes.push({ table: name, deleted: keys });
      },
    };
    return [name, table];
  });
  return Object.fromEntries(gathered) as unknown as Tables;
}

/** Applies writes one after the other. */
export async function applyWrites(tables: Tables, writes: readonly Write[]): Promise<void> {
  for (const { table, rows, deleted: gone } of writes) {
    const to = tables[table] as unknown as Table<{ key: string }>;
    if (rows) await to.putAll(rows);
    if (gone) await to.deleteAll(gone);
  }
}

/** A mutex: runs pieces of work one after the other. */
export function createMutex(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
