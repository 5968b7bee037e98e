import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "chai";
import { numbers, temporaryFolder } from "../event-store.fixture.ts";
import { compact } from "./compact.ts";
import { readBatch } from "./limits.ts";
import type { Expected, Filter, ProposedEvent } from "./records.ts";
import { databaseFile } from "./schema.ts";
import { openStore, type Store, type WriteOutcome } from "./store.ts";
import { uuidBytes } from "./uuid.ts";

describe("the store of events", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let store: Store;
  beforeEach(() => {
    folder = temporaryFolder();
    store = openStore(folder.path);
  });
  afterEach(() => {
    store.close();
    folder.remove();
  });

  const event = (text = "", id: string = crypto.randomUUID()): ProposedEvent => ({
    id: uuidBytes(id) ?? new Uint8Array(0),
    type: "Noted",
    json: true,
    data: Buffer.from(JSON.stringify({ text })),
    metadata: Buffer.from("{}"),
  });
  const append = (stream: string, expected: Expected, ...events: ProposedEvent[]): WriteOutcome | undefined =>
    store.writeAll([{ kind: "append", stream, expected, events }])[0];
  const setMetadata = (stream: string, metadata: object): WriteOutcome | undefined =>
    append(`$$${stream}`, "any", { ...event(), type: "$metadata", data: Buffer.from(JSON.stringify(metadata)) });
  const revisions = (stream: string, backwards = false): number[] => {
    const state = store.state(stream);
    if (!state) return [];
    const found: number[] = [];
    for (let from: number | null = backwards ? state.next - 1 : 0; from !== null; ) {
      const turn = store.reader.stream(stream, state, from, backwards);
      found.push(...turn.events.map(({ revision }) => revision));
      from = turn.next;
    }
    return found;
  };
  const all = (filter: Filter | null = null, backwards = false) => {
    const read = store.reader.all(filter, backwards);
    const found: { position: number; stream: string; type: string }[] = [];
    for (let from = backwards ? Number.MAX_SAFE_INTEGER : 0; ; ) {
      const turn = read(backwards ? Math.min(from, store.reader.head() + 1) : from);
      found.push(...turn.scanned.flatMap(({ event: wanted }) => wanted ?? []));
      from = turn.scanned.at(-1)?.position ?? from;
      if (turn.done) return found;
    }
  };

  describe("appending", () => {
    it("counts revisions in a stream from 0 and positions over all streams from 1", () => {
      expect(append("a", "no_stream", event(), event())).to.deep.equal({ kind: "written", revision: 1, position: 2 });
      expect(append("b", "any", event())).to.deep.equal({ kind: "written", revision: 0, position: 3 });
      expect(append("a", 1n, event())).to.deep.equal({ kind: "written", revision: 2, position: 4 });
      expect(all().map(({ position, stream }) => [position, stream])).to.deep.equal([
        [1, "a"],
        [2, "a"],
        [3, "b"],
        [4, "a"],
      ]);
    });

    it("refuses every other expectation and says where the stream is", () => {
      expect(append("a", 0n, event())).to.deep.equal({ kind: "wrong_expected", current: -1 });
      expect(append("a", "stream_exists", event())).to.deep.equal({ kind: "wrong_expected", current: -1 });
      append("a", "no_stream", event(), event());
      for (const expected of ["no_stream", 0n, 2n] as const)
        expect(append("a", expected, event())).to.deep.equal({ kind: "wrong_expected", current: 1 });
      expect(revisions("a")).to.deep.equal([0, 1]);
    });

    it("answers an append that it has already as it did then", () => {
      const [first, second, third] = [event("1"), event("2"), event("3")];
      for (const expected of ["no_stream", "any"] as const)
        expect(append("a", expected, first, second)).to.deep.equal({ kind: "written", revision: 1, position: 2 });
      expect(append("a", 1n, third)).to.deep.equal({ kind: "written", revision: 2, position: 3 });
      append("a", 2n, event());
      expect(append("a", 1n, third)).to.deep.equal({ kind: "written", revision: 2, position: 3 });
      expect(append("a", "stream_exists", second, third)).to.deep.equal({ kind: "written", revision: 2, position: 3 });
      expect(revisions("a")).to.deep.equal([0, 1, 2, 3]);
    });

    it("does not take half an earlier append for the whole", () => {
      const [first, second] = [event(), event()];
      append("a", "no_stream", first, second);
      expect(append("a", "any", first, event())).to.deep.equal({ kind: "wrong_expected", current: 1 });
      expect(append("a", "no_stream", first, second, event())).to.deep.equal({ kind: "wrong_expected", current: 1 });
      expect(append("b", "no_stream", first)).to.deep.equal({ kind: "written", revision: 0, position: 3 });
    });

    it("settles a group in one commit, each write seeing the ones before it", () => {
      let commits = 0;
      store.onCommit(() => {
        commits += 1;
      });
      const write = (expected: Expected) => ({ kind: "append" as const, stream: "a", expected, events: [event()] });
      const settled = store.writeAll([write("no_stream"), write("no_stream"), write(0n), write(0n)]);
      expect(settled.map(({ kind }) => kind)).to.deep.equal(["written", "wrong_expected", "written", "wrong_expected"]);
      expect(commits).to.equal(1);
    });

    it("keeps the rest of a group when one write of it breaks", () => {
      const write = (stream: string, broken = false) => ({
        kind: "append" as const,
        stream,
        expected: "no_stream" as const,
        events: [{ ...event(), ...(broken && { data: null as unknown as Uint8Array }) }],
      });
      const settled = store.writeAll([write("a"), write("b", true), write("c")]);
      expect(settled.map(({ kind }) => kind)).to.deep.equal(["written", "failed", "written"]);
      expect(all().map(({ position, stream }) => [position, stream])).to.deep.equal([
        [1, "a"],
        [2, "c"],
      ]);
    });

    it("goes on counting after it is opened anew", () => {
      append("a", "no_stream", event());
      store.close();
      store = openStore(folder.path);
      expect(append("a", 0n, event())).to.deep.equal({ kind: "written", revision: 1, position: 2 });
    });
  });

  describe("reading", () => {
    it("reads more than one turn holds, both ways, bounded by number and by size", () => {
      append("many", "no_stream", ...numbers(readBatch.events * 2 + 3).map(() => event()));
      append("large", "no_stream", ...numbers(4).map(() => event("x".repeat(readBatch.bytes / 2 - 100))));
      const count = readBatch.events * 2 + 3;
      expect(revisions("many")).to.deep.equal(numbers(count));
      expect(revisions("many", true)).to.deep.equal(numbers(count).reverse());
      expect(revisions("large")).to.deep.equal([0, 1, 2, 3]);
      expect(all().map(({ position }) => position)).to.deep.equal(numbers(count + 4, 1));
      expect(all(null, true).map(({ position }) => position)).to.deep.equal(numbers(count + 4, 1).reverse());
      const state = store.state("large");
      expect(state && store.reader.stream("large", state, 0, false).events.length).to.equal(3);
    });

    it("filters $all by the stream's name or by the type, across many turns", () => {
      const rare = new Set([0, 700, 5_000]);
      for (let from = 0; from < 6_000; from += 1_000)
        store.writeAll(
          numbers(1_000, from).map((number) => ({
            kind: "append",
            stream: rare.has(number) ? `rare%_é-${number}` : "often",
            expected: "any",
            events: [{ ...event(), type: rare.has(number) ? "Rare" : "Often" }],
          })),
        );
      const positions = [1, 701, 5_001];
      const filters: Filter[] = [
        { on: "stream", matches: (name) => name.startsWith("rare%_é-") },
        { on: "type", matches: (type) => /re$/u.test(type) },
      ];
      for (const filter of filters) {
        expect(all(filter).map(({ position }) => position)).to.deep.equal(positions);
        expect(all(filter, true).map(({ position }) => position)).to.deep.equal(positions.toReversed());
      }
      expect(all({ on: "stream", matches: () => false })).to.deep.equal([]);
    });
  });

  describe("metadata", () => {
    it("shows no more than $maxCount events, and the last metadata only", () => {
      append("a", "no_stream", event(), event(), event());
      setMetadata("a", { $maxCount: 2 });
      setMetadata("a", { $maxCount: 1, note: "kept" });
      expect(revisions("a")).to.deep.equal([2]);
      expect(revisions("$$a")).to.deep.equal([1]);
      setMetadata("a", {});
      expect(revisions("a")).to.deep.equal([0, 1, 2]);
    });

    it("hides events older than $maxAge seconds", () => {
      append("a", "no_stream", event());
      store.close();
      const database = new DatabaseSync(databaseFile(folder.path));
      database.exec("UPDATE events SET created = created - 61000");
      database.close();
      store = openStore(folder.path);
      append("a", 0n, event());
      expect(revisions("a")).to.deep.equal([0, 1]);
      setMetadata("a", { $maxAge: 60 });
      expect(revisions("a")).to.deep.equal([1]);
    });

    it("takes no metadata with a number that is not whole, or larger than 64 bits", () => {
      append("a", "no_stream", event());
      for (const limit of ["1e30", "1.5", "99999999999999999999"]) {
        const data = Buffer.from(`{"$maxCount":1,"$maxAge":${limit}}`);
        expect(append("$$a", "any", { ...event(), type: "$metadata", data })?.kind).to.equal("written");
        expect(store.state("a")).to.include({ maxCount: null, maxAge: null });
      }
      append("$$a", "any", { ...event(), type: "$metadata", data: Buffer.from('{"$maxCount":9223372036854775807}') });
      expect(store.state("a")).to.include({ maxCount: Number.MAX_SAFE_INTEGER });
    });

    it("takes metadata that makes no sense for none", () => {
      append("a", "no_stream", event());
      append("$$a", "any", { ...event(), data: Buffer.from("no json") });
      setMetadata("a", { $tb: "1", $maxCount: -3, $maxAge: null });
      expect(revisions("a")).to.deep.equal([0]);
    });
  });

  describe("deleting", () => {
    it("hides a deleted stream and goes on with its revisions when it is written again", () => {
      append("a", "no_stream", event(), event());
      expect(store.writeAll([{ kind: "delete", stream: "a", expected: 0n }])[0]).to.deep.equal({ kind: "wrong_expected", current: 1 });
      expect(store.writeAll([{ kind: "delete", stream: "a", expected: 1n }])[0]?.kind).to.equal("written");
      expect(store.state("a")?.condition).to.equal("deleted");
      expect(append("a", "stream_exists", event())).to.deep.equal({ kind: "stream_deleted" });
      expect(append("a", "no_stream", event())).to.include({ kind: "written", revision: 2 });
      expect(revisions("a")).to.deep.equal([2]);
      expect(store.state("a")?.condition).to.equal("live");
    });

    it("does not delete what was never there", () => {
      expect(store.writeAll([{ kind: "delete", stream: "a", expected: "any" }])[0]).to.deep.equal({ kind: "wrong_expected", current: -1 });
      setMetadata("a", { colour: "blue" });
      expect(store.writeAll([{ kind: "delete", stream: "a", expected: "no_stream" }])[0]?.kind).to.equal("written");
    });

    it("replaces the metadata of a deleted stream", () => {
      append("a", "no_stream", event());
      setMetadata("a", { $maxCount: 7, colour: "blue" });
      store.writeAll([{ kind: "delete", stream: "a", expected: "any" }]);
      const state = store.state("$$a");
      const newest = state && store.reader.stream("$$a", state, state.next - 1, false).events[0];
      expect(Buffer.from(newest?.data ?? []).toString()).to.equal('{"$tb":9223372036854775807}');
    });

    it("does not bring text back when an append of a deleted stream is sent again", () => {
      const late = event("late");
      append("a", "no_stream", late);
      store.writeAll([{ kind: "delete", stream: "a", expected: "any" }]);
      expect(append("a", "no_stream", late)).to.deep.equal({ kind: "written", revision: 0, position: null });
      expect(store.state("a")?.condition).to.equal("deleted");
      expect(revisions("a")).to.deep.equal([]);
    });

    it("takes nothing more into a tombstoned stream", () => {
      append("a", "no_stream", event());
      expect(store.writeAll([{ kind: "tombstone", stream: "a", expected: 3n }])[0]).to.deep.equal({ kind: "wrong_expected", current: 0 });
      expect(store.writeAll([{ kind: "tombstone", stream: "a", expected: 0n }])[0]?.kind).to.equal("written");
      for (const kind of ["delete", "tombstone"] as const)
        expect(store.writeAll([{ kind, stream: "a", expected: "any" }])[0]).to.deep.equal({ kind: "stream_deleted" });
      expect(append("a", "any", event())).to.deep.equal({ kind: "stream_deleted" });
      setMetadata("a", {});
      expect(store.state("a")?.condition).to.equal("tombstoned");
      expect(all({ on: "stream", matches: (name) => name === "a" }).map(({ type }) => type)).to.deep.equal(["$streamDeleted"]);
    });
  });

  describe("purging", () => {
    const bytesOnDisk = (path: string): string =>
      ["events.db", "events.db-wal", "events.db-shm"]
        .map((file) => join(path, file))
        .filter(existsSync)
        .map((file) => readFileSync(file, "latin1"))
        .join("");
    const count = (secret: string, path = folder.path): number => bytesOnDisk(path).split(secret).length - 1;

    /** Events of three streams, mixed and of very different sizes, so that pages are shared and some texts overflow. */
    function mixed(): void {
      for (let round = 0; round < 30; round += 1)
        store.writeAll(
          numbers(60).map((number) => ({
            kind: "append",
            stream: ["first", "second", "kept"][(number * 7 + round) % 3] ?? "kept",
            expected: "any",
            events: [event(`SECRET-${["first", "second", "kept"][(number * 7 + round) % 3]}-${"y".repeat((number * number * 3) % 6_000)}`)],
          })),
        );
    }

    it("leaves none of the text in any file, and everything else where it was", () => {
      mixed();
      expect(count("SECRET-first-")).to.be.greaterThan(500);
      const others = all({ on: "stream", matches: (name) => name !== "first" && !name.startsWith("$$") });
      store.writeAll([{ kind: "delete", stream: "first", expected: "any" }]);
      expect(count("SECRET-first-")).to.equal(0);
      expect(all({ on: "stream", matches: (name) => name !== "first" && !name.startsWith("$$") })).to.deep.equal(others);
      setMetadata("second", { $tb: 599 });
      expect(count("SECRET-second-")).to.equal(revisions("second").length);
      store.writeAll([{ kind: "tombstone", stream: "second", expected: "any" }]);
      expect(count("SECRET-second-")).to.equal(0);
      expect(count("SECRET-kept-")).to.be.at.least(600);
      expect(revisions("kept")).to.deep.equal(numbers(600));
    });

    it("leaves none of it either when another write of the same group breaks", () => {
      append("a", "no_stream", event("SECRET-group"));
      const metadata = { ...event(), type: "$metadata", data: Buffer.from('{"$tb":1}') };
      const broken = { ...event(), data: null as unknown as Uint8Array };
      const settled = store.writeAll([
        { kind: "append", stream: "$$a", expected: "any", events: [metadata] },
        { kind: "append", stream: "b", expected: "any", events: [broken] },
      ]);
      expect(settled.map(({ kind }) => kind)).to.deep.equal(["written", "failed"]);
      expect(count("SECRET-group")).to.equal(0);
    });

    it("empties the log of a run that was killed between the purge and that", () => {
      mixed();
      const database = new DatabaseSync(databaseFile(folder.path));
      const purge = "UPDATE events SET live = 0, data = zeroblob(length(data)) WHERE data LIKE '%SECRET-first%'";
      database.exec(`PRAGMA wal_autocheckpoint = 0; ${purge}`);
      // What a killed process leaves: committed, and not yet moved out of the log.
      const killed = temporaryFolder();
      for (const file of ["events.db", "events.db-wal"]) copyFileSync(join(folder.path, file), join(killed.path, file));
      database.close();
      expect(count("SECRET-first-", killed.path)).to.be.greaterThan(0);
      const opened = openStore(killed.path);
      expect(count("SECRET-first-", killed.path)).to.equal(0);
      expect(count("SECRET-kept-", killed.path)).to.be.at.least(600);
      opened.close();
      killed.remove();
    });

    it("gives the room back when there is much of it, and keeps positions and revisions", () => {
      mixed();
      store.writeAll([{ kind: "delete", stream: "first", expected: "any" }]);
      append("last", "any", event());
      store.writeAll([{ kind: "tombstone", stream: "second", expected: "any" }]);
      const before = all();
      const head = store.reader.head();
      store.close();
      const database = new DatabaseSync(databaseFile(folder.path));
      const pages = (): number => Number(database.prepare("PRAGMA page_count").get()?.page_count);
      const full = pages();
      expect(compact(database)).to.equal(false);
      expect(compact(database, { bytes: 1_000, share: 0.1 })).to.equal(true);
      expect(pages()).to.be.lessThan(full * 0.6);
      expect(compact(database, { bytes: 1_000, share: 0.1 })).to.equal(false);
      database.close();
      store = openStore(folder.path);
      expect(all()).to.deep.equal(before);
      expect(append("first", "any", event())).to.include({ kind: "written", revision: 600 });
      expect(store.reader.head()).to.equal(head + 2);
    });

    it("finishes a compaction that was cut off", () => {
      mixed();
      store.close();
      const database = new DatabaseSync(databaseFile(folder.path));
      database.exec("INSERT INTO upkeep VALUES ('vacuum')");
      expect(compact(database)).to.equal(true);
      expect(compact(database)).to.equal(false);
      database.close();
      store = openStore(folder.path);
    });
  });

  it("opens a file in which an earlier version kept persistent subscriptions", () => {
    append("notes", "any", event());
    store.close();
    const database = new DatabaseSync(databaseFile(folder.path));
    database.exec(`CREATE TABLE subscription_groups (source TEXT NOT NULL, name TEXT NOT NULL, settings TEXT NOT NULL, filter TEXT,
      origin INTEGER NOT NULL, checkpoint INTEGER, PRIMARY KEY (source, name)) STRICT;
      INSERT INTO subscription_groups VALUES ('notes', 'group', '{}', NULL, 0, 1)`);
    database.close();
    store = openStore(folder.path);
    expect(revisions("notes")).to.deep.equal([0]);
  });

  it("refuses a file of a later version", () => {
    store.close();
    const database = new DatabaseSync(databaseFile(folder.path));
    database.exec("PRAGMA user_version = 99");
    expect(() => openStore(folder.path)).to.throw(/later version/);
    database.exec("PRAGMA user_version = 1");
    database.close();
    store = openStore(folder.path);
  });
});
