import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A small OpenAI-compatible server that does what a test tells it: one script for each request, the last one for all
 * that follow. For tests only.
 */

/** What the server does with one request. */
export type Script =
  /** `bytewise` sends the stream one byte at a time; `model` is what it calls itself; `pauseMs` follows each word, between two bounds by chance. */
  | {
      kind: "stream";
      words: string[];
      finishReason?: "stop" | "length" | "tool_calls";
      pauseMs?: number | readonly [least: number, most: number];
      usage?: boolean;
      bytewise?: boolean;
      model?: string;
    }
  /** All of it in one event. */
  | { kind: "json"; content: string; finishReason?: "stop" | "length" }
  | { kind: "status"; status: number; body?: string; headers?: Record<string, string> }
  /** Says these words, then breaks the connection. */
  | { kind: "reset"; words: string[] }
  /** Says these words, then nothing more, ever. Without words and `accept`, not even the response's head is sent. */
  | { kind: "hang"; words: string[]; accept?: boolean }
  /** Answers by what is asked; null: says nothing, ever. */
  | { kind: "reply"; to(body: SeenRequest["body"]): string | null }
  /** Sends these bytes as the event stream. */
  | { kind: "raw"; body: string };

export interface SeenRequest {
  path: string;
  authorization: string | undefined;
  body: {
    model: string;
    stream?: boolean;
    max_tokens?: number;
    messages: { role: string; content: string }[];
    response_format?: { type: string; json_schema?: { name: string; schema: unknown } };
  };
  /** Resolves when the client's side of the connection is gone before the answer was finished. */
  aborted: Promise<void>;
}

export interface ScriptedServer {
  url: string;
  requests: SeenRequest[];
  script(...scripts: Script[]): void;
  close(): Promise<void>;
}

export async function startScriptedServer(...scripts: Script[]): Promise<ScriptedServer> {
  let plan: Script[] = scripts;
  let served = 0;
  const requests: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const script = plan[Math.min(served++, plan.length - 1)];
    const aborted = Promise.withResolvers<void>();
    response.on("close", () => !response.writableFinished && aborted.resolve());
    const text = await textOf(request).catch(() => "");
    // Whoever hung up while asking is not answered.
    if (!text) return void response.destroy();
    const body = JSON.parse(text) as SeenRequest["body"];
    requests.push({ path: request.url ?? "", authorization: request.headers.authorization, body, aborted: aborted.promise });
    if (!script) response.writeHead(500).end();
    else await play(script, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    script(...next) {
      plan = next;
      served = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function play(script: Script, response: ServerResponse, body: SeenRequest["body"]): Promise<void> {
  switch (script.kind) {
    case "reply": {
      const content = script.to(body);
      return play(content === null ? { kind: "hang", words: [], accept: true } : { kind: "json", content }, response, body);
    }
    case "status":
      response.writeHead(script.status, { "content-type": "application/json", ...script.headers });
      response.end(script.body ?? JSON.stringify({ error: { message: "scripted" } }));
      return;
    case "json":
      head(response);
      await send(response, chunk({ content: script.content }));
      await send(response, chunk({}, script.finishReason ?? "stop"));
      response.write(usage);
      response.end("data: [DONE]\n\n");
      return;
    case "raw":
      head(response);
      response.end(script.body);
      return;
    case "hang":
      if (script.words.length || script.accept) head(response);
      for (const word of script.words) response.write(chunk({ content: word }));
      return;
    case "reset":
      head(response);
      for (const word of script.words) response.write(chunk({ content: word }));
      // Let what was said reach the client first.
      setTimeout(() => response.socket?.resetAndDestroy(), 30);
      return;
    case "stream":
      head(response);
      for (const word of script.words) {
        await send(response, chunk({ content: word }, null, script.model), script.bytewise);
        if (script.pauseMs) {
          const [least, most] = typeof script.pauseMs === "number" ? [script.pauseMs, script.pauseMs] : script.pauseMs;
          await new Promise((resolve) => setTimeout(resolve, least + Math.random() * (most - least)));
        }
        if (response.destroyed) return;
      }
      await send(response, chunk({}, script.finishReason ?? "stop", script.model), script.bytewise);
      if (script.usage) response.write(usage);
      response.end("data: [DONE]\n\n");
  }
}

/** Writes an event, as fast as the reader takes it; byte by byte, each on its own way, when asked to. */
async function send(response: ServerResponse, event: string, bytewise = false): Promise<void> {
  if (!bytewise) {
    if (response.write(event) || response.destroyed) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        response.off("drain", done);
        response.off("close", done);
        resolve();
      };
      response.on("drain", done);
      response.on("close", done);
    });
    return;
  }
  response.socket?.setNoDelay(true);
  for (const byte of Buffer.from(event)) {
    response.write(Buffer.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const frame = { id: "r1", object: "chat.completion.chunk", created: 0, model: "vendor/big" };

const usage = `data: ${JSON.stringify({ ...frame, choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } })}\n\n`;

function head(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
}

function chunk(delta: { content?: string }, finishReason: string | null = null, model = frame.model): string {
  return `data: ${JSON.stringify({ ...frame, model, choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const part of request) chunks.push(part as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
