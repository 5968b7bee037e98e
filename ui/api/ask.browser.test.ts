import type { AskFrame } from "@colloquy/schemas/ask/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { expect } from "chai";
import { ask, release, resumeAnswer } from "./ask.ts";
import { streamSteps } from "./frames.ts";
import type { ClientProblem } from "./problems.ts";

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
  it("reads the same frames however chunks are cut, also within letters", async () => {
    for (const size of [1, 2, 3, 7, 50, wire.length]) {
      const chunks = [];
      for (let at = 0; at < wire.length; at += size) chunks.push(wire.slice(at, at + size));
      expect(await collect(streaming(chunks)), `chunks of ${size}`).to.deep.equal(frames);
    }
  });

  it("ends with an error frame if the stream closes early", async () => {
    const first = new TextEncoder().encode(`${JSON.stringify(frames[0])}\n${JSON.stringify(frames[1])}`);
    const got = await collect(streaming([first]));
    expect(got.map((frame) => frame.kind)).to.deep.equal(["status", "error"]);
    expect(got.at(-1)).to.include({ retryable: true });
  });

  it("ends with a readable error frame if the connection breaks", async () => {
    const got = await collect(streaming([], "break"));
    expect(got).to.have.length(1);
    expect(got[0]).to.include({ kind: "error", code: "unavailable" });
    expect(JSON.stringify(got[0])).not.to.contain("network error");
  });

  it("calls a silent connection broken, not the model slow, also during tutoring", async () => {
    const { setTimeout: wait } = window;
    const silenceMs = bounds.ask.heartbeatMs * 3.5;
    const soon = (run: () => void, ms?: number) => wait(run, ms === silenceMs ? 10 : ms);
    Object.assign(window, { setTimeout: soon });
    try {
      const fetch = streaming([wire.slice(0, wire.indexOf(10) + 1)], "hang");
      expect((await collect(fetch)).at(-1)).to.include({ code: "unavailable", title: "The connection broke.", retryable: true });
      const steps = streamSteps<"POST /api/ai/ask", AskFrame, AskFrame & ClientProblem & { kind: "error" }, ClientProblem>(fetch, {
        route: "POST /api/ai/ask",
        request: { body: asked },
        signal: new AbortController().signal,
        kinds: new Set(["status", "error"]),
        silenceMs,
        errorStep: (problem) => problem,
      });
      const problems: unknown[] = [];
      for await (const step of steps) problems.push(step);
      expect(problems.at(-1)).to.include({ code: "unavailable", title: "The connection broke.", retryable: true });
    } finally {
      Object.assign(window, { setTimeout: wait });
    }
  });

  it("stops at the last frame", async () => {
    const got = await collect(streaming([wire, wire], "hang"));
    expect(got).to.deep.equal(frames);
  });

  it("lets the request finish after the last frame", async () => {
    let ended = "";
    const body = (last: Uint8Array) =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          if (ended === "") controller.enqueue(last);
          else controller.close();
          ended ||= "open";
        },
        cancel: () => {
          ended = "broken off";
        },
      });
    expect(await collect(async () => new Response(body(wire)))).to.deep.equal(frames);
    await new Promise((resolve) => setTimeout(resolve));
    expect(ended).to.equal("open");
  });

  it("ignores unknown lines", async () => {
    const strange = new TextEncoder().encode('\n{"kind":"weather"}\nnot json\n');
    expect(await collect(streaming([strange, wire]))).to.deep.equal(frames);
  });

  it("turns a refusal into an error frame with the server's code", async () => {
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

  it("never shows a proxy's page", async () => {
    const [frame] = await collect(
      async () => new Response("<h1>nginx 502</h1>", { status: 502, headers: { "content-type": "text/html" } }),
    );
    expect(frame).to.include({ kind: "error", code: "unavailable" });
    expect(JSON.stringify(frame)).not.to.contain("nginx");
  });

  it("reports an unreachable service if the request fails", async () => {
    const [frame] = await collect(async () => {
      throw new TypeError("Failed to fetch");
    });
    expect(frame).to.include({ kind: "error", code: "unavailable", retryable: true });
  });

  it("throws an abort instead of yielding an error", async () => {
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

  describe("with a kept question", () => {
    const kept = { ...asked, keep: { conversationId: "conversation-1", turnId: "request-1", at: "2026-11-20T12:00:00.000Z" } };
    const numbered = frames.map((frame, index) => ({ ...frame, seq: index + 1 }));
    const lines = (from: number, to = numbered.length) =>
      new TextEncoder().encode(
        numbered
          .slice(from, to)
          .map((frame) => `${JSON.stringify(frame)}\n`)
          .join(""),
      );
    /** Sends this, then breaks. */
    const breaking = (sent: Uint8Array) => async (): Promise<Response> => {
      const parts = [sent];
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        const part = parts.shift();
        if (part) controller.enqueue(part);
        else controller.error(new TypeError("network error"));
      };
      return new Response(new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 }));
    };
    const refusal = (status: number, code: string) =>
      new Response(JSON.stringify({ schemaVersion: 1, status, code, title: "No.", requestId: "r", retryable: status >= 500 }), {
        status,
        headers: { "content-type": "application/problem+json" },
      });
    /** Gives one answer after the other, and notes what was asked for. */
    function answers(...given: (() => Promise<Response>)[]) {
      const paths: string[] = [];
      const fetch = (path: string): Promise<Response> => {
        paths.push(path);
        return given[Math.min(paths.length, given.length) - 1]?.() as Promise<Response>;
      };
      return { paths, fetch };
    }
    const all = async (from: AsyncIterable<AskFrame>): Promise<AskFrame[]> => {
      const got: AskFrame[] = [];
      for await (const frame of from) got.push(frame);
      return got;
    };
    const never = new AbortController().signal;

    it("reconnects for the remaining frames, also after a short outage", async () => {
      const unreachable = async (): Promise<Response> => Promise.reject(new TypeError("Failed to fetch"));
      const { paths, fetch } = answers(
        breaking(lines(0, 1)),
        unreachable,
        async () => refusal(503, "unavailable"),
        streaming([lines(1, 2)]),
        streaming([lines(2)]),
      );
      const lost: boolean[] = [];
      expect(await all(ask(fetch, kept, never, (now) => lost.push(now)))).to.deep.equal(numbered);
      // At each break and failed try, and at each answer.
      expect(lost).to.deep.equal([false, true, true, true, false, true, false]);
      expect(paths.slice(1)).to.deep.equal([1, 1, 1, 2].map((after) => `/api/ai/ask/request-1?after=${after}`));
    });

    it("reports a broken connection after the grace period", async () => {
      const { now } = Date;
      const { fetch } = answers(breaking(lines(0, 2)), () => {
        Date.now = () => now() + bounds.ask.graceMs;
        return Promise.reject(new TypeError("Failed to fetch"));
      });
      try {
        const title = "The connection broke.";
        expect((await all(ask(fetch, kept, never))).at(-1)).to.include({ kind: "error", code: "unavailable", title });
      } finally {
        Date.now = now;
      }
    });

    it("sends it again if its arrival is unknown, and reads from the start", async () => {
      const lost = async (): Promise<Response> => Promise.reject(new TypeError("Failed to fetch"));
      const proxy = async () => new Response("<h1>502</h1>", { status: 502, headers: { "content-type": "text/html" } });
      const { paths, fetch } = answers(lost, proxy, breaking(lines(0, 1)), streaming([lines(1)]));
      expect(await all(ask(fetch, kept, never))).to.deep.equal(numbered);
      expect(paths).to.deep.equal(["/api/ai/ask", "/api/ai/ask", "/api/ai/ask", "/api/ai/ask/request-1?after=1"]);
    });

    it("does not send it again if refused or offline", async () => {
      const refused = answers(async () => refusal(503, "ai_unavailable"));
      expect((await all(ask(refused.fetch, kept, never))).at(-1)).to.include({ kind: "error", code: "ai_unavailable" });
      expect(refused.paths).to.have.length(1);
      Object.defineProperty(navigator, "onLine", { configurable: true, value: false });
      try {
        const offline = answers(async () => Promise.reject(new TypeError("Failed to fetch")));
        expect((await all(ask(offline.fetch, kept, never))).map((frame) => frame.kind)).to.deep.equal(["error"]);
        expect(offline.paths).to.have.length(1);
      } finally {
        Reflect.deleteProperty(navigator, "onLine");
      }
    });

    it("does not reconnect to a missing or foreign answer", async () => {
      const gone = answers(breaking(lines(0, 2)), async () => refusal(404, "not_found"));
      expect((await all(ask(gone.fetch, kept, never))).at(-1)).to.include({ kind: "error", code: "not_found" });
      const out = answers(breaking(lines(0, 2)), async () => refusal(401, "sign_in_required"));
      expect((await all(ask(out.fetch, kept, never))).at(-1)).to.include({ kind: "error", code: "sign_in_required" });
    });

    it("resumes in another page where the first one stopped", async () => {
      const { paths, fetch } = answers(async () => Promise.reject(new TypeError("Failed to fetch")), streaming([lines(2)]));
      expect(await all(resumeAnswer(fetch, "request-1", 2, never))).to.deep.equal(numbered.slice(2));
      expect(paths).to.deep.equal(["/api/ai/ask/request-1?after=2", "/api/ai/ask/request-1?after=2"]);
    });

    it("releases the answer once the service can be reached", async () => {
      const seen: (string | undefined)[] = [];
      let calls = 0;
      await release(async (path, init) => {
        seen.push(`${init?.method} ${path}`);
        calls += 1;
        if (calls === 1) throw new TypeError("Failed to fetch");
        return Response.json({ schemaVersion: 1, released: true });
      }, "request-1");
      expect(seen).to.deep.equal(["DELETE /api/ai/ask/request-1", "DELETE /api/ai/ask/request-1"]);
    });
  });
});
