import { connect, type Socket } from "node:net";
import { changeHandlers } from "@colloquy/command-api/sync/handlers.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { liveUpdatesWaiting } from "@colloquy/infra/telemetry/metrics.ts";
import { waitForPosition } from "@colloquy/projections/checkpoints/queries.ts";
import { entitiesOfChanges } from "@colloquy/projections/sync/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { cursorField, type Problem } from "@colloquy/schemas/errors.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { pullResponse } from "@colloquy/schemas/sync/protocol.ts";
import { expect } from "chai";
import { Router } from "express";
import { change, framesOf, log, mira, next, problem, type ServedReading, serveReading, started, tomas, turn } from "../served.fixture.ts";
import type { LiveTail } from "./live-tail.ts";
import { type SyncOptions, syncRoutes } from "./routes.ts";

for (const engine of await enginesToTest()) {
  describeOn(engine, `the feed of changes on ${engine.name}`, () => {
    let served: ServedReading;
    beforeEach(async () => {
      served = await serveReading(engine);
    });
    afterEach(() => served.close());

    /** The feed of one account once more, beside the other, with bounds of its own. */
    function serveFeed({
      follow = () => () => undefined,
      ...bounds
    }: { follow?: LiveTail["follow"] } & Pick<SyncOptions, "heartbeatMs" | "slowMs">): ReturnType<typeof listen> {
      const { models, stopping } = served;
      const { database, store } = models;
      const account = Router().use((request, _response, next) => {
        request.account = { accountId: mira, name: "Test", roles: ["learner"] };
        next();
      });
      const tail = { follow, close: async () => undefined };
      const routers = [account, syncRoutes({ database, store, log, signal: stopping.signal, tail, ...bounds })];
      return listen(createApp({ config: readConfig({ NODE_ENV: "test" }), log, routers }), 0);
    }

    it("rejects a cursor beyond the store's end, not beyond the read model's", async () => {
      const first = await served.push(mira, started("Pipes"));
      expect(await waitForPosition(served.models.database, "sync", first, 60_000)).to.equal(true);
      const beyond = String(BigInt((await served.models.store.head()) ?? 0) + 1n);
      for (const asked of [
        served.get(`/api/sync/pull?after=${beyond}`),
        served.get(`/api/sync/stream?after=${beyond}`),
        served.get("/api/sync/stream", mira, { "last-event-id": beyond }),
      ]) {
        const refused = (await (await asked).json()) as Problem;
        expect(refused).to.include({ status: 400, code: "invalid_request", retryable: false });
        expect(refused.fields?.map(({ path }) => path)).to.deep.equal([cursorField]);
      }
      await served.models.stopProjections();
      const last = await served.push(mira, change("renamed", { title: "New" }));
      expect((await served.get(`/api/sync/pull?after=${last}`)).status).to.equal(200);
    });

    it("finds the conversation of a change in the feed, in another process", async () => {
      const first = started("Pipes");
      const position = await served.push(mira, first);
      await served.get(`/api/conversations?after=${position}`);
      expect(await waitForPosition(served.models.database, "sync", position, 60_000)).to.equal(true);
      const asked: number[] = [];
      const feed = (accountId: string, changeIds: readonly string[]) => {
        asked.push(changeIds.length);
        return entitiesOfChanges(served.models.database, accountId, changeIds);
      };
      const context = { accountId: mira, deviceId: "device-two", requestId: "request-2" };
      const later = changeHandlers({ store: served.models.store, feed });
      const outcomes = async (...changes: Change[]) =>
        (await later.push(context, changes)).results.map(({ outcome, code }) => code ?? outcome);
      expect(await outcomes({ ...first, entityId: "conversation-b" }, first)).to.deep.equal(["request_id_reused", "duplicate"]);
      expect(await outcomes(first)).to.deep.equal(["duplicate"]);
      expect(asked).to.deep.equal([2]);
      for (const feed of [() => Promise.reject(new Error("no database")), () => new Promise<never>(() => {})]) {
        const { results } = await changeHandlers({ store: served.models.store, feed }).push(context, [
          started("Loops", crypto.randomUUID()),
        ]);
        expect(results[0]?.outcome).to.equal("accepted");
      }
    });

    it("sends heartbeats however often it is woken without news", async () => {
      expect(await waitForPosition(served.models.database, "sync", await served.push(mira, started("Pipes")), 60_000)).to.equal(true);
      const wakes = new Set<() => void>();
      const restless = setInterval(() => {
        for (const wake of wakes) wake();
      }, 5);
      const follow = (_account: string, wake: () => void) => {
        wakes.add(wake);
        return () => void wakes.delete(wake);
      };
      const other = await serveFeed({ heartbeatMs: 100, follow });
      try {
        const response = await fetch(`http://127.0.0.1:${other.port}/api/sync/stream`);
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

    it("keeps one pending notice per account while the feed is stopped", async () => {
      const frames = await served.stream();
      await served.push(mira, started("Pipes"));
      await next(frames);
      await served.models.stopProjections();
      const late = turn("turn-0000", "late");
      for (const one of [late, ...Array.from({ length: 20 }, (_, index) => turn(`turn-${1_000 + index}`, "more"))])
        await served.push(mira, one);
      const waiting = async () => (await liveUpdatesWaiting.get()).values[0]?.value ?? 0;
      while ((await waiting()) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(await waiting()).to.equal(1);
      served.models.startProjections();
      for (let index = 0; index < 21; index += 1) expect((await next(frames)).data.type).to.equal("turn_recorded");
    });

    describe("a live stream", () => {
      it("sends stored and then new changes, with the cursor as id", async () => {
        await served.push(mira, started("Pipes"));
        const frames = await served.stream();
        const first = await next(frames);
        expect(first.data).to.include({ type: "started", schemaVersion: 1, cursor: first.id });
        const position = await served.push(mira, change("renamed", { title: "New" }));
        const second = await next(frames);
        expect(second.id).to.equal(position);
        expect(second.data).to.deep.include({ type: "renamed", data: { title: "New" } });
        const pulled = pullResponse.parse(await (await served.get(`/api/sync/pull?after=${first.id}`)).json());
        expect(pulled.changes.map(({ cursor }) => cursor)).to.deep.equal([position]);
      });

      it("resumes after Last-Event-ID without loss or repetition", async () => {
        await served.push(mira, started("Title 0"));
        const seen: string[] = [];
        let last = "0";
        let count = 0;
        const rename = async (): Promise<void> => {
          for (count = 1; count <= 30; count += 1) await served.push(mira, change("renamed", { title: `Title ${count}` }));
        };
        const renaming = rename();
        while (seen.length < 31) {
          const connection = new AbortController();
          const response = await fetch(`${served.address}/api/sync/stream`, {
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

      it("starts at a cursor in the address", async () => {
        const position = await served.push(mira, started("Pipes"));
        const frames = await served.stream(`/api/sync/stream?after=${position}`);
        await served.push(mira, change("pinned"));
        expect((await next(frames)).data.type).to.equal("pinned");
      });

      it("sends every device the same order, and other accounts nothing", async () => {
        const devices = await Promise.all([served.stream(), served.stream(), served.stream()]);
        const other = await served.stream("/api/sync/stream", {}, tomas);
        await served.push(mira, started("Pipes"));
        await Promise.all(Array.from({ length: 10 }, (_, index) => served.push(mira, change("renamed", { title: `Title ${index}` }))));
        const orders = await Promise.all(
          devices.map(async (frames) => {
            const ids: string[] = [];
            while (ids.length < 11) ids.push((await next(frames)).id);
            return ids;
          }),
        );
        expect(orders[1]).to.deep.equal(orders[0]);
        expect(orders[2]).to.deep.equal(orders[0]);
        await served.push(tomas, started("Mine", "conversation-t"));
        expect((await next(other)).data.data.title).to.equal("Mine");
      });

      it("sends a deletion and no longer the text", async () => {
        await served.push(mira, started("Secret"), turn("turn-0001", "Secret"));
        const before = await served.stream();
        await next(before);
        await next(before);
        const position = await served.push(mira, change("deleted"));
        expect((await next(before)).data.type).to.equal("deleted");
        const after = await served.stream();
        const only = await next(after);
        expect([only.id, only.data.type, only.data.data]).to.deep.equal([position, "deleted", {}]);
      });

      it("continues when the projections are back", async () => {
        await served.push(mira, started("Pipes"));
        const frames = await served.stream();
        await next(frames);
        await served.models.stopProjections();
        await served.push(mira, change("pinned"));
        served.models.startProjections();
        expect((await next(frames)).data.type).to.equal("pinned");
      });

      it("continues when the event store is back", async () => {
        await served.push(mira, started("Pipes"));
        const frames = await served.stream();
        await next(frames);
        await served.models.restartStore();
        await served.push(mira, change("pinned"));
        expect((await next(frames)).data.type).to.equal("pinned");
      });

      it("is bounded in number, and a closed one makes room", async () => {
        const open: AbortController[] = [];
        for (let index = 0; index < bounds.sync.streamsPerAccount; index += 1) {
          const connection = new AbortController();
          open.push(connection);
          const response = await fetch(`${served.address}/api/sync/stream`, { headers: { "x-account": mira }, signal: connection.signal });
          expect(response.status).to.equal(200);
        }
        const refused = await served.get("/api/sync/stream");
        expect(refused.headers.get("retry-after")).to.equal("5");
        expect(await problem(refused)).to.deep.equal({ status: 429, code: "rate_limited" });
        expect((await served.get("/api/sync/stream", tomas)).status).to.equal(200);
        open[0]?.abort();
        let status = 429;
        while (status === 429) status = (await served.get("/api/sync/stream")).status;
        expect(status).to.equal(200);
        for (const connection of open) connection.abort();
      });

      it("is closed if its reader is too slow, and can be resumed", async () => {
        await served.push(mira, started("Pipes"));
        let position = "";
        for (let group = 0; group < 8; group += 1) {
          const turns = Array.from({ length: 15 }, (_, index) => turn(`turn-${group}-${index}-of-it`, "x".repeat(60_000)));
          position = await served.push(mira, ...turns);
        }
        await served.get(`/api/conversations?after=${position}`);
        // Whoever reads on is given all the time there is.
        const { server, port } = await serveFeed({ slowMs: 300 });
        try {
          const given = new Promise<void>((resolve) => server.once("connection", (near: Socket) => near.once("close", () => resolve())));
          const socket = connect(port, "127.0.0.1");
          socket.on("error", () => undefined);
          socket.pause();
          socket.write("GET /api/sync/stream HTTP/1.1\r\nhost: localhost\r\n\r\n");
          // Read nothing until the server has given up, then what is left: not all of it.
          await given;
          let bytes = 0;
          socket.on("data", (chunk) => (bytes += chunk.length));
          socket.resume();
          await new Promise((resolve) => socket.once("close", resolve));
          expect(bytes).to.be.lessThan(120 * 60_000);
        } finally {
          await closeServer(server, 0);
        }
        const frames = await served.stream();
        let last = await next(frames);
        for (let index = 0; index < 120; index += 1) last = await next(frames);
        expect(last.id).to.equal(position);
      }).timeout(120_000);

      it("ends cleanly when the process stops", async () => {
        const frames = await served.stream();
        served.stopping.abort();
        expect((await frames.next()).done).to.equal(true);
      });
    });
  });
}
