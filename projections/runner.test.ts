import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { positionColumn } from "@colloquy/infra/database/positions.ts";
import { silenceableProxy } from "@colloquy/infra/database/silenceable-proxy.fixture.ts";
import { describeOn, enginesToTest, type TemporaryDatabase } from "@colloquy/infra/database/temporary.fixture.ts";
import { type EventStore, eventIdFrom, openEventStore, type StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { expect } from "chai";
import type { Kysely } from "kysely";
import { projectionProgress, waitForPosition, waitForTables } from "./checkpoints/queries.ts";
import type { CheckpointTables } from "./checkpoints/tables.ts";
import { migrate } from "./migrate.ts";
import { oneByOne, type Projection } from "./projection.ts";
import { runAll } from "./run-all.ts";
import { type RunState, runProjection } from "./runner.ts";

interface NoteTables {
  notes: { id: string; text: string };
}
type Tables = CheckpointTables & NoteTables;

const never = new AbortController().signal;
const log = createLog("test", { LOG_LEVEL: "silent" });

/** Writes each event once and only once: a second time would break the key. */
function notes(apply: (event: StoredEvent) => void = () => undefined, name = "notes"): Projection<NoteTables> {
  return {
    name,
    tables: ["notes"],
    streams: ["note-"],
    events: ["Noted"],
    migrations: [
      {
        name: "1-create",
        up: async (schema) => {
          await schema
            .createTable("notes")
            .ifNotExists()
            .addColumn("id", "text", (column) => column.primaryKey())
            .addColumn("text", "text", (column) => column.notNull())
            .execute();
        },
      },
    ],
    apply: oneByOne(async (tx, event) => {
      apply(event);
      const { text } = event.data as { text: string };
      await tx
        .insertInto("notes")
        .values({ id: `${name} ${event.id}`, text })
        .execute();
    }),
  };
}

for (const engine of await enginesToTest()) {
  describeOn(engine, `the runner of projections on ${engine.name}`, () => {
    let folder: string;
    let server: EmbeddedEventStore;
    let store: EventStore;
    let place: TemporaryDatabase;
    let database: Kysely<Tables>;
    let stopping: AbortController;
    const running: { finished: Promise<void> }[] = [];

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "colloquy-runner-"));
      server = await startEventStore({ dataDir: folder, port: 0, insecure: true });
      store = openEventStore(server.url);
      place = await engine.create();
      database = openDatabase<Tables>(place.config);
      stopping = new AbortController();
    });
    afterEach(async () => {
      await stop();
      await store.close();
      await server.close();
      await database.destroy();
      await place.drop();
      await rm(folder, { recursive: true, force: true });
    });

    async function stop(): Promise<void> {
      stopping.abort();
      await Promise.all(running.splice(0).map(({ finished }) => finished));
      stopping = new AbortController();
    }
    function run(projection: Projection<NoteTables>, standbyMs?: number) {
      const started = runProjection({ projection, database, store, log, signal: stopping.signal, ...(standbyMs && { standbyMs }) });
      running.push(started);
      return started;
    }
    let written = 0;
    async function note(text: string, type = "Noted", stream = "note-0001"): Promise<string> {
      const metadata = { accountId: "acc_test0001", requestId: "request-1", correlationId: "request-1" };
      written += 1;
      const event = { id: eventIdFrom("note", String(written)), type, data: { schemaVersion: 1, text }, metadata };
      return (await store.append(stream, [event], "any")).position;
    }
    const texts = async () => (await database.selectFrom("notes").select("text").orderBy("text").execute()).map(({ text }) => text);
    async function reaches(state: RunState, of: { status(): { state: RunState } }): Promise<void> {
      while (of.status().state !== state) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const held = (position: string, name = "notes") => waitForPosition(database, name, position, 60_000);
    /** A runner tells of a batch a moment after others can see it. */
    async function told(holds: () => boolean): Promise<void> {
      while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
    }

    it("catches up, then follows live events", async () => {
      await migrate(database, [notes()]);
      await note("text 1");
      await note("text 2");
      const last = await note("text 3");
      const started = run(notes());
      expect(await held(last)).to.equal(true);
      await reaches("live", started);
      expect(started.status()).to.include({ name: "notes", position: last, applied: 3, lagMs: 0 });
      expect(await held(await note("text 4"))).to.equal(true);
      expect(await texts()).to.deep.equal(["text 1", "text 2", "text 3", "text 4"]);
      expect(started.status().eventsPerSecond).to.be.greaterThan(0);
    });

    it("resumes at its checkpoint and applies each event once", async () => {
      await migrate(database, [notes()]);
      const before = await note("before");
      run(notes());
      await held(before);
      await stop();
      await note("while away");
      run(notes());
      expect(await held(await note("after"))).to.equal(true);
      expect(await texts()).to.deep.equal(["after", "before", "while away"]);
    });

    it("applies many events in few transactions, in order", async () => {
      await migrate(database, [notes()]);
      const seen: string[] = [];
      const metadata = { accountId: "acc_test0001", requestId: "request-1", correlationId: "request-1" };
      const events = Array.from({ length: 1_200 }, (_, index) => ({
        id: eventIdFrom("many", String(index)),
        type: "Noted",
        data: { schemaVersion: 1, text: String(index) },
        metadata,
      }));
      const { position } = await store.append("note-many", events, "none");
      run(notes(({ data }) => void seen.push((data as { text: string }).text)));
      expect(await held(position)).to.equal(true);
      expect(seen).to.deep.equal(events.map(({ data }) => data.text));
    }).timeout(120_000);

    it("skips and counts unknown event types", async () => {
      await migrate(database, [notes()]);
      await note("unknown", "NotedInAnotherWay");
      const started = run(notes());
      expect(await held(await note("known"))).to.equal(true);
      await told(() => started.status().applied > 0);
      expect(started.status()).to.deep.include({ applied: 1, skipped: { NotedInAnotherWay: 1 } });
      expect(await texts()).to.deep.equal(["known"]);
    });

    it("skips other projections' event types without a log line", async () => {
      await migrate(database, [notes()]);
      await note("of use to others", "TurnTaken");
      const started = run(notes());
      expect(await held(await note("known"))).to.equal(true);
      await told(() => started.status().applied > 0);
      expect(started.status()).to.deep.include({ applied: 1, skipped: {} });
    });

    it("moves its checkpoint past other streams", async () => {
      await migrate(database, [notes()]);
      const started = run(notes());
      await reaches("live", started);
      for (let index = 0; index < 130; index += 1) await note("elsewhere", "Noted", "other-0001");
      while (started.status().position === null) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(await texts()).to.deep.equal([]);
    });

    it("stops at a failing event only by itself, and retries at the next start", async () => {
      const sick = notes(({ data }) => {
        if ((data as { text: string }).text === "poison") throw new Error("cannot be read");
      });
      const well = notes(undefined, "well");
      const first = await note("first");
      const poison = await note("poison");
      const after = await note("after");
      const all = runAll({ projections: [sick, well], database, store, log, signal: stopping.signal });
      running.push(all);
      expect(await held(after, "well")).to.equal(true);
      const sickStatus = () => all.status().find(({ name }) => name === "notes");
      while (sickStatus()?.state !== "failed") await new Promise((resolve) => setTimeout(resolve, 5));
      expect(sickStatus()?.failure).to.include({ type: "Noted", stream: "note-0001", position: poison, message: "cannot be read" });
      expect(sickStatus()?.position).to.equal(first);
      await told(() => all.status().find(({ name }) => name === "well")?.state === "live");
      // What other processes see of it is written right after.
      let progress = await projectionProgress(database, store, never);
      while (progress[0]?.state !== "failed") progress = await projectionProgress(database, store, never);
      expect(progress.map(({ name, state, lagMs }) => [name, state, lagMs > 0])).to.deep.equal([
        ["notes", "failed", true],
        ["well", "running", false],
      ]);
      expect(progress[0]?.failure).to.match(/^Noted [0-9a-f-]{36}$/);
      await stop();
      // The next version can read it.
      const mended = runAll({ projections: [notes(), well], database, store, log, signal: stopping.signal });
      running.push(mended);
      expect(await held(after)).to.equal(true);
      expect((await projectionProgress(database, store, never)).map(({ state, lagMs }) => [state, lagMs])).to.deep.equal([
        ["running", 0],
        ["running", 0],
      ]);
    });

    const sick = () =>
      notes(() => {
        throw new Error("old code");
      });
    const stored = async () =>
      (await projectionProgress(database, store, never)).map(({ state, failure, lagMs }) => ({ state, failure, lagMs }));
    const well = [{ state: "running", failure: null, lagMs: 0 }];

    it("clears its failure for a runner that can apply the event", async () => {
      await migrate(database, [notes()]);
      const position = await note("first");
      const old = run(sick(), 20);
      await reaches("failed", old);
      while ((await stored())[0]?.state !== "failed") await new Promise((resolve) => setTimeout(resolve, 5));
      await stop();
      run(notes(), 20);
      expect(await held(position)).to.equal(true);
      expect(await stored()).to.deep.equal(well);
    });

    it("clears the failure of a killed runner after the event is applied", async () => {
      await migrate(database, [notes()]);
      const position = await note("first");
      const old = run(sick(), 20);
      await reaches("failed", old);
      while ((await stored())[0]?.state !== "failed") await new Promise((resolve) => setTimeout(resolve, 5));
      run(notes(), 20);
      expect(await held(position)).to.equal(true);
      await reaches("live", old);
      expect(await stored()).to.deep.equal(well);
      await stop();
      await database.updateTable("checkpoints").set({ state: "failed", failure: "Noted of one that was killed" }).execute();
      run(notes(), 20);
      expect(await held(await note("second"))).to.equal(true);
      expect(await stored()).to.deep.equal(well);
    });

    it("retries an event, in case the database failed", async () => {
      let failures = 2;
      await migrate(database, [notes()]);
      await note("first");
      const started = run(
        notes(() => {
          if (failures-- > 0) throw new Error("deadlock detected");
        }),
      );
      expect(await held(await note("second"))).to.equal(true);
      expect(await texts()).to.deep.equal(["first", "second"]);
      expect(started.status()).not.to.have.property("failure");
    });

    it("lets one of two runners win each batch; the other stands by", async () => {
      await migrate(database, [notes()]);
      const one = run(notes(), 20);
      const two = run(notes(), 20);
      const all = Array.from({ length: 60 }, (_, index) => `text ${String(index).padStart(2, "0")}`);
      let last = "";
      for (const text of all) last = await note(text);
      expect(await held(last)).to.equal(true);
      expect(await texts()).to.deep.equal(all);
      await told(() => one.status().applied + two.status().applied >= all.length);
      expect(one.status().applied + two.status().applied).to.equal(all.length);
      // Who loses a batch has met the other's rows, which is no fault of the event's.
      for (const runner of [one, two]) expect(runner.status()).not.to.have.property("failure");
      expect((await projectionProgress(database, store, never)).map(({ state }) => state)).to.deep.equal(["running"]);
    });

    it("reconnects to a restarted store", async () => {
      await migrate(database, [notes()]);
      const started = run(notes());
      await held(await note("before"));
      await reaches("live", started);
      const { port } = server;
      await server.close();
      server = await startEventStore({ dataDir: folder, port, insecure: true });
      expect(await held(await note("after"))).to.equal(true);
      expect(await texts()).to.deep.equal(["after", "before"]);
    });

    it("goes on by itself when a store that lacked what it has applied has it again", async () => {
      await migrate(database, [notes()]);
      const started = run(notes());
      await held(await note("before"));
      await reaches("live", started);
      const { port } = server;
      await server.close();
      const other = await mkdtemp(join(tmpdir(), "colloquy-runner-"));
      server = await startEventStore({ dataDir: other, port, insecure: true });
      await reaches("ahead", started);
      await server.close();
      await rm(other, { recursive: true, force: true });
      server = await startEventStore({ dataDir: folder, port, insecure: true });
      await reaches("live", started);
      expect(await held(await note("after"))).to.equal(true);
      expect(await texts()).to.deep.equal(["after", "before"]);
      expect((await projectionProgress(database, store, never)).map(({ state, failure }) => ({ state, failure }))).to.deep.equal([
        { state: "running", failure: null },
      ]);
    });

    it("waits for a database whose tables cannot be created yet", async () => {
      const sound = notes();
      let ready = false;
      const [migration] = sound.migrations;
      const late: Projection<NoteTables> = {
        ...sound,
        migrations: [
          {
            name: "1-create",
            up: async (schema) => {
              if (!ready) throw new Error("not now");
              await migration?.up(schema);
            },
          },
        ],
      };
      running.push(runAll({ projections: [late], database, store, log, signal: stopping.signal }));
      expect(await waitForTables(database, ["notes"], 10)).to.equal(false);
      ready = true;
      expect(await waitForTables(database, ["notes"], 60_000)).to.equal(true);
      expect(await held(await note("first"))).to.equal(true);
    });

    it("creates the tables once when several processes start together", async () => {
      // Two SQLite connections in one process would wait for each other; across processes main.test.ts tries it.
      const other = engine.name === "SQLite" ? database : openDatabase<Tables>(place.config);
      await Promise.all([migrate(database, [notes()]), migrate(other, [notes()]), migrate(database, [notes()])]);
      const made = await database.selectFrom("migrations").select("name").where("projection", "=", "notes").execute();
      expect(made).to.deep.equal([{ name: "1-create" }]);
      if (other !== database) await other.destroy();
    });

    describe("waitForPosition", () => {
      it("returns false after the timeout or an abort", async () => {
        await migrate(database, [notes()]);
        expect(await waitForPosition(database, "notes", "1", 20)).to.equal(false);
        const leaving = new AbortController();
        const waiting = waitForPosition(database, "notes", "1", 60_000, leaving.signal);
        leaving.abort();
        expect(await waiting).to.equal(false);
      });
      if (engine.name === "PostgreSQL")
        it("continues if its first query is never answered", async function () {
          this.timeout(120_000);
          await migrate(database, [notes()]);
          await database
            .updateTable("checkpoints")
            .set({ position: positionColumn("7") })
            .where("name", "=", "notes")
            .execute();
          const between = await silenceableProxy(new URL(place.config.DATABASE_URL));
          const through = openDatabase<Tables>({ ...place.config, DATABASE_URL: between.url }, { queryWithinMs: 120_000 });
          try {
            await through.selectFrom("checkpoints").select("name").execute();
            between.silence();
            const waiting = waitForPosition(through, "notes", "7", 45_000);
            setTimeout(between.speak, 500);
            expect(await waiting).to.equal(true);
          } finally {
            between.close();
            await through.destroy();
          }
        });
      it("serves many callers at once, each at its own position", async () => {
        await migrate(database, [notes()]);
        const first = await note("first");
        const waiting = [held(first), held(first), waitForPosition(database, "notes", "999999999", 300)];
        run(notes());
        expect(await Promise.all(waiting)).to.deep.equal([true, true, false]);
      });
    });
  });
}
