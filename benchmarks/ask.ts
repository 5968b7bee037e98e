import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Script } from "@colloquy/command-api/model-gateway/scripted-server.ts";
import { learners } from "../journeys/learner.ts";
import { startProgram } from "../journeys/program.ts";
import { type Benchmark, milliseconds, percentile } from "./benchmark.ts";

const question = "What is an eigenvector, and how is it found?";
const secret = "a-secret-of-the-benchmark-that-is-long-enough";
/** Below the limit of turns an account may start in a minute. */
const turnsPerAccount = 28;

/** One turn: milliseconds to its first word, and its words. */
type Turn = () => Promise<{ first: number; marks: number }>;

const concurrent = 100;
const steadyMs = 24_000;
/** An answer of three seconds, as models write: the service is asked some 30 times a second. */
const steady: Script = {
  kind: "stream",
  words: Array.from({ length: 60 }, (_, at) => (at % 12 === 11 ? "stays [s1]. " : "word ")),
  // Each at its own pace: timers of one length would fall into step, and all hundred speak at once.
  pauseMs: [25, 75],
};

/** What processes warm up with. */
const brief: Script = { kind: "stream", words: Array.from({ length: 100 }, () => "word ") };

const collecting = `--import=${new URL("parts/collector.ts", import.meta.url).href}`;

const burst = { streams: 10, rounds: 4, words: 2_000 };
const many = { streams: 1_000, before: 500, atOnce: 20 };

/**
 * What the service adds to a model's first word while a hundred answers are being written, how many words a second pass through one
 * process, and what a thousand answers leave in its memory: the whole program (front door, retrieval, prompt, gateway, citations)
 * over HTTP, against direct calls to the same model server in the same run.
 */
export async function run(): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-bench-ask-"));
  const worker = new Worker(new URL("parts/model-worker.ts", import.meta.url));
  const play = async (script: Script): Promise<string> => {
    worker.postMessage(script);
    const [url] = (await once(worker, "message")) as [string];
    return url;
  };
  const modelUrl = await play(brief);
  const catalog = join(folder, "catalog.json");
  const timeouts = { connectMs: 30_000, firstTokenMs: 30_000, idleMs: 30_000, wholeMs: 60_000 };
  const models = [
    { id: "scripted", serviceId: "vendor/big", name: "Scripted", tutor: true, quiz: true, default: true, structuredOutput: "json_schema" },
  ];
  writeFileSync(
    catalog,
    JSON.stringify({
      schemaVersion: 1,
      slots: [{ slot: "p1", label: "Scripted", baseUrl: modelUrl, credentials: ["P1_API_KEY"], timeouts, models }],
    }),
  );
  const environment = { PROVIDER_CATALOG: catalog, P1_API_KEY: "scripted", LOG_LEVEL: "silent", SESSION_SECRET: secret };
  const direct = (whole: boolean) => measured(`${modelUrl}/chat/completions`, directBody, {}, '"delta":{"content"', whole);
  /** Has the program running for as long as `work` takes; `through` is a turn under an account that has turns left. */
  const withProgram = async <T>(more: Record<string, string>, work: (through: Turn, url: string) => Promise<T>): Promise<T> => {
    const program = await startProgram({ ...environment, ...more });
    try {
      const accounts = await learners(program.url, secret, 200);
      let used = 0;
      const through: Turn = () => {
        const account = accounts[Math.floor(used / turnsPerAccount) % accounts.length];
        used += 1;
        return measured(`${program.url}/api/ai/ask`, askBody(), { cookie: account?.cookie ?? "" }, '"kind":"text_delta"');
      };
      await play(brief);
      for (let warm = 0; warm < 300; warm += 1) await Promise.all([through(), direct(true)]);
      return await work(through, program.url);
    } finally {
      await program.stop();
    }
  };
  try {
    const service: number[] = [];
    const plain: number[] = [];
    const rate = async (call: Turn): Promise<number> => {
      let marks = 0;
      const began = performance.now();
      for (let round = 0; round < burst.rounds; round += 1)
        for (const turn of await Promise.all(Array.from({ length: burst.streams }, call))) marks += turn.marks;
      return (marks / (performance.now() - began)) * 1_000;
    };
    const [serviceRate, directRate] = await withProgram({}, async (through) => {
      await play(steady);
      const end = performance.now() + steadyMs;
      await Promise.all(
        Array.from({ length: concurrent }, async (_, at) => {
          await new Promise((resolve) => setTimeout(resolve, (at / concurrent) * 3_000));
          while (performance.now() < end) {
            service.push((await through()).first);
            plain.push((await direct(false)).first);
          }
        }),
      );
      await play({ kind: "stream", words: Array.from({ length: burst.words }, () => "word ") });
      return [await rate(through), await rate(() => direct(true))];
    });
    const [heapBefore, heapAfter] = await withProgram({ NODE_OPTIONS: collecting }, async (through, url) => {
      const manyTurns = async (count: number): Promise<number> => {
        const troughs: number[] = [];
        for (let done = 0; done < count; done += many.atOnce) {
          await Promise.all(Array.from({ length: many.atOnce }, through));
          troughs.push(await heapOf(url));
        }
        return Math.min(...troughs.slice(-10));
      };
      return [await manyTurns(many.before), await manyTurns(many.streams)];
    });

    const row = (share: number) => ({
      what: `first word, p${share * 100}, ${concurrent} answers being written`,
      value: milliseconds(percentile(service, share)),
      baseline: milliseconds(percentile(plain, share)),
      ratio: `+${milliseconds(percentile(service, share) - percentile(plain, share))}`,
    });
    const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;
    return {
      title: "Ask: what the service adds to a model's answer",
      baseline: `direct calls to the same model server with a prompt of the same length in the same run (${service.length} and ${plain.length} turns)`,
      rows: [
        row(0.5),
        row(0.95),
        row(0.99),
        {
          what: "text deltas a second through one process",
          value: `${Math.round(serviceRate).toLocaleString("en")}/s`,
          baseline: `${Math.round(directRate).toLocaleString("en")}/s`,
          ratio: `${(serviceRate / directRate).toFixed(2)}×`,
        },
        {
          what: `memory in use after ${many.streams.toLocaleString("en")} more answers (baseline: after ${many.before})`,
          value: megabytes(heapAfter),
          baseline: megabytes(heapBefore),
          ratio: `${heapAfter > heapBefore ? "+" : "−"}${megabytes(Math.abs(heapAfter - heapBefore))}`,
        },
      ],
    };
  } finally {
    await worker.terminate();
    rmSync(folder, { recursive: true, force: true });
  }
}

let asked = 0;
const askBody = () => {
  asked += 1;
  return JSON.stringify({
    schemaVersion: 1,
    requestId: `bench-turn-${asked}`,
    conversationId: null,
    message: question,
    history: [],
    references: [],
    model: { choice: "automatic" },
  });
};
const directBody = JSON.stringify({
  model: "vendor/big",
  stream: true,
  messages: [
    { role: "system", content: "A passage of the course, about as long as such passages are. ".repeat(150) },
    { role: "user", content: question },
  ],
});

/** Milliseconds from sending until `mark` has arrived, and how often it came. Hangs up at the first when the rest is not wanted. */
async function measured(
  url: string,
  body: string,
  headers: Record<string, string>,
  mark: string,
  whole = true,
): Promise<{ first: number; marks: number }> {
  const hangUp = new AbortController();
  const started = performance.now();
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
    signal: hangUp.signal,
  });
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let first = 0;
  let marks = 0;
  let rest = "";
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    rest += decoder.decode(value, { stream: true });
    let at = rest.indexOf(mark);
    if (at >= 0 && !first) {
      first = performance.now() - started;
      if (!whole) {
        hangUp.abort();
        return { first, marks: 1 };
      }
    }
    for (; at >= 0; at = rest.indexOf(mark, at + mark.length)) marks += 1;
    const line = rest.lastIndexOf("\n");
    rest = rest.slice(line + 1);
  }
  if (!first) throw new Error(`${response.status}: ${rest.slice(0, 300)}`);
  return { first, marks };
}

async function heapOf(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const found = /^nodejs_heap_size_used_bytes\{[^}]*service="command-api"[^}]*\} (\S+)$/m.exec(metrics);
  if (!found) throw new Error("the command API tells no heap size");
  return Number(found[1]);
}
