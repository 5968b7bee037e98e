import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { openPort } from "../../process/http-server.ts";
import { answer } from "./answer.ts";
import { makeObject } from "./objects/make.ts";
import { replyText } from "./objects/reply.ts";
import { teachingText } from "./objects/teaching-step.ts";
import { type ChatRequest, chatRequest, readPrompt } from "./prompt.ts";

/**
 * The demonstration model as an OpenAI-compatible service: `GET /v1/models`, `POST /v1/chat/completions`, streaming or
 * not, with `response_format: json_schema` for the schemas of `schemas/generation` by their name. It keeps nothing.
 */
export interface DemoModelOptions {
  port: number;
  /** Pause between two words of a stream, in milliseconds; a stream never takes longer than `longestStreamMs` for all. */
  wordMs: number;
  host?: string;
}

const modelId = "demonstration";
const requestBytes = 4_194_304;
const longestStreamMs = 12_000;

export async function startDemoModel({
  port,
  wordMs,
  host = "127.0.0.1",
}: DemoModelOptions): Promise<{ server: Server; port: number; url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    serve(request, response, wordMs).catch(() => {
      if (!response.headersSent) refuse(response, 500, "internal error");
      else response.destroy();
    });
  });
  const opened = await openPort(server, port, {
    host,
    onError: (error) => console.error(`A connection could not be taken: ${error.message}`),
  });
  return {
    server,
    port: opened,
    url: `http://${host}:${opened}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, wordMs: number): Promise<void> {
  const path = (request.url ?? "").split("?")[0];
  if (request.method === "GET" && path === "/v1/models")
    return json(response, 200, { object: "list", data: [{ id: modelId, object: "model", created: 0, owned_by: "colloquy" }] });
  if (path !== "/v1/chat/completions") return refuse(response, 404, "there is nothing here");
  if (request.method !== "POST") return refuse(response, 405, "use POST");
  const body = await bodyOf(request);
  if (body === null) return refuse(response, 413, "the request is too large");
  const parsed = chatRequest.safeParse(parseJson(body));
  if (!parsed.success) return refuse(response, 400, "the request is not a chat completion request");

  const prompt = readPrompt(parsed.data);
  const format = parsed.data.response_format;
  let text: string;
  if (format?.type === "json_schema" || format?.type === "json_object") {
    const made = makeObject(format.json_schema?.name ?? "", prompt);
    if (!made) return refuse(response, 422, "the passages do not suffice for this object, or its schema is not known");
    text = JSON.stringify(made);
  } else text = teachingText(prompt) ?? replyText(prompt) ?? answer(prompt);

  const { words, finishReason } = limited(text, parsed.data.max_tokens);
  const usage = { prompt_tokens: tokens(JSON.stringify(parsed.data.messages)), completion_tokens: words.length, total_tokens: 0 };
  usage.total_tokens = usage.prompt_tokens + usage.completion_tokens;
  // Nobody reads along while an object is written.
  if (parsed.data.stream) await stream(response, parsed.data, words, finishReason, usage, format ? 0 : wordMs);
  else
    json(response, 200, {
      id: "demonstration",
      object: "chat.completion",
      created: 0,
      model: modelId,
      choices: [{ index: 0, message: { role: "assistant", content: words.join("") }, finish_reason: finishReason }],
      usage,
    });
}

async function stream(
  response: ServerResponse,
  request: ChatRequest,
  words: string[],
  finishReason: string,
  usage: object,
  wordMs: number,
): Promise<void> {
  const frame = { id: "demonstration", object: "chat.completion.chunk", created: 0, model: modelId };
  const send = (choices: object[], more: object = {}) => response.write(`data: ${JSON.stringify({ ...frame, choices, ...more })}\n\n`);
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  send([{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]);
  const wait = Math.min(wordMs, longestStreamMs / Math.max(1, words.length));
  // A timer cannot wait less than a millisecond: short pauses are saved up.
  let owed = 0;
  for (const word of words) {
    send([{ index: 0, delta: { content: word }, finish_reason: null }]);
    owed += wait;
    if (owed < 1) continue;
    await pause(owed, undefined, { signal: gone.signal }).catch(() => {});
    owed = 0;
    if (gone.signal.aborted) return;
  }
  send([{ index: 0, delta: {}, finish_reason: finishReason }]);
  if (request.stream_options?.include_usage) send([], { usage });
  response.end("data: [DONE]\n\n");
}

/** Words with the space after them, cut where the request's own bound says. A word counts as one token. */
function limited(text: string, maxTokens: number | undefined): { words: string[]; finishReason: "stop" | "length" } {
  const words = text.match(/\S+\s*|\s+/g) ?? [];
  if (maxTokens === undefined || words.length <= maxTokens) return { words, finishReason: "stop" };
  return { words: words.slice(0, maxTokens), finishReason: "length" };
}

const tokens = (text: string): number => Math.ceil(text.length / 4);

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  json(response, status, { error: { message, type: "invalid_request_error", code: null } });
}

/** The body as text; null when it is larger than a request may be. The rest of such a body is let through unread. */
function bodyOf(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= requestBytes) chunks.push(chunk);
      else {
        chunks = [];
        resolve(null);
      }
    });
    request.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    request.on("error", reject);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
