import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { rejection, temporaryFolder } from "../event-store.fixture.ts";
import { takeLock } from "./lock.ts";
import { eventStoreFolder, runningEventStore } from "./running.ts";
import { AlreadyRunning, PortTaken, startEventStore } from "./server.ts";
import { spawnEventStore } from "./spawn-server.fixture.ts";

describe("one event store for one folder", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  const note = (): string => join(eventStoreFolder(folder.path), "running.json");

  /** Starts it a second time, as a person would. */
  async function startAgain(): Promise<{ code: number; said: string }> {
    const main = fileURLToPath(new URL("main.ts", import.meta.url));
    const environment = { ...process.env, DATA_DIR: folder.path, EVENTSTORE_PORT: "0" };
    const child = spawn(process.execPath, [main], { env: environment, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.on("data", (bytes: Buffer) => {
      said += bytes.toString();
    });
    const [code] = (await once(child, "close")) as [number];
    return { code, said };
  }

  it("tells where it runs while it runs", async () => {
    expect(runningEventStore(folder.path)).to.equal(null);
    const server = await spawnEventStore(folder.path);
    const { pid } = server.process;
    const { statusPort, ...found } = runningEventStore(folder.path) ?? {};
    expect(found).to.deep.equal({ pid, port: server.port, tls: false, url: server.url });
    expect(statusPort).to.be.greaterThan(0);
    expect(await server.stop()).to.equal(0);
    expect(runningEventStore(folder.path)).to.equal(null);
    expect(existsSync(note())).to.equal(false);
  });

  it("keeps folder and files for its owner alone, also where they were there before and open to all", async () => {
    const place = eventStoreFolder(folder.path);
    const files = ["events.db", "events.db-wal", "events.db-shm", "writer.lock", "running.json"];
    const modes = (): Record<string, string> =>
      Object.fromEntries([".", ...files].map((name) => [name, (statSync(join(place, name)).mode & 0o777).toString(8)]));
    const wanted = { ".": "700", ...Object.fromEntries(files.map((name) => [name, "600"])) };
    mkdirSync(place, { mode: 0o755 });
    for (let round = 0; round < 2; round += 1) {
      chmodSync(place, 0o755);
      const server = await spawnEventStore(folder.path);
      expect(modes()).to.deep.equal(wanted);
      server.process.kill("SIGKILL");
      await once(server.process, "exit");
      for (const name of files) chmodSync(join(place, name), 0o644);
    }
  });

  it("is taken while somebody only looks whether it is held", async () => {
    takeLock(eventStoreFolder(folder.path))?.release();
    const looker = spawn(process.execPath, [
      "--input-type=module",
      "-e",
      `import { DatabaseSync } from "node:sqlite";
       const database = new DatabaseSync(${JSON.stringify(join(eventStoreFolder(folder.path), "writer.lock"))}, { readOnly: true });
       database.exec("BEGIN"); database.prepare("SELECT count(*) FROM sqlite_schema").get();
       process.stdout.write("looking"); setTimeout(() => database.close(), 30);`,
    ]);
    await once(looker.stdout, "data");
    const lock = takeLock(eventStoreFolder(folder.path));
    expect(lock).to.not.equal(null);
    lock?.release();
    await once(looker, "exit");
  });

  it("refuses a second start, in words and with 3", async () => {
    const server = await spawnEventStore(folder.path);
    const { code, said } = await startAgain();
    expect(code).to.equal(3);
    expect(said).to.include(`process ${server.process.pid}`).and.to.include(server.url);
    const error = await rejection(startEventStore({ dataDir: folder.path, port: 0, insecure: true }));
    expect(error).to.be.instanceOf(AlreadyRunning).and.to.have.nested.property("running.pid", server.process.pid);
    expect(runningEventStore(folder.path)?.pid).to.equal(server.process.pid);
    await server.stop();
  });

  it("refuses a second one in the same process, and lets go when it is closed", async () => {
    const server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    expect(await rejection(startEventStore({ dataDir: folder.path, port: 0, insecure: true }))).to.be.instanceOf(AlreadyRunning);
    await server.close();
    await (await startEventStore({ dataDir: folder.path, port: 0, insecure: true })).close();
  });

  it("takes over from one that was killed, whoever has its process id now", async () => {
    const server = await spawnEventStore(folder.path);
    await server.kill();
    expect(existsSync(note())).to.equal(true);
    expect(runningEventStore(folder.path)).to.equal(null);
    // A process id that is alive, and somebody else's.
    writeFileSync(note(), JSON.stringify({ pid: process.pid, port: 1, url: "esdb://127.0.0.1:1" }));
    expect(runningEventStore(folder.path)).to.equal(null);
    const next = await spawnEventStore(folder.path);
    expect(runningEventStore(folder.path)?.pid).to.equal(next.process.pid);
    await next.stop();
  });

  it("says that the port is taken, and leaves the folder free", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address ? address.port : 0;
    expect(await rejection(startEventStore({ dataDir: folder.path, port, insecure: true })))
      .to.be.instanceOf(PortTaken)
      .and.to.have.property("message")
      .that.includes(String(port));
    other.close();
    await (await startEventStore({ dataDir: folder.path, port: 0, insecure: true })).close();
  });

  it("says what is wrong with a file that is no event store", async () => {
    mkdirSync(eventStoreFolder(folder.path), { recursive: true });
    writeFileSync(join(eventStoreFolder(folder.path), "events.db"), "not a database at all, whatever its name says".repeat(100));
    const { code, said } = await startAgain();
    expect(code).to.equal(1);
    expect(said).to.match(/not a database/);
  });
});
