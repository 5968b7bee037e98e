import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { contracts } from "@colloquy/schemas/contracts/index.ts";
import { expect } from "chai";
import { type AnswerOf, createClient, type RequestOf, RequestRefused, type RouteKey } from "./client.ts";

const unasked = { requestId: "request-1", conversationId: null, history: [], references: [], model: { choice: "automatic" as const } };

/** Held by the type check: a route, a name, a field or a type that is not the service's does not compile. */
const asTheSchemasHaveIt = {
  known: "GET /api/conversations/:conversationId" satisfies RouteKey,
  // @ts-expect-error there is no such route
  unknown: "GET /api/nowhere" satisfies RouteKey,
  // @ts-expect-error the conversation is missing
  parameters: { parameters: {} } satisfies RequestOf<"GET /api/conversations/:conversationId">,
  // @ts-expect-error the message is missing
  body: { body: unasked } satisfies RequestOf<"POST /api/ai/ask">,
  title: (answer: AnswerOf<"GET /api/courses">): string | undefined => answer.courses[0]?.title,
  // @ts-expect-error a sequence is a number
  sequence: (answer: AnswerOf<"GET /api/courses/:courseId/revision">): string => answer.sequence,
};

describe("the client", () => {
  let server: Server;
  let address: string;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let asked: { method: string; url: string; headers: IncomingMessage["headers"]; body: string };
  beforeEach(async () => {
    server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request.setEncoding("utf8")) body += chunk;
      asked = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
      answer(request, response);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    answer = (_, response) => response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = () => createClient({ address, headers: { cookie: "colloquy=session" } });

  it("has every route of the document, under its method and path with its names filled in", async () => {
    const call = client() as (route: string, request: object) => Promise<unknown>;
    for (const { method, path } of contracts) {
      const names = [...path.matchAll(/[:*](\w+)/g)].map(([, name = ""]) => name);
      await call(`${method.toUpperCase()} ${path}`, { parameters: Object.fromEntries(names.map((name) => [name, `a b/${name}`])) });
      expect(asked.method).to.equal(method.toUpperCase());
      const wanted = path.replaceAll(/:(\w+)/g, "a%20b%2F$1").replaceAll(/\*(\w+)/g, "a%20b/$1");
      expect(asked.url).to.equal(wanted);
    }
    expect(asTheSchemasHaveIt.known).to.equal("GET /api/conversations/:conversationId");
  });

  it("sends what it is given, with the version of payloads and whoever is signed in", async () => {
    await client()("POST /api/account/erase", { body: { requestId: "request-1", confirm: "delete everything" } as never });
    expect(JSON.parse(asked.body)).to.deep.include({ schemaVersion: 1, requestId: "request-1" });
    expect(asked.headers).to.include({ cookie: "colloquy=session", "content-type": "application/json" });
    await client()("GET /api/sync/pull", { query: { after: "12" } as never });
    expect(asked.url).to.equal("/api/sync/pull?after=12");
  });

  it("reads frames and events wherever the chunks' borders fall", async () => {
    const told = (type: string, text: string) => {
      answer = (_, response) => {
        response.writeHead(200, { "content-type": `${type}; charset=utf-8` });
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; at += 3) response.write(bytes.subarray(at, at + 3));
        response.end();
      };
    };
    told("application/x-ndjson", '{"kind":"text_delta","text":"größer ≥"}\n{"kind":"complete"}');
    const frames = await client()("GET /api/ai/ask/:requestId", { parameters: { requestId: "request-1" } });
    expect(await Array.fromAsync(frames)).to.deep.equal([{ kind: "text_delta", text: "größer ≥" }, { kind: "complete" }]);
    told("text/event-stream", ': a heartbeat\n\nid: 7\nevent: change\ndata: {"a":\ndata: "ü"}\n\ndata: {"b":1}\n\ndata: {"cut":');
    const events = await client()("GET /api/sync/stream", { lastEventId: "6" } as never);
    expect(await Array.fromAsync(events as AsyncIterable<unknown>)).to.deep.equal([
      { id: "7", event: "change", data: { a: "ü" } },
      { id: "7", event: "message", data: { b: 1 } },
    ]);
    expect(asked.headers["last-event-id"]).to.equal("6");
  });

  it("throws what the service says of a refusal, and no page of anybody else's", async () => {
    const refused = async (): Promise<RequestRefused> => {
      const error = await client()("GET /api/courses", {}).catch((thrown: unknown) => thrown);
      if (!(error instanceof RequestRefused)) throw new Error(`not refused: ${error}`);
      return error;
    };
    const problem = { schemaVersion: 1, status: 429, code: "rate_limited", title: "Too many.", requestId: "r", retryable: true };
    answer = (_, response) =>
      response.writeHead(429, { "content-type": "application/problem+json", "retry-after": "3" }).end(JSON.stringify(problem));
    expect(await refused()).to.deep.include({ status: 429, code: "rate_limited", problem, retryAfterSeconds: 3, message: "Too many." });
    answer = (_, response) => response.writeHead(502, { "content-type": "text/html" }).end("<h1>canary of a proxy</h1>");
    const other = await refused();
    expect(other).to.include({ status: 502, code: null, problem: null, retryAfterSeconds: null });
    expect(other.message).to.not.include("canary");
  });

  it("gives null for an answer without a body, and the response where it is no payload", async () => {
    answer = (_, response) => response.writeHead(204).end();
    const nothing = await client()("POST /api/visual-explainers/worker/claim", { body: {} as never });
    expect(nothing).to.equal(null);
    answer = (_, response) => response.writeHead(200, { "content-type": "application/zip" }).end("PK");
    const archive = await client()("GET /api/account/archive", {});
    expect(await archive.text()).to.equal("PK");
  });
});
