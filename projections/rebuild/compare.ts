import { createHash } from "node:crypto";
import { isSqlite } from "@colloquy/infra/database/open.ts";
import { type Kysely, sql } from "kysely";
import type { CheckpointTables } from "../checkpoints/tables.ts";
import type { Projection } from "../projection.ts";
import { shadowOf } from "./names.ts";

/** Differences of one table that are described; any further ones are only counted. */
const maxDescribed = 20;
const rowsPerPage = 500;

type Row = Record<string, unknown>;

export interface RowDifference {
  key: string;
  /** `missing`: only the rebuilt table has the row. `extra`: only the live table has it. */
  kind: "missing" | "extra" | "different";
  /** The columns that differ. Text is replaced by a digest, so that no learner's text is shown. */
  columns?: { name: string; live: string; rebuilt: string }[];
}

export interface TableDifferences {
  table: string;
  count: number;
  described: RowDifference[];
}

/** Compares a snapshot of the live tables with their shadow tables, row by row in the order of their keys. */
export async function compareTables(options: {
  /** A transaction with a snapshot of the live tables. */
  live: Kysely<CheckpointTables>;
  database: Kysely<CheckpointTables>;
  projection: Projection;
  signal: AbortSignal;
}): Promise<{ rows: number; differences: TableDifferences[] }> {
  const { live, database, projection, signal } = options;
  let rows = 0;
  const differences: TableDifferences[] = [];
  for (const table of projection.tables) {
    const key = await keyOf(live, table);
    const result: TableDifferences = { table, count: 0, described: [] };
    const add = (kind: RowDifference["kind"], row: Row, columns?: RowDifference["columns"]): void => {
      result.count += 1;
      if (result.described.length < maxDescribed)
        result.described.push({ kind, key: key.map(({ name }) => String(row[name])).join(" "), ...(columns && { columns }) });
    };
    await mergeJoin(rowsInOrder(live, table, key), rowsInOrder(database, shadowOf(table), key), key, (here, there) => {
      signal.throwIfAborted();
      rows += 1;
      if (!here) add("missing", there as Row);
      else if (!there) add("extra", here);
      else {
        const columns = Object.keys({ ...here, ...there }).filter((name) => here[name] !== there[name]);
        if (columns.length > 0)
          add(
            "different",
            here,
            columns.map((name) => ({ name, live: redacted(here[name]), rebuilt: redacted(there[name]) })),
          );
      }
    });
    if (result.count > 0) differences.push(result);
  }
  return { rows, differences };
}

/** Numbers are shown; text is shown as length and digest. */
function redacted(value: unknown): string {
  if (typeof value !== "string" || /^\d*$/.test(value)) return String(value);
  return `${value.length} characters, sha256 ${createHash("sha256").update(value).digest("hex").slice(0, 12)}`;
}

interface KeyColumn {
  name: string;
  text: boolean;
}

/** The columns of a table's primary key, in their order. */
async function keyOf(database: Kysely<CheckpointTables>, table: string): Promise<KeyColumn[]> {
  const found = isSqlite(database)
    ? sql<{ name: string; type: string }>`select name, type from pragma_table_info(${table}) where pk > 0 order by pk`
    : sql<{ name: string; type: string }>`
        select a.attname as name, format_type(a.atttypid, null) as type
        from pg_index i cross join lateral unnest(i.indkey) with ordinality as k(attnum, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
        where i.indisprimary and i.indrelid = to_regclass(${`"${table}"`}) order by k.place`;
  const { rows } = await found.execute(database);
  if (rows.length === 0) throw new Error(`The table ${table} has no primary key to compare its rows by.`);
  return rows.map(({ name, type }) => ({ name, text: type === "text" }));
}

/** Every row, in the byte order of its key. */
async function* rowsInOrder(database: Kysely<CheckpointTables>, table: string, key: readonly KeyColumn[]): AsyncGenerator<Row> {
  const order = sql.join(key.map(({ name, text }) => (text && !isSqlite(database) ? sql`${sql.ref(name)} collate "C"` : sql.ref(name))));
  if (isSqlite(database)) {
    for (let last: Row | undefined; ; ) {
      const names = sql.join(key.map(({ name }) => sql.ref(name)));
      const after = last ? sql`where (${names}) > (${sql.join(key.map(({ name }) => last?.[name]))})` : sql``;
      const { rows } = await sql<Row>`select * from ${sql.table(table)} ${after} order by ${order} limit ${rowsPerPage}`.execute(database);
      yield* rows;
      last = rows.at(-1);
      if (rows.length < rowsPerPage) return;
    }
  }
  // One sort for the whole table; paging by key would need an index in this order.
  const cursor = sql.raw(`compare_${table}`);
  const read = async function* (tx: Kysely<CheckpointTables>): AsyncGenerator<Row> {
    await sql`declare ${cursor} no scroll cursor for select * from ${sql.table(table)} order by ${order}`.execute(tx);
    for (;;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(rowsPerPage)} from ${cursor}`.execute(tx);
      yield* rows;
      if (rows.length < rowsPerPage) break;
    }
    await sql`close ${cursor}`.execute(tx);
  };
  if (database.isTransaction) return yield* read(database);
  const tx = await database.startTransaction().execute();
  try {
    yield* read(tx);
  } finally {
    await tx.rollback().execute();
  }
}

/** Walks two ordered sequences side by side; `visit` gets both rows of each key, undefined where one is missing. */
async function mergeJoin(
  left: AsyncGenerator<Row>,
  right: AsyncGenerator<Row>,
  key: readonly KeyColumn[],
  visit: (left: Row | undefined, right: Row | undefined) => void,
): Promise<void> {
  try {
    let [here, there] = [(await left.next()).value as Row | undefined, (await right.next()).value as Row | undefined];
    while (here || there) {
      const order = !here ? 1 : !there ? -1 : compareKeys(here, there, key);
      visit(order <= 0 ? here : undefined, order >= 0 ? there : undefined);
      if (order <= 0) here = (await left.next()).value as Row | undefined;
      if (order >= 0) there = (await right.next()).value as Row | undefined;
    }
  } finally {
    await Promise.all([left.return(undefined), right.return(undefined)]);
  }
}

function compareKeys(left: Row, right: Row, key: readonly KeyColumn[]): number {
  for (const { name } of key) {
    const [a, b] = [left[name], right[name]];
    const order = typeof a === "number" && typeof b === "number" ? a - b : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
    if (order !== 0) return order;
  }
  return 0;
}
