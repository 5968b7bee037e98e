import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createModelGateway } from "@colloquy/command-api/model-gateway/gateway.ts";
import { startScriptedServer } from "@colloquy/command-api/model-gateway/scripted-server.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { type Benchmark, milliseconds, percentile, times } from "./benchmark.ts";

const runs = 400;
const warmup = 60;
const prompt = `${"A passage of the course, about as long as such passages are. ".repeat(200)}`;

/**
 * What the gateway adds to a model's first word: time from the call to the first text, through the gateway and by a
 * plain `fetch` that reads the first chunk, against one scripted server on the loopback, turn by turn.
 */
export async function run(): Promise<Benchmark> {
  const words = Array.from({ length: 40 }, (_, index) => `word${index} `);
  const server = await startScriptedServer({ kind: "stream", words });
  const folder = mkdtempSync(join(tmpdir(), "gateway-bench-"));
  try {
    const catalog = join(folder, "catalog.json");
    const timeouts = { connectMs: 5_000, firstTokenMs: 5_000, idleMs: 5_000, wholeMs: 5_000 };
    const model = { id: "m", serviceId: "m", name: "M", tutor: true, quiz: true, default: true };
    writeFileSync(
      catalog,
      JSON.stringify({
        schemaVersion: 1,
        slots: [{ slot: "p1", label: "L", baseUrl: server.url, credentials: [], timeouts, models: [model] }],
      }),
    );
    const config = readConfig({ PROVIDER_CATALOG: catalog, DEMO_MODEL: "off" });
    const gateway = createModelGateway({ config, log: createLog("bench", { LOG_LEVEL: "silent" }) });

    const direct: Sample[] = [];
    const through: Sample[] = [];
    for (let turn = 0; turn < runs + warmup; turn++) {
      const plain = await viaFetch(server.url);
      const gated = await viaGateway(gateway);
      server.requests.length = 0;
      if (turn < warmup) continue;
      direct.push(plain);
      through.push(gated);
    }
    const row = (what: string, take: (sample: Sample) => number, share: number) => {
      const value = percentile(through.map(take), share);
      const baseline = percentile(direct.map(take), share);
      return { what, value: milliseconds(value), baseline: milliseconds(baseline), ratio: times(value / baseline) };
    };
    return {
      title: `Model gateway: time to the first word on the loopback (${runs} calls each)`,
      baseline: "a plain fetch to the same server",
      rows: [
        row("first word, median", (sample) => sample.first, 0.5),
        row("first word, 95th percentile", (sample) => sample.first, 0.95),
        row("whole answer of 40 chunks, median", (sample) => sample.whole, 0.5),
      ],
    };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Sample {
  first: number;
  whole: number;
}

async function viaFetch(url: string): Promise<Sample> {
  const start = performance.now();
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "m",
      stream: true,
      max_tokens: 100,
      messages: [
        { role: "system", content: prompt },
        { role: "user", content: "Why?" },
      ],
    }),
  });
  let first = 0;
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? [])
    if (!first && decoder.decode(bytes).includes('"content"')) first = performance.now() - start;
  return { first, whole: performance.now() - start };
}

async function viaGateway(gateway: ReturnType<typeof createModelGateway>): Promise<Sample> {
  const start = performance.now();
  const answer = await gateway.streamText({
    model: { choice: "automatic" },
    need: "ask",
    system: prompt,
    messages: [{ role: "user", content: "Why?" }],
    maxOutputTokens: 100,
    signal: new AbortController().signal,
  });
  let first = 0;
  for await (const _ of answer.text) first ||= performance.now() - start;
  return { first, whole: performance.now() - start };
}
