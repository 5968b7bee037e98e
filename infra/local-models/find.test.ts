import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { readConfig } from "../config.ts";
import { describeServers, type FoundServer, findLocalModels, placesOf } from "./find.ts";
import { llamaCppAnswers, lmStudioAnswers, type ModelProgram, ollamaAnswers, startModelProgram, vllmAnswers } from "./program.fixture.ts";
import { displayName, programs } from "./programs.ts";

describe("finding local models", () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

  async function serve(answers: Record<string, unknown>): Promise<ModelProgram> {
    const program = await startModelProgram(answers);
    closing.push(program.close);
    return program;
  }
  /** Asks a server as the program of that name, as on its usual port. */
  async function findAs(name: string, origin: string): Promise<FoundServer | undefined> {
    const tried = programs.filter((program) => program.name === name);
    return (await findLocalModels(readConfig({}), undefined, [{ origin, programs: tried }]))[0];
  }
  const findAt = async (url: string, more: Record<string, string> = {}): Promise<FoundServer | undefined> =>
    (await findLocalModels(readConfig({ LOCAL_MODEL_URL: url, ...more })))[0];

  it("reads Ollama's models with the window in force", async () => {
    const { origin } = await serve(ollamaAnswers());
    const server = await findAs("ollama", origin);
    expect(server?.models.map(({ name, loaded, contextTokens, reasons }) => [name, loaded, contextTokens, reasons])).to.deep.equal([
      ["llama3.2:3b", true, 32_768, false],
      ["deepseek-r1:8b", false, 16_384, true],
    ]);
  });

  it("does not offer Ollama's cloud models", async () => {
    const { origin } = await serve({
      "/api/tags": {
        models: [{ name: "kimi:cloud" }, { name: "big:1t-cloud" }, { name: "far", remote_host: "https://ollama.com" }, { name: "near" }],
      },
    });
    expect((await findAs("ollama", origin))?.models.map(({ name }) => name)).to.deep.equal(["near"]);
  });

  it("asks Ollama once for the description of a model", async () => {
    const program = await serve({
      "/api/tags": { models: [{ name: "once:1b", digest: "f00d" }] },
      "/api/show once:1b": { capabilities: ["completion"] },
    });
    await findAs("ollama", program.origin);
    await findAs("ollama", program.origin);
    expect(program.requests.filter((request) => request === "POST /api/show")).to.have.length(1);
  });

  it("reads LM Studio's models for text", async () => {
    const { origin } = await serve(lmStudioAnswers());
    const server = await findAs("lm-studio", origin);
    expect(server?.models.map(({ name, loaded, contextTokens }) => [name, loaded, contextTokens])).to.deep.equal([
      ["qwen2-vl-7b-instruct", false, 4_096],
      ["meta-llama-3.1-8b-instruct", true, 24_000],
    ]);
  });

  it("reads the model of llama.cpp's server and names its file", async () => {
    const { origin } = await serve(llamaCppAnswers());
    const server = await findAs("llama.cpp", origin);
    expect(server?.models.map(({ name, serviceId, contextTokens }) => [name, serviceId, contextTokens])).to.deep.equal([
      ["Qwen2.5-7B-Instruct-Q4_K_M", "/home/ada/models/Qwen2.5-7B-Instruct-Q4_K_M.gguf", 16_384],
    ]);
  });

  it("reads vLLM's model and its window", async () => {
    const { origin } = await serve(vllmAnswers());
    const server = await findAs("vllm", origin);
    expect(server?.models.map(({ name, contextTokens }) => [name, contextTokens])).to.deep.equal([["Qwen/Qwen2.5-7B-Instruct", 32_768]]);
  });

  it("does not take another OpenAI-compatible server on a usual port for a local one", async () => {
    const { origin } = await serve({ "/v1/models": { data: [{ id: "gpt-5", owned_by: "openai" }] } });
    expect(await findAs("vllm", origin)).to.equal(undefined);
    expect(await findAs("llama.cpp", origin)).to.equal(undefined);
  });

  it("takes any server that LOCAL_MODEL_URL names, with or without /v1", async () => {
    const { origin } = await serve({ "/v1/models": { data: [{ id: "mine", owned_by: "somebody" }] } });
    for (const url of [origin, `${origin}/v1/`]) expect((await findAt(url))?.models[0]?.name).to.equal("mine");
  });

  it("recognises each program at LOCAL_MODEL_URL", async () => {
    const labels: (string | undefined)[] = [];
    for (const answers of [ollamaAnswers(), lmStudioAnswers(), llamaCppAnswers(), vllmAnswers()])
      labels.push((await findAt((await serve(answers)).origin))?.label);
    expect(labels).to.deep.equal(["Ollama", "LM Studio", "llama.cpp", "vLLM"]);
  });

  it("looks at the usual ports of 127.0.0.1 only, and not at its own", () => {
    const origins = (port: string): string[] => placesOf(readConfig({ PORT: port })).map(({ origin }) => origin);
    const [ollama, lmStudio, llamaCpp, vllm] = [11_434, 1_234, 8_080, 8_000].map((port) => `http://127.0.0.1:${port}`);
    expect(origins("3000")).to.deep.equal([ollama, lmStudio, llamaCpp, vllm]);
    expect(origins("8080")).to.deep.equal([ollama, lmStudio, vllm]);
  });

  it("asks nobody in production unless that was configured", async () => {
    const program = await serve(vllmAnswers());
    const places = [{ origin: program.origin, programs }];
    expect(await findLocalModels(readConfig({ NODE_ENV: "production" }), undefined, places)).to.deep.equal([]);
    expect(await findLocalModels(readConfig({ LOCAL_MODELS: "off" }), undefined, places)).to.deep.equal([]);
    expect(program.requests).to.deep.equal([]);
    expect(await findLocalModels(readConfig({ NODE_ENV: "production", LOCAL_MODELS: "on" }), undefined, places)).to.have.length(1);
  });

  it("does not follow a redirect", async () => {
    const elsewhere = await serve(vllmAnswers());
    const server = createServer((_, response) => response.writeHead(302, { location: `${elsewhere.origin}/v1/models` }).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(async () => void server.close());
    expect(await findAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).to.equal(undefined);
    expect(elsewhere.requests).to.deep.equal([]);
  });

  it("gives up on an answer without an end", async () => {
    let sent = 0;
    const server = createServer((_, response) => {
      const piece = "[".repeat(65_536);
      const more = (): void => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
      };
      response.on("drain", more);
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(async () => void server.close());
    expect(await findAs("vllm", `http://127.0.0.1:${(server.address() as AddressInfo).port}`)).to.equal(undefined);
    expect(sent).to.be.lessThan(32 * 1_048_576);
  });

  it("gives up on a server that accepts and says nothing", async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(async () => {
      server.closeAllConnections();
      server.close();
    });
    expect(await findAs("vllm", `http://127.0.0.1:${(server.address() as AddressInfo).port}`)).to.equal(undefined);
  });

  it("shows names without control characters and direction marks", () => {
    expect(displayName("\u001b[31mred\u202Eeman\u0007")).to.equal("[31mredeman");
    expect(displayName("x".repeat(500))).to.have.length(80);
  });

  it("passes over entries of a list that are no models", async () => {
    const { origin } = await serve({
      "/v1/models": { data: [null, 7, { id: 3 }, { id: "" }, { id: "good", owned_by: "vllm", max_model_len: 8_192 }] },
    });
    expect((await findAs("vllm", origin))?.models.map(({ name }) => name)).to.deep.equal(["good"]);
  });

  it("says in one line what was found", async () => {
    const server = await findAs("ollama", (await serve(ollamaAnswers())).origin);
    const line = describeServers(server ? [{ ...server, origin: "http://127.0.0.1:11434" }] : []);
    expect(line).to.equal("Ollama at 127.0.0.1:11434 (llama3.2:3b, deepseek-r1:8b)");
  });
});
