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
  /** The slots nearest to a unit vector, nearest first. @param accept which may answer */
  nearest(question: Float32Array, accept: (slot: number) => boolean, count: number): number[];
}

/** Slots of one block of memory, so that growing copies nothing. */
const blockSlots = 1024;
/** Up to so many passages are compared exactly; of more, those whose signs agree most. */
const comparedExactly = 2_000;

export function createVectorTable(dimensions: number): VectorTable {
  const words = Math.ceil(dimensions / 32);
  const blocks: { codes: Int8Array; scales: Float32Array; signs: Int32Array }[] = [];
  let held = 0;

  const blockOf = (slot: number) => blocks[Math.floor(slot / blockSlots)];
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
    let sum = 0;
    for (let at = 0; at < dimensions; at += 1) sum += (question[at] as number) * (codes[from + at] as number);
    return sum * scale;
  }

  /** Of many slots those whose signs agree with a question's in the most components, `comparedExactly` or a few more. */
  function agreeing(slots: readonly number[], question: Float32Array): readonly number[] {
    const asked = signsOf(question);
    const differences = new Uint16Array(slots.length);
    const counts = new Uint32Array(dimensions + 1);
    for (const [at, slot] of slots.entries()) {
      const signs = (blockOf(slot) as (typeof blocks)[number]).signs;
      const from = (slot % blockSlots) * words;
      let different = 0;
      for (let word = 0; word < words; word += 1) different += bitCount((signs[from + word] as number) ^ (asked[word] as number));
      differences[at] = different;
      counts[different] = (counts[different] as number) + 1;
    }
    let most = 0;
    for (let sum = 0; most <= dimensions; most += 1) {
      sum += counts[most] as number;
      if (sum >= comparedExactly) break;
    }
    return slots.filter((_, at) => (differences[at] as number) <= most);
  }

  return {
    set(slot, { codes, scale }) {
      while (blocks.length <= Math.floor(slot / blockSlots))
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

    nearest(question, accept, count) {
      if (held === 0) return [];
      const slots: number[] = [];
      for (const [number, { scales }] of blocks.entries())
        for (let within = 0; within < blockSlots; within += 1) {
          const slot = number * blockSlots + within;
          if (scales[within] !== 0 && accept(slot)) slots.push(slot);
        }
      const compared = slots.length > comparedExactly ? agreeing(slots, question) : slots;
      // Shifted above 0, because the best are chosen among values above 0.
      return bestOf(compared, (slot) => 1.001 + (cosine(slot, question) ?? -1), count);
    },
  };
}

/** The number of set bits of a 32-bit integer (Hacker's Delight, 5-1). */
function bitCount(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
