/** Commit positions of the event store: decimals that may pass what a JavaScript number holds. */

/** Digits of the longest position. */
export const positionDigits = 20;

/** Negative, zero or positive, as `one` lies before, at or behind `other`. */
export function comparePositions(one: string, other: string): number {
  const [a, b] = [one.padStart(positionDigits, "0"), other.padStart(positionDigits, "0")];
  return a < b ? -1 : a > b ? 1 : 0;
}

export const laterPosition = (one: string, other: string): string => (comparePositions(one, other) >= 0 ? one : other);
