import type { Server } from "node:http";
import { changeHandlers } from "@colloquy/command-api/sync/handlers.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import type { Engine } from "@colloquy/infra/database/temporary.fixture.ts";
import { aliveRoutes } from "@colloquy/infra/http/alive.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { projection as conversations } from "@colloquy/projections/conversations/projection.ts";
import { projection as sync } from "@colloquy/projections/sync/projection.ts";
import { hasAnnotations } from "@colloquy/projections/sync/queries.ts";
import { type TemporaryReadModels, temporaryReadModels } from "@colloquy/projections/temporary.fixture.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { expect } from "chai";
import { Router } from "express";
import { annotationsRoutes } from "./annotations/routes.ts";
import { conversationsRoutes } from "./conversations/routes.ts";
import { requireReadModels } from "./read-your-writes.ts";
import { readyRoutes } from "./readiness/routes.ts";
import { liveTail } from "./sync/live-tail.ts";
import { syncRoutes } from "./sync/routes.ts";

/** Shared by tests of this room: changes of devices, and the routes that read them, over a real store and projections. */

export const mira = "acc_mira0001";
export const tomas = "acc_tomas001";
export const chat = "conversation-a";
export const log = createLog("test", { LOG_LEVEL: "silent" });

let number = 0;
export const change = (type: string, data: Change["data"] = {}, entityId = chat): Change => {
  number += 1;
  return {
    changeId: `change-${String(number).padStart(6, "0")}`,
    domain: "conversation",
    entityId,
    type,
    at: "2026-03-01T10:00:00Z",
    data,
  };
};
export const started = (title: string, entityId = chat): Change =>
  change("started", { mode: "ask", model: { choice: "automatic" }, references: [], title }, entityId);
export const turn = (turnId: string, answer: string): Change =>
  change("turn_recorded", {
    turnId,
    question: "What?",
    answer,
    citations: [],
    outcome: "finished",
    provider: "p1",
    model: "m",
    fallbackDepth: 0,
  });

export const problem = async (response: Response) => ({
  status: response.status,
  code: ((await response.json()) as { code: string }).code,
});

interface Frame {
  id: string;
  data: { type: string; data: { title?: string } };
}
/** The frames of a live stream. */
export async function* framesOf(response: Response): AsyncGenerator<Frame> {
  let rest = "";
  for await (const text of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    rest += text;
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const lines = rest.slice(0, end).split("\n");
      rest = rest.slice(end + 2);
      const id = lines.find((line) => line.startsWith("id: "))?.slice(4);
      const data = lines.find((line) => line.startsWith("data: "))?.slice(6);
      if (id && data) yield { id, data: JSON.parse(data) };
    }
  }
}
export async function next(frames: AsyncGenerator<Frame>): Promise<Frame> {
  const { value, done } = await frames.next();
  if (done) throw new Error("the stream ended");
  return value;
}

const readModelBehind = 504;

export interface ServedReading {
  readonly models: TemporaryReadModels;
  readonly server: Server;
  readonly address: string;
  /** Aborted at the stop of the process. */
  readonly stopping: AbortController;
  /** Dependencies that fail: `object-store`, which is needed, and `identity`. */
  readonly broken: Set<string>;
  /** Pushes changes from a device of the account. Returns their position. */
  push(accountId: string, ...changes: Change[]): Promise<string>;
  ask(path: string, account?: string | null, headers?: Record<string, string>): Promise<Response>;
  /** Repeats the request until the read models have caught up, which may take longer than a request waits. */
  get(...asked: Parameters<ServedReading["ask"]>): Promise<Response>;
  stream(path?: string, headers?: Record<string, string>, account?: string): Promise<AsyncGenerator<Frame>>;
  close(): Promise<void>;
}

/** Signs in the account of the `x-account` header. */
const signIn = Router().use((request, _response, next) => {
  const accountId = request.get("x-account");
  request.account = accountId ? { accountId, name: "Test", roles: ["learner"] } : null;
  next();
});

export async function serveReading(engine: Engine): Promise<ServedReading> {
  const models = await temporaryReadModels(engine, [conversations, sync]);
  const { store, database } = models;
  const handlers = changeHandlers({ store });
  const stopping = new AbortController();
  const leaving = new AbortController();
  const tail = liveTail({ store, database, log });
  const broken = new Set<string>();
  const check = (name: string) => async () => {
    if (broken.has(name)) throw new Error("it does not work");
  };
  const dependencies = ["object-store", "identity"].map((name) => ({
    name,
    required: name === "object-store",
    cacheMs: 0,
    check: check(name),
  }));
  const routers = [
    signIn,
    aliveRoutes(),
    readyRoutes({ store, database, dependencies }),
    Router().use(requireReadModels(database, ["conversations", "sync"])),
    conversationsRoutes({ database }),
    annotationsRoutes({ annotates: (accountId) => hasAnnotations(database, accountId) }),
    syncRoutes({ database, store, tail, log, signal: stopping.signal, heartbeatMs: 60_000, slowMs: 60_000 }),
  ];
  const { server, port } = await listen(createApp({ config: readConfig({ NODE_ENV: "test" }), log, routers }), 0);
  const address = `http://127.0.0.1:${port}`;
  const served: ServedReading = {
    models,
    server,
    address,
    stopping,
    broken,
    push: async (accountId, ...changes) =>
      (await handlers.push({ accountId, deviceId: "device-one", requestId: "request-1" }, changes)).position,
    ask: (path, account = mira, headers = {}) =>
      fetch(`${address}${path}`, { headers: { ...headers, ...(account !== null && { "x-account": account }) }, signal: leaving.signal }),
    async get(...asked) {
      let response = await served.ask(...asked);
      while (response.status === readModelBehind) response = await served.ask(...asked);
      return response;
    },
    async stream(path = "/api/sync/stream", headers = {}, account = mira) {
      const response = await served.get(path, account, headers);
      expect(response.headers.get("content-type")).to.match(/^text\/event-stream/);
      return framesOf(response);
    },
    async close() {
      leaving.abort();
      stopping.abort();
      await closeServer(server, 0);
      await tail.close();
      await models.close();
    },
  };
  return served;
}
