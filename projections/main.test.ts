import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { describeOn, enginesToTest, type TemporaryDatabase } from "@colloquy/infra/database/temporary.fixture.ts";
import { type EventStore, eventIdFrom, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { expect } from "chai";
import { waitForPosition } from "./checkpoints/queries.ts";
import type { CheckpointTables } from "./checkpoints/tables.ts";
import { listConversations } from "./conversations/queries.ts";
import type { ConversationTables } from "./conversations/tables.ts";
import type { ProjectionStatus } from "./runner.ts";
import type { SyncTables } from "./sync/tables.ts";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));

for (const engine of await enginesToTest()) {
  describeOn(engine, `the projections' process on ${engine.name}`, () => {
    let folder: string;
    let server: EmbeddedEventStore;
    let store: EventStore;
    let place: TemporaryDatabase;
    const children: ChildProcess[] = [];

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "colloquy-projections-"));
      server = await startEventStore({ dataDir: folder, port: 0, insecure: true });
      store = openEventStore(server.url);
      place = await engine.create();
    });
    afterEach(async () => {
      for (const child of children.splice(0)) if (child.exitCode === null && child.signalCode === null) await ended(child, "SIGKILL");
      await store.close();
      await server.close();
      await place.drop();
      await rm(folder, { recursive: true, force: true });
    });

    interface Runner {
      child: ChildProcess;
      port: number;
    }
    async function start(): Promise<Runner> {
      const env = {
        ...process.env,
        NODE_ENV: "test",
        DATA_DIR: folder,
        EVENTSTORE_URL: server.url,
        PROJECTIONS_PORT: "0",
        LOG_LEVEL: "silent",
        DATABASE_URL: place.config.DATABASE_URL,
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
      const database = openDatabase<CheckpointTables & ConversationTables>(place.config, { readOnly: true });
      expect(await waitForPosition(database, "conversations", position, 60_000)).to.equal(true);
      const { conversations } = await listConversations(database, "acc_test0001", { state: "active", limit: 500 });
      await database.destroy();
      return conversations.map(({ title }) => title).toSorted();
    }

    it("runs every projection, reports progress, and stops on request", async () => {
      const { child, port } = await start();
      const first = number + 1;
      const position = await startConversation();
      expect(await titles(position)).to.deep.equal([`Title ${first}`]);
      // A runner tells of a batch a moment after it has committed it.
      while ((await status(port)).find(({ name }) => name === "conversations")?.applied !== 1);
      const all = await status(port);
      expect(all.map(({ name }) => name)).to.include.members(["conversations", "courses", "progress", "sync"]);
      expect(all.find(({ name }) => name === "conversations")).to.include({ position, applied: 1, lagMs: 0 });
      expect((await fetch(`http://127.0.0.1:${port}/other`)).status).to.equal(404);
      expect(await ended(child, "SIGTERM")).to.equal(0);
    });

    it("applies each event once when it is killed while running", async () => {
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
    }).timeout(120_000);

    const conversationsOf = async ({ port }: Runner) => (await status(port)).find(({ name }) => name === "conversations");
    /** Appends conversations and waits until they are rows; tells how many of them each runner wrote. */
    async function shares(runners: readonly Runner[], count: number): Promise<number[]> {
      const before = await Promise.all(runners.map(conversationsOf));
      let position = "";
      for (let index = 0; index < count; index += 1) position = await startConversation();
      await titles(position);
      // A runner tells of a batch a moment after it has committed it.
      for (;;) {
        const after = await Promise.all(runners.map(conversationsOf));
        const written = after.map((now, index) => (now?.applied ?? 0) - (before[index]?.applied ?? 0));
        if (written.reduce((sum, one) => sum + one, 0) >= count) return written;
      }
    }

    it("a second process stands by and takes over when the first ends", async () => {
      const first = number + 1;
      let runners = await Promise.all([start(), start()]);
      const settled = await shares(runners, 20);
      expect(settled[0]).to.equal(20 - (settled[1] ?? 0));
      for (const signal of ["SIGTERM", "SIGKILL", "SIGKILL"] as const) {
        const [owner, other] = await ownerFirst(runners);
        expect(await shares([owner, other], 20)).to.deep.equal([20, 0]);
        expect((await conversationsOf(other))?.state).to.equal("standby");
        // Ended in the middle of the load: the other one finishes it.
        const last = (async () => {
          for (let index = 0; index < 14; index += 1) await startConversation();
          return startConversation();
        })();
        await ended(owner.child, signal);
        await titles(await last);
        expect(await shares([other], 5)).to.deep.equal([5]);
        runners = [other, await start()];
      }
      const expected = Array.from({ length: number - first + 1 }, (_, index) => `Title ${first + index}`).toSorted();
      expect(await titles(await startConversation())).to.deep.equal([...expected, `Title ${number}`].toSorted());
      const database = openDatabase<CheckpointTables & SyncTables>(place.config, { readOnly: true });
      const { count } = await database
        .selectFrom("sync_feed")
        .select(({ fn }) => fn.countAll().as("count"))
        .executeTakeFirstOrThrow();
      expect(Number(count)).to.be.within(number - first, number - first + 1);
      await database.destroy();
      for (const runner of runners) expect((await status(runner.port)).map(({ state }) => state)).not.to.include("failed");
    }).timeout(240_000);

    /** The one of two that writes, once the other has noticed. */
    async function ownerFirst(runners: readonly Runner[]): Promise<[Runner, Runner]> {
      for (;;) {
        await shares(runners, 1);
        const states = await Promise.all(runners.map(async (runner) => (await conversationsOf(runner))?.state));
        const index = states.indexOf("standby");
        const [owner, other] = [runners[1 - index], runners[index]];
        if (owner && other) return [owner, other];
      }
    }
  });
}
