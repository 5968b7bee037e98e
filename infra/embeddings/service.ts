import { createHash } from "node:crypto";
import { z } from "zod";
import { type Embedder, EmbeddingsUnavailable, unitVector } from "./embedder.ts";

/** A service that speaks OpenAI's embeddings protocol. */
export interface EmbeddingsService {
  /** Ends in `/v1`. */
  url: string;
  model: string;
  /** Never logged, and never part of an error. */
  key: string | undefined;
}

/** The largest accepted answer in bytes: 64 vectors of 4,096 components as JSON. */
const maxBytes = 8_388_608;
/** Texts of one request. */
const batch = 64;
/** Characters of one text that are sent: about the 8,192 tokens that services accept, with room for dense scripts. */
const maxCharacters = 8_000;
const passageMs = 60_000;

const answerSchema = z.object({ data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(8).max(8_192) })) });

/** The embedder of a service; its texts leave the machine. */
export function embeddingsService({ url, model, key }: EmbeddingsService): Embedder {
  async function request(input: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const response = await fetch(`${url.replace(/\/+$/, "")}/embeddings`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, input, encoding_format: "float" }),
      redirect: "error",
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new EmbeddingsUnavailable(`The embeddings service answers ${response.status}`);
    }
    const { data } = answerSchema.parse(JSON.parse(await bounded(response)));
    const vectors = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => unitVector(Float32Array.from(embedding)));
    const [first] = vectors;
    const fits =
      vectors.length === input.length && vectors.every((vector) => vector.length === first?.length && vector.every(Number.isFinite));
    if (!fits) throw new EmbeddingsUnavailable("The embeddings service answers with other vectors than it was asked for");
    return vectors;
  }

  return {
    key: serviceKey({ url, model }),
    name: model,
    async embed(texts, { signal }) {
      const ending = AbortSignal.any([AbortSignal.timeout(passageMs), ...(signal ? [signal] : [])]);
      const vectors: Float32Array[] = [];
      try {
        for (let from = 0; from < texts.length; from += batch) {
          // Services refuse empty texts.
          const part = texts.slice(from, from + batch).map((text) => text.slice(0, maxCharacters).toWellFormed().trim() || "-");
          vectors.push(...(await request(part, ending)));
        }
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        // The cause of a refused connection names the address, not the credential.
        throw error instanceof EmbeddingsUnavailable
          ? error
          : new EmbeddingsUnavailable("The embeddings service does not answer", { cause: error });
      }
      return vectors;
    },
    close: () => Promise.resolve(),
  };
}

/** The key of a service's model: readable, and different for equal names at different services. */
function serviceKey({ url, model }: Pick<EmbeddingsService, "url" | "model">): string {
  const readable = model.replaceAll(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60);
  return `${readable}-${createHash("sha256").update(`${url}\n${model}`).digest("hex").slice(0, 12)}`;
}

async function bounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new EmbeddingsUnavailable("The embeddings service answers with more than was asked for");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
