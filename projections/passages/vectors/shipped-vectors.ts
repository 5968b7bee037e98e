import { readFile } from "node:fs/promises";
import { shippedModelKey } from "@colloquy/infra/embeddings/shipped-model.ts";
import { decodeVectorSet, type VectorSet } from "./vector-set.ts";

/** Written by `npm run embeddings:demonstration`. */
export const shippedVectorsFile = new URL("./demonstration-courses.vectors", import.meta.url);

/** The vectors of the demonstration courses by the shipped model, so that a first start need not make them. */
export async function shippedVectors(model: string): Promise<VectorSet | null> {
  if (model !== shippedModelKey) return null;
  return decodeVectorSet(await readFile(shippedVectorsFile));
}
