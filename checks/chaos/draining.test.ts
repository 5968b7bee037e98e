import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programUrl } from "@colloquy/infra/event-store/embedded/security/address.ts";
import { freePorts } from "@colloquy/infra/launch/ports.ts";
import type { AskFrame } from "@colloquy/schemas/ask/ask.ts";
import { ensureBuilt } from "@colloquy/ui/build.ts";
import { expect } from "chai";
import { signIn } from "../harness/actors.ts";
import { type ManagedProcess, managedProcess } from "../harness/process.ts";
import { newId } from "./simulated-person.ts";

describe("graceful shutdown on SIGTERM", () => {
  let folder: string;
  let url: string;
  let headers: Record<string, string> = {};
  const made: ManagedProcess[] = [];
  const processes: { [name: string]: ManagedProcess } = {};

  before(async function () {
    this.timeout(240_000);
    await ensureBuilt();
    folder = mkdtempSync(join(tmpdir(), "colloquy-draining-"));
    const [port = 0] = await freePorts(1);
    url = `http://localhost:${port}`;
    const start = async (name: string, file: string, variable: string, environment: { [name: string]: string }): Promise<string> => {
      // One machine's services, on one folder.
      const one = managedProcess({ name, file, portVariable: variable, folder, environment });
      processes[name] = one;
      made.push(one);
      await one.start();
      return one.address();
    };
    const store = await start("event store", "infra/event-store/embedded/main.ts", "EVENTSTORE_PORT", { EVENTSTORE_PORT: "0" });
    // An answer takes some seconds: longer than it takes to stop, shorter than the front door waits.
    const model = await start("model", "infra/demo/model/main.ts", "DEMO_MODEL_PORT", { DEMO_MODEL_WORD_MS: "25" });
    const own = {
      EVENTSTORE_URL: programUrl(folder, { port: Number(new URL(store).port), tls: true }),
      PUBLIC_URL: url,
      SESSION_SECRET: "of this test alone, and long enough",
      DEMO_MODEL: "on",
      DEMO_MODEL_URL: `${model}/v1`,
    };
    const PROJECTIONS_URL = await start("projections", "projections/main.ts", "PROJECTIONS_PORT", own);
    const COMMAND_API_URL = await start("command API", "command-api/main.ts", "COMMAND_API_PORT", own);
    const inner = { COMMAND_API_URL, PROJECTIONS_URL };
    const QUERY_API_URL = await start("query API", "query-api/main.ts", "QUERY_API_PORT", { ...own, ...inner });
    await start("front door", "infra/http/main.ts", "PORT", { PORT: String(port), PUBLIC_URL: url, COMMAND_API_URL, QUERY_API_URL });
    const mira = { accountId: "acc_0123456789012345678901", name: "Mira", roles: ["learner" as const] };
    ({ headers } = await signIn({ url, secret: own.SESSION_SECRET }, mira));
    while ((await get("/readyz")).status !== 200);
  });
  after(async () => {
    await Promise.all(made.map((one) => one.kill()));
    rmSync(folder, { recursive: true, force: true });
  });

  /** Tells a service to stop: it ends with 1 when that takes it too long. It is there again before the next test. */
  let stopping: ManagedProcess | null = null;
  const stop = (name: string): ReturnType<ManagedProcess["stop"]> => {
    stopping = processes[name] as ManagedProcess;
    return stopping.stop();
  };
  afterEach(async () => {
    await stopping?.kill();
    await stopping?.start();
    stopping = null;
  });

  const get = (path: string): Promise<Response> => fetch(url + path, { headers });

  /** Asks; resolves when the answer has begun, with how it ends: its last frame. */
  async function answerUnderWay(): Promise<{ last: Promise<AskFrame>; isOver(): boolean }> {
    const body = {
      schemaVersion: 1,
      requestId: newId(),
      conversationId: newId(),
      message: "Why does spacing help?",
      history: [],
      references: [],
      model: { choice: "automatic" },
    };
    const response = await fetch(`${url}/api/ai/ask`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", accept: "application/x-ndjson" },
      body: JSON.stringify(body),
    });
    expect(response.status).to.equal(200);
    const begun = Promise.withResolvers<void>();
    let over = false;
    const last = (async () => {
      let text = "";
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += piece;
        if (text.includes('"kind":"text_delta"')) begun.resolve();
      }
      over = true;
      return JSON.parse(text.trim().split("\n").at(-1) ?? "") as AskFrame;
    })();
    last.catch(begun.reject);
    await begun.promise;
    return { last, isOver: () => over };
  }

  /** Resolves when a live stream has begun, with its end. */
  async function liveStream(): Promise<{ end: Promise<string> }> {
    const response = await get("/api/sync/stream?after=0");
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader?.read())?.value ?? "";
    const end = async (): Promise<string> => {
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (done) return text;
        text += value;
      }
    };
    return { end: end() };
  }

  it("the front door finishes answers and exits with 0 within ten seconds", async () => {
    const answer = await answerUnderWay();
    const stream = await liveStream();
    const stopped = stop("front door");
    expect(await stream.end).to.match(/^retry: \d+/);
    // Before that, a connection that was kept may end just as it is used again.
    const code = (): Promise<unknown> => get("/healthz").catch((error: Error) => (error.cause as { code?: string } | undefined)?.code);
    while ((await code()) !== "ECONNREFUSED");
    expect(answer.isOver(), "the answer was over before it could have been drained").to.equal(false);
    expect(await answer.last).to.have.property("kind", "complete");
    expect(await stopped).to.include({ code: 0 });
  });

  it("the command API ends answers as retryable and exits with 0 within 3 s", async () => {
    const answer = await answerUnderWay();
    const stopped = stop("command API");
    expect(await answer.last).to.include({ kind: "error", code: "unavailable", retryable: true });
    expect(await stopped).to.include({ code: 0 });
    const refused = await get("/api/ai/models");
    expect([refused.status, refused.headers.get("retry-after")]).to.deep.equal([503, "2"]);
    expect(await refused.json()).to.include({ code: "unavailable" });
  });

  it("the query API answers waiting reads and exits with 0 within 3 s", async () => {
    // Nothing is as far as that: it waits as long as a reader of what was just written does.
    const waiting = get("/api/conversations?after=9000000000000000000");
    const stream = await liveStream();
    const stopped = stop("query API");
    expect(await stream.end).to.match(/^retry: \d+/);
    expect(await (await waiting).json()).to.include({ code: "read_model_behind" });
    expect(await stopped).to.include({ code: 0 });
    const refused = await get("/api/conversations");
    expect([refused.status, refused.headers.get("retry-after")]).to.deep.equal([503, "2"]);
  });
});
