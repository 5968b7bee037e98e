import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { openEventStore, type StoredEvent } from "../client.ts";
import { collect, newEvent, numbers, rejection, smallDisk, temporaryFolder } from "../event-store.fixture.ts";
import { BackupError, backUp } from "./backup.ts";
import { eventStoreFolder } from "./running.ts";
import { databaseFile } from "./schema.ts";
import { startEventStore } from "./server.ts";
import { spawnEventStore } from "./spawn-server.fixture.ts";

describe("a backup of the event store", function () {
  this.timeout(120_000);
  let folder: ReturnType<typeof temporaryFolder>;
  let targets: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
    targets = temporaryFolder();
  });
  afterEach(() => {
    folder.remove();
    targets.remove();
  });
  const target = (name = "events.backup"): string => join(targets.path, name);
  const make = (file = target()) => backUp(folder.path, file);

  /** What an event store serves that was started on the copy, in a data folder of its own. */
  async function restored(file: string): Promise<StoredEvent[]> {
    const place = temporaryFolder();
    mkdirSync(eventStoreFolder(place.path), { recursive: true });
    copyFileSync(file, databaseFile(eventStoreFolder(place.path)));
    const server = await startEventStore({ dataDir: place.path, port: 0, insecure: true });
    const store = openEventStore(server.url);
    const events = await collect(store.readAll());
    await store.close();
    await server.close();
    place.remove();
    return events;
  }

  it("holds everything acknowledged before it was asked for, and a whole beginning of what was written meanwhile", async () => {
    const server = await spawnEventStore(folder.path);
    const store = openEventStore(server.url);
    const written: string[] = [];
    let enough = false;
    const writing = numbers(4).map(async (writer) => {
      for (let number = 0; !enough; number += 1) {
        const { position } = await store.append(`work-${writer}`, [newEvent({ number, text: "x".repeat(2_000) })], "any");
        written.push(position);
      }
    });
    try {
      while (written.length < 300) await new Promise((resolve) => setTimeout(resolve, 10));
      const before = written.length;
      const made = await make();
      enough = true;
      await Promise.all(writing);
      expect(made.running).to.equal(true);
      expect(made.events).to.be.at.least(before);
      const events = await restored(made.file);
      expect(events.map(({ position }) => Number(position))).to.deep.equal(numbers(made.position, 1));
      const original = await collect(store.readAll({ limit: events.length }));
      expect(events).to.deep.equal(original);
    } finally {
      enough = true;
      await store.close();
      await server.stop();
    }
  });

  it("is for its owner alone, has no trace of what was deleted before, and leaves nothing else behind", async () => {
    const server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    const store = openEventStore(server.url);
    await store.append(
      "conversation-a",
      numbers(50).map(() => newEvent({ text: "SECRET-deleted ".repeat(100) })),
      "none",
    );
    await store.append(
      "conversation-b",
      numbers(50).map(() => newEvent({ text: "SECRET-kept ".repeat(100) })),
      "none",
    );
    await store.truncateBefore("conversation-a", 50);
    const { file, events } = await make();
    const bytes = readFileSync(file, "latin1");
    expect(bytes.includes("SECRET-deleted")).to.equal(false);
    expect(bytes.includes("SECRET-kept")).to.equal(true);
    expect(events).to.equal(51);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(readdirSync(targets.path)).to.deep.equal(["events.backup"]);
    expect((await restored(file)).length).to.equal(50);
    await store.close();
    await server.close();
  });

  it("does not keep a deletion from being written while it reads, and the deletion's text leaves the log afterwards", async () => {
    const server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    const store = openEventStore(server.url);
    await store.append("conversation-a", [newEvent({ text: "SECRET-deleted" })], "none");
    const files = () =>
      readdirSync(eventStoreFolder(folder.path))
        .filter((name) => name.startsWith("events.db"))
        .map((name) => readFileSync(join(eventStoreFolder(folder.path), name), "latin1"))
        .join("");
    // A reader as the backup is one, in the middle of its snapshot.
    const reader = new DatabaseSync(databaseFile(eventStoreFolder(folder.path)), { readOnly: true });
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM events").get();
    await store.truncateBefore("conversation-a", 1);
    expect(files()).to.include("SECRET-deleted");
    reader.close();
    while (files().includes("SECRET-deleted")) await new Promise((resolve) => setTimeout(resolve, 50));
    await store.close();
    await server.close();
  });

  it("is made of what a program left that does not run, one that asks for users, and an empty store", async () => {
    const server = await startEventStore({ dataDir: folder.path, port: 0 });
    expect(await backUp(folder.path, target("empty"))).to.include({ events: 0, position: 0, running: true });
    const store = openEventStore(server.url);
    await store.append("a", [newEvent({})], "none");
    await store.close();
    await server.close();
    expect(await backUp(folder.path, target())).to.include({ events: 1, position: 1, running: false });
    expect((await restored(target())).length).to.equal(1);
    expect((await restored(target("empty"))).length).to.equal(0);
  });

  it("makes the folder it goes into, and takes it away again when nothing came of it", async () => {
    const server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    await server.close();
    await backUp(folder.path, target("kept/events.backup"));
    expect(readdirSync(target("kept"))).to.deep.equal(["events.backup"]);
    expect(statSync(target("kept")).mode & 0o077, "for its owner alone").to.equal(0);
    writeFileSync(databaseFile(eventStoreFolder(folder.path)), "no database");
    expect(await rejection(backUp(folder.path, target("left/events.backup")))).to.be.instanceOf(Error);
    expect(readdirSync(targets.path)).to.deep.equal(["kept"]);
  });

  it("is refused in words for a wrong target, an existing file and a folder without events", async () => {
    const refused = async (file: string): Promise<string> => {
      const error = await rejection(make(file));
      expect(error).to.be.instanceOf(BackupError);
      return error.message;
    };
    expect(await refused(target())).to.match(/no event store in/);
    await (await startEventStore({ dataDir: folder.path, port: 0, insecure: true })).close();
    writeFileSync(target(), "mine");
    expect(await refused(target())).to.match(/exists already/);
    expect(readFileSync(target(), "utf8")).to.equal("mine");
    expect(await refused(targets.path)).to.match(/exists already/);
    expect(await refused(target("nowhere/below/events.backup"))).to.match(/Neither .*below nor its parent folder exists/);
    expect(await refused(target("events.backup/below"))).to.match(/events\.backup is not a folder/);
    expect(readdirSync(targets.path)).to.deep.equal(["events.backup"]);
    // A folder that is there and takes nothing, for root either.
    if (existsSync("/proc/self")) expect(await refused("/proc/events.backup")).to.match(/Name a file in a folder that you may write to/);
    else console.warn("      !! DID NOT RUN (there is no /proc here): a backup into a folder that takes no files");
  });

  it("says when its disk has no room, and leaves nothing there", async function () {
    const server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    const store = openEventStore(server.url);
    for (const number of numbers(80)) await store.append(`work-${number}`, [newEvent({ text: "x".repeat(90_000) })], "none");
    await store.close();
    await server.close();
    const disk = smallDisk(targets.path);
    if (!disk) return this.skip();
    try {
      const error = await rejection(make());
      expect(error).to.be.instanceOf(BackupError);
      expect(error.message).to.match(/no room for the copy .* MB are free, and the events take up to \d+\.\d MB/);
      expect(readdirSync(targets.path)).to.deep.equal([]);
    } finally {
      disk.remove();
    }
  });

  it("is made by a command that says what it did and what it keeps", async () => {
    const tool = fileURLToPath(new URL("../cli/backup.ts", import.meta.url));
    const run = async (environment: Record<string, string>, ...given: string[]) => {
      const child = spawn(process.execPath, [tool, ...given], {
        env: { ...process.env, DATA_DIR: folder.path, EVENTSTORE_URL: "", ...environment },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let said = "";
      for (const output of [child.stdout, child.stderr])
        output.on("data", (bytes: Buffer) => {
          said += bytes.toString();
        });
      const [code] = (await once(child, "close")) as [number];
      return { code, said };
    };
    const server = await spawnEventStore(folder.path);
    const store = openEventStore(server.url);
    await store.append("a", [newEvent({}), newEvent({})], "none");
    const made = await run({}, target());
    expect(made.code, made.said).to.equal(0);
    expect(made.said)
      .to.match(/2 events, up to position 2, copied to .*checked/)
      .and.to.match(/deleted later/);
    expect(existsSync(target())).to.equal(true);
    const again = await run({}, target());
    expect(again).to.include({ code: 1 });
    expect(again.said)
      .to.match(/exists already/)
      .and.not.to.match(/ at /);
    expect(await run({ EVENTSTORE_URL: "esdb://elsewhere:2113" }, target("b"))).to.include({ code: 1 });
    const wrong = await run({});
    expect(wrong.code).to.equal(2);
    expect(wrong.said).to.match(/^Name one file for the backup\.\n\nUsage/);
    await store.close();
    await server.stop();
  });
});
