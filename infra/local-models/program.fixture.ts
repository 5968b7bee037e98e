import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A server that answers like a program with models on this machine. The lists are recorded: Ollama's and LM Studio's from their API
 * documentation, those of llama.cpp and vLLM from their servers' sources.
 */
export interface ModelProgram {
  origin: string;
  /** "GET /api/tags", in order. */
  requests: string[];
  /** Bodies of chat requests. */
  chats: ChatRequest[];
  authorizations: Set<string | undefined>;
  /** The answers by path; a test changes them. */
  answers: Record<string, unknown>;
  close(): Promise<void>;
}

export interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
  response_format?: { type: string };
}

/** @param reply what the model says to a chat request; a number is a status */
export async function startModelProgram(
  answers: Record<string, unknown>,
  { reply = () => 404, port = 0 }: { reply?: (request: ChatRequest) => string | number; port?: number } = {},
): Promise<ModelProgram> {
  const program: Omit<ModelProgram, "origin" | "close"> = { requests: [], chats: [], authorizations: new Set(), answers };
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    program.authorizations.add(request.headers.authorization);
    program.requests.push(`${request.method} ${path}`);
    const body = await textOf(request);
    if (path === "/v1/chat/completions") {
      const chat = JSON.parse(body) as ChatRequest;
      program.chats.push(chat);
      const said = reply(chat);
      if (typeof said === "number") return void response.writeHead(said).end();
      const frame = { id: "c", object: "chat.completion.chunk", created: 0, model: chat.model };
      const chunk = (delta: object, finish: string | null) =>
        `data: ${JSON.stringify({ ...frame, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      response.writeHead(200, { "content-type": "text/event-stream" });
      return void response.end(`${chunk({ content: said }, null)}${chunk({}, "stop")}data: [DONE]\n\n`);
    }
    const key = path === "/api/show" ? `/api/show ${(JSON.parse(body) as { model: string }).model}` : path;
    const answer = program.answers[key];
    if (answer === undefined) return void response.writeHead(404, { "content-type": "application/json" }).end('{"error":"not found"}');
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    ...program,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const part of request) chunks.push(part as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

const ollamaModel = (name: string, digest: string, more: object = {}) => ({
  name,
  model: name,
  modified_at: "2026-11-04T14:56:49.277302595-07:00",
  size: 2_019_393_189,
  digest,
  details: { parent_model: "", format: "gguf", family: "llama", families: ["llama"], parameter_size: "3.2B", quantization_level: "Q4_K_M" },
  ...more,
});

/** Ollama with a chat model in memory, one that is not, one for embeddings, and one of its cloud. */
export const ollamaAnswers = (): Record<string, unknown> => ({
  "/api/tags": {
    models: [
      ollamaModel("llama3.2:3b", "a80c4f17acd55265feec403c7aef86be0c25983ab279d83f3bcd3abbcb5b8b72"),
      ollamaModel("deepseek-r1:8b", "6995872bfe4c521a67b32da386cd21d5c6e819b6e0d62f79f64ec83be99f5763"),
      ollamaModel("nomic-embed-text:latest", "0a109f422b47e3a30ba2b10eca18548e944e8a23073ee3f3e947efcf3c45e59f"),
      ollamaModel("gpt-oss:120b-cloud", "569662207105", { size: 381, remote_model: "gpt-oss:120b", remote_host: "https://ollama.com:443" }),
    ],
  },
  "/api/ps": {
    models: [{ name: "llama3.2:3b", model: "llama3.2:3b", size: 5_137_025_024, size_vram: 5_137_025_024, context_length: 32_768 }],
  },
  "/api/show llama3.2:3b": {
    license: "LLAMA 3.2 COMMUNITY LICENSE AGREEMENT",
    parameters: 'stop                           "<|eot_id|>"',
    model_info: { "general.architecture": "llama", "llama.context_length": 131_072, "tokenizer.ggml.tokens": null },
    capabilities: ["completion", "tools"],
  },
  "/api/show deepseek-r1:8b": {
    parameters: "num_ctx                        16384\ntemperature                    0.6",
    model_info: { "general.architecture": "qwen3", "qwen3.context_length": 131_072 },
    capabilities: ["completion", "thinking"],
  },
  "/api/show nomic-embed-text:latest": { model_info: { "nomic-bert.context_length": 2_048 }, capabilities: ["embedding"] },
});

export const lmStudioAnswers = (): Record<string, unknown> => ({
  "/api/v0/models": {
    object: "list",
    data: [
      {
        id: "qwen2-vl-7b-instruct",
        object: "model",
        type: "vlm",
        publisher: "mlx-community",
        arch: "qwen2_vl",
        compatibility_type: "mlx",
        quantization: "4bit",
        state: "not-loaded",
        max_context_length: 32_768,
      },
      {
        id: "meta-llama-3.1-8b-instruct",
        object: "model",
        type: "llm",
        publisher: "lmstudio-community",
        arch: "llama",
        compatibility_type: "gguf",
        quantization: "Q4_K_M",
        state: "loaded",
        max_context_length: 131_072,
        loaded_context_length: 24_000,
      },
      {
        id: "text-embedding-nomic-embed-text-v1.5",
        object: "model",
        type: "embeddings",
        arch: "nomic-bert",
        quantization: "Q4_0",
        state: "not-loaded",
        max_context_length: 2_048,
      },
    ],
  },
});

export const llamaCppAnswers = (): Record<string, unknown> => ({
  "/v1/models": {
    object: "list",
    data: [
      {
        id: "/home/ada/models/Qwen2.5-7B-Instruct-Q4_K_M.gguf",
        object: "model",
        created: 1_735_142_223,
        owned_by: "llamacpp",
        meta: { vocab_type: 2, n_vocab: 152_064, n_ctx_train: 32_768, n_embd: 3_584, n_params: 7_615_616_512, size: 4_677_120_000 },
      },
    ],
  },
  "/props": {
    default_generation_settings: { id: 0, n_ctx: 16_384, is_processing: false },
    total_slots: 1,
    model_path: "/home/ada/models/Qwen2.5-7B-Instruct-Q4_K_M.gguf",
    build_info: "b6000-0000000",
  },
});

export const vllmAnswers = (): Record<string, unknown> => ({
  "/v1/models": {
    object: "list",
    data: [
      {
        id: "Qwen/Qwen2.5-7B-Instruct",
        object: "model",
        created: 1_735_142_223,
        owned_by: "vllm",
        root: "Qwen/Qwen2.5-7B-Instruct",
        parent: null,
        max_model_len: 32_768,
        permission: [{ id: "modelperm-1", object: "model_permission", allow_sampling: true }],
      },
    ],
  },
});
