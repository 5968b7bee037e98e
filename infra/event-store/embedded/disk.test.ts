import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { type EventStore, openEventStore, StoreNotWritable } from "../client.ts";
import { collect, immutable, newEvent, numbers, rejection, type SmallDisk, smallDisk, temporaryFolder } from "../event-store.fixture.ts";
import { notWritable } from "../not-writable.ts";
import { eventStoreFolder, runningEventStore } from "./running.ts";
import { FolderUnusable, startEventStore } from "./server.ts";
import { type SpawnedEventStore, spawnEventStore } from "./spawn-server.fixture.ts";

describe("an event store whose disk takes nothing more", function () {
  this.timeout(120_000);
  let folder: ReturnType<typeof temporaryFolder>;
  let server: SpawnedEventStore | null;
  let store: EventStore | null;
  const acknowledged: string[] = [];
  beforeEach(() => {
    folder = temporaryFolder();
    acknowledged.length = 0;
    server = store = null;
  });

  async function start(): Promise<EventStore> {
    server = await spawnEventStore(folder.path);
    store = openEventStore(server.url);
    return store;
  }
  async function append(to: EventStore, stream: string, bytes = 100): Promise<void> {
    const event = newEvent({ text: "x".repeat(bytes) });
    await to.append(stream, [event], "any");
    acknowledged.push(event.id);
  }
  /** What a person finds who looks into the file after the server was stopped. */
  async function examine(): Promise<void> {
    await store?.close();
    expect(await server?.stop()).to.equal(0);
    store = server = null;
    const database = new DatabaseSync(join(eventStoreFolder(folder.path), "events.db"));
    expect(database.prepare("PRAGMA integrity_check").all()).to.deep.equal([{ integrity_check: "ok" }]);
    database.close();
    const again = await start();
    expect((await collect(again.readAll())).map(({ id }) => id).toSorted()).to.deep.equal(acknowledged.toSorted());
  }
  /** What it says of itself to the program. */
  async function disk(): Promise<string | null> {
    const response = await fetch(`http://127.0.0.1:${runningEventStore(folder.path)?.statusPort}/status`);
    return ((await response.json()) as { eventStore: { notWritable: string | null } }).eventStore.notWritable;
  }
  /** Everything but writing, while nothing can be written; then everything once that is mended. */
  async function goesOn(to: EventStore, why: keyof typeof notWritable, mend: () => void): Promise<void> {
    const stop = new AbortController();
    const heard: string[] = [];
    const live = Promise.withResolvers<void>();
    const listening = (async () => {
      for await (const { stream } of to.subscribe({ from: null, prefixes: ["work-"], signal: stop.signal, onCaughtUp: live.resolve })) {
        heard.push(stream);
        if (stream === "work-mended") stop.abort();
      }
    })();
    await live.promise;
    expect(await disk()).to.equal(null);
    const before = acknowledged.length;
    const errors = await Promise.all(numbers(6).map((number) => rejection(append(to, `work-${number}`, 300_000))));
    for (const error of errors) {
      expect(error).to.be.instanceOf(StoreNotWritable);
      expect(error.message).to.equal(notWritable[why]);
    }
    expect((await collect(to.readAll())).length).to.equal(before);
    expect((await collect(to.read("work-before"))).length).to.be.greaterThan(0);
    expect(await disk()).to.equal(why);
    mend();
    // By itself: nobody appends to a program that is not ready.
    while ((await disk()) !== null) await pause(100);
    const lines = (server?.said() ?? "").split("\n").filter((line) => line.includes("disk of the event store"));
    expect(lines.map((line) => JSON.parse(line).why ?? null)).to.deep.equal([why, null]);
    for (const number of numbers(20)) await append(to, `work-${number}`);
    await append(to, "work-mended");
    await listening;
    expect(heard.length).to.equal(acknowledged.length);
    await examine();
  }

  describe("because it is full", () => {
    let small: SmallDisk;
    beforeEach(function () {
      const made = smallDisk(folder.path);
      if (!made) {
        folder.remove();
        this.skip();
      }
      small = made;
    });
    afterEach(async () => {
      await store?.close();
      await server?.kill();
      small?.remove();
      folder.remove();
    });

    it("refuses appends in words, reads on, keeps what it acknowledged, and writes again once there is room", async () => {
      const to = await start();
      for (const number of numbers(20)) await append(to, "work-before", number * 500);
      small.fill();
      await goesOn(to, "disk_full", small.empty);
    });

    it("stays whole when appends themselves fill it to the last byte", async () => {
      const to = await start();
      let full: unknown = null;
      for (let size = 100_000; full === null; size = Math.min(size * 2, 900_000))
        full = await append(to, "work-before", size).then(
          () => null,
          (error: unknown) => error,
        );
      expect(full).to.be.instanceOf(StoreNotWritable);
      // Small ones go on into what is left, until nothing is left.
      for (let left = true; left; )
        left = await append(to, "work-before", 2_000).then(
          () => true,
          () => false,
        );
      small.grow();
      await append(to, "work-before");
      await examine();
    });

    it("is not started on, and says why", async () => {
      const to = await start();
      await append(to, "work-before");
      await to.close();
      await server?.stop();
      server = store = null;
      for (const left of readdirSync(eventStoreFolder(folder.path))) if (/-(wal|shm)$/.test(left)) throw new Error(`${left} is left`);
      small.fill();
      const error = await rejection(startEventStore({ dataDir: folder.path, port: 0, insecure: true }));
      expect(error).to.be.instanceOf(FolderUnusable);
      expect(error.message)
        .to.include(eventStoreFolder(folder.path))
        .and.to.match(/disk of the event store is full/);
      small.empty();
      await (await startEventStore({ dataDir: folder.path, port: 0, insecure: true })).close();
    });
  });

  it("because its log may not be written: refuses appends in words, reads on, and writes again once it may", async function () {
    // Not the shared memory beside it: a mapped file that turns immutable ends the process that writes to it.
    const log = (): string => join(eventStoreFolder(folder.path), "events.db-wal");
    const to = await start();
    for (const _ of numbers(20)) await append(to, "work-before", 3_000);
    try {
      if (!immutable("+i", log())) {
        this.skip();
      }
      await goesOn(to, "disk_refuses", () => void immutable("-i", log()));
    } finally {
      immutable("-i", log());
      await store?.close();
      await server?.kill();
      folder.remove();
    }
  });

  it("because it turned read-only after an error: refuses appends, reads on, and is whole when it is mounted again", async function () {
    const disk = failingDisk(folder.path);
    if (!disk) {
      folder.remove();
      this.skip();
    }
    try {
      const to = await start();
      for (const _ of numbers(20)) await append(to, "work-before", 3_000);
      disk.fail();
      for (const number of numbers(3)) {
        const error = await rejection(append(to, `work-${number}`, 20_000));
        expect(error).to.be.instanceOf(StoreNotWritable);
        expect(error.message).to.match(/read-only, or failing/);
        expect((await collect(to.readAll())).length).to.equal(acknowledged.length);
      }
      await to.close();
      await server?.stop();
      expect(await rejection(startEventStore({ dataDir: folder.path, port: 0, insecure: true }))).to.be.instanceOf(FolderUnusable);
      disk.mend();
      await append(await start(), "work-mended");
      await examine();
    } finally {
      await store?.close();
      await server?.kill();
      disk.remove();
      folder.remove();
    }
  });
});

/** A real disk (ext4 in a file) whose kernel turns it read-only at an error, open files or not; null where that cannot be made, said loudly. */
function failingDisk(folder: string): { fail(): void; mend(): void; remove(): void } | null {
  const image = `${folder}.img`;
  const run = (file: string, ...given: string[]): string => execFileSync(file, given, { stdio: ["ignore", "pipe", "ignore"] }).toString();
  let device = "";
  const mount = (): void => void run("mount", "-o", "errors=remount-ro", device, folder);
  const remove = (): void => {
    if (device) run("losetup", "-d", device);
    rmSync(image, { force: true });
  };
  try {
    writeFileSync(image, "");
    truncateSync(image, 32 * 1024 * 1024);
    run("mkfs.ext4", "-q", "-F", image);
    device = run("losetup", "-f", "--show", image).trim();
    mount();
  } catch {
    remove();
    console.warn("      !! DID NOT RUN: a disk in a file (ext4 on a loop device) cannot be made here (it takes root on Linux).");
    return null;
  }
  return {
    fail() {
      run("sync", "-f", folder);
      writeFileSync(`/sys/fs/ext4/${basename(device)}/trigger_fs_error`, "test");
    },
    mend() {
      run("umount", folder);
      // It ends with 1 when it mended something, which it has to.
      spawnSync("e2fsck", ["-fy", device], { stdio: "ignore" });
      mount();
    },
    remove() {
      run("umount", folder);
      remove();
    },
  };
}
