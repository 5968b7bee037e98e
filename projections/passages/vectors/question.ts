import type { Embedder } from "@colloquy/infra/embeddings/embedder.ts";
import { shippedModelKey } from "@colloquy/infra/embeddings/shipped-model.ts";

/** The cosines of texts that have nothing to do with each other, by one model. */
export interface Noise {
  mean: number;
  /** Standard deviation. */
  deviation: number;
}

/** What is searched for, as a model embeds it. */
export interface QuestionVector {
  /** `Embedder.key` of the model. */
  model: string;
  /** A unit vector. */
  vector: Float32Array;
  noise: Noise;
}

/** Questions and sentences about subjects that have nothing to do with each other. */
const unrelatedTexts = [
  "How long do I boil an egg?",
  "What was the cause of the First World War?",
  "Why does my bicycle chain keep slipping?",
  "Which vitamins are in spinach?",
  "When does the next train to Vienna leave?",
  "How do I calculate the derivative of a product?",
  "Can I cancel my insurance before the end of the year?",
  "What does a conductor of an orchestra do?",
  "Glaciers move slowly downhill under their own weight.",
  "The goalkeeper may handle the ball inside the penalty area.",
  "An array stores elements of the same type one after another.",
  "Bees tell each other where flowers are by a dance.",
  "The roof of a Gothic cathedral rests on ribs and pillars.",
  "Interest rates rose by a quarter of a percent in March.",
  "Antibiotics have no effect on viruses.",
  "Silk was traded along caravan routes through Central Asia.",
];

/** As `measureNoise` gives for the shipped model, so that its thread need not start for that. */
export const shippedNoise: Noise = { mean: 0.03, deviation: 0.074 };

/** @throws {EmbeddingsUnavailable} */
export async function noiseOf(embedder: Embedder): Promise<Noise> {
  return embedder.key === shippedModelKey ? shippedNoise : measureNoise(embedder);
}

/** The cosines of all pairs of texts on unrelated subjects. @throws {EmbeddingsUnavailable} */
async function measureNoise(embedder: Embedder): Promise<Noise> {
  const vectors = await embedder.embed(unrelatedTexts, { purpose: "question" });
  const cosines = vectors.flatMap((one, at) =>
    vectors.slice(at + 1).map((other) => one.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0)),
  );
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
  const variance = cosines.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0) / cosines.length;
  return { mean, deviation: Math.sqrt(variance) };
}

/** The unit vector of the weighted sum: its cosine with a passage is that of the parts, weighted. */
export function weightedVector(parts: readonly { weight: number; vector: Float32Array }[]): Float32Array {
  const sum = new Float32Array(parts[0]?.vector.length ?? 0);
  for (const { weight, vector } of parts) for (const [at, value] of vector.entries()) sum[at] = (sum[at] ?? 0) + weight * value;
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => value / length);
}
