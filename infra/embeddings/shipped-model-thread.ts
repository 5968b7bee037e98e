import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";
import { Tokenizer } from "@huggingface/tokenizers";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { unitVector } from "./embedder.ts";
import type { ThreadAnswer, ThreadMessage, ThreadRequest } from "./shipped-model.ts";

/** The thread of the shipped model: one text at a time, questions before passages. */

/** The model was trained on texts of so many word pieces; the rest of a longer text is left out. */
const maxPieces = 256;
const folder = new URL("model/", import.meta.url);

const tokenizer = new Tokenizer(JSON.parse(readFileSync(new URL("tokenizer.json", folder), "utf8")), {});
const separator = 102n;
const session = await InferenceSession.create(fileURLToPath(new URL("model.onnx", folder)), {
  executionProviders: ["cpu"],
  // More threads are slower for single sentences, and would take processors from requests.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
});

async function embed(text: string): Promise<Float32Array> {
  const pieces = BigInt64Array.from(tokenizer.encode(text).ids.slice(0, maxPieces), BigInt);
  if (pieces.length === maxPieces) pieces[maxPieces - 1] = separator;
  const size = [1, pieces.length];
  const output = await session.run({
    input_ids: new Tensor("int64", pieces, size),
    attention_mask: new Tensor("int64", new BigInt64Array(pieces.length).fill(1n), size),
    token_type_ids: new Tensor("int64", new BigInt64Array(pieces.length), size),
  });
  const states = output.last_hidden_state;
  if (!states || !(states.data instanceof Float32Array)) throw new Error("the model gives no hidden states");
  const { data, dims } = states;
  const sum = new Float32Array(dims[2] ?? 0);
  // Indexed, because an iterator would create an array for each of up to 98,304 numbers.
  for (let from = 0; from < data.length; from += sum.length)
    for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] as number) + (data[from + at] as number);
  return unitVector(sum);
}

const waiting: Record<ThreadRequest["purpose"], ThreadRequest[]> = { question: [], passage: [] };
let working = false;
let isEnding = false;

async function work(): Promise<void> {
  if (working) return;
  working = true;
  for (let next = waiting.question.shift() ?? waiting.passage.shift(); next; next = waiting.question.shift() ?? waiting.passage.shift()) {
    const { id, text } = next;
    let answer: ThreadAnswer;
    try {
      answer = { id, vector: await embed(text) };
    } catch (error) {
      answer = { id, error: String(error) };
    }
    parentPort?.postMessage(answer);
  }
  working = false;
  if (isEnding) parentPort?.close();
}

parentPort?.on("message", (message: ThreadMessage) => {
  if ("end" in message) {
    isEnding = true;
    for (const queue of Object.values(waiting)) queue.length = 0;
  } else waiting[message.purpose].push(message);
  void work();
});
parentPort?.postMessage({ ready: true } satisfies ThreadAnswer);
