import type { Config } from "../config.ts";
import type { Embedder } from "./embedder.ts";
import { embeddingsService } from "./service.ts";
import { shippedModel, shippedModelKey } from "./shipped-model.ts";

type Settings = Pick<Config, "SEARCH_BY_MEANING" | "EMBEDDINGS_URL" | "EMBEDDINGS_MODEL" | "EMBEDDINGS_API_KEY">;

/** Longest wait of a search for the vector of its question (ms): the shipped model may have to be loaded first. */
const questionMs = { shipped: 1_000, service: 300 };

interface ConfiguredEmbeddings {
  embedder: Embedder;
  questionMs: number;
  /** An earlier model, if it can still be asked with these settings. */
  earlier(model: Pick<Embedder, "key" | "name">): Embedder | null;
}

/** The configured model of search by meaning; null if that is off. */
export function openEmbeddings(config: Settings): ConfiguredEmbeddings | null {
  if (config.SEARCH_BY_MEANING === "off") return null;
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_API_KEY: key } = config;
  const serviceWith = (name: string): Embedder | null => (url === undefined ? null : embeddingsService({ url, model: name, key }));
  const service = model === undefined ? null : serviceWith(model);
  return {
    embedder: service ?? shippedModel(),
    questionMs: service ? questionMs.service : questionMs.shipped,
    earlier(earlier) {
      if (earlier.key === shippedModelKey) return shippedModel();
      const same = serviceWith(earlier.name);
      return same?.key === earlier.key ? same : null;
    },
  };
}
