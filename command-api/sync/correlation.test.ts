import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@colloquy/infra/config.ts";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { type EventStore, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { metricsRoutes } from "@colloquy/infra/http/metrics.ts";
import { endedSessions } from "@colloquy/infra/identity/ended-sessions.ts";
import { authRoutes } from "@colloquy/infra/identity/routes.ts";
import { session } from "@colloquy/infra/identity/session.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import type { CheckpointTables } from "@colloquy/projections/checkpoints/queries.ts";
import { projection as conversations } from "@colloquy/projections/conversations/projection.ts";
import { runAll } from "@colloquy/projections/run-all.ts";
import { expect } from "chai";
import { Router } from "express";
import { changeHandlers } from "./handlers.ts";
import { syncPushRoutes } from "./routes.ts";

const requestId = "browser-made-id-0001";
const secret = "kryptonite-4711";

describe("correlation of a request", () => {
  let folder: string;
  let eventStore: EmbeddedEventStore;
  let store: EventStore;
  let server: Server;
  let leaving: AbortController;
  let address: string;
  let lines: Record<string, unknown>[];
  const log = () =>
    createLog("test", { LOG_LEVEL: "info" }, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });

  beforeEach(async () => {
    lines = [];
    folder = await mkdtemp(join(tmpdir(), "colloquy-correlation-"));
    const config = readConfig({ DATA_DIR: folder, NODE_ENV: "test" });
    eventStore = await startEventStore({ dataDir: folder, port: 0, insecure: true });
    store = openEventStore(eventStore.url);
    leaving = new AbortController();
    const ended = endedSessions({ store, log: log(), signal: leaving.signal });
    const routers = [
      metricsRoutes(config),
      Router().use(session(config, ended)),
      authRoutes({ config, log: log(), ended }),
      syncPushRoutes({ handlers: changeHandlers({ store }) }),
    ];
    const listening = await listen(createApp({ config, log: log(), routers }), 0);
    server = listening.server;
    address = `http://127.0.0.1:${listening.port}`;
  });
  afterEach(async () => {
    leaving.abort();
    await closeServer(server, 0);
    await store.close();
    await eventStore.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function push(): Promise<Response> {
    const signedIn = await fetch(`${address}/auth/demo?as=learner`, { redirect: "manual" });
    const data = { mode: "ask", model: { choice: "automatic" }, references: [], title: secret };
    const change = {
      changeId: "change-0001",
      domain: "conversation",
      entityId: "conversation-a",
      type: "started",
      at: "2026-03-01T10:00:00Z",
    };
    return fetch(`${address}/api/sync/push`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-request-id": requestId,
        cookie: signedIn.headers.get("set-cookie")?.split(";")[0] ?? "",
      },
      body: JSON.stringify({ schemaVersion: 1, deviceId: "device-one", changes: [{ ...change, data }] }),
    });
  }
  const logged = (message: string) => lines.filter(({ msg }) => msg === message);
  async function line(message: string): Promise<Record<string, unknown>> {
    for (;;) {
      const [found] = logged(message).filter(({ requestId: id, correlationId }) => [id, correlationId].includes(requestId));
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  it("puts the request id into response, log and event", async () => {
    const response = await push();
    expect(response.status).to.equal(200);
    expect(response.headers.get("x-request-id")).to.equal(requestId);
    const [event] = await Array.fromAsync(store.read("conversation-conversation-a"));
    expect(event?.metadata).to.include({ correlationId: requestId, requestId: "change-0001" });
    expect(await line("answered")).to.include({ method: "POST", route: "/api/sync/push", status: 200, requestId });
    expect(JSON.stringify(lines)).not.to.include(secret);
  });

  it("logs the request id of the event at which a projection stopped", async () => {
    await push();
    const database = openDatabase<CheckpointTables>({ DATA_DIR: folder, DATABASE_URL: undefined });
    const stopping = new AbortController();
    const sick = { ...conversations, apply: () => Promise.reject(new Error("cannot be read")) };
    const running = runAll({ projections: [sick], database, store, log: log(), signal: stopping.signal });
    const [event] = await Array.fromAsync(store.read("conversation-conversation-a"));
    expect(await line("the projection stopped")).to.include({ correlationId: requestId, eventId: event?.id, projection: "conversations" });
    stopping.abort();
    await running.finished;
    await database.destroy();
  });

  it("counts requests by route and outcome, without personal labels", async () => {
    await push();
    await line("answered");
    const text = await (await fetch(`${address}/metrics`)).text();
    expect(text).to.match(
      /colloquy_http_request_duration_seconds_count\{[^}]*method="POST",route="\/api\/sync\/push",status="200"[^}]*\} [1-9]/,
    );
    expect(text).to.match(/colloquy_push_changes_total\{[^}]*outcome="accepted"[^}]*\} [1-9]/);
    expect(text).to.match(/colloquy_event_store_append_duration_seconds_count\{[^}]*outcome="written"[^}]*\} [1-9]/);
    expect(text).to.match(/colloquy_push_changes_in_hand(\{[^}]*\})? 0/);
    expect(text).not.to.include("conversation-a");
  });
});
