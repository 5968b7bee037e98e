import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { describeOn, enginesToTest, type TemporaryDatabase } from "@colloquy/infra/database/temporary.fixture.ts";
import { type EventStore, eventIdFrom, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { expect } from "chai";
import type { Kysely } from "kysely";
import { rebuildsUnderWay, waitForPosition } from "./checkpoints/queries.ts";
import { type CheckpointTables, readCheckpoint } from "./checkpoints/tables.ts";
import type { ConversationTables } from "./conversations/tables.ts";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));
const tool = fileURLToPath(new URL("./cli.ts", import.meta.url));
const secret = "kryptonite-4711";

for (const engine of await enginesToTest()) {
  describeOn(engine, `npm run projections on ${engine.name}`, () => {
    let folder: string;
    let server: EmbeddedEventStore | null;
    let store: EventStore;
    let place: TemporaryDatabase;
    let database: Kysely<CheckpointTables & ConversationTables>;
    const children: ChildProcess[] = [];
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "colloquy-projections-tool-"));
      server = await startEventStore({ dataDir: folder, port: 0, insecure: true });
      store = openEventStore(server.url);
      place = await engine.create();
      database = openDatabase(place.config);
    });
    afterEach(async () => {
      for (const child of children.splice(0)) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const end = once(child, "exit");
        child.kill("SIGKILL");
        await end;
      }
      await stopStore();
      await database.destroy();
      await place.drop();
      await rm(folder, { recursive: true, force: true });
    });
    async function stopStore(): Promise<void> {
      await store.close();
      await server?.close();
      server = null;
    }
    function begin(file: string, ...given: string[]): ChildProcess {
      const env = {
        ...process.env,
        NODE_ENV: "test",
        DATA_DIR: folder,
        PROJECTIONS_PORT: "0",
        LOG_LEVEL: "info",
        DATABASE_URL: place.config.DATABASE_URL,
        EVENTSTORE_URL: file === main && server ? server.url : "",
      };
      const child = spawn(process.execPath, [file, ...given], { env, stdio: ["ignore", "pipe", "pipe"] });
      children.push(child);
      return child;
    }
    async function run(...given: string[]): Promise<{ code: number; output: string; errors: string }> {
      const child = begin(tool, ...given);
      let output = "";
      let errors = "";
      child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
      child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
      const [code] = (await once(child, "close")) as [number];
      return { code, output, errors };
    }
    /** The process that runs the projections, as the launcher starts it. */
    async function startProjections(): Promise<() => string> {
      const child = begin(main);
      let logged = "";
      child.stderr?.on("data", (chunk: Buffer) => (logged += chunk.toString()));
      await createInterface({ input: child.stdout ?? process.stdin })
        [Symbol.asyncIterator]()
        .next();
      return () => logged;
    }
    let number = 0;
    async function conversations(count: number): Promise<string> {
      let position = "";
      for (let index = 0; index < count; index += 1) {
        number += 1;
        const metadata = { accountId: "acc_test0001", requestId: `change-${number}`, correlationId: "request-1" };
        const opening = { schemaVersion: 1, mode: "ask", model: { choice: "automatic" }, references: [], title: `${secret} ${number}` };
        const renamed = { schemaVersion: 1, title: `New ${secret} ${number}` };
        const events = [
          { id: eventIdFrom("tool", String(number), "start"), type: "ConversationStarted", data: opening, metadata },
          { id: eventIdFrom("tool", String(number), "name"), type: "ConversationRenamed", data: renamed, metadata },
        ];
        ({ position } = await store.append(`conversation-tool-${number}`, events, "none"));
      }
      return position;
    }
    const titles = async () => (await database.selectFrom("conversations").select("title").execute()).map(({ title }) => title);

    it("shows status, rebuilds and verifies while the program runs", async () => {
      const logged = await startProjections();
      expect(await waitForPosition(database, "conversations", await conversations(30), 60_000)).to.equal(true);
      const [rebuilt] = await Promise.all([run("rebuild", "all", "--json"), conversations(10)]);
      expect(rebuilt.errors).to.match(/events/);
      expect(rebuilt.code, rebuilt.errors).to.equal(0);
      expect(JSON.parse(rebuilt.output).rebuilt.map(({ name }: { name: string }) => name)).to.deep.equal([
        "audit",
        "conversations",
        "courses",
        "explainers",
        "progress",
        "questions",
        "reminders",
        "review",
        "sync",
        "tutor",
      ]);
      expect((await readCheckpoint(database, "conversations")).generation).to.equal(1);
      const last = await conversations(5);
      expect(await waitForPosition(database, "conversations", last, 60_000)).to.equal(true);
      expect(await titles()).to.have.lengthOf(45);
      const verified = await run("verify");
      expect(verified.output).to.match(/^All 10 read models match their events\.\n/);
      expect(verified.output).to.match(/^conversations: matches its events \(position \d+, 45 rows\)$/m);
      expect(verified.code).to.equal(0);
      const status = await run("status");
      expect(status.output).to.match(/^conversations +running +\d+ +no +1×$/m);
      expect(await rebuildsUnderWay(database)).to.deep.equal([]);
      for (
        const until = Date.now() + 60_000;
        !logged().includes(
          "verify of audit, conversations, courses, explainers, progress, questions, reminders, review, sync, tutor finished",
        );
        await pause(100)
      )
        expect(Date.now(), logged()).to.be.below(until);
      expect(logged()).to.match(
        /an operator's rebuild of audit, conversations, courses, explainers, progress, questions, reminders, review, sync, tutor started[\s\S]*rebuild of [a-z, ]+ finished: audit from \d+ events, conversations from \d+ events/,
      );
    }).timeout(120_000);

    it("works while the program is stopped, and finds a changed row", async () => {
      await conversations(3);
      await stopStore();
      expect((await run("status")).output).to.match(/^conversations +no live runner +/m);
      const rebuilt = await run("rebuild", "conversations");
      expect(rebuilt.output, rebuilt.errors).to.match(/^conversations: rebuilt from 6 events/);
      expect(await titles()).to.have.lengthOf(3);
      await database.updateTable("conversations").set({ title: "Forged" }).where("conversation_id", "=", `tool-${number}`).execute();
      const { code, output } = await run("verify", "conversations");
      expect(code).to.equal(1);
      expect(output).to.match(
        /^conversations DIFFERS from its events\.\nTo repair: .*rebuild conversations\n\nconversations: DIFFERS from its events/,
      );
      expect(output).to.match(/conversations: 1 row differs/);
      expect(output).to.match(/differs tool-\d+: title is 6 characters, sha256 [0-9a-f]{12}, should be \d+ characters/);
      expect(output).not.to.match(new RegExp(`Forged|${secret}`));
      expect((await run("rebuild", "conversations")).code).to.equal(0);
      expect((await run("verify", "conversations")).code).to.equal(0);
    }).timeout(120_000);

    it("rejects a call with wrong arguments", async () => {
      const { code, errors } = await run("rebuild", "everything");
      expect(code).to.equal(2);
      expect(errors).to.match(
        /There is no read model everything[\s\S]*Usage:[\s\S]*conversations, courses, explainers, progress, questions, reminders, review, sync, tutor/,
      );
    });
  });
}
