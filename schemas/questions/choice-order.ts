/** A choice about the other choices, which must come last. */
const refersToOthers = /\b(?:of the above|of these|of them|der genannten|both|all|none)\b/i;

/**
 * Choices in random order; those about the others ("none of the above") stay last. Pure for a given `random`.
 * @param random as `Math.random`
 */
export function shuffledChoices<Choice extends { text: string }>(choices: readonly Choice[], random: () => number): Choice[] {
  const order = [...choices];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] as Choice, order[at] as Choice];
  }
  return [...order.filter(({ text }) => !refersToOthers.test(text)), ...order.filter(({ text }) => refersToOthers.test(text))];
}

/** A random number generator with a seed (FNV-1a, then mulberry32). */
export function seededRandom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const letter of seed) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
