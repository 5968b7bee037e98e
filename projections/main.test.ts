import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { type EventStore, eventIdFrom, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { expect } from "chai";
import { waitFor } from "./checkpoints/queries.ts";
import type { CheckpointTables } from "./checkpoints/tables.ts";
import { listConversations } from "./conversations/queries.ts";
import type { ConversationTables } from "./conversations/tables.ts";
import type { ProjectionStatus } from "./runner.ts";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));

describe("the projections' process", () => {
  let folder: string;
  let server: EmbeddedEventStore;
  let store: EventStore;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "colloquy-projections-"));
    server = await startEventStore({ dataDir: folder, port: 0 });
    store = openEventStore(server.url);
  });
  afterEach(async () => {
    for (const child of children.splice(0)) if (child.exitCode === null && child.signalCode === null) await ended(child, "SIGKILL");
    await store.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(): Promise<{ child: ChildProcess; port: number }> {
    const env = {
      ...process.env,
      NODE_ENV: "test",
      DATA_DIR: folder,
      EVENTSTORE_URL: server.url,
      PROJECTIONS_PORT: "0",
      LOG_LEVEL: "silent",
      DATABASE_URL: "",
    };
    const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      const ready = JSON.parse(line) as { ready: boolean; port: number };
      expect(ready.ready).to.equal(true);
      return { child, port: ready.port };
    }
    throw new Error("the process ended before it served");
  }
  async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
    const end = once(child, "exit");
    child.kill(signal);
    const [code] = (await end) as [number | null];
    return code;
  }
  const status = async (port: number) =>
    ((await (await fetch(`http://127.0.0.1:${port}/status`)).json()) as { projections: ProjectionStatus[] }).projections;
  let number = 0;
  async function startConversation(): Promise<string> {
    number += 1;
    const data = { schemaVersion: 1, mode: "ask", model: { choice: "automatic" }, references: [], title: `Title ${number}` };
    const metadata = { accountId: "acc_test0001", requestId: `change-${number}`, correlationId: "request-1" };
    const event = { id: eventIdFrom("test", String(number)), type: "ConversationStarted", data, metadata };
    return (await store.append(`conversation-number-${number}`, [event], "none")).position;
  }
  /** What is in the database once it holds a position. */
  async function titles(position: string): Promise<string[]> {
    const database = openDatabase<CheckpointTables & ConversationTables>({ DATA_DIR: folder, DATABASE_URL: undefined }, { readOnly: true });
    expect(await waitFor(database, "conversations", position, 15_000)).to.equal(true);
    const { conversations } = await listConversations(database, "acc_test0001", { state: "active", limit: 100 });
    await database.destroy();
    return conversations.map(({ title }) => title).toSorted();
  }

  it("runs every projection, tells how far each has come, and stops when told", async () => {
    const { child, port } = await start();
    const first = number + 1;
    const position = await startConversation();
    expect(await titles(position)).to.deep.equal([`Title ${first}`]);
    const all = await status(port);
    expect(all.map(({ name }) => name)).to.include.members(["conversations", "courses", "sync"]);
    expect(all.find(({ name }) => name === "conversations")).to.include({ position, applied: 1, lagMs: 0 });
    expect((await fetch(`http://127.0.0.1:${port}/other`)).status).to.equal(404);
    expect(await ended(child, "SIGTERM")).to.equal(0);
  });

  it("loses and doubles nothing when it is killed while it works", async () => {
    const first = number + 1;
    let position = "";
    for (let round = 0; round < 3; round += 1) {
      const { child } = await start();
      for (let index = 0; index < 15; index += 1) position = await startConversation();
      await ended(child, "SIGKILL");
      position = await startConversation();
    }
    await start();
    const expected = Array.from({ length: 48 }, (_, index) => `Title ${first + index}`).toSorted();
    expect(await titles(position)).to.deep.equal(expected);
  });

  it("may be started twice: one works, the other steps back, and takes over", async () => {
    const first = number + 1;
    const [one, two] = await Promise.all([start(), start()]);
    let position = "";
    for (let index = 0; index < 20; index += 1) position = await startConversation();
    expect(await titles(position)).to.have.lengthOf(20);
    const applied = (await Promise.all([status(one.port), status(two.port)]))
      .flat()
      .filter(({ name }) => name === "conversations")
      .reduce((sum, projection) => sum + projection.applied, 0);
    expect(applied).to.equal(20);
    expect(await ended(one.child, "SIGTERM")).to.equal(0);
    position = await startConversation();
    expect(await titles(position)).to.deep.equal(Array.from({ length: 21 }, (_, index) => `Title ${first + index}`).toSorted());
  });
});
