import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { changeHandlers } from "@colloquy/command-api/sync/handlers.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.ts";
import { aliveRoutes } from "@colloquy/infra/http/alive.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { closeServer } from "@colloquy/infra/http/close.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { liveNewsWaiting } from "@colloquy/infra/telemetry/metrics.ts";
import { waitFor } from "@colloquy/projections/checkpoints/queries.ts";
import { projection as conversations } from "@colloquy/projections/conversations/projection.ts";
import { projection as sync } from "@colloquy/projections/sync/projection.ts";
import { entitiesOfChanges, hasAnnotations } from "@colloquy/projections/sync/queries.ts";
import { type TemporaryReadModels, temporaryReadModels } from "@colloquy/projections/temporary.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { conversationResponse, conversationsResponse } from "@colloquy/schemas/conversations.ts";
import { cursorField, type Problem } from "@colloquy/schemas/errors.ts";
import { readyResponse } from "@colloquy/schemas/health.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { annotatedResponse, pullResponse } from "@colloquy/schemas/sync/protocol.ts";
import { expect } from "chai";
import { Router } from "express";
import { annotationsRoutes } from "./annotations.ts";
import { conversationsRoutes } from "./conversations.ts";
import { type LiveTail, liveTail } from "./live-tail.ts";
import { whenReadable } from "./read-your-writes.ts";
import { readyRoutes } from "./ready.ts";
import { syncRoutes } from "./sync.ts";

const log = createLog("test", { LOG_LEVEL: "silent" });
const mira = "acc_mira0001";
const tomas = "acc_tomas001";
const chat = "conversation-a";
let number = 0;
const change = (type: string, data: Change["data"] = {}, entityId = chat): Change => {
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
const started = (title: string, entityId = chat) =>
  change("started", { mode: "ask", model: { choice: "automatic" }, references: [], title }, entityId);
const turn = (turnId: string, answer: string) =>
  change("turn_recorded", {
    ...{ turnId, question: "What?", answer, citations: [], outcome: "finished", provider: "p1", model: "m", fallbackDepth: 0 },
  });

/** The frames of a live stream as they come. */
async function* framesOf(response: Response): AsyncGenerator<{ id: string; data: { type: string; data: { title?: string } } }> {
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

for (const engine of await enginesToTest()) {
  describeOn(engine, `reading conversations over HTTP on ${engine.name}`, () => {
    let models: TemporaryReadModels;
    let tail: LiveTail;
    let server: Server;
    let address: string;
    let stopping: AbortController;
    let leaving: AbortController;
    let broken: Set<string>;
    let push: (accountId: string, ...changes: Change[]) => Promise<string>;

    beforeEach(async () => {
      models = await temporaryReadModels(engine, [conversations, sync]);
      const { store, database } = models;
      const handlers = changeHandlers({ store });
      push = async (accountId, ...changes) =>
        (await handlers.push({ accountId, deviceId: "device-one", requestId: "request-1" }, changes)).position;
      stopping = new AbortController();
      leaving = new AbortController();
      tail = liveTail({ store, database, log });
      broken = new Set();
      const check = (name: string) => async () => {
        if (broken.has(name)) throw new Error("it does not work");
      };
      const dependencies = ["object-store", "identity"].map((name) => ({
        ...{ name, required: name === "object-store", holdsMs: 0, check: check(name) },
      }));
      const signIn = Router().use((request, _response, next) => {
        const accountId = request.get("x-account");
        request.account = accountId ? { accountId, name: "Test", roles: ["learner"] } : null;
        next();
      });
      const routers = [
        signIn,
        aliveRoutes(),
        readyRoutes({ store, database, dependencies }),
        Router().use(whenReadable(database, ["conversations", "sync"])),
        conversationsRoutes({ database }),
        annotationsRoutes({ annotates: (accountId) => hasAnnotations(database, accountId) }),
        syncRoutes({ database, store, tail, log, signal: stopping.signal, heartbeatMs: 60_000, slowMs: 300 }),
      ];
      const listening = await listen(createApp({ config: readConfig({ NODE_ENV: "test" }), log, routers }), 0);
      server = listening.server;
      address = `http://127.0.0.1:${listening.port}`;
    });
    afterEach(async () => {
      leaving.abort();
      stopping.abort();
      await closeServer(server, 0);
      await tail.close();
      await models.close();
    });

    const get = (path: string, account: string | null = mira, headers: Record<string, string> = {}) =>
      fetch(`${address}${path}`, { headers: { ...headers, ...(account !== null && { "x-account": account }) }, signal: leaving.signal });
    const problem = async (response: Response) => ({ status: response.status, code: ((await response.json()) as { code: string }).code });
    const stream = async (path = "/api/sync/stream", headers: Record<string, string> = {}, account = mira) => {
      const response = await get(path, account, headers);
      expect(response.headers.get("content-type")).to.match(/^text\/event-stream/);
      return framesOf(response);
    };
    const next = async (frames: Awaited<ReturnType<typeof stream>>) => {
      const { value, done } = await frames.next();
      if (done) throw new Error("the stream ended");
      return value;
    };

    it("tells an account, and nobody else, that it has drawn, and in no words as long as that holds", async () => {
      const asked = async (account: string | null = mira, headers: Record<string, string> = {}) =>
        get("/api/annotations", account, headers);
      const before = await asked();
      expect(annotatedResponse.parse(await before.json()).annotated).to.equal(false);
      const etag = before.headers.get("etag") ?? "";
      expect((await asked(mira, { "if-none-match": etag })).status).to.equal(304);
      const stroke = { strokeId: "stroke-0001", blockId: null, tool: "pen", colour: "ink", width: 4, points: [0, 0, 128] };
      const drawn = change("drawn", { courseId: "course-0001", topicId: "topic-0001", strokes: [stroke] }, "drawing-0001");
      const position = await push(mira, { ...drawn, domain: "annotation" });
      expect(await waitFor(models.database, "sync", position, 5_000)).to.equal(true);
      const after = await asked(mira, { "if-none-match": etag });
      expect([after.status, after.headers.get("cache-control")]).to.deep.equal([200, "private, no-cache"]);
      expect(annotatedResponse.parse(await after.json()).annotated).to.equal(true);
      expect(annotatedResponse.parse(await (await asked(tomas)).json()).annotated).to.equal(false);
      expect(await problem(await asked(null))).to.deep.equal({ status: 401, code: "sign_in_required" });
    });

    it("refuses a cursor behind the last event there is, not one that only the read models are behind", async () => {
      const first = await push(mira, started("Pipes"));
      expect(await waitFor(models.database, "sync", first, 5_000)).to.equal(true);
      const beyond = String(BigInt((await models.store.head()) ?? 0) + 1n);
      for (const asked of [
        get(`/api/sync/pull?after=${beyond}`),
        get(`/api/sync/stream?after=${beyond}`),
        get("/api/sync/stream", mira, { "last-event-id": beyond }),
      ]) {
        const refused = (await (await asked).json()) as Problem;
        expect(refused).to.include({ status: 400, code: "invalid_request", retryable: false });
        expect(refused.fields?.map(({ path }) => path)).to.deep.equal([cursorField]);
      }
      await models.stopProjections();
      const last = await push(mira, change("renamed", { title: "New" }));
      expect((await get(`/api/sync/pull?after=${last}`)).status).to.equal(200);
    });

    it("says that it is there, however often it is woken for nothing", async () => {
      expect(await waitFor(models.database, "sync", await push(mira, started("Pipes")), 5_000)).to.equal(true);
      const wakes = new Set<() => void>();
      const restless = setInterval(() => {
        for (const wake of wakes) wake();
      }, 5);
      const follow = (_account: string, wake: () => void) => {
        wakes.add(wake);
        return () => void wakes.delete(wake);
      };
      const options = { database: models.database, store: models.store, log, signal: stopping.signal, heartbeatMs: 100 };
      const account = Router().use((request, _response, next) => {
        request.account = { accountId: mira, name: "Test", roles: ["learner"] };
        next();
      });
      const routers = [account, syncRoutes({ ...options, tail: { follow, close: async () => undefined } })];
      const other = await listen(createApp({ config: readConfig({ NODE_ENV: "test" }), log, routers }), 0);
      try {
        const response = await fetch(`http://127.0.0.1:${other.port}/api/sync/stream`, { signal: leaving.signal });
        let heard = "";
        for await (const piece of response.body ?? []) {
          heard += Buffer.from(piece as Uint8Array).toString();
          if (heard.split(": still here").length > 2) break;
        }
        expect(heard).to.include("retry: 1000");
      } finally {
        clearInterval(restless);
        await closeServer(other.server, 0);
      }
    });

    it("keeps one piece of news for each account while the feed stands still", async () => {
      const frames = await stream();
      await push(mira, started("Pipes"));
      await next(frames);
      await models.stopProjections();
      const late = turn("turn-0000", "late");
      for (const one of [late, ...Array.from({ length: 20 }, (_, index) => turn(`turn-${1_000 + index}`, "more"))]) await push(mira, one);
      const waiting = async () => (await liveNewsWaiting.get()).values[0]?.value ?? 0;
      while ((await waiting()) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(await waiting()).to.equal(1);
      models.startProjections();
      for (let index = 0; index < 21; index += 1) expect((await next(frames)).data.type).to.equal("turn_recorded");
    });

    it("lets a client read its own writes", async () => {
      const position = await push(mira, started("Pipes"), turn("turn-0001", "This."));
      const list = conversationsResponse.parse(await (await get(`/api/conversations?after=${position}`)).json());
      expect(list.conversations).to.have.lengthOf(1);
      const renamed = await push(mira, change("renamed", { title: "New" }));
      const { conversation } = conversationResponse.parse(await (await get(`/api/conversations/${chat}?after=${renamed}`)).json());
      expect(conversation).to.include({ title: "New", version: 2, position: renamed });
    });

    it("knows from the feed of which conversation a change was, in a process that was not there", async () => {
      const first = started("Pipes");
      const position = await push(mira, first);
      await get(`/api/conversations?after=${position}`);
      expect(await waitFor(models.database, "sync", position, 5_000)).to.equal(true);
      const asked: number[] = [];
      const feed = (accountId: string, changeIds: readonly string[]) => {
        asked.push(changeIds.length);
        return entitiesOfChanges(models.database, accountId, changeIds);
      };
      const context = { accountId: mira, deviceId: "device-two", requestId: "request-2" };
      const later = changeHandlers({ store: models.store, feed });
      const outcomes = async (...changes: Change[]) =>
        (await later.push(context, changes)).results.map(({ outcome, code }) => code ?? outcome);
      expect(await outcomes({ ...first, entityId: "conversation-b" }, first)).to.deep.equal(["request_id_reused", "duplicate"]);
      expect(await outcomes(first)).to.deep.equal(["duplicate"]);
      expect(asked).to.deep.equal([2]);
      for (const feed of [() => Promise.reject(new Error("no database")), () => new Promise<never>(() => {})]) {
        const { results } = await changeHandlers({ store: models.store, feed }).push(context, [started("Loops", crypto.randomUUID())]);
        expect(results[0]?.outcome).to.equal("accepted");
      }
    });

    it("says when a read model is behind, and answers without `after` all the same", async () => {
      const before = await push(mira, started("Pipes"));
      await get(`/api/conversations?after=${before}`);
      await models.stopProjections();
      const position = await push(mira, change("renamed", { title: "New" }));
      expect(await problem(await get(`/api/conversations?after=${position}`))).to.deep.equal({ status: 504, code: "read_model_behind" });
      const { conversation } = conversationResponse.parse(await (await get(`/api/conversations/${chat}`)).json());
      expect(conversation.title).to.equal("Pipes");
    });

    it("shows nobody what is another's", async () => {
      const position = await push(mira, started("Pipes"));
      expect(await problem(await get(`/api/conversations/${chat}?after=${position}`, tomas))).to.deep.equal({
        status: 404,
        code: "not_found",
      });
      expect((await (await get("/api/conversations", tomas)).json()) as object).to.deep.include({ conversations: [], cursor: null });
      expect((await (await get("/api/sync/pull", tomas)).json()) as object).to.deep.include({ changes: [], cursor: "0", more: false });
      for (const path of ["/api/conversations", `/api/conversations/${chat}`, "/api/sync/pull", "/api/sync/stream"])
        expect(await problem(await get(path, null))).to.deep.equal({ status: 401, code: "sign_in_required" });
    });

    it("refuses queries it does not understand", async () => {
      for (const query of ["state=gone", "limit=0", "limit=101", "cursor=x", "after=soon", "surprise=1", `q=${"x".repeat(201)}`])
        expect((await get(`/api/conversations?${query}`)).status, query).to.equal(400);
      for (const query of ["after=soon", "limit=501", "surprise=1"])
        expect((await get(`/api/sync/pull?${query}`)).status, query).to.equal(400);
      expect((await get("/api/conversations/..%2F..%2Fetc")).status).to.equal(404);
      expect((await get("/api/sync/stream", mira, { "last-event-id": "'; --" })).status).to.equal(400);
    });

    it("pages through the history by its cursor", async () => {
      let position = "0";
      for (let index = 0; index < 5; index += 1) position = await push(mira, started(`Title ${index}`, `conversation-${index}`));
      const titles: string[] = [];
      let query = `limit=2&after=${position}`;
      for (let page = 0; page < 3; page += 1) {
        const { conversations: rows, cursor } = conversationsResponse.parse(await (await get(`/api/conversations?${query}`)).json());
        titles.push(...rows.map(({ title }) => title));
        query = `limit=2&cursor=${cursor}`;
        if (page === 2) expect(cursor).to.equal(null);
      }
      expect(titles).to.deep.equal(["Title 4", "Title 3", "Title 2", "Title 1", "Title 0"]);
    });

    describe("a live stream", () => {
      it("brings what was there and then what comes, with the cursor as id", async () => {
        await push(mira, started("Pipes"));
        const frames = await stream();
        const first = await next(frames);
        expect(first.data).to.include({ type: "started", schemaVersion: 1, cursor: first.id });
        const position = await push(mira, change("renamed", { title: "New" }));
        const second = await next(frames);
        expect(second.id).to.equal(position);
        expect(second.data).to.deep.include({ type: "renamed", data: { title: "New" } });
        const pulled = pullResponse.parse(await (await get(`/api/sync/pull?after=${first.id}`)).json());
        expect(pulled.changes.map(({ cursor }) => cursor)).to.deep.equal([position]);
      });

      it("resumes after the last event a browser saw, without loss or repetition", async () => {
        await push(mira, started("Title 0"));
        const seen: string[] = [];
        let last = "0";
        let count = 0;
        const rename = async (): Promise<void> => {
          for (count = 1; count <= 30; count += 1) await push(mira, change("renamed", { title: `Title ${count}` }));
        };
        const renaming = rename();
        while (seen.length < 31) {
          const connection = new AbortController();
          const response = await fetch(`${address}/api/sync/stream`, {
            headers: { "x-account": mira, "last-event-id": last },
            signal: connection.signal,
          });
          for await (const frame of framesOf(response)) {
            last = frame.id;
            seen.push(frame.data.data.title ?? "");
            if (seen.length % 7 === 0 || seen.length === 31) break;
          }
          connection.abort();
        }
        await renaming;
        expect(seen).to.deep.equal(Array.from({ length: 31 }, (_, index) => `Title ${index}`));
      });

      it("begins at a cursor given in the address", async () => {
        const position = await push(mira, started("Pipes"));
        const frames = await stream(`/api/sync/stream?after=${position}`);
        await push(mira, change("pinned"));
        expect((await next(frames)).data.type).to.equal("pinned");
      });

      it("brings every device the same order, and another account nothing", async () => {
        const devices = await Promise.all([stream(), stream(), stream()]);
        const other = await stream("/api/sync/stream", {}, tomas);
        await push(mira, started("Pipes"));
        await Promise.all(Array.from({ length: 10 }, (_, index) => push(mira, change("renamed", { title: `Title ${index}` }))));
        const orders = await Promise.all(
          devices.map(async (frames) => {
            const ids: string[] = [];
            while (ids.length < 11) ids.push((await next(frames)).id);
            return ids;
          }),
        );
        expect(orders[1]).to.deep.equal(orders[0]);
        expect(orders[2]).to.deep.equal(orders[0]);
        await push(tomas, started("Mine", "conversation-t"));
        expect((await next(other)).data.data.title).to.equal("Mine");
      });

      it("tells of a deletion and no longer of the text", async () => {
        await push(mira, started("Secret"), turn("turn-0001", "Secret"));
        const before = await stream();
        await next(before);
        await next(before);
        const position = await push(mira, change("deleted"));
        expect((await next(before)).data.type).to.equal("deleted");
        const after = await stream();
        const only = await next(after);
        expect([only.id, only.data.type, only.data.data]).to.deep.equal([position, "deleted", {}]);
      });

      it("goes on when the projections come back", async () => {
        await push(mira, started("Pipes"));
        const frames = await stream();
        await next(frames);
        await models.stopProjections();
        await push(mira, change("pinned"));
        models.startProjections();
        expect((await next(frames)).data.type).to.equal("pinned");
      });

      it("goes on when the event store comes back", async () => {
        await push(mira, started("Pipes"));
        const frames = await stream();
        await next(frames);
        await models.restartStore();
        await push(mira, change("pinned"));
        expect((await next(frames)).data.type).to.equal("pinned");
      });

      it("is bounded in number, and a closed one makes room", async () => {
        const open: AbortController[] = [];
        for (let index = 0; index < bounds.sync.streamsPerAccount; index += 1) {
          const connection = new AbortController();
          open.push(connection);
          const response = await fetch(`${address}/api/sync/stream`, { headers: { "x-account": mira }, signal: connection.signal });
          expect(response.status).to.equal(200);
        }
        const refused = await get("/api/sync/stream");
        expect(refused.headers.get("retry-after")).to.equal("5");
        expect(await problem(refused)).to.deep.equal({ status: 429, code: "rate_limited" });
        expect((await get("/api/sync/stream", tomas)).status).to.equal(200);
        open[0]?.abort();
        let status = 429;
        while (status === 429) status = (await get("/api/sync/stream")).status;
        expect(status).to.equal(200);
        for (const connection of open) connection.abort();
      });

      it("is cut off when its reader does not read on, and can be resumed", async () => {
        await push(mira, started("Pipes"));
        let position = "";
        for (let group = 0; group < 8; group += 1) {
          const turns = Array.from({ length: 15 }, (_, index) => turn(`turn-${group}-${index}-of-it`, "x".repeat(60_000)));
          position = await push(mira, ...turns);
        }
        await get(`/api/conversations?after=${position}`);
        const given = new Promise<void>((resolve) => server.once("connection", (served: Socket) => served.once("close", () => resolve())));
        const socket = connect(Number(new URL(address).port), "127.0.0.1");
        socket.on("error", () => undefined);
        socket.pause();
        socket.write(`GET /api/sync/stream HTTP/1.1\r\nhost: localhost\r\nx-account: ${mira}\r\n\r\n`);
        // Read nothing until the server has given up, then what is left: not all of it.
        await given;
        let bytes = 0;
        socket.on("data", (chunk) => (bytes += chunk.length));
        socket.resume();
        await new Promise((resolve) => socket.once("close", resolve));
        expect(bytes).to.be.lessThan(120 * 60_000);
        const frames = await stream();
        let last = await next(frames);
        for (let index = 0; index < 120; index += 1) last = await next(frames);
        expect(last.id).to.equal(position);
      }).timeout(120_000);

      it("ends cleanly when the process stops", async () => {
        const frames = await stream();
        stopping.abort();
        expect((await frames.next()).done).to.equal(true);
      });
    });

    describe("GET /readyz", () => {
      it("names the store, the database and each projection's lag", async () => {
        await get(`/api/conversations?after=${await push(mira, started("Pipes"))}`);
        let body = { ready: false } as Record<string, unknown>;
        const behind = () => (body.projections as { lagMs: number }[] | undefined)?.some(({ lagMs }) => lagMs > 0) ?? true;
        while (!body.ready || behind()) body = (await (await get("/readyz", null)).json()) as typeof body;
        expect(body).to.have.nested.property("eventStore.ok", true);
        expect(body).to.have.nested.property("database.ok", true);
        const rows = body.projections as { name: string; ok: boolean; lagMs: number }[];
        expect(rows.map(({ name, ok, lagMs }) => [name, ok, lagMs])).to.deep.equal([
          ["conversations", true, 0],
          ["sync", true, 0],
        ]);
      });
      it("is not ready without what it needs, and ready without what only some of it needs", async () => {
        await get(`/api/conversations?after=${await push(mira, started("Pipes"))}`);
        const ask = async () => readyResponse.parse(await (await get("/readyz", null)).json());
        while (!(await ask()).ready);
        broken.add("identity");
        const without = await ask();
        expect(without.ready).to.equal(true);
        expect(without.dependencies.map(({ name, ok, required }) => [name, ok, required])).to.deep.equal([
          ["object-store", true, true],
          ["identity", false, false],
        ]);
        broken.add("object-store");
        expect((await get("/readyz", null)).status).to.equal(503);
      });
      it("shows the lag of projections that stand still", async () => {
        await get(`/api/conversations?after=${await push(mira, started("Pipes"))}`);
        await models.stopProjections();
        await push(mira, change("pinned"));
        await new Promise((resolve) => setTimeout(resolve, 20));
        const { projections } = (await (await get("/readyz", null)).json()) as { projections: { lagMs: number }[] };
        for (const { lagMs } of projections) expect(lagMs).to.be.greaterThan(0);
      });
      it("is not ready without its store, but alive", async () => {
        await get("/api/conversations");
        await models.store.close();
        expect((await get("/readyz", null)).status).to.equal(503);
        expect(await (await get("/healthz", null)).json()).to.deep.equal({ schemaVersion: 1, status: "ok" });
      });
    });
  });
}
