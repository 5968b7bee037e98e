import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@colloquy/infra/config.ts";
import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { type EventStore, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { openPassageLibrary, type PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { type AskFrame, askFrame } from "@colloquy/schemas/ask/ask.ts";
import type { CourseListing } from "@colloquy/schemas/courses/revision.ts";
import { expect } from "chai";
import { Router } from "express";
import { type CitationCheck, citationCheck } from "../grounding/citation-check.ts";
import { type CoursePages, openCoursePages } from "../grounding/course-pages.ts";
import { type IsRevision, publishedRevisions } from "../grounding/retrieve.ts";
import { questionRewriter } from "../grounding/rewrite-question.ts";
import { supportModelOf } from "../grounding/support-model.ts";
import { createModelGateway } from "../model-gateway/gateway.ts";
import { type Script, type ScriptedServer, startScriptedServer } from "../model-gateway/scripted-server.fixture.ts";
import { createPublication } from "../publication/handlers.ts";
import { importCourse } from "../publication/import/import-course.ts";
import { type ChangeHandlers, changeHandlers } from "../sync/handlers.ts";
import { askRoutes, modelsRoutes } from "./routes.ts";
import { createRunningTurns, type RunningTurns } from "./running-turns.ts";

export const answering = (...words: string[]): Script => ({ kind: "stream", words });
export const question = "What is an eigenvector?";

/** A frame as it is sent; each is checked against the schema first. */
export async function frames(response: Response): Promise<AskFrame[]> {
  expect(response.headers.get("content-type")).to.match(/^application\/x-ndjson/);
  expect(response.headers.get("cache-control")).to.equal("private, no-store");
  return (await response.text())
    .trimEnd()
    .split("\n")
    .map((line) => askFrame.parse(JSON.parse(line)));
}
export const textOf = (all: AskFrame[]): string => all.map((frame) => (frame.kind === "text_delta" ? frame.text : "")).join("");
export const phases = (all: AskFrame[]): string[] => all.flatMap((frame) => (frame.kind === "status" ? frame.phase : []));

/** Ask as it is served: a published course, an event store, scripted models, signed in as the account in the header `x-account`. */
export interface ServedAsk {
  readonly library: PassageLibrary;
  readonly store: EventStore;
  readonly server: Server;
  readonly turns: RunningTurns;
  readonly handlers: ChangeHandlers;
  readonly url: string;
  /** The model of slot P1; `serve` adds others. */
  readonly model: ScriptedServer;
  /** Restarts the service with these credentials, and with these model servers as P1, P2, …. */
  serve(options?: {
    keys?: Record<string, string>;
    models?: string[];
    graceMs?: number;
    timeouts?: Record<string, number>;
    /** Of the first slot, where they differ. */
    firstTimeouts?: Record<string, number>;
    supportModel?: string;
  }): Promise<void>;
  stop(): Promise<void>;
  ask(change?: Record<string, unknown>, options?: { account?: string; signal?: AbortSignal; cookie?: string }): Promise<Response>;
  /** `GET` or `DELETE /api/ai/ask/:requestId`. */
  turn(method: "GET" | "DELETE", path: string, options?: { account?: string; signal?: AbortSignal }): Promise<Response>;
}

/** Call inside `describe`: sets up before its tests and cleans up after them. */
export function askFixture(): ServedAsk {
  const folder = mkdtempSync(join(tmpdir(), "ask-"));
  const log = createLog("test", { LOG_LEVEL: "silent" });
  let library: PassageLibrary;
  let pages: CoursePages;
  let isRevision: IsRevision;
  let store: EventStore;
  let model: ScriptedServer;
  let server: Server;
  let turns: RunningTurns;
  let handlers: ChangeHandlers;
  let url: string;
  let citations: CitationCheck;
  let closeStore: () => Promise<void>;

  before(async () => {
    const embedded = await startEventStore({ dataDir: folder, port: 0, insecure: true });
    store = openEventStore(embedded.url);
    const objectStore = openObjectStore({ DATA_DIR: folder });
    citations = citationCheck({ objectStore, log });
    const publication = createPublication({ eventStore: store, objectStore });
    const course = demonstrationCourses.find(({ courseId }) => courseId === "linear-maps");
    if (!course) throw new Error("the demonstration course is gone");
    const { published } = await importCourse({ publication, ...course, accountId: "acc_test_owner" });
    const { courseId, origin } = course;
    const listing: CourseListing = {
      courseId,
      origin,
      title: "Linear Maps, Seen",
      summary: "",
      language: "en",
      topics: 9,
      sequence: published.sequence,
      revisionId: published.revisionId,
      position: published.position,
      publishedAt: new Date().toISOString(),
    };
    const catalogue = { list: async () => [listing], get: async (id: string) => (id === courseId ? listing : null) };
    library = openPassageLibrary({ objectStore, catalogue });
    isRevision = publishedRevisions(objectStore);
    pages = openCoursePages({ objectStore, library, catalogue, log });
    closeStore = async () => {
      await store.close();
      await embedded.close();
    };
  });
  after(async () => {
    await closeStore();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    model = await startScriptedServer(answering("Fine."));
    await fixture.serve();
  });
  afterEach(async () => {
    await fixture.stop();
    await model.close();
  });

  const fixture: ServedAsk = {
    get library() {
      return library;
    },
    get store() {
      return store;
    },
    get server() {
      return server;
    },
    get turns() {
      return turns;
    },
    get handlers() {
      return handlers;
    },
    get url() {
      return url;
    },
    get model() {
      return model;
    },
    async serve({ keys, models = [model.url], graceMs, timeouts = {}, firstTimeouts = {}, supportModel } = {}) {
      if (server?.listening) await fixture.stop();
      const catalog = join(folder, "catalog.json");
      const slots = models.map((baseUrl, index) => ({
        slot: `p${index + 1}`,
        label: `Slot ${index + 1}`,
        baseUrl,
        credentials: [`P${index + 1}_API_KEY`],
        timeouts: {
          connectMs: 15_000,
          firstTokenMs: 15_000,
          idleMs: 15_000,
          wholeMs: 18_000,
          ...timeouts,
          ...(index === 0 && firstTimeouts),
        },
        models: [
          {
            id: "big",
            serviceId: "vendor/big",
            name: "Big",
            tutor: true,
            quiz: true,
            default: true,
            structuredOutput: "json_schema",
            leastReasoning: "low",
          },
          { id: "small", serviceId: "vendor/small", name: "Small", tutor: false, quiz: false },
        ],
      }));
      writeFileSync(catalog, JSON.stringify({ schemaVersion: 1, slots }));
      const credentials = keys ?? Object.fromEntries(slots.map(({ credentials: [name = ""] }) => [name, "sk-secret"]));
      const config = readConfig({ PROVIDER_CATALOG: catalog, DEMO_MODEL: "off", ...credentials });
      const gateway = createModelGateway({ config, log });
      turns = createRunningTurns({ ...(graceMs !== undefined && { graceMs }) });
      const signedIn = Router().use((request, _response, next) => {
        const accountId = request.get("x-account");
        request.account = accountId ? { accountId, name: "Mira", roles: ["learner"] } : null;
        next();
      });
      handlers = changeHandlers({ store, citations, onDeleted: turns.releaseConversation });
      const routers = [
        signedIn,
        modelsRoutes({ gateway }),
        askRoutes({
          library,
          pages,
          isRevision,
          gateway,
          rewriter: questionRewriter({ gateway, now: () => performance.now() }),
          supportModel: supportModelOf(supportModel),
          log,
          handlers,
          turns,
          now: () => performance.now(),
          heartbeatMs: 40,
        }),
      ];
      const listening = await listen(createApp({ config, log, routers }), 0);
      server = listening.server;
      url = `http://127.0.0.1:${listening.port}`;
    },
    async stop() {
      await turns.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    ask(change = {}, { account = "acc_mira_0001", signal, cookie } = {}) {
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
        headers: { "content-type": "application/json", ...(account && { "x-account": account }), ...(cookie && { cookie }) },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      });
    },
    turn: (method, path, { account = "acc_mira_0001", signal } = {}) =>
      fetch(`${url}/api/ai/ask/${path}`, { method, headers: { "x-account": account }, ...(signal && { signal }) }),
  };
  return fixture;
}
