import { createHash } from "node:crypto";

/** Numbers from 0 (inclusive) to 1 that the same seed and name always give in the same order (mulberry32). */
export function randomOf(seed: number, name: string): () => number {
  let state = createHash("sha256").update(`${seed} ${name}`).digest().readUInt32LE();
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
