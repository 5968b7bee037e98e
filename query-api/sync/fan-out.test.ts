import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readConfig } from "@colloquy/infra/config.ts";
import { enginesToTest, type TemporaryDatabase } from "@colloquy/infra/database/temporary.fixture.ts";
import { type EventStore, eventIdFrom, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { type SpawnedEventStore, spawnEventStore } from "@colloquy/infra/event-store/embedded/spawn-server.fixture.ts";
import { temporaryFolder } from "@colloquy/infra/event-store/event-store.fixture.ts";
import { sessions } from "@colloquy/infra/identity/session.ts";
import { startTestBroker, type TestBroker, testBrokerHere } from "@colloquy/infra/kafka/test-broker/start.ts";
import { expect } from "chai";
import type { Response as ExpressResponse } from "express";

const mains = {
  query: fileURLToPath(new URL("../main.ts", import.meta.url)),
  projections: fileURLToPath(new URL("../../projections/main.ts", import.meta.url)),
  relay: fileURLToPath(new URL("../../infra/kafka/relay/main.ts", import.meta.url)),
};
const publicUrl = "http://localhost:8099";
const secret = "a secret of this test, long enough";
const accountId = "acc_mira0001";
const build = fileURLToPath(new URL("../../ui/build.ts", import.meta.url));
const jars = await testBrokerHere();
const [engine] = await enginesToTest();

for (const mode of ["the event store", "Kafka"] as const) {
  (mode === "Kafka" && !jars ? describe.skip : describe)(`live streams from two processes of the query API, fed from ${mode}`, function () {
    this.timeout(240_000);
    let broker: TestBroker | undefined;
    let folder: ReturnType<typeof temporaryFolder>;
    let place: TemporaryDatabase;
    let server: SpawnedEventStore;
    let store: EventStore;
    let cookie: string;
    let addresses: string[];
    const children: ChildProcess[] = [];
    const leaving = new AbortController();

    before(async () => {
      await promisify(execFile)(process.execPath, [build, "--ensure"]);
      broker = mode === "Kafka" ? await startTestBroker(jars ?? "") : undefined;
      folder = temporaryFolder();
      place = (await engine?.create()) as TemporaryDatabase;
      server = await spawnEventStore(folder.path);
      store = openEventStore(server.url);
      const config = readConfig({ NODE_ENV: "test", SESSION_SECRET: secret, PUBLIC_URL: publicUrl });
      const response = { cookie: (name: string, value: string) => (cookie = `${name}=${value}`) } as unknown as ExpressResponse;
      await sessions(config).issue(response, { accountId, name: "Mira", roles: ["learner"] });
      await begin(mains.projections);
      if (broker) await begin(mains.relay);
      addresses = [await begin(mains.query), await begin(mains.query)];
    });
    after(async () => {
      leaving.abort();
      for (const child of children) {
        if (child.exitCode !== null) continue;
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      }
      await store?.close();
      await server?.kill();
      await place?.drop();
      folder?.remove();
      await broker?.remove();
    });

    async function begin(main: string): Promise<string> {
      const env = {
        ...process.env,
        NODE_ENV: "test",
        LOG_LEVEL: "silent",
        SESSION_SECRET: secret,
        PUBLIC_URL: publicUrl,
        EVENTSTORE_URL: server.url,
        PROJECTIONS_PORT: "0",
        QUERY_API_PORT: "0",
        RELAY_PORT: "0",
        KAFKA_BROKERS: broker?.address ?? "",
        ...place.config,
        DATA_DIR: folder.path,
      };
      const child = spawn(process.execPath, [main], {
        env,
        stdio: ["ignore", "pipe", "inherit"],
      });
      children.push(child);
      const [line] = (await once(createInterface({ input: child.stdout ?? process.stdin }), "line")) as [string];
      return `http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}`;
    }

    let number = 0;
    async function write(id: string, type: string, data: object): Promise<string> {
      number += 1;
      const requestId = `change-${String(number).padStart(4, "0")}`;
      const event = { id: eventIdFrom("fan-out", requestId), type, data: { schemaVersion: 1, ...data } };
      return (await store.append(`conversation-${id}`, [{ ...event, metadata: { accountId, requestId, correlationId: requestId } }], "any"))
        .position;
    }
    const opening = { mode: "ask", model: { choice: "automatic" }, references: [], title: "Pipes" };

    interface Frame {
      id: string;
      changeId: string;
    }
    /** What one process sends to one browser, from `last` on; ends with the connection. */
    async function* listen(address: string, last = "0"): AsyncGenerator<Frame> {
      const headers = { cookie, "last-event-id": last };
      const response = await fetch(`${address}/api/sync/stream`, { headers, signal: leaving.signal });
      expect(response.status).to.equal(200);
      let rest = "";
      for await (const text of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
        rest += text;
        for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
          const frame = rest.slice(0, end);
          rest = rest.slice(end + 2);
          const data = /^data: (.*)$/m.exec(frame)?.[1];
          if (data) yield { id: /^id: (.*)$/m.exec(frame)?.[1] ?? "", changeId: (JSON.parse(data) as Frame).changeId };
        }
      }
    }
    async function take(frames: AsyncGenerator<Frame>, count: number): Promise<Frame[]> {
      const taken: Frame[] = [];
      while (taken.length < count) taken.push((await frames.next()).value as Frame);
      return taken;
    }
    const expected = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `change-${String(from + index + 1).padStart(4, "0")}`);

    it("deliver every change to both devices in one order", async () => {
      const readers = addresses.map((address) => listen(address));
      // Conversations lie in several partitions; what one account receives is in the order of commits all the same.
      for (let index = 0; index < 5; index += 1) await write(`fan-${index}`, "ConversationStarted", opening);
      const writing = (async () => {
        for (let index = 0; index < 40; index += 1) await write(`fan-${index % 5}`, "ConversationRenamed", { title: `Title ${index}` });
      })();
      const [one, two] = await Promise.all(readers.map((frames) => take(frames, 45)));
      await writing;
      expect(one?.map(({ changeId }) => changeId)).to.deep.equal(expected(0, 45));
      expect(two).to.deep.equal(one);
    });

    it("resume at the other process without loss or repetition", async () => {
      const begun = number;
      const seen: string[] = [];
      let last = (await take(listen(addresses[0] ?? ""), begun)).at(-1)?.id ?? "0";
      const writing = (async () => {
        for (let index = 0; index < 30; index += 1) await write(`fan-${index % 5}`, "ConversationRenamed", { title: `Again ${index}` });
      })();
      for (let turn = 0; seen.length < 30; turn += 1) {
        const frames = listen(addresses[turn % 2] ?? "", last);
        const some = await take(frames, Math.min(7, 30 - seen.length));
        await frames.return(undefined);
        last = some.at(-1)?.id ?? last;
        seen.push(...some.map(({ changeId }) => changeId));
      }
      await writing;
      expect(seen).to.deep.equal(expected(begun, begun + 30));
    });
  });
}
