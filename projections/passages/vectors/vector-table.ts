import { bestOf } from "../term-index.ts";

/** A unit vector in one byte a component: component = code × scale. */
export interface QuantizedVector {
  codes: Int8Array;
  scale: number;
}

/** What made a vector: the key of the model, and how many components it gives. */
export interface VectorOrigin {
  model: string;
  dimensions: number;
}

/** Rounds a vector to a byte a component, relative to its largest. */
export function quantized(vector: Float32Array): QuantizedVector {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest / 127 || 1;
  return { codes: Int8Array.from(vector, (value) => Math.round(value / scale)), scale };
}

/** The vectors of passages, by slot. */
export interface VectorTable {
  set(slot: number, vector: QuantizedVector): void;
  delete(slot: number): void;
  /** The cosine of a passage's vector and a unit vector; null without a vector. */
  cosine(slot: number, question: Float32Array): number | null;
  /** The slots nearest to a unit vector, nearest first. @param priors by slot: those above 0 may answer */
  nearest(question: Float32Array, priors: Float32Array, count: number): number[];
}

/** Slots of one block of memory, so that growing copies nothing. */
const blockBits = 10;
const blockSlots = 1 << blockBits;
/** Up to so many passages are compared exactly; of more, those whose signs agree most. */
const comparedExactly = 1_000;

export function createVectorTable(dimensions: number): VectorTable {
  const words = Math.ceil(dimensions / 32);
  const blocks: { codes: Int8Array; scales: Float32Array; signs: Int32Array }[] = [];
  let held = 0;

  const blockOf = (slot: number) => blocks[slot >> blockBits];
  function signsOf(vector: ArrayLike<number>): Int32Array {
    const signs = new Int32Array(words);
    for (let at = 0; at < dimensions; at += 1)
      if ((vector[at] as number) >= 0) signs[at >> 5] = (signs[at >> 5] as number) | (1 << (at & 31));
    return signs;
  }
  function cosine(slot: number, question: Float32Array): number | null {
    const block = blockOf(slot);
    const within = slot % blockSlots;
    const scale = block?.scales[within];
    if (!block || !scale) return null;
    const { codes } = block;
    const from = within * dimensions;
    // Four sums at once, because each addition would wait for the one before.
    let [one, two, three, four] = [0, 0, 0, 0];
    let at = 0;
    for (; at + 3 < dimensions; at += 4) {
      one += (question[at] as number) * (codes[from + at] as number);
      two += (question[at + 1] as number) * (codes[from + at + 1] as number);
      three += (question[at + 2] as number) * (codes[from + at + 2] as number);
      four += (question[at + 3] as number) * (codes[from + at + 3] as number);
    }
    for (; at < dimensions; at += 1) one += (question[at] as number) * (codes[from + at] as number);
    return (one + two + three + four) * scale;
  }

  /** Slots that have a vector and may answer; of many, those whose signs agree with a question's in the most components. */
  function compared(question: Float32Array, priors: Float32Array): number[] {
    const slots: number[] = [];
    const last = Math.min(priors.length, blocks.length * blockSlots);
    const asked = held > comparedExactly ? signsOf(question) : null;
    const differences = asked && new Uint16Array(last);
    const counts = new Uint32Array(dimensions + 2);
    for (const [number, { scales, signs }] of blocks.entries())
      for (let slot = number * blockSlots, within = 0; within < blockSlots && slot < last; slot += 1, within += 1) {
        if (scales[within] === 0 || priors[slot] === 0) continue;
        slots.push(slot);
        if (!asked || !differences) continue;
        const different = countDifferences(signs, within * words, asked);
        differences[slot] = different;
        counts[different] = (counts[different] as number) + 1;
      }
    if (!differences || slots.length <= comparedExactly) return slots;
    let most = 0;
    for (let sum = counts[0] as number; sum < comparedExactly; sum += counts[most] as number) most += 1;
    return slots.filter((slot) => (differences[slot] as number) <= most);
  }

  return {
    set(slot, { codes, scale }) {
      while (blocks.length <= slot >> blockBits)
        blocks.push({
          codes: new Int8Array(blockSlots * dimensions),
          scales: new Float32Array(blockSlots),
          signs: new Int32Array(blockSlots * words),
        });
      const block = blockOf(slot) as (typeof blocks)[number];
      const within = slot % blockSlots;
      if (block.scales[within] === 0) held += 1;
      block.codes.set(codes, within * dimensions);
      block.scales[within] = scale;
      block.signs.set(signsOf(codes), within * words);
    },

    delete(slot) {
      const block = blockOf(slot);
      if (!block?.scales[slot % blockSlots]) return;
      block.scales[slot % blockSlots] = 0;
      held -= 1;
    },

    cosine,

    nearest(question, priors, count) {
      // Shifted above 0, because the best are chosen among values above 0.
      return bestOf(compared(question, priors), (slot) => 1.001 + (cosine(slot, question) ?? -1), count);
    },
  };
}

/** In how many bits two rows of 32-bit integers differ (Hacker's Delight, 5-1, with the sums of three words at once). */
function countDifferences(row: Int32Array, from: number, other: Int32Array): number {
  let different = 0;
  let at = 0;
  while (at < other.length) {
    let sums = 0;
    for (const end = Math.min(at + 3, other.length); at < end; at += 1) {
      let bits = (row[from + at] as number) ^ (other[at] as number);
      bits -= (bits >>> 1) & 0x55555555;
      sums += (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    }
    different += Math.imul((sums & 0x0f0f0f0f) + ((sums >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24;
  }
  return different;
}
