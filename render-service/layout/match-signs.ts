/**
 * Pairs the signs of one formula with equal signs of the next: the longest common sequence first, then what is left in its order, so that a
 * term that changes sides is found again. Pure.
 * @returns for each sign of `after` its place in `before`, or null for a new one
 */
export function matchSigns(before: readonly string[], after: readonly string[]): (number | null)[] {
  const longest = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  const at = (one: number, other: number): number => longest[one]?.[other] ?? 0;
  for (let one = before.length - 1; one >= 0; one -= 1)
    for (let other = after.length - 1; other >= 0; other -= 1) {
      const row = longest[one];
      if (row) row[other] = before[one] === after[other] ? at(one + 1, other + 1) + 1 : Math.max(at(one + 1, other), at(one, other + 1));
    }
  const found: (number | null)[] = after.map(() => null);
  for (let one = 0, other = 0; one < before.length && other < after.length; ) {
    if (before[one] === after[other]) {
      found[other] = one;
      one += 1;
      other += 1;
    } else if (at(one + 1, other) >= at(one, other + 1)) one += 1;
    else other += 1;
  }
  const free = before.map((_, index) => index).filter((index) => !found.includes(index));
  return found.map((place, index) => {
    if (place !== null) return place;
    const left = free.findIndex((one) => before[one] === after[index]);
    return left < 0 ? null : (free.splice(left, 1)[0] ?? null);
  });
}
