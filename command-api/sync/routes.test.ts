import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Config, readConfig } from "@colloquy/infra/config.ts";
import { type EventStore, openEventStore, type StoredEvent, StoreUnavailable } from "@colloquy/infra/event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { smallDisk } from "@colloquy/infra/event-store/event-store.fixture.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { endedSessions } from "@colloquy/infra/identity/ended-sessions.ts";
import { authRoutes } from "@colloquy/infra/identity/routes.ts";
import { session } from "@colloquy/infra/identity/session.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { type Change, change as changeSchema } from "@colloquy/schemas/sync/changes.ts";
import { type PushResponse, pushResponse } from "@colloquy/schemas/sync/protocol.ts";
import { expect } from "chai";
import { Router } from "express";
import { changeHandlers } from "./handlers.ts";
import { syncPushRoutes } from "./routes.ts";
import { sweepInterruptedDeletions, sweepPeriodically } from "./truncation-sweep.ts";

const log = createLog("test", { LOG_LEVEL: "silent" });
const at = "2026-03-01T10:00:00Z";
const chat = "conversation-a";

let number = 0;
const change = (type: string, data: object = {}, more: object = {}) => {
  number += 1;
  return { changeId: `change-${String(number).padStart(6, "0")}`, domain: "conversation", entityId: chat, type, at, data, ...more };
};
const started = (more: object = {}) =>
  change("started", { mode: "ask", model: { choice: "automatic" }, references: [], title: "Pipes" }, more);
const turn = (turnId: string, more: object = {}) =>
  change("turn_recorded", {
    turnId,
    question: "What?",
    answer: "This.",
    citations: [],
    outcome: "finished",
    provider: "p1",
    model: "m",
    fallbackDepth: 0,
    ...more,
  });

describe("POST /api/sync/push", () => {
  let folder: string;
  let config: Config;
  let eventStore: EmbeddedEventStore;
  let store: EventStore;
  let server: Server;
  let leaving: AbortController;
  let address: string;
  let mira: string;
  let tomas: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "colloquy-push-"));
    config = readConfig({ DATA_DIR: folder, NODE_ENV: "test", LOG_LEVEL: "silent" });
    eventStore = await startEventStore({ dataDir: folder, port: 0, insecure: true });
    store = openEventStore(eventStore.url);
    leaving = new AbortController();
    await serve(store);
    mira = await signIn("learner");
    tomas = await signIn("learner2");
  });
  afterEach(async () => {
    leaving.abort();
    await closeServer(server, 0);
    await store.close();
    await eventStore.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function serve(used: EventStore): Promise<void> {
    const ended = endedSessions({ store, log, signal: leaving.signal });
    const routers = [
      Router().use(session(config, ended)),
      authRoutes({ config, log, ended }),
      syncPushRoutes({ handlers: changeHandlers({ store: used }) }),
    ];
    const listening = await listen(createApp({ config, log, routers }), 0);
    server = listening.server;
    address = `http://127.0.0.1:${listening.port}`;
  }
  async function signIn(as: string): Promise<string> {
    const response = await fetch(`${address}/auth/demo?as=${as}`, { redirect: "manual" });
    return response.headers.get("set-cookie")?.split(";")[0] ?? "";
  }
  const post = (cookie: string | null, body: unknown) =>
    fetch(`${address}/api/sync/push`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(cookie !== null && { cookie }) },
      body: JSON.stringify(body),
    });
  async function push(cookie: string, ...changes: unknown[]): Promise<PushResponse> {
    const response = await post(cookie, { schemaVersion: 1, deviceId: "device-one", changes });
    expect(response.status).to.equal(200);
    return pushResponse.parse(await response.json());
  }
  const outcomes = ({ results }: PushResponse) => results.map(({ outcome, code }) => code ?? outcome);
  const problem = async (response: Response) => ({ status: response.status, code: ((await response.json()) as { code: string }).code });
  const events = async (id = chat): Promise<StoredEvent[]> => Array.fromAsync(store.read(`conversation-${id}`));
  const types = async (id = chat) => (await events(id)).map(({ type }) => type);

  it("appends each change as one event with account, time and device", async () => {
    const [first, second] = [started(), change("renamed", { title: "All about pipes" })];
    const { results, position } = await push(mira, first, second);
    expect(results).to.deep.equal([first, second].map(({ changeId }) => ({ changeId, outcome: "accepted" })));
    const [, renamed] = await events();
    expect(renamed).to.deep.include({
      type: "ConversationRenamed",
      revision: 1,
      position,
      data: { schemaVersion: 1, title: "All about pipes" },
    });
    expect(renamed?.metadata).to.include({ requestId: second.changeId, deviceId: "device-one", at });
  });

  it("reports a full disk and accepts the same push once there is space", async function () {
    this.timeout(120_000);
    const place = await mkdtemp(join(tmpdir(), "colloquy-full-"));
    const disk = smallDisk(place);
    if (!disk) return this.skip();
    const small = await startEventStore({ dataDir: place, port: 0, insecure: true });
    const used = openEventStore(small.url);
    try {
      await closeServer(server, 0);
      await serve(used);
      disk.fill();
      // Larger than what is left in the pages the file has.
      const changes = [
        started(),
        ...Array.from({ length: 20 }, (_, index) => turn(`turn-${index}000`, { answer: "word ".repeat(10_000) })),
      ];
      const body = { schemaVersion: 1, deviceId: "device-one", changes };
      const response = await post(mira, body);
      const { code, detail, retryable } = (await response.json()) as { code: string; detail: string; retryable: boolean };
      expect([response.status, code, retryable]).to.deep.equal([503, "unavailable", true]);
      expect(detail).to.match(/disk of the event store is full.*until there is room/);
      disk.empty();
      expect(outcomes(await push(mira, ...changes))).to.deep.equal(changes.map(() => "accepted"));
    } finally {
      await used.close();
      await small.close();
      disk.remove();
      await rm(place, { recursive: true, force: true });
    }
  });

  it("answers a repeated push with the same position and no event", async () => {
    const changes = [started(), turn("turn-0001"), change("pinned")];
    const first = await push(mira, ...changes);
    const again = await push(mira, ...changes);
    expect(outcomes(again)).to.deep.equal(["duplicate", "duplicate", "duplicate"]);
    expect(again.position).to.equal(first.position);
    expect(await types()).to.have.lengthOf(3);
  });

  it("refuses an id reused in the stream or within a request", async () => {
    const first = started();
    await push(mira, first);
    const other = { ...change("renamed", { title: "Other" }), changeId: first.changeId };
    expect(outcomes(await push(mira, other))).to.deep.equal(["request_id_reused"]);
    const here = started({ entityId: "conversation-b" });
    const there = { ...started({ entityId: "conversation-c" }), changeId: here.changeId };
    expect(outcomes(await push(mira, here, there))).to.deep.equal(["accepted", "request_id_reused"]);
  });

  it("refuses an id that another process has just used for another change", async () => {
    const first = changeSchema.parse(started());
    const context = { accountId: "acc_mira0001", deviceId: "device-one", requestId: "request-0001" };
    const pushed = async (one: Change) => outcomes({ schemaVersion: 1, ...(await changeHandlers({ store }).push(context, [one])) });
    expect(await pushed(first)).to.deep.equal(["accepted"]);
    expect(await pushed({ ...first, data: { ...first.data, title: "Other" } })).to.deep.equal(["request_id_reused"]);
    expect(await pushed(first)).to.deep.equal(["duplicate"]);
    expect(await types()).to.deep.equal(["ConversationStarted"]);
  });

  it("refuses an id reused in another conversation of the account", async () => {
    const here = started({ entityId: "conversation-b" });
    const there = { ...here, entityId: "conversation-c" };
    expect(outcomes(await push(mira, here))).to.deep.equal(["accepted"]);
    expect(outcomes(await push(mira, there, here))).to.deep.equal(["request_id_reused", "duplicate"]);
    expect(await types("conversation-c")).to.deep.equal([]);
    expect(outcomes(await push(tomas, there))).to.deep.equal(["accepted"]);
    const both = started({ entityId: "conversation-d" });
    const atOnce = await Promise.all([push(mira, both), push(mira, { ...both, entityId: "conversation-e" })]);
    expect(atOnce.flatMap(outcomes).toSorted()).to.deep.equal(["accepted", "request_id_reused"]);
  });

  it("refuses invalid changes alone and answers in the given order", async () => {
    const changes = [
      started(),
      { ...change("renamed", { title: "x" }), at: "yesterday" },
      change("renamed", { title: "x", colour: "red" }),
      change("renamed", { title: "x".repeat(300) }),
      change("exploded"),
      change("renamed", { title: "x" }, { domain: "preferences" }),
      change("renamed", { title: "x" }, { domain: "weather" }),
      change("renamed", { title: "x" }, { surprise: true }),
      change("renamed", { title: "Kept" }, { entityId: "conversation-z" }),
      turn("turn-0001", { answer: "x".repeat(60_001) }),
      turn("turn-0001", { replaces: "turn-0009" }),
      change("renamed", { title: "Good" }),
    ];
    const answer = await push(mira, ...changes);
    expect(outcomes(answer)).to.deep.equal([
      "accepted",
      "invalid_request",
      "unknown_field",
      "too_long",
      "invalid_request",
      "invalid_request",
      "invalid_request",
      "unknown_field",
      "not_found",
      "too_long",
      "invalid_request",
      "accepted",
    ]);
    expect(answer.results.map(({ changeId }) => changeId)).to.deep.equal(changes.map(({ changeId }) => changeId));
    for (const result of answer.results)
      expect(result).to.have.all.keys(result.outcome === "refused" ? ["changeId", "outcome", "code"] : ["changeId", "outcome"]);
    expect(await types()).to.deep.equal(["ConversationStarted", "ConversationRenamed"]);
  });

  it("refuses the changes of an unreadable stream alone and logs why", async () => {
    const lines: string[] = [];
    const handlers = changeHandlers({ store, log: createLog("test", { LOG_LEVEL: "error" }, { write: (line) => lines.push(line) }) });
    const of = (type: string, entityId: string, data?: object) => changeSchema.parse({ ...change(type, data), entityId });
    const begun = (entityId: string) => changeSchema.parse({ ...started(), entityId });
    const context = { accountId: "acc_mira0001", deviceId: "device-one", requestId: "request-0001" };
    const codes = async (...changes: Change[]) => outcomes({ schemaVersion: 1, ...(await handlers.push(context, changes)) });
    expect(await codes(begun("conversation-later"), begun("conversation-buried"))).to.deep.equal(["accepted", "accepted"]);
    const metadata = { accountId: context.accountId, requestId: "request-0000", correlationId: "request-0000" };
    const later = { id: crypto.randomUUID(), type: "ConversationRenamed", data: { schemaVersion: 2, title: "Later" }, metadata };
    await store.append("conversation-conversation-later", [later], "any");
    await store.tombstone("conversation-conversation-buried");
    const changes = [
      of("pinned", "conversation-later"),
      begun("conversation-healthy"),
      of("pinned", "conversation-buried"),
      of("archived", "conversation-later"),
      of("pinned", "conversation-healthy"),
    ];
    expect(await codes(...changes)).to.deep.equal(["unavailable", "accepted", "not_found", "unavailable", "accepted"]);
    expect(lines.map((line) => JSON.parse(line).stream).toSorted()).to.deep.equal([
      "conversation-conversation-buried",
      "conversation-conversation-later",
    ]);
  });

  it("refuses no change because the store rejects the service", async () => {
    const place = await mkdtemp(join(tmpdir(), "colloquy-denied-"));
    const guarded = await startEventStore({ dataDir: place, port: 0 });
    const nobody = openEventStore(guarded.url.replace(/\/\/.*@/, "//"));
    try {
      const handlers = changeHandlers({ store: nobody });
      const pushed = handlers.push({ accountId: "acc_mira0001", deviceId: "device-one", requestId: "r" }, [changeSchema.parse(started())]);
      expect(await pushed.catch((error: unknown) => error)).to.include({ name: "ProblemError", code: "unavailable" });
    } finally {
      await nobody.close();
      await guarded.close();
      await rm(place, { recursive: true, force: true });
    }
  });

  it("rejects requests with a change without a valid id", async () => {
    expect(await problem(await post(null, { schemaVersion: 1, deviceId: "device-one", changes: [started()] }))).to.deep.equal({
      status: 401,
      code: "sign_in_required",
    });
    const bodies = [
      [{ schemaVersion: 2, deviceId: "device-one", changes: [started()] }, "unsupported_schema_version"],
      [{ schemaVersion: 1, deviceId: "device-one", changes: [] }, "invalid_request"],
      [{ schemaVersion: 1, deviceId: "device-one", changes: Array.from({ length: 101 }, () => started()) }, "too_many"],
      [{ schemaVersion: 1, deviceId: "device-one", changes: [{ type: "started" }] }, "invalid_request"],
      [{ schemaVersion: 1, deviceId: "../etc", changes: [started()] }, "invalid_request"],
      [{ schemaVersion: 1, deviceId: "device-one", changes: [started()], extra: 1 }, "unknown_field"],
    ] as const;
    for (const [body, code] of bodies) expect(await problem(await post(mira, body))).to.deep.equal({ status: 400, code });
    expect(await types()).to.deep.equal([]);
  });

  it("hides another account's conversation, also after its deletion", async () => {
    await push(mira, started(), turn("turn-0001"));
    const answer = await push(tomas, change("renamed", { title: "Mine now" }), change("deleted"), started());
    expect(outcomes(answer)).to.deep.equal(["not_found", "not_found", "not_found"]);
    expect(answer.position).to.equal("0");
    await push(mira, change("deleted"));
    const later = await push(tomas, change("deleted"), started());
    expect(outcomes(later)).to.deep.equal(["not_found", "not_found"]);
    expect(later.position).to.equal("0");
    expect(await types()).to.deep.equal(["ConversationDeleted"]);
  });

  it("applies changes of many conversations, each in order", async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `conversation-${index}`);
    const changes = ids.flatMap((entityId) => [
      started({ entityId }),
      change("renamed", { title: entityId }, { entityId }),
      change("pinned", {}, { entityId }),
    ]);
    const { results, position } = await push(mira, ...changes);
    expect(results.every(({ outcome }) => outcome === "accepted")).to.equal(true);
    let highest = 0n;
    for (const id of ids) {
      expect(await types(id)).to.deep.equal(["ConversationStarted", "ConversationRenamed", "ConversationPinned"]);
      for (const event of await events(id)) if (BigInt(event.position) > highest) highest = BigInt(event.position);
    }
    expect(position).to.equal(String(highest));
  });

  it("accepts turns at their bounds", async () => {
    const long = "ü".repeat(60_000);
    const changes = [started(), ...[1, 2, 3, 4, 5, 6, 7].map((index) => turn(`turn-000${index}`, { answer: long }))];
    expect(new Set(outcomes(await push(mira, ...changes)))).to.deep.equal(new Set(["accepted"]));
    expect(await types()).to.have.lengthOf(8);
    expect(outcomes(await push(mira, turn("turn-0009", { citations: Array.from({ length: 41 }, () => ({})) })))).to.deep.equal([
      "too_many",
    ]);
  });

  it("repairs text that stores reject, always in the same way", async () => {
    await push(mira, started());
    const broken = turn("turn-0001", { answer: "cut in a character: \ud83d", question: "a\0b" });
    expect(outcomes(await push(mira, broken))).to.deep.equal(["accepted"]);
    expect(outcomes(await push(mira, broken))).to.deep.equal(["duplicate"]);
    expect((await events())[1]?.data).to.include({ answer: "cut in a character: \ufffd", question: "ab" });
  });

  it("retries on concurrent writes without loss or duplicates", async () => {
    await push(mira, started());
    const accountId = (await events())[0]?.metadata.accountId ?? "";
    const context = { accountId, deviceId: "device-two", requestId: "request-2" };
    const processes = [changeHandlers({ store }), changeHandlers({ store }), changeHandlers({ store })];
    const titles = Array.from({ length: 30 }, (_, index) => `Title ${index}`);
    const shared = change("pinned") as Parameters<(typeof processes)[0]["push"]>[1][0];
    const answers = await Promise.all(
      titles.map((title, index) => {
        const renamed = change("renamed", { title }) as typeof shared;
        return processes[index % 3]?.push(context, [renamed, shared]).catch((error: unknown) => ({ error, renamed }));
      }),
    );
    // Whoever lost the race too often is told to come again, and then it works.
    for (const answer of answers) {
      if (!answer || !("error" in answer)) continue;
      expect(answer.error).to.have.property("code", "unavailable");
      const [again] = (await changeHandlers({ store }).push(context, [answer.renamed])).results;
      expect(again?.outcome).to.equal("accepted");
    }
    const written = await events();
    expect(written.filter(({ type }) => type === "ConversationPinned")).to.have.lengthOf(1);
    expect(
      written.filter(({ type }) => type === "ConversationRenamed").map(({ data }) => (data as { title: string }).title),
    ).to.have.members(titles);
  });

  it("acknowledges nothing while the store is down", async () => {
    const changes = [started(), turn("turn-0001")];
    await push(mira, ...changes.slice(0, 1));
    const { port } = eventStore;
    await eventStore.close();
    const refused = await post(mira, { schemaVersion: 1, deviceId: "device-one", changes });
    expect(await problem(refused)).to.deep.equal({ status: 503, code: "unavailable" });
    eventStore = await startEventStore({ dataDir: folder, port, insecure: true });
    expect(outcomes(await push(mira, ...changes))).to.deep.equal(["duplicate", "accepted"]);
    expect(await types()).to.deep.equal(["ConversationStarted", "TurnRecorded"]);
  });

  describe("a deletion", () => {
    const secret = "kryptonite-4711";
    const filled = () => [started(), turn("turn-0001", { answer: secret.repeat(200) }), change("renamed", { title: secret })];
    const onDisk = async () => {
      const names = await readdir(join(folder, "event-store"));
      const files = await Promise.all(names.map((name) => readFile(join(folder, "event-store", name))));
      return files.some((bytes) => bytes.includes(secret));
    };

    it("leaves the marker and no text in the store", async () => {
      await push(mira, ...filled());
      expect(await onDisk()).to.equal(true);
      expect(outcomes(await push(mira, change("deleted"), change("renamed", { title: secret })))).to.deep.equal(["accepted", "not_found"]);
      expect(await types()).to.deep.equal(["ConversationDeleted"]);
      expect(await onDisk()).to.equal(false);
    });

    it("interrupted before the truncation is finished by a retry", async () => {
      let failures = 1;
      const shaky: EventStore = {
        ...store,
        truncateBefore: async (stream, revision) => {
          if (failures-- > 0) throw new StoreUnavailable("the store died here");
          await store.truncateBefore(stream, revision);
        },
      };
      await closeServer(server, 0);
      await serve(shaky);
      const changes = [...filled(), change("deleted")];
      expect((await post(mira, { schemaVersion: 1, deviceId: "device-one", changes })).status).to.equal(503);
      expect(await types()).to.have.lengthOf(4);
      expect(outcomes(await push(mira, changes.at(-1)))).to.deep.equal(["duplicate"]);
      expect(await types()).to.deep.equal(["ConversationDeleted"]);
    });

    it("interrupted is finished by the sweep, which reads each event once", async () => {
      const interrupted: EventStore = { ...store, truncateBefore: () => Promise.reject(new StoreUnavailable("the store died here")) };
      await closeServer(server, 0);
      await serve(interrupted);
      await post(mira, { schemaVersion: 1, deviceId: "device-one", changes: [...filled(), change("deleted")] });
      expect(await types()).to.have.lengthOf(4);
      const sweep = () => sweepInterruptedDeletions({ store, log, signal: new AbortController().signal });
      expect(await sweep()).to.equal(1);
      expect(await types()).to.deep.equal(["ConversationDeleted"]);
      expect(await onDisk()).to.equal(false);
      let read = 0;
      const counting: EventStore = {
        ...store,
        async *readAll(options) {
          for await (const event of store.readAll(options)) {
            if (options?.direction !== "backwards") read += 1;
            yield event;
          }
        },
      };
      expect(await sweepInterruptedDeletions({ store: counting, log, signal: new AbortController().signal })).to.equal(0);
      expect(read).to.equal(0);
    });

    it("interrupted is finished by a later sweep, with few saved positions", async () => {
      const stop = new AbortController();
      const sweeping = sweepPeriodically({ store, log, signal: stop.signal, everyMs: 20 });
      try {
        await push(mira, started({ entityId: "conversation-z" }));
        while ((await Array.fromAsync(store.read("sweep-deleted-conversations"))).length === 0) await pause(10);
        await closeServer(server, 0);
        await serve({ ...store, truncateBefore: () => Promise.reject(new StoreUnavailable("the store died here")) });
        await post(mira, { schemaVersion: 1, deviceId: "device-one", changes: [...filled(), change("deleted")] });
        while ((await types()).length > 1) await pause(10);
        expect(await types()).to.deep.equal(["ConversationDeleted"]);
        expect(await onDisk()).to.equal(false);
      } finally {
        stop.abort();
        await sweeping;
      }
      const notes = async () => (await Array.fromAsync(store.read("sweep-deleted-conversations")))[0]?.revision;
      const sweep = () => sweepInterruptedDeletions({ store, log, signal: new AbortController().signal });
      await sweep();
      const before = await notes();
      await sweep();
      expect(await notes()).to.equal(before);
    });
  });
});
