import type { SceneContent } from "./storyboard.ts";

type Table = SceneContent<"table">;

/** The number that a cell is; null where it is none. Pure. */
export function numberIn(cell: string): number | null {
  const bare = cell.trim().replace("−", "-");
  return /^-?\d+(?:\.\d+)?(?:\s?%)?$/.test(bare) ? Number.parseFloat(bare) : null;
}

/** Whether numbers are all shares of a hundred, or none is. */
const hasOneUnit = (cells: readonly string[]): boolean =>
  new Set(cells.flatMap((cell) => (numberIn(cell) === null ? [] : cell.includes("%")))).size <= 1;

/**
 * The rows by their place in a table that is sorted by a column: numbers by size, words by letters; null where it is not sorted, or its
 * numbers have several units. Pure.
 */
export function sortedRows({ rows, sortBy, descending }: Pick<Table, "rows" | "sortBy" | "descending">): number[] | null {
  if (sortBy < 0) return null;
  const cells = rows.map((row) => row[sortBy] ?? "");
  if (!hasOneUnit(cells)) return null;
  const numbers = cells.map(numberIn);
  const compared = (a: number, b: number): number => {
    const [one, other] = [numbers[a], numbers[b]];
    if (one != null && other != null) return one - other;
    return (cells[a] ?? "").localeCompare(cells[b] ?? "", "en");
  };
  const order = rows.map((_, row) => row).toSorted(compared);
  return descending ? order.toReversed() : order;
}

/** The values that bars are drawn of; null where a cell of the column is no number or has another unit, or all are 0. Pure. */
export function barsOf({ rows, bars }: Pick<Table, "rows" | "bars">): number[] | null {
  const cells = rows.map((row) => row[bars] ?? "");
  if (!hasOneUnit(cells)) return null;
  const numbers = cells.map(numberIn);
  const all = numbers.flatMap((one) => (one === null || one < 0 ? [] : one));
  return all.length === rows.length && Math.max(...all) > 0 ? all : null;
}

type Compared = NonNullable<Table["compared"]>;

/** Rows or columns by their place, the second of those that are compared directly after the first. Pure. */
export function comparedOrder(count: number, { first, second }: Pick<Compared, "first" | "second">): number[] {
  const others = Array.from({ length: count }, (_, index) => index).filter((index) => index !== second);
  return others.flatMap((index) => (index === first ? [first, second] : [index]));
}

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [numberIn(one), numberIn(other)];
  return a !== null && b !== null ? a === b && hasOneUnit([one, other]) : one.trim() === other.trim();
};

/** The cells in which two rows differ, but for the first, which names them; or two columns. Pure. */
export function differingCells(
  { rows, columns }: Pick<Table, "rows" | "columns">,
  { of, first, second }: Compared,
): { row: number; column: number }[] {
  const both = [first, second];
  if (of === "rows")
    return columns.flatMap((_, column) =>
      column === 0 || isSame(rows[first]?.[column] ?? "", rows[second]?.[column] ?? "") ? [] : both.map((row) => ({ row, column })),
    );
  return rows.flatMap((cells, row) => (isSame(cells[first] ?? "", cells[second] ?? "") ? [] : both.map((column) => ({ row, column }))));
}

/** What names the rows or columns that are compared. Pure. */
export const comparedNames = ({ rows, columns }: Pick<Table, "rows" | "columns">, { of, first, second }: Compared): string[] =>
  [first, second].map((index) => (of === "rows" ? rows[index]?.[0] : columns[index]) ?? "");
