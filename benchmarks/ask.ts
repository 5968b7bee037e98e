import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Script } from "@colloquy/command-api/model-gateway/scripted-server.fixture.ts";
import { learners } from "../journeys/learner.ts";
import { startProgram } from "../journeys/program.ts";
import { type Benchmark, milliseconds, percentile, sized } from "./benchmark.ts";

const secret = "a-secret-of-the-benchmark-that-is-long-enough";
/** So many that none reaches its limit of turns a minute or of answers at a time. */
const accounts = sized(200, 20);
const warmupTurns = sized(300, 2);
const concurrent = sized(100, 4);
const measureMs = sized(24_000, 1_000);
const rampUpMs = sized(3_000, 100);
/** An answer of three seconds. The pauses vary, because timers of one length would make all answers write at the same moment. */
const answer: Script = {
  kind: "stream",
  words: Array.from({ length: 60 }, (_, at) => (at % 12 === 11 ? "stays [s1]. " : "word ")),
  pauseMs: [25, 75],
};
/** In the words of a course: it is not rewritten. */
const question = "What is an eigenvector?";

/** Asked in other words than the courses', so that the model is asked to rewrite it first. */
const ownWords = "By how much does that gadget blow up my balloon?";
/** The two lines of a rewrite, in about half a second, as fast hosted models need with their wait for the first word. */
const rewrite: Script = {
  kind: "stream",
  words: [
    ..."question: By how much does a linear map change the size of a shape?".split(/(?<= )/),
    "\nterms: ",
    "determinant, ",
    "area, ",
    "factor",
  ],
  pauseMs: [10, 45],
};
const rewrittenTurns = sized(100, 4);

/**
 * What the service adds to the first word of a model's answer while a hundred answers stream: the whole program over HTTP (front door,
 * retrieval, prompt, gateway, citations) against direct calls to the same model server in the same run.
 */
export async function run(): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-bench-ask-"));
  const worker = new Worker(new URL("support/model-worker.ts", import.meta.url));
  try {
    worker.postMessage({ kind: "stream", words: Array.from({ length: 100 }, () => "word ") } satisfies Script);
    const [modelUrl] = (await once(worker, "message")) as [string];
    const program = await startProgram({
      PROVIDER_CATALOG: writeCatalogue(folder, modelUrl),
      P1_API_KEY: "scripted",
      LOG_LEVEL: "silent",
      SESSION_SECRET: secret,
      // All accounts share this machine's address.
      ADDRESS_REQUESTS_PER_MINUTE: "0",
    });
    try {
      const people = await learners(program.url, secret, accounts);
      let asked = 0;
      const throughService = (message = question): Promise<number> => {
        const person = people[asked % people.length];
        asked += 1;
        return firstWord(`${program.url}/api/ai/ask`, askBody(asked, message), '"kind":"text_delta"', { cookie: person?.cookie ?? "" });
      };
      const direct = () => firstWord(`${modelUrl}/chat/completions`, directBody, '"delta":{"content"', {});
      for (let turn = 0; turn < warmupTurns; turn += 1) await Promise.all([throughService(), direct()]);
      worker.postMessage(answer);
      const [service, baseline]: [number[], number[]] = [[], []];
      const end = performance.now() + measureMs;
      await Promise.all(
        Array.from({ length: concurrent }, async (_, index) => {
          await pause((index / concurrent) * rampUpMs);
          while (performance.now() < end) {
            service.push(await throughService());
            baseline.push(await direct());
          }
        }),
      );
      worker.postMessage(rewrite);
      const [rewritten, asIs]: [number[], number[]] = [[], []];
      for (let turn = 0; turn < rewrittenTurns; turn += 1) {
        rewritten.push(await throughService(ownWords));
        asIs.push(await throughService());
      }
      return {
        title: "Ask: what the service adds to a model's answer",
        baseline: `direct calls to the same model server with a prompt of the same length (${service.length} and ${baseline.length} turns)`,
        rows: [
          ...[0.5, 0.95, 0.99].map((share) =>
            row(`first word, p${share * 100}, ${concurrent} concurrent answers`, service, baseline, share),
          ),
          // Their baseline is a question that is not rewritten, through the service.
          ...[0.5, 0.95].map((share) => row(`first word of a question that is rewritten first, p${share * 100}`, rewritten, asIs, share)),
        ],
      };
    } finally {
      await program.stop();
    }
  } finally {
    await worker.terminate();
    rmSync(folder, { recursive: true, force: true });
  }
}

function row(what: string, measured: readonly number[], beside: readonly number[], share: number) {
  const [ours, plain] = [percentile([...measured], share), percentile([...beside], share)];
  return { what, value: milliseconds(ours), baseline: milliseconds(plain), ratio: `+${milliseconds(ours - plain)}` };
}

/** Writes a provider catalogue with the scripted model alone; returns its path. */
function writeCatalogue(folder: string, baseUrl: string): string {
  const file = join(folder, "catalogue.json");
  const timeouts = { connectMs: 30_000, firstTokenMs: 30_000, idleMs: 30_000, wholeMs: 60_000 };
  const model = { id: "scripted", serviceId: "vendor/big", name: "Scripted", tutor: true, quiz: true, default: true };
  const slot = { slot: "p1", label: "Scripted", baseUrl, credentials: ["P1_API_KEY"], timeouts };
  writeFileSync(file, JSON.stringify({ schemaVersion: 1, slots: [{ ...slot, models: [{ ...model, structuredOutput: "json_schema" }] }] }));
  return file;
}

const askBody = (number: number, message: string): string =>
  JSON.stringify({
    schemaVersion: 1,
    requestId: `bench-turn-${number}`,
    conversationId: null,
    message,
    history: [],
    references: [],
    model: { choice: "automatic" },
  });
const directBody = JSON.stringify({
  model: "vendor/big",
  stream: true,
  messages: [
    { role: "system", content: "A passage of the course, about as long as such passages are. ".repeat(150) },
    { role: "user", content: question },
  ],
});

/** Milliseconds from the request to the first occurrence of `mark`; the rest of the answer is read and ignored. */
async function firstWord(url: string, body: string, mark: string, headers: Record<string, string>): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
  const decoder = new TextDecoder();
  let first: number | null = null;
  let text = "";
  for await (const bytes of response.body ?? []) {
    if (first !== null) continue;
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    if (text.includes(mark)) first = performance.now() - started;
  }
  if (first === null) throw new Error(`${response.status}: ${text.slice(0, 300)}`);
  return first;
}
