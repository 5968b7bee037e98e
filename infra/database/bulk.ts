import type { CompiledQuery } from "kysely";
import { LRUCache } from "lru-cache";
import { compiledOnce, type Executing } from "./prepared.ts";

/** Rows of the largest statement. */
const rowsAtMost = 128;
/** Wide statements by the text of the narrow one and their number of rows; a program has a few for each table. */
const texts = new LRUCache<string, string>({ max: 500 });
/** The values of one row, as SQLite's dialect and PostgreSQL's write them; names stand in quotes and cannot look so. */
const oneRow = / values \((?:(?:\?|\$\d+)(?:, )?)+\)/;

/**
 * Writes many rows in few statements: `insert` makes the one for a single row, whose text is then widened, because a query builder that
 * is given thousands of values takes longer than the database. Sizes are powers of two, so that only a handful of different statements
 * is ever prepared for a table. All rows have the same columns. An `insert` that is one function for all calls is compiled once.
 */
export async function insertRows<Row extends object, Database extends Executing>(
  database: Database,
  rows: readonly Row[],
  insert: (row: Row, database: Database) => { compile(): CompiledQuery },
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first) as (keyof Row)[];
  const one = compiledOnce(insert, database, columns.join(), () => insert(first, database).compile());
  if (one.parameters.length !== columns.length) throw new TypeError("An insert of many rows has a value for each column, and no other.");
  for (let from = 0; from < rows.length; ) {
    const count = Math.min(rowsAtMost, 2 ** Math.floor(Math.log2(rows.length - from)));
    const parameters = rows.slice(from, from + count).flatMap((row) => columns.map((column) => row[column]));
    await database.executeQuery({ ...one, sql: widened(one.sql, columns.length, count), parameters });
    from += count;
  }
}

function widened(sql: string, columns: number, count: number): string {
  const key = `${count} ${sql}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const [values = ""] = oneRow.exec(sql) ?? [];
  if (values === "") throw new TypeError("An insert of many rows has values.");
  const numbered = values.includes("$");
  const places = (row: number): string =>
    Array.from({ length: columns }, (_, column) => (numbered ? `$${row * columns + column + 1}` : "?")).join(", ");
  const text = sql.replace(oneRow, () => ` values ${Array.from({ length: count }, (_, row) => `(${places(row)})`).join(", ")}`);
  texts.set(key, text);
  return text;
}
