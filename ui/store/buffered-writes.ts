import { byKey } from "./memory-table.ts";
import { createTables, type Table, type Tables } from "./rows.ts";

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
  return createTables(<Row extends { key: string }>(name: keyof Tables): Table<Row> => {
    const stored = anyRows(tables[name]) as Table<Row>;
    const table: Table<Row> = {
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
    return table;
  });
}

/** A table without its row type. */
const anyRows = (table: Table<{ key: string }>): Table<{ key: string }> => table;

/** Applies writes one after the other. */
export async function applyWrites(tables: Tables, writes: readonly Write[]): Promise<void> {
  for (const { table, rows, deleted } of writes) {
    if (rows) await anyRows(tables[table]).putAll(rows);
    if (deleted) await tables[table].deleteAll(deleted);
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
