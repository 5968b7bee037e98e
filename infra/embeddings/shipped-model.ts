import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { abortable } from "../abortable.ts";
import { type Embedder, EmbeddingsUnavailable } from "./embedder.ts";

/** One text for the thread. */
export interface ThreadRequest {
  id: number;
  text: string;
  purpose: "question" | "passage";
}
/** What the thread is sent: a text, or the wish that it ends after the text that it works on. */
export type ThreadMessage = ThreadRequest | { end: true };
export type ThreadAnswer = { ready: true } | { id: number; vector: Float32Array } | { id: number; error: string };

const thread = new URL("./shipped-model-thread.ts", import.meta.url);
/** The vocabulary takes about 40 MB of the thread's own memory; the model's weights are outside it. */
const memory = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 16 };
/** An idle thread is stopped after this time, which frees about 120 MB; it starts again in half a second. */
const idleMs = 5 * 60_000;
/** Pause before a thread that failed is started again (ms). */
const retryMs = 60_000;

export const shippedModelKey = "all-minilm-l6-v2-int8";

/** The sentence embeddings that ship with the program (all-MiniLM-L6-v2, English), in a thread that starts at the first text. */
export function shippedModel(): Embedder {
  let running: Promise<Worker> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<Float32Array>>();

  function failWaiting(cause?: unknown): EmbeddingsUnavailable {
    const error = new EmbeddingsUnavailable("The embedding model stopped", { cause });
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    return error;
  }

  function start(): Promise<Worker> {
    const { promise, resolve, reject } = Promise.withResolvers<Worker>();
    const worker = new Worker(thread, { resourceLimits: memory, stdin: false });
    worker.unref();
    const end = (reason: unknown): void => {
      running = undefined;
      failedAt = performance.now();
      reject(failWaiting(reason));
    };
    worker.on("error", end);
    worker.on("exit", () => {
      if (running === promise) end("exit");
    });
    worker.on("message", (answer: ThreadAnswer) => {
      if ("ready" in answer) return resolve(worker);
      const request = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ("vector" in answer) request?.resolve(answer.vector);
      else request?.reject(new EmbeddingsUnavailable(answer.error));
    });
    promise.catch(() => undefined);
    return promise;
  }

  async function stop(): Promise<void> {
    const stopping = running;
    running = undefined;
    clearTimeout(idle);
    const worker = await stopping?.catch(() => undefined);
    failWaiting();
    if (!worker) return;
    // It ends by itself: to terminate a thread inside the runtime's native code aborts the whole process.
    const ended = once(worker, "exit");
    worker.ref();
    worker.postMessage({ end: true } satisfies ThreadMessage);
    await ended.catch(() => undefined);
  }

  async function embedOne(text: string, purpose: ThreadRequest["purpose"]): Promise<Float32Array> {
    if (!running && performance.now() - failedAt < retryMs) throw new EmbeddingsUnavailable("The embedding model cannot be started");
    running ??= start();
    const worker = await running;
    lastId += 1;
    const answer = Promise.withResolvers<Float32Array>();
    waiting.set(lastId, answer);
    worker.postMessage({ id: lastId, text, purpose } satisfies ThreadRequest);
    return answer.promise;
  }

  return {
    key: shippedModelKey,
    name: shippedModelKey,
    languages: ["en"],
    async embed(texts, { purpose, signal }) {
      clearTimeout(idle);
      const work = Promise.all(texts.map((text) => embedOne(text, purpose)));
      try {
        return await (signal ? abortable(work, signal) : work);
      } finally {
        work.catch(() => undefined);
        idle = setTimeout(() => void stop(), idleMs).unref();
      }
    },
    async warmUp() {
      clearTimeout(idle);
      await embedOne("", "question");
      idle = setTimeout(() => void stop(), idleMs).unref();
    },
    close: stop,
  };
}
