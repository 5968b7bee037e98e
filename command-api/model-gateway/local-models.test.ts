import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { readConfig } from "@colloquy/infra/config.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { placesOf } from "@colloquy/infra/local-models/find.ts";
import {
  type ChatRequest,
  llamaCppAnswers,
  type ModelProgram,
  ollamaAnswers,
  startModelProgram,
} from "@colloquy/infra/local-models/program.fixture.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { modelBounds } from "@colloquy/schemas/model-bounds.ts";
import type { ModelChoice } from "@colloquy/schemas/models.ts";
import { expect } from "chai";
import { pino } from "pino";
import { answer, pinned, request } from "./gateway.fixture.ts";
import { createModelGateway, type ModelGateway } from "./gateway.ts";
import { type LocalModels, openLocalModels } from "./local-models.ts";

const right = JSON.stringify({
  answers: [
    { question: 1, chosen: "B", quote: "A queue returns the element that was added first." },
    { question: 2, chosen: "A", quote: "A stack returns the element that was added last." },
  ],
});
const guessing = right.replace('"chosen":"B"', '"chosen":"A"');
/** Writes objects when it is asked for one, and prose otherwise. */
const able = ({ response_format: format }: ChatRequest): string => (format ? right : "A queue serves who came first.");
const proseOnly = (): string => "I would rather talk.";

describe("local models", () => {
  const closing: (() => void | Promise<void>)[] = [];
  let folder: string;
  let logged: string;
  let clock: { now: number };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "local-models-"));
    logged = "";
    clock = { now: 1_000_000 };
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function serve(
    answers: Record<string, unknown>,
    reply: (request: ChatRequest) => string | number,
    port = 0,
  ): Promise<ModelProgram> {
    const program = await startModelProgram(answers, { reply, port });
    closing.push(program.close);
    return program;
  }
  interface Opened {
    gateway: ModelGateway;
    local: LocalModels;
    /** Looks again and waits for every probe. */
    settle(): Promise<ModelChoice[]>;
  }
  function open(url: string, environment: Record<string, string> = {}): Opened {
    const sink = new Writable({
      write(chunk, _encoding, done) {
        logged += String(chunk);
        done();
      },
    });
    const log = pino({ level: "info" }, sink) as Logger;
    const config = readConfig({ LOCAL_MODEL_URL: url, DATA_DIR: folder, ...environment });
    const local = openLocalModels({ config, log, now: () => clock.now });
    if (!local) throw new Error("local models are not looked for");
    const gateway = createModelGateway({ config, log, local });
    return {
      local,
      gateway,
      async settle() {
        clock.now += modelBounds.localModels.probeAgainMs + 1;
        await local.refresh();
        await local.probed();
        return gateway.choices();
      },
    };
  }
  const ids = (choices: ModelChoice[]): string[] => choices.map(({ id }) => id);

  it("offers the models of a program by name, in a slot of their own", async () => {
    const { settle } = open((await serve(ollamaAnswers(), able)).origin);
    expect((await settle()).map(({ id, name, provider, providerLabel }) => [id, name, provider, providerLabel])).to.deep.equal([
      ["local/ollama/llama3.2:3b", "llama3.2:3b", "local", "Ollama"],
      ["local/ollama/deepseek-r1:8b", "deepseek-r1:8b", "local", "Ollama"],
    ]);
  });

  it("probes the model in memory and offers it for lessons, and loads no other for that", async () => {
    const program = await serve(ollamaAnswers(), able);
    const { settle } = open(program.origin);
    const choices = await settle();
    expect(choices.map(({ capabilities }) => capabilities.tutor)).to.deep.equal([true, false]);
    expect(new Set(program.chats.map(({ model }) => model))).to.deep.equal(new Set(["llama3.2:3b"]));
  });

  it("probes a model that is not in memory after its first answer", async () => {
    const program = await serve(ollamaAnswers(), able);
    const { settle, gateway, local } = open(program.origin);
    await settle();
    await answer(gateway, pinned("local/ollama/deepseek-r1:8b"));
    await local.probed();
    expect(gateway.choices().map(({ capabilities }) => capabilities.tutor)).to.deep.equal([true, true]);
  });

  it("probes once and remembers it for the next start", async () => {
    const program = await serve(llamaCppAnswers(), able);
    await open(program.origin).settle();
    const asked = program.chats.length;
    expect(asked).to.equal(1);
    expect((await open(program.origin).settle())[0]?.capabilities.tutor).to.equal(true);
    expect(program.chats).to.have.length(asked);
    expect(statSync(join(folder, "local-models.json")).mode & 0o777).to.equal(0o600);
  });

  it("probes another model of the same name again", async () => {
    const program = await serve(ollamaAnswers(), able);
    const { settle } = open(program.origin);
    await settle();
    const before = program.chats.length;
    const tags = program.answers["/api/tags"] as { models: { digest: string }[] };
    for (const model of tags.models) model.digest = `new ${model.digest}`;
    await settle();
    expect(program.chats.length).to.be.greaterThan(before);
  });

  for (const [what, reply] of [
    ["writes prose", proseOnly],
    ["guesses", () => guessing],
    ["refuses the format", () => 400],
  ] as const)
    it(`offers a model that ${what} instead of a right object for answers only`, async () => {
      const { settle } = open((await serve(llamaCppAnswers(), reply)).origin);
      expect((await settle())[0]?.capabilities).to.deep.equal({ ask: true, tutor: false, quiz: false });
    });

  it("asks in words for the schema where the service enforces none", async () => {
    const program = await serve(llamaCppAnswers(), ({ response_format: format }) => (format?.type === "json_schema" ? 400 : right));
    expect((await open(program.origin).settle())[0]?.capabilities.tutor).to.equal(true);
  });

  it("offers a model with a small window for answers only", async () => {
    const program = await serve({ ...llamaCppAnswers(), "/props": { default_generation_settings: { n_ctx: 8_192 } } }, able);
    const { settle, gateway } = open(program.origin);
    expect((await settle())[0]?.capabilities.tutor).to.equal(false);
    const [choice] = gateway.choices();
    expect(gateway.contextTokens({ ...pinned(choice?.id ?? ""), need: "ask" })).to.equal(8_192);
  });

  it("asks the local model first while P1 to P4 have no credential, the demonstration model last", async () => {
    const { settle, gateway } = open((await serve(llamaCppAnswers(), able)).origin, { DEMO_MODEL_URL: "http://127.0.0.1:9/v1" });
    await settle();
    const { run } = await answer(gateway);
    expect([run.provider, run.fallbackDepth]).to.deep.equal(["local", 0]);
    expect(gateway.choices().find(({ id }) => id === "p1/demonstration")?.automaticRank).to.equal(1);
  });

  it("asks the demonstration model for lessons if the local model is for answers only", async () => {
    const { settle, gateway } = open((await serve(llamaCppAnswers(), proseOnly)).origin, { DEMO_MODEL_URL: "http://127.0.0.1:9/v1" });
    await settle();
    const asked: string[] = [];
    await gateway.streamText(request({ need: "tutor", onAttempt: ({ model }) => asked.push(model) })).catch(() => undefined);
    expect(asked).to.deep.equal(["demonstration"]);
  });

  it("leaves automatic routing to P1 to P4 where one has a credential", async () => {
    const { settle } = open((await serve(llamaCppAnswers(), able)).origin, { P2_API_KEY: "key" });
    expect((await settle()).filter(({ provider }) => provider === "local").map(({ automaticRank }) => automaticRank)).to.deep.equal([null]);
  });

  it("asks the local model after P1 to P4 with LOCAL_MODELS=automatic", async () => {
    const { settle } = open((await serve(llamaCppAnswers(), able)).origin, { P2_API_KEY: "key", LOCAL_MODELS: "automatic" });
    const ranked = (await settle()).filter(({ automaticRank }) => automaticRank !== null);
    expect(ranked.map(({ provider, automaticRank }) => [provider, automaticRank])).to.deep.equal([
      ["p2", 2],
      ["local", 5],
    ]);
  });

  it("asks no model automatically that has not been probed", async () => {
    const { settle, gateway } = open((await serve(llamaCppAnswers(), () => 503)).origin);
    expect(ids(await settle())).to.have.length(1);
    expect(gateway.automatic()).to.equal(false);
  });

  it("offers a program that starts later", async () => {
    const first = await startModelProgram(llamaCppAnswers());
    const port = Number(new URL(first.origin).port);
    await first.close();
    const { settle } = open(first.origin);
    expect(await settle()).to.deep.equal([]);
    await serve(llamaCppAnswers(), able, port);
    expect(ids(await settle())).to.deep.equal(["local/llama.cpp//home/ada/models/Qwen2.5-7B-Instruct-Q4_K_M.gguf"]);
  });

  it("says that a chosen model is gone, in the log and to the learner", async () => {
    const program = await serve(llamaCppAnswers(), able);
    const { settle, gateway } = open(program.origin);
    const [choice] = await settle();
    await program.close();
    const asked = async (): Promise<unknown> => gateway.streamText(request(pinned(choice?.id ?? ""))).catch((error: unknown) => error);
    // Before it is missed, and after.
    const first = await asked();
    expect(await settle()).to.deep.equal([]);
    expect(logged).to.match(/local models are gone: llama\.cpp at 127\.0\.0\.1:\d+ \(Qwen2\.5/);
    for (const failed of [first, await asked()])
      expect(failed instanceof ProblemError && [failed.code, failed.detail]).to.deep.equal([
        "ai_unavailable",
        "This model is not available. Choose another, or Automatic.",
      ]);
  });

  it("sends LOCAL_MODEL_API_KEY to the server and keeps it out of the log", async () => {
    const program = await serve(llamaCppAnswers(), able);
    await open(program.origin, { LOCAL_MODEL_API_KEY: "sk-local-secret" }).settle();
    expect(program.authorizations).to.deep.equal(new Set(["Bearer sk-local-secret"]));
    expect(logged).not.to.contain("sk-local-secret");
  });

  it("sends no credential to a program on a usual port", () => {
    expect(placesOf(readConfig({})).some(({ apiKey }) => apiKey !== undefined)).to.equal(false);
  });
});
