/** The cosines of texts that have nothing to do with each other, by one model. */
export interface Noise {
  mean: number;
  /** Standard deviation. */
  deviation: number;
}

/** What is searched for, as a model embeds it. */
export interface QuestionVector {
  /** A unit vector. */
  vector: Float32Array;
  noise: Noise;
}
