import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedServer } from "../command-api/model-gateway/scripted-server.ts";
import { startProgram } from "../journeys/program.ts";
import { type Benchmark, milliseconds, percentile } from "./benchmark.ts";

const accounts = ["learner", "learner2", "owner", "auditor"];
/** Below the limit of turns an account may start in a minute. */
const turnsPerAccount = 28;
const question = "What is an eigenvector, and how is it found?";

/**
 * What the service adds to a model's first word: the whole program (front door, retrieval, prompt, gateway, citations)
 * asked over HTTP, against a direct call to the same model server, taking turns in one run.
 */
export async function run(): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-bench-ask-"));
  const model = await startScriptedServer({ kind: "stream", words: ["An eigenvector ", "keeps its direction ", "[s1]."] });
  const catalog = join(folder, "catalog.json");
  const timeouts = { connectMs: 5_000, firstTokenMs: 5_000, idleMs: 5_000, wholeMs: 10_000 };
  const models = [
    { id: "scripted", serviceId: "scripted", name: "Scripted", tutor: true, quiz: true, default: true, structuredOutput: "json_schema" },
  ];
  writeFileSync(
    catalog,
    JSON.stringify({
      schemaVersion: 1,
      slots: [{ slot: "p1", label: "Scripted", baseUrl: model.url, credentials: ["P1_API_KEY"], timeouts, models }],
    }),
  );
  const program = await startProgram({ PROVIDER_CATALOG: catalog, P1_API_KEY: "scripted", LOG_LEVEL: "silent" });
  try {
    const through: number[] = [];
    const direct: number[] = [];
    for (const account of accounts) {
      const signedIn = await fetch(`${program.url}/auth/demo?as=${account}`, { redirect: "manual" });
      const cookie = signedIn.headers
        .getSetCookie()
        .map((line) => line.split(";")[0])
        .join("; ");
      for (let turn = 0; turn < turnsPerAccount; turn += 1) {
        const service = firstWord(`${program.url}/api/ai/ask`, askBody(), { cookie }, '"text_delta"');
        if (turn === 0) await service;
        else {
          through.push(await service);
          direct.push(
            await firstWord(`${model.url}/chat/completions`, modelBody(model.requests.at(-1)?.body.messages ?? []), {}, '"content":"An'),
          );
        }
      }
    }
    const row = (share: number) => ({
      what: `first word, p${share * 100}`,
      value: milliseconds(percentile(through, share)),
      baseline: milliseconds(percentile(direct, share)),
      ratio: `+${milliseconds(percentile(through, share) - percentile(direct, share))}`,
    });
    return {
      title: "Ask: what the service adds to a model's first word",
      baseline: `a direct call to the same model server with the same prompt, ${direct.length} turns each`,
      rows: [row(0.5), row(0.95), row(0.99)],
    };
  } finally {
    await program.stop();
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const askBody = () => ({
  schemaVersion: 1,
  requestId: `bench-${Math.random().toString(36).slice(2)}`,
  conversationId: null,
  message: question,
  history: [],
  references: [],
  model: { choice: "automatic" },
});
const modelBody = (messages: unknown[]) => ({ model: "scripted", stream: true, messages });

/** Milliseconds from sending until `mark` stands in what has arrived. */
async function firstWord(url: string, body: object, headers: Record<string, string>, mark: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  let seen = "";
  let arrived = 0;
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    seen += chunk;
    if (!arrived && seen.includes(mark)) arrived = performance.now();
  }
  if (!arrived) throw new Error(`${response.status}: ${seen.slice(0, 300)}`);
  return arrived - started;
}
