/** Pairs what has the same key, first with first, second with second. */
export function pairEqual<Thing>(now: readonly Thing[], before: readonly Thing[], key: (thing: Thing) => string): Map<Thing, Thing> {
  const waiting = new Map<string, Thing[]>();
  for (const thing of before) {
    const same = waiting.get(key(thing));
    if (same) same.push(thing);
    else waiting.set(key(thing), [thing]);
  }
  for (const same of waiting.values()) same.reverse();
  const pairs = new Map<Thing, Thing>();
  for (const thing of now) {
    const found = waiting.get(key(thing))?.pop();
    if (found !== undefined) pairs.set(thing, found);
  }
  return pairs;
}

/**
 * Pairs what is most alike, best first. Likeness is Dice's coefficient of their feature sets, from 0 to 1.
 * @param least pairs less alike than this are not made.
 */
export function pairSimilar<Thing>(
  now: readonly Thing[],
  before: readonly Thing[],
  features: (thing: Thing) => Set<string>,
  least: number,
): Map<Thing, Thing> {
  const left = now.map((thing) => ({ thing, set: features(thing) }));
  const right = before.map((thing) => ({ thing, set: features(thing) }));
  const candidates: { one: Thing; other: Thing; likeness: number; apart: number }[] = [];
  for (const [i, one] of left.entries())
    for (const [j, other] of right.entries()) {
      const likeness = dice(one.set, other.set);
      if (likeness >= least) candidates.push({ one: one.thing, other: other.thing, likeness, apart: Math.abs(i - j) });
    }
  candidates.sort((a, b) => b.likeness - a.likeness || a.apart - b.apart);
  const pairs = new Map<Thing, Thing>();
  const used = new Set<Thing>();
  for (const { one, other } of candidates) {
    if (pairs.has(one) || used.has(other)) continue;
    pairs.set(one, other);
    used.add(other);
  }
  return pairs;
}

function dice(one: Set<string>, other: Set<string>): number {
  if (one.size + other.size === 0) return 0;
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const feature of small) if (large.has(feature)) shared += 1;
  return (2 * shared) / (one.size + other.size);
}

/** The words of a text, each once, as features for `pairSimilar`. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
