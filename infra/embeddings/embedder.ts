/** A model that turns texts into vectors: texts with similar meanings have a high cosine. */
export interface Embedder {
  /** Names the model and the way it is used; vectors of different keys cannot be compared. Letters, digits, `.`, `_` and `-`. */
  readonly key: string;
  /** The name of the model where it is asked. */
  readonly name: string;
  /** The languages whose texts it can tell apart; all where it is absent. */
  readonly languages?: readonly string[];
  /**
   * One unit vector for each text.
   * @param purpose questions are embedded before passages
   * @throws {EmbeddingsUnavailable} if the model cannot answer now
   */
  embed(texts: readonly string[], options: { purpose: "question" | "passage"; signal?: AbortSignal }): Promise<Float32Array[]>;
  /** Loads the model, so that the first question does not wait for that. */
  warmUp?(): Promise<void>;
  close(): Promise<void>;
}

/** The model does not answer. Searches go on by words. */
export class EmbeddingsUnavailable extends Error {
  override name = "EmbeddingsUnavailable";
}

/** A vector of length 1 in the same direction. */
export function unitVector(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum) || 1;
  return vector.map((value) => value / length);
}
