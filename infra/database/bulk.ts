/** Rows of the largest statement. */
const rowsAtMost = 128;

/**
 * Writes many rows in few statements: `insert` makes the statement for some of them. Their sizes are powers of two, so that only a
 * handful of different statements is ever prepared for a table.
 */
export async function inStatements<Row>(
  rows: readonly Row[],
  insert: (some: readonly Row[]) => { execute(): Promise<unknown> },
): Promise<void> {
  for (let from = 0; from < rows.length; ) {
    const count = Math.min(rowsAtMost, 2 ** Math.floor(Math.log2(rows.length - from)));
    await insert(rows.slice(from, from + count)).execute();
    from += count;
  }
}
