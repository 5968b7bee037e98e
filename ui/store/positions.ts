/** Negative, zero or positive, as one decimal position lies before, at or behind the other; they may pass what a number holds. */
export const comparePositions = (one: string, other: string): number =>
  one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);

export const laterPosition = (one: string, other: string): string => (comparePositions(one, other) >= 0 ? one : other);
