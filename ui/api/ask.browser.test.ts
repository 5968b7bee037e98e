import type { AskFrame } from "@colloquy/schemas/ai/ask.ts";
import { expect } from "chai";
import { ask } from "./ask.ts";

const question = {
  requestId: "request-1",
  conversationId: null,
  message: "Why?",
  history: [],
  references: [],
  model: { choice: "automatic" },
} as const;
const asked = { ...question, history: [], references: [] };

const frames = [
  { schemaVersion: 1, kind: "status", phase: "retrieving", elapsedMs: 0 },
  { schemaVersion: 1, kind: "text_delta", text: "größer ≥ 🙂\nnext" },
  {
    schemaVersion: 1,
    kind: "complete",
    citations: [],
    followUps: [],
    provider: "p1",
    model: "m",
    fallbackDepth: 0,
    finishReason: "stop",
    elapsedMs: 5,
  },
] satisfies AskFrame[];
const wire = new TextEncoder().encode(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(""));

const streaming =
  (chunks: Uint8Array[], end: "close" | "break" | "hang" = "close") =>
  async (): Promise<Response> =>
    new Response(
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(chunk);
          if (end === "close") controller.close();
          else if (end === "break") controller.error(new TypeError("network error"));
        },
      }),
    );

async function collect(fetch: () => Promise<Response>, signal = new AbortController().signal): Promise<AskFrame[]> {
  const all: AskFrame[] = [];
  for await (const frame of ask(fetch, asked, signal)) all.push(frame);
  return all;
}

describe("ask", () => {
  it("reads the same frames wherever the chunks' borders fall, inside letters too", async () => {
    for (const size of [1, 2, 3, 7, 50, wire.length]) {
      const chunks = [];
      for (let at = 0; at < wire.length; at += size) chunks.push(wire.slice(at, at + size));
      expect(await collect(streaming(chunks)), `chunks of ${size}`).to.deep.equal(frames);
    }
  });

  it("ends with an error frame when the stream closes before its last frame", async () => {
    const first = new TextEncoder().encode(`${JSON.stringify(frames[0])}\n${JSON.stringify(frames[1])}`);
    const got = await collect(streaming([first]));
    expect(got.map((frame) => frame.kind)).to.deep.equal(["status", "error"]);
    expect(got.at(-1)).to.include({ retryable: true });
  });

  it("ends with an error frame, in words for people, when the connection breaks", async () => {
    const got = await collect(streaming([], "break"));
    expect(got).to.have.length(1);
    expect(got[0]).to.include({ kind: "error", code: "unavailable" });
    expect(JSON.stringify(got[0])).not.to.contain("network error");
  });

  it("stops reading at the last frame, whatever follows", async () => {
    const got = await collect(streaming([wire, wire], "hang"));
    expect(got).to.deep.equal(frames);
  });

  it("passes over lines it does not know", async () => {
    const strange = new TextEncoder().encode('\n{"kind":"weather"}\nnot json\n');
    expect(await collect(streaming([strange, wire]))).to.deep.equal(frames);
  });

  it("turns a refusal into an error frame with the server's code and words", async () => {
    const problem = {
      schemaVersion: 1,
      status: 429,
      code: "rate_limited",
      title: "Too many requests. Wait a moment.",
      requestId: "r",
      retryable: true,
    };
    const refuse = async () =>
      new Response(JSON.stringify(problem), { status: 429, headers: { "content-type": "application/problem+json", "retry-after": "7" } });
    const [frame] = await collect(refuse);
    expect(frame).to.deep.equal({
      schemaVersion: 1,
      kind: "error",
      code: "rate_limited",
      title: "Too many requests. Wait a moment. Try again in 7 s.",
      retryable: true,
    });
  });

  it("never shows what a proxy wrote", async () => {
    const [frame] = await collect(
      async () => new Response("<h1>nginx 502</h1>", { status: 502, headers: { "content-type": "text/html" } }),
    );
    expect(frame).to.include({ kind: "error", code: "unavailable" });
    expect(JSON.stringify(frame)).not.to.contain("nginx");
  });

  it("says that nothing can be reached when the request itself fails", async () => {
    const [frame] = await collect(async () => {
      throw new TypeError("Failed to fetch");
    });
    expect(frame).to.include({ kind: "error", code: "unavailable", retryable: true });
  });

  it("throws an abort instead of calling it an error", async () => {
    const stopping = new AbortController();
    const hanging = (_path: string, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) =>
        init?.signal?.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError"))),
      );
    const running = (async () => {
      for await (const _frame of ask(hanging, asked, stopping.signal));
    })();
    stopping.abort();
    const error = await running.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(DOMException).and.to.have.property("name", "AbortError");
  });
});
