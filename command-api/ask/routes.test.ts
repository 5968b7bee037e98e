import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@colloquy/infra/config.ts";
import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { openPassageLibrary, type PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { type AskFrame, askFrame } from "@colloquy/schemas/ai/ask.ts";
import type { CourseListing } from "@colloquy/schemas/courses/revision.ts";
import { expect } from "chai";
import { Router } from "express";
import { createModelGateway } from "../model-gateway/gateway.ts";
import { type Script, type ScriptedServer, startScriptedServer } from "../model-gateway/scripted-server.ts";
import { createPublication } from "../publication/handlers.ts";
import { importCourse } from "../publication/import/import-course.ts";
import { askRoutes, modelsRoutes } from "./routes.ts";

const answering = (...words: string[]): Script => ({ kind: "stream", words });
const question = "What is an eigenvector?";

describe("POST /api/ai/ask", () => {
  const folder = mkdtempSync(join(tmpdir(), "ask-"));
  const log = createLog("test", { LOG_LEVEL: "silent" });
  let library: PassageLibrary;
  let model: ScriptedServer;
  let server: Server;
  let url: string;
  let closeStore: () => Promise<void>;

  before(async () => {
    const store = await startEventStore({ dataDir: folder, port: 0 });
    const eventStore = openEventStore(store.url);
    const objectStore = openObjectStore({ DATA_DIR: folder });
    const publication = createPublication({ eventStore, objectStore });
    const course = demonstrationCourses.find(({ courseId }) => courseId === "linear-maps");
    if (!course) throw new Error("the demonstration course is gone");
    const { published } = await importCourse({ publication, ...course, accountId: "acc_test_owner" });
    const { courseId, origin } = course;
    const listing: CourseListing = {
      ...{ courseId, origin, title: "Linear Maps, Seen", summary: "", language: "en", topics: 9 },
      ...{
        sequence: published.sequence,
        revisionId: published.revisionId,
        position: published.position,
        publishedAt: new Date().toISOString(),
      },
    };
    library = openPassageLibrary({
      objectStore,
      catalogue: { list: async () => [listing], get: async (id) => (id === courseId ? listing : null) },
    });
    closeStore = async () => {
      await eventStore.close();
      await store.close();
    };
  });
  after(async () => {
    await closeStore();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    model = await startScriptedServer(answering("Fine."));
    await serve({ P1_API_KEY: "sk-secret" });
  });
  afterEach(async () => {
    await stopServing();
    await model.close();
  });

  async function stopServing(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  /** Serves Ask with slot P1 bound to the scripted model, signed in as whoever the header `x-account` names. */
  async function serve(keys: Record<string, string>): Promise<void> {
    const catalog = join(folder, "catalog.json");
    const timeouts = { connectMs: 2_000, firstTokenMs: 2_000, idleMs: 2_000, wholeMs: 5_000 };
    const models = [
      { id: "big", serviceId: "vendor/big", name: "Big", tutor: true, quiz: true, default: true, structuredOutput: "json_schema" },
    ];
    writeFileSync(
      catalog,
      JSON.stringify({
        schemaVersion: 1,
        slots: [{ slot: "p1", label: "One", baseUrl: model.url, credentials: ["P1_API_KEY"], timeouts, models }],
      }),
    );
    const config = readConfig({ PROVIDER_CATALOG: catalog, ...keys });
    const gateway = createModelGateway({ config, log });
    const signedIn = Router().use((request, _response, next) => {
      const accountId = request.get("x-account");
      request.account = accountId ? { accountId, name: "Mira", roles: ["learner"] } : null;
      next();
    });
    const routers = [
      signedIn,
      modelsRoutes({ gateway }),
      askRoutes({ library, gateway, log, now: () => performance.now(), heartbeatMs: 40 }),
    ];
    const listening = await listen(createApp({ config, log, routers }), 0);
    server = listening.server;
    url = `http://127.0.0.1:${listening.port}`;
  }

  function ask(
    change: Record<string, unknown> = {},
    { account = "acc_mira_0001", signal }: { account?: string; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const body = {
      schemaVersion: 1,
      requestId: "request-0001",
      conversationId: null,
      message: question,
      history: [],
      references: [],
      model: { choice: "automatic" },
      ...change,
    };
    return fetch(`${url}/api/ai/ask`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(account && { "x-account": account }) },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  }

  async function frames(response: Response): Promise<AskFrame[]> {
    expect(response.headers.get("content-type")).to.match(/^application\/x-ndjson/);
    expect(response.headers.get("cache-control")).to.equal("private, no-store");
    return (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => askFrame.parse(JSON.parse(line)));
  }
  const textOf = (all: AskFrame[]): string => all.map((frame) => (frame.kind === "text_delta" ? frame.text : "")).join("");
  const phases = (all: AskFrame[]): string[] => all.flatMap((frame) => (frame.kind === "status" ? frame.phase : []));

  it("goes through its phases, cites passages of the course and ends with complete", async () => {
    model.script(answering("An eigenvector keeps its direc", "tion [s", "1]. Nobody said this [s99", "] or that [^4]."));
    const all = await frames(await ask());
    expect([...new Set(phases(all))]).to.deep.equal(["retrieving", "generating", "writing", "grounding"]);
    expect(textOf(all)).to.equal("An eigenvector keeps its direction[^1]. Nobody said this or that.");
    const last = all.at(-1);
    if (last?.kind !== "complete") throw new Error(`ended with ${last?.kind}`);
    expect(last).to.include({ provider: "p1", model: "big", fallbackDepth: 0, finishReason: "stop" });
    const [citation, ...others] = last.citations;
    expect(others).to.deep.equal([]);
    expect(citation?.href).to.match(/^\/courses\/linear-maps\/directions-that-stay\/eigenvectors#/);
    expect(
      (await library.resolve({ href: citation?.href ?? "" }))?.passages.some((passage) =>
        passage.text.replace(/\s+/g, " ").includes(citation?.quote ?? "?"),
      ),
    ).to.equal(true);
  });

  it("puts the attached page first, and wraps every passage as data", async () => {
    const href = "/courses/linear-maps/what-a-map-does/determinant";
    await frames(await ask({ message: "What does this say about area?", references: [{ href }] }));
    const system = model.requests[0]?.body.messages.find(({ role }) => role === "system")?.content ?? "";
    expect(system).to.match(/<passage id="s1" [^>]*determinant is a factor of area/i);
    expect(system.match(/<passage /g)?.length).to.equal(system.match(/<\/passage>/g)?.length);
  });

  it("names the reference that leads nowhere, before anything is asked of a model", async () => {
    const response = await ask({ references: [{ href: "/courses/linear-maps" }, { href: "/courses/linear-maps/not-there" }] });
    expect(response.status).to.equal(422);
    expect(await response.json()).to.deep.include({
      code: "unknown_reference",
      fields: [{ path: "references.1", message: "/courses/linear-maps/not-there does not lead to a place in a published course" }],
    });
    expect(model.requests).to.have.length(0);
  });

  it("wants an account, known fields, this version and a question within bounds", async () => {
    const code = async (response: Promise<Response>): Promise<unknown> => ((await (await response).json()) as { code: unknown }).code;
    expect(await code(ask({}, { account: "" }))).to.equal("sign_in_required");
    expect(await code(ask({ label: "mine" }))).to.equal("unknown_field");
    expect(await code(ask({ schemaVersion: 2 }))).to.equal("unsupported_schema_version");
    expect(await code(ask({ message: "x".repeat(8_001) }))).to.equal("too_long");
    expect(await code(ask({ message: "  " }))).to.equal("invalid_request");
    expect(model.requests).to.have.length(0);
  });

  it("keeps what was said and ends with a safe error when the model breaks off", async () => {
    model.script({ kind: "reset", words: ["Half an ", "answer "] });
    const all = await frames(await ask());
    expect(textOf(all)).to.contain("Half an answer");
    expect(all.at(-1)).to.deep.include({ kind: "error", code: "ai_unavailable", retryable: true });
    expect(JSON.stringify(all)).not.to.match(/secret|vendor|ECONN|127\.0\.0\.1/);
  });

  it("says that no model can answer when none is configured", async () => {
    await stopServing();
    await serve({});
    const all = await frames(await ask());
    expect(all.at(-1)).to.deep.include({ kind: "error", code: "ai_unavailable" });
    const models = await (await fetch(`${url}/api/ai/models`)).json();
    expect(models).to.deep.equal({ schemaVersion: 1, models: [], automatic: false });
  });

  it("ends the model's work when the learner goes away", async () => {
    model.script({ kind: "hang", words: ["Once upon "] });
    const abort = new AbortController();
    const response = await ask({}, { signal: abort.signal });
    const reader = response.body?.getReader();
    for (let seen = ""; !seen.includes("Once upon"); ) seen += new TextDecoder().decode((await reader?.read())?.value);
    abort.abort();
    await model.requests[0]?.aborted;
  });

  it("lets go of a turn whose learner hung up before the head was sent", async () => {
    model.script({ kind: "stream", words: ["Nobody ", "reads ", "this."], pauseMs: 60 });
    const warnings: Error[] = [];
    const note = (warning: Error): number => warnings.push(warning);
    process.on("warning", note);
    const body = JSON.stringify({
      schemaVersion: 1,
      requestId: "request-0002",
      conversationId: null,
      message: question,
      history: [],
      references: [],
      model: { choice: "automatic" },
    });
    for (let turn = 0; turn < 15; turn += 1)
      await new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(url).port), "127.0.0.1", () => {
          socket.write(
            `POST /api/ai/ask HTTP/1.1\r\nhost: localhost\r\nx-account: acc_mira_0002\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
          );
          socket.resetAndDestroy();
          resolve();
        });
      });
    const open = (): Promise<number> =>
      new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
    while ((await open()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 300));
    process.off("warning", note);
    expect(warnings).to.deep.equal([]);
  });

  it("says the last status again while the model is silent", async () => {
    model.script({ kind: "stream", words: ["Slow ", "answer."], pauseMs: 150 });
    const all = await frames(await ask());
    expect(phases(all).filter((phase) => phase === "generating" || phase === "writing").length).to.be.greaterThan(2);
    expect(textOf(all)).to.equal("Slow answer.");
  });

  it("answers /quiz with one artifact whose sources are the turn's, and no prose", async () => {
    const choices = [
      { text: "It is only stretched", correct: true },
      { text: "It is turned by a right angle", correct: false },
    ];
    const asked = (prompt: string, passages: string[]) => ({
      kind: "single",
      prompt,
      choices,
      explanation: "The map keeps its direction.",
      passages,
    });
    model.script({
      kind: "json",
      content: JSON.stringify({
        title: "Eigenvectors",
        questions: [asked("What happens to an eigenvector?", ["s1"]), asked("Forged?", ["s77"])],
      }),
    });
    const all = await frames(await ask({ command: "quiz", message: "Quiz me on eigenvectors" }));
    expect(all.map(({ kind }) => kind).filter((kind) => kind !== "status")).to.deep.equal(["artifact", "complete"]);
    const artifact = all.find((frame) => frame.kind === "artifact")?.artifact;
    expect(artifact?.questions.map(({ prompt }) => prompt)).to.deep.equal(["What happens to an eigenvector?"]);
    expect(artifact?.questions[0]?.correct).to.deep.equal([artifact?.questions[0]?.choices[0]?.choiceId]);
    expect(artifact?.sources.map(({ sourceId }) => sourceId)).to.deep.equal(artifact?.questions[0]?.sourceIds);
  });

  it("limits how many turns an account may start in a minute", async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 31; turn += 1) {
      const response = await ask();
      statuses.push(response.status);
      if (turn === 30) expect(Number(response.headers.get("retry-after"))).to.be.within(1, 60);
      await response.text();
    }
    expect(statuses.slice(0, 30).every((status) => status === 200)).to.equal(true);
    expect(statuses[30]).to.equal(429);
    expect((await ask({}, { account: "acc_tomas_001" })).status).to.equal(200);
  });
});
