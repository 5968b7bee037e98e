/**
 * Positions of the event store reach 64 bits, past what a JavaScript number holds and beyond one column type both engines share.
 * A column keeps them as 20 digits, so that the order of the text is the order of the numbers; "" stands before every position.
 */
const digits = 20;

export const positionColumn = (position: string | null): string => (position === null ? "" : position.padStart(digits, "0"));

export const positionOf = (column: string): string | null => (column === "" ? null : column.replace(/^0+(?=\d)/, ""));

/** Negative, zero or positive, as `left` lies before, at or behind `right`. */
export function comparePositions(left: string, right: string): number {
  const [a, b] = [positionColumn(left), positionColumn(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}
