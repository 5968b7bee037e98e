import { expect } from "chai";
import { follow, readEvents, type ServerEvent } from "./event-stream.ts";
import { readLines, SilenceError } from "./lines.ts";
import { RequestFailed } from "./problems.ts";

const encoder = new TextEncoder();
const body = (text: string, end: "close" | "break" | "hang" = "close"): ReadableStream<Uint8Array> => {
  const chunks = [encoder.encode(text)];
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk) controller.enqueue(chunk);
      else if (end === "close") controller.close();
      else if (end === "break") controller.error(new TypeError("broken"));
      else return new Promise(() => undefined);
      return undefined;
    },
  });
};

async function events(text: string): Promise<ServerEvent[]> {
  const all: ServerEvent[] = [];
  for await (const event of readEvents(body(text), 1_000)) all.push(event);
  return all;
}

describe("server-sent events", () => {
  it("parses ids, names and multi-line data, and ignores comments", async () => {
    expect(await events("retry: 10\n: hello\n\nid: 5\nevent: note\ndata: one\ndata: two\n\ndata: three\n\n")).to.deep.equal([
      { id: "5", event: "note", data: "one\ntwo" },
      { id: "5", event: "message", data: "three" },
    ]);
  });

  it("drops an unterminated event", async () => {
    expect(await events("id: 1\ndata: whole\n\nid: 2\ndata: half")).to.have.length(1);
  });

  it("resumes after the last event, however the stream broke", async () => {
    const asked: (string | null)[] = [];
    const answers = [body("id: 7\ndata: a\n\n", "break"), body("id: 8\ndata: b\n\n"), body("id: 9\ndata: c\n\n", "hang")];
    const stop = new AbortController();
    const fetch = async (_path: string, init?: RequestInit) => {
      asked.push(new Headers(init?.headers).get("last-event-id"));
      return new Response(answers.shift());
    };
    const seen: string[] = [];
    const states: string[] = [];
    for await (const event of follow(
      fetch,
      "GET /api/sync/stream",
      {},
      {
        from: "3",
        signal: stop.signal,
        backoff: { firstMs: 1, mostMs: 1_000 },
        onState: (state) => states.push(state),
      },
    )) {
      seen.push(event.data);
      if (seen.length === 3) break;
    }
    expect(seen).to.deep.equal(["a", "b", "c"]);
    expect(asked).to.deep.equal(["3", "7", "8"]);
    expect(states.slice(0, 3)).to.deep.equal(["connecting", "live", "waiting"]);
  });

  it("throws if a retry cannot help", async () => {
    let calls = 0;
    const fetch = async () => {
      calls += 1;
      return new Response("", { status: 401 });
    };
    const run = async () => {
      for await (const _event of follow(
        fetch,
        "GET /api/sync/stream",
        {},
        {
          from: null,
          signal: new AbortController().signal,
          backoff: { firstMs: 1, mostMs: 1_000 },
        },
      ));
    };
    const error = await run().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(RequestFailed);
    expect((error as RequestFailed).problem.code).to.equal("sign_in_required");
    expect(calls).to.equal(1);
  });

  it("retries while the service is down, until its signal aborts", async () => {
    const stop = new AbortController();
    let calls = 0;
    const fetch = async () => {
      calls += 1;
      if (calls === 3) stop.abort();
      throw new TypeError("Failed to fetch");
    };
    for await (const _event of follow(
      fetch,
      "GET /api/sync/stream",
      {},
      { from: null, signal: stop.signal, backoff: { firstMs: 1, mostMs: 1_000 } },
    ));
    expect(calls).to.equal(3);
  });
});

describe("a silent stream", () => {
  it("is closed after its sender's promised interval", async () => {
    const run = async () => {
      for await (const _line of readLines(body("a line\n", "hang"), { silenceMs: 30 }));
    };
    expect(await run().catch((thrown: unknown) => thrown)).to.be.instanceOf(SilenceError);
  });
});
