import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { readConfig } from "@colloquy/infra/config.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { expect } from "chai";
import { pino } from "pino";
import { createModelGateway, type ModelGateway, type ModelRequest } from "./gateway.ts";
import { type Script, type ScriptedServer, startScriptedServer } from "./scripted-server.fixture.ts";
import { type ModelUsage, openModelUsage } from "./usage.ts";

export const secret = "sk-very-secret-credential";

type Timeouts = Partial<Record<"connectMs" | "firstTokenMs" | "idleMs" | "wholeMs", number>>;

/** Scripted servers and a gateway to them, made anew for each test and cleared up after it. To be called inside `describe`. */
export function gatewayFixture() {
  const servers: ScriptedServer[] = [];
  const usages: ModelUsage[] = [];
  let folder: string;
  let logged: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "gateway-"));
    logged = "";
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await Promise.all(usages.splice(0).map((usage) => usage.close()));
    rmSync(folder, { recursive: true, force: true });
    expect(logged).to.not.contain(secret);
  });

  async function serve(...scripts: Script[]): Promise<ScriptedServer> {
    const server = await startScriptedServer(...scripts);
    servers.push(server);
    return server;
  }

  /**
   * A gateway whose slots P1, P2, … are these servers, each with one capable default and one Ask-only model. `timeouts` are those of
   * the first slot: the others, as every server that is to answer, have more time than a busy machine needs. `environment`: such as limits.
   */
  function gatewayTo(
    urls: string[],
    timeouts: Timeouts = {},
    clock?: { now: number },
    environment: Record<string, string> = {},
  ): ModelGateway {
    const file = join(folder, "catalog.json");
    const slots = urls.map((baseUrl, index) => ({
      slot: `p${index + 1}`,
      label: `Slot ${index + 1}`,
      baseUrl,
      credentials: [`P${index + 1}_API_KEY`],
      timeouts: { connectMs: 15_000, firstTokenMs: 15_000, idleMs: 15_000, wholeMs: 18_000, ...(index === 0 && timeouts) },
      models: [
        {
          id: "big",
          serviceId: "vendor/big",
          name: "Big",
          tutor: true,
          quiz: true,
          default: true,
          structuredOutput: "json_schema",
          reasoningTokens: 100,
          ...(index === 1 && { newestFlash: true, p3ServiceId: "vendor2/big" }),
        },
        { id: "small", serviceId: "vendor/small", name: "Small", tutor: index === 3, quiz: index === 3 },
      ],
    }));
    writeFileSync(file, JSON.stringify({ schemaVersion: 1, slots }));
    const keys = Object.fromEntries(urls.map((_, index) => [`P${index + 1}_API_KEY`, secret]));
    const sink = new Writable({
      write(chunk, _encoding, done) {
        logged += String(chunk);
        done();
      },
    });
    const config = readConfig({ PROVIDER_CATALOG: file, DATA_DIR: folder, ...keys, ...environment });
    const log = pino({ level: "debug" }, sink) as Logger;
    const usage = openModelUsage({ config, log });
    usages.push(usage);
    return createModelGateway({
      config,
      log,
      usage,
      ...(clock && { now: () => clock.now }),
    });
  }

  return { serve, gatewayTo };
}

/** A request as a caller makes it, with what a test changes. */
export function request(change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: { choice: "automatic" },
    need: "ask",
    system: "Answer from the passages.",
    messages: [{ role: "user", content: "Hello?" }],
    maxOutputTokens: 50,
    signal: new AbortController().signal,
    ...change,
  };
}
export const pinned = (id: string, allowFallbackWhenPinned = false) => ({
  model: { choice: "pinned" as const, id, allowFallbackWhenPinned },
});

/** Reads an answer to its end. */
export async function answer(gateway: ModelGateway, change: Partial<ModelRequest> = {}) {
  const run = await gateway.streamText(request(change));
  const words: string[] = [];
  for await (const word of run.text) words.push(word);
  return { run, words, ...(await run.finished) };
}
/** The code of the problem that work ends with; nothing of a provider may show in it. */
export async function problem(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    expect(JSON.stringify([error.message, error.detail, error.cause, error.fields])).to.not.match(/secret|vendor|Slot|scripted/);
    return error.code;
  }
  throw new Error("nothing was thrown");
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
