import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertRows } from "@colloquy/infra/database/bulk.ts";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { positionColumn } from "@colloquy/infra/database/positions.ts";
import { describeOn, enginesToTest, type TemporaryDatabase } from "@colloquy/infra/database/temporary.fixture.ts";
import { type EventStore, eventIdFrom, openEventStore, type StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { expect } from "chai";
import { type Kysely, sql } from "kysely";
import { projectionProgress, rebuildsUnderWay, waitForPosition } from "../checkpoints/queries.ts";
import { type CheckpointTables, readCheckpoint } from "../checkpoints/tables.ts";
import { migrate } from "../migrate.ts";
import type { Projection } from "../projection.ts";
import { runAll } from "../run-all.ts";
import type { ProjectionStatus } from "../runner.ts";
import { leaseMs, takeLease } from "./lease.ts";
import { rebuild, sweepAbandoned, verify } from "./rebuild.ts";
import { createShadow } from "./shadow.ts";

interface NoteTables {
  notes: { id: string; place: number; text: string | null };
  note_words: { id: string; word: string };
}
type Tables = CheckpointTables & NoteTables;

const log = createLog("test", { LOG_LEVEL: "silent" });

/** Two tables with an index and a named key, as real ones have; `read` is how this version of the program understands an event. */
function notes(read: (event: StoredEvent) => string = ({ data }) => (data as { text: string }).text): Projection<NoteTables> {
  return {
    name: "notes",
    tables: ["notes", "note_words"],
    streams: ["note-"],
    events: ["Noted"],
    migrations: [
      {
        name: "1-create",
        up: async (schema) => {
          await schema
            .createTable("notes")
            .addColumn("id", "text", (column) => column.primaryKey())
            .addColumn("place", "integer", (column) => column.notNull())
            .addColumn("text", "text")
            .execute();
          await schema.createIndex("notes_place").on("notes").columns(["place"]).execute();
          await schema
            .createTable("note_words")
            .addColumn("id", "text", (column) => column.notNull())
            .addColumn("word", "text", (column) => column.notNull())
            .addPrimaryKeyConstraint("note_words_key", ["id", "word"])
            .execute();
        },
      },
    ],
    async apply(tx, events) {
      const rows = events.map((event) => ({ id: event.id, place: event.revision, text: read(event) }));
      await insertRows(tx, rows, (row) => tx.insertInto("notes").values(row));
      const words = rows.flatMap(({ id, text }) => [...new Set(text.split(" "))].map((word) => ({ id, word })));
      await insertRows(tx, words, (row) => tx.insertInto("note_words").values(row));
    },
  };
}
const upper = notes(({ data }) => (data as { text: string }).text.toUpperCase());

for (const engine of await enginesToTest()) {
  describeOn(engine, `rebuilding read models on ${engine.name}`, () => {
    let folder: string;
    let server: EmbeddedEventStore;
    let store: EventStore;
    let place: TemporaryDatabase;
    /** Of the process that runs the projections; `tool` is another one's, `reader` for reading only. */
    let database: Kysely<Tables>;
    let tool: Kysely<Tables>;
    let reader: Kysely<Tables>;
    let stopping: AbortController;
    let running: { status(): ProjectionStatus[]; finished: Promise<void> } | undefined;
    const never = new AbortController().signal;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "colloquy-rebuild-"));
      server = await startEventStore({ dataDir: folder, port: 0, insecure: true });
      store = openEventStore(server.url);
      place = await engine.create();
      database = openDatabase<Tables>(place.config);
      // Within one process two SQLite writers would wait for each other with the event loop blocked.
      tool = engine.name === "SQLite" ? database : openDatabase<Tables>(place.config);
      await migrate(database, [notes()]);
      reader = openDatabase<Tables>(place.config, { readOnly: true });
      stopping = new AbortController();
    });
    afterEach(async () => {
      stopping.abort();
      await running?.finished;
      running = undefined;
      await store.close();
      await server.close();
      for (const one of new Set([database, tool, reader])) await one.destroy();
      await place.drop();
      await rm(folder, { recursive: true, force: true });
    });

    function run(projection: Projection<NoteTables> = notes()): void {
      running = runAll({ projections: [projection], database, store, log, signal: stopping.signal });
    }
    let written = 0;
    async function note(texts: string[], type = "Noted"): Promise<string> {
      const metadata = { accountId: "acc_test0001", requestId: "request-1", correlationId: "request-1" };
      const events = texts.map((text) => {
        written += 1;
        return { id: eventIdFrom("note", String(written)), type, data: { schemaVersion: 1, text }, metadata };
      });
      return (await store.append("note-0001", events, "any")).position;
    }
    const texts = async () => (await reader.selectFrom("notes").select("text").orderBy("place").execute()).map(({ text }) => text);
    const held = async (position: string) => expect(await waitForPosition(reader, "notes", position, 60_000)).to.equal(true);
    const again = (projection = notes()) => rebuild({ projections: [projection], database: tool, store, signal: never });
    const compared = (projection = notes()) =>
      verify({ projections: [projection], database: tool, reader, store, signal: never }).then(([verdict]) => verdict);
    /** Every table and index there is. */
    async function names(): Promise<string[]> {
      const found =
        engine.name === "SQLite"
          ? sql<{ name: string }>`select name from sqlite_schema where name not like 'sqlite_%'`
          : sql<{ name: string }>`select relname as name from pg_class where relnamespace = current_schema()::regnamespace`;
      return (await found.execute(database)).rows.map(({ name }) => name).toSorted();
    }
    const nothingLeft = async () => {
      expect((await names()).filter((name) => /__shadow$|__former$/.test(name))).to.deep.equal([]);
      expect(await rebuildsUnderWay(database)).to.deep.equal([]);
    };

    it("replaces the rows of an earlier version", async () => {
      run();
      await held(await note(["a", "b c", "d"]));
      expect(await again(upper)).to.deep.equal([
        { name: "notes", events: 3, position: (await readCheckpoint(database, "notes")).position },
      ]);
      expect(await texts()).to.deep.equal(["A", "B C", "D"]);
      expect(await reader.selectFrom("note_words").select("word").orderBy("word").execute()).to.deep.equal(
        ["A", "B", "C", "D"].map((word) => ({ word })),
      );
      await nothingLeft();
    });

    it("keeps keys, indexes and migrations, also when repeated", async () => {
      await note(["a", "b"]);
      const before = (await names()).length;
      for (const generation of [1, 2, 3]) {
        await again();
        expect((await readCheckpoint(database, "notes")).generation).to.equal(generation);
        expect(await names()).to.have.lengthOf(before);
        expect(await texts()).to.deep.equal(["a", "b"]);
      }
      const { id } = await reader.selectFrom("notes").select("id").limit(1).executeTakeFirstOrThrow();
      const doubled = await database
        .insertInto("notes")
        .values({ id, place: 0, text: "" })
        .execute()
        .catch((error) => error);
      expect(doubled).to.be.instanceOf(Error);
      // A later migration finds the index under its plain name.
      const later = notes();
      await migrate(database, [
        { ...later, migrations: [...later.migrations, { name: "2-drop", up: (schema) => schema.dropIndex("notes_place").execute() }] },
      ]);
      expect(await names()).to.have.lengthOf(before - 1);
    });

    it("serves the old rows until the swap and loses no new event", async () => {
      run();
      await held(await note(Array.from({ length: 2_500 }, (_, index) => `old ${index}`)));
      let looks = 0;
      const seen = new Set<string>();
      let last = "";
      const writing = (async () => {
        for (let index = 0; index < 60; index += 1) last = await note([`new ${index}`]);
      })();
      const rebuilding = rebuild({ projections: [upper], database: tool, store, signal: never });
      for (let done = false; !done; ) {
        done = await Promise.race([rebuilding.then(() => true), new Promise<false>((resolve) => setTimeout(resolve, 2, false))]);
        const rows = await reader.selectFrom("notes").select(["place", "text"]).where("place", "<", 2_500).execute();
        looks += 1;
        expect(rows).to.have.lengthOf(2_500);
        seen.add(rows.some(({ text }) => text?.startsWith("old")) ? "old" : "new");
        expect(new Set(rows.map(({ text }) => text?.slice(0, 3))).size).to.equal(1);
      }
      await writing;
      await held(last);
      expect(looks).to.be.greaterThan(1);
      expect([...seen]).to.include("new");
      const all = await texts();
      expect(all.map((text) => text?.toLowerCase())).to.deep.equal([
        ...Array.from({ length: 2_500 }, (_, index) => `old ${index}`),
        ...Array.from({ length: 60 }, (_, index) => `new ${index}`),
      ]);
      await nothingLeft();
    });

    it("can be cancelled without an effect, and repeated", async () => {
      run();
      await held(await note(Array.from({ length: 3_000 }, (_, index) => `text ${index}`)));
      const leaving = new AbortController();
      const onProgress = () => leaving.abort(new Error("enough"));
      const cancelled = await rebuild({ projections: [upper], database: tool, store, signal: leaving.signal, onProgress }).catch(
        (error) => error.message,
      );
      expect(cancelled).to.equal("enough");
      await nothingLeft();
      expect((await texts()).slice(0, 2)).to.deep.equal(["text 0", "text 1"]);
      await again(upper);
      expect((await texts()).slice(0, 2)).to.deep.equal(["TEXT 0", "TEXT 1"]);
    });

    it("runs once at a time; a killed one is cleaned up after its lease", async () => {
      await note(["a"]);
      await takeLease(database, "notes", { owner: "somebody", purpose: "rebuild" });
      await createShadow(database, notes());
      const refused = await again().catch((error) => error);
      expect(refused.name).to.equal("RebuildRunning");
      expect((await rebuildsUnderWay(database)).map(({ name, purpose }) => [name, purpose])).to.deep.equal([["notes", "rebuild"]]);
      expect(await sweepAbandoned(database, [notes()])).to.deep.equal([]);
      await database
        .updateTable("rebuilds")
        .set({ renewed_at: new Date(Date.now() - leaseMs - 1_000).toISOString() })
        .execute();
      expect(await sweepAbandoned(database, [notes()])).to.deep.equal(["notes"]);
      await nothingLeft();
      await again();
    });

    it("stops after it lost its lease and leaves the other's tables", async () => {
      await note(Array.from({ length: 1_500 }, (_, index) => `text ${index}`));
      let stolen: Promise<unknown> | undefined;
      const onProgress = () => {
        stolen ??= database.updateTable("rebuilds").set({ owner: "somebody else" }).execute();
      };
      const lost = await rebuild({ projections: [notes()], database: tool, store, signal: never, onProgress }).catch((error) => error);
      // A small rebuild may have been over before the theft; then nothing was lost either.
      if (Array.isArray(lost)) return;
      expect(lost.name).to.equal("LeaseLost");
      await stolen;
      expect(await names()).to.include("notes__shadow");
    });

    it("stops at an unreadable event and leaves the live rows", async () => {
      run();
      await held(await note(["a", "poison", "b"]));
      const sick = notes(({ data }) => {
        const { text } = data as { text: string };
        if (text === "poison") throw new Error("cannot be read");
        return text;
      });
      const failure = await again(sick).catch((error) => error);
      expect(failure).to.include({ name: "ApplyEventError" });
      expect(failure.event.data.text).to.equal("poison");
      expect(await texts()).to.deep.equal(["a", "poison", "b"]);
      await nothingLeft();
    });

    it("revives a failed projection in its running process", async () => {
      const sick = notes(({ data }) => {
        const { text } = data as { text: string };
        if (text === "poison") throw new Error("cannot be read");
        return text;
      });
      const first = await note(["a", "poison", "b"]);
      const one = runAll({ projections: [sick], database, store, log, signal: stopping.signal, standbyMs: 20 });
      running = one;
      while (one.status()[0]?.state !== "failed") await new Promise((resolve) => setTimeout(resolve, 5));
      // The mended version rebuilds; the running one goes on behind the event that stopped it.
      await again();
      await held(first);
      await held(await note(["c"]));
      expect(await texts()).to.deep.equal(["a", "poison", "b", "c"]);
      expect((await projectionProgress(database, store, never)).map(({ state }) => state)).to.deep.equal(["running"]);
      expect(one.status()[0]).to.not.have.property("failure");
    });

    it("is needed after the store's restore; then no new event is lost", async () => {
      const begin = () => runAll({ projections: [notes()], database, store, log, signal: stopping.signal, standbyMs: 20 });
      const isAhead = async () => {
        while (running?.status()[0]?.state !== "ahead") await new Promise((resolve) => setTimeout(resolve, 5));
      };
      running = begin();
      await held(await note(Array.from({ length: 30 }, (_, index) => `old ${index}`)));
      stopping.abort();
      await running.finished;
      stopping = new AbortController();
      await store.close();
      await server.close();
      server = await startEventStore({ dataDir: join(folder, "restored"), port: 0, insecure: true });
      store = openEventStore(server.url);
      await note(Array.from({ length: 10 }, (_, index) => `kept ${index}`));

      running = begin();
      await isAhead();
      const [told] = await projectionProgress(database, store, never);
      expect(told).to.include({ state: "ahead" });
      expect(told?.failure).to.match(/rebuild all/);
      // Not even once the store has grown past where the rows had been.
      const past = await note(Array.from({ length: 40 }, (_, index) => `new ${index}`));
      stopping.abort();
      await running.finished;
      stopping = new AbortController();
      running = begin();
      await isAhead();
      expect((await texts())[0]).to.equal("old 0");

      await again();
      await held(past);
      await held(await note(["last"]));
      const all = await texts();
      expect(all).to.have.lengthOf(51);
      expect(all.filter((text) => text?.startsWith("old"))).to.deep.equal([]);
      expect((await projectionProgress(database, store, never)).map(({ state }) => state)).to.deep.equal(["running"]);
    });

    for (const when of ["while they do not run", "while they run"])
      it(`is what rows wait for whose store was restored and has outgrown them ${when}`, async () => {
        const begin = () => runAll({ projections: [notes()], database, store, log, signal: stopping.signal, standbyMs: 20 });
        const isRunning = when === "while they run";
        running = begin();
        await held(await note(Array.from({ length: 30 }, (_, index) => `old ${index}`)));
        if (!isRunning) {
          stopping.abort();
          await running.finished;
          stopping = new AbortController();
        }
        const { port } = server;
        const other = await startEventStore({ dataDir: join(folder, "restored"), port: 0, insecure: true });
        const itsStore = openEventStore(other.url);
        const metadata = { accountId: "acc_test0001", requestId: "request-1", correlationId: "request-1" };
        for (let number = 0; number < 50; number += 1)
          await itsStore.append(
            "note-0001",
            [{ id: eventIdFrom("other", String(number)), type: "Noted", data: { schemaVersion: 1, text: `new ${number}` }, metadata }],
            "any",
          );
        await itsStore.close();
        await other.close();
        await server.close();
        server = await startEventStore({ dataDir: join(folder, "restored"), port, insecure: true });
        if (!isRunning) running = begin();
        while (running.status()[0]?.state !== "ahead") await new Promise((resolve) => setTimeout(resolve, 5));
        expect(await texts()).to.have.lengthOf(30);
        await again();
        await held(await note(["last"]));
        expect((await texts()).filter((text) => text?.startsWith("new"))).to.have.lengthOf(50);
      });

    it("never counts events beyond the store's end as applied", async () => {
      await note(["a"]);
      await database
        .updateTable("checkpoints")
        .set({ position: positionColumn("1000") })
        .execute();
      const [done] = await again();
      expect(Number(done?.position)).to.be.lessThan(1_000);
      expect((await readCheckpoint(database, "notes")).position).to.equal(await store.head());
      run();
      await held(await note(["b"]));
      expect(await texts()).to.deep.equal(["a", "b"]);
    });

    describe("verified", () => {
      it("match their events, also while new ones arrive", async () => {
        run();
        await held(await note(Array.from({ length: 1_200 }, (_, index) => `text ${index} é😀`)));
        let more = true;
        const writing = (async () => {
          while (more) await note(["more"]);
        })();
        const verdict = await compared();
        more = false;
        await writing;
        expect(verdict?.differences).to.deep.equal([]);
        expect(verdict?.rows).to.be.greaterThan(1_200);
        await nothingLeft();
      });

      it("differ by row, reported without their text", async () => {
        run();
        const last = await note(["first", "second", "third secret", "fourth"]);
        await held(last);
        await database.updateTable("notes").set({ text: "forged secret" }).where("text", "=", "second").execute();
        await database.deleteFrom("notes").where("text", "=", "first").execute();
        await database.insertInto("notes").values({ id: "zzz", place: 9, text: "invented" }).execute();
        await database.deleteFrom("note_words").where("word", "=", "secret").execute();
        const verdict = await compared();
        expect(verdict?.position).to.equal(last);
        expect(verdict?.differences.map(({ table, count }) => [table, count])).to.deep.equal([
          ["notes", 3],
          ["note_words", 1],
        ]);
        const kinds = verdict?.differences[0]?.described.map(({ kind, columns }) => [kind, columns?.map(({ name }) => name)]);
        expect(kinds).to.have.deep.members([
          ["different", ["text"]],
          ["missing", undefined],
          ["extra", undefined],
        ]);
        expect(JSON.stringify(verdict?.differences[0])).not.to.match(/forged|invented|second/);
        await nothingLeft();
      });

      it("report a bounded number of rows", async () => {
        run();
        await held(await note(Array.from({ length: 300 }, (_, index) => `text ${index}`)));
        const verdict = await compared(upper);
        const [table] = verdict?.differences ?? [];
        expect(table?.count).to.equal(300);
        expect(table?.described).to.have.lengthOf(20);
      });

      it("are compared at their own position, however far behind", async () => {
        run();
        const position = await note(["a", "b"]);
        await held(position);
        stopping.abort();
        await running?.finished;
        await note(["c"]);
        const verdict = await compared();
        expect(verdict).to.deep.include({ position, behind: true, differences: [] });
      });
    });
  });
}
