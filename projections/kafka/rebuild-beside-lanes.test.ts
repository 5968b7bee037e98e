import { openDatabase } from "@colloquy/infra/database/open.ts";
import { enginesToTest, type TemporaryDatabase } from "@colloquy/infra/database/temporary.fixture.ts";
import { type EventStore, eventIdFrom, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { temporaryFolder } from "@colloquy/infra/event-store/event-store.fixture.ts";
import { partitionOf } from "@colloquy/infra/kafka/layout.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { expect } from "chai";
import type { Kysely } from "kysely";
import { type CheckpointTables, readCheckpoint } from "../checkpoints/tables.ts";
import { projection } from "../conversations/projection.ts";
import { migrate } from "../migrate.ts";
import type { Projection } from "../projection.ts";
import { rebuild, verify } from "../rebuild/rebuild.ts";
import { type RunningProjection, runProjection } from "../runner.ts";
import { laneSource } from "./lane-source.ts";
import { createLaneTable, laneCheckpoint } from "./lane-tables.ts";

const log = createLog("test", { LOG_LEVEL: "silent" });
const settings = { prefix: "test", partitions: 2 };
const topic = "test.conversation";
const ids = Array.from({ length: 30 }, (_, index) => `number-${index}`);
const idIn = (partition: number): string => ids.find((id) => partitionOf(settings, `conversation-${id}`) === partition) ?? "";

for (const engine of await enginesToTest()) {
  describe(`rebuilding and verifying while one partition is ahead, on ${engine.name}`, () => {
    let folder: ReturnType<typeof temporaryFolder>;
    let server: EmbeddedEventStore;
    let store: EventStore;
    let place: TemporaryDatabase;
    let database: Kysely<CheckpointTables>;
    let reader: Kysely<CheckpointTables>;
    let stopping: AbortController;
    let lane: RunningProjection | undefined;
    const notes = [projection] as unknown as Projection[];
    beforeEach(async () => {
      folder = temporaryFolder();
      server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
      store = openEventStore(server.url);
      place = await engine.create();
      database = openDatabase(place.config);
      reader = openDatabase(place.config, { readOnly: true });
      stopping = new AbortController();
      await migrate(database, notes);
      await createLaneTable(
        database,
        [0, 1].map((partition) => ({ projection: projection.name, topic, partition })),
      );
    });
    afterEach(async () => {
      stopping.abort();
      await lane?.finished;
      lane = undefined;
      await Promise.all([database.destroy(), reader.destroy(), store.close()]);
      await server.close();
      await place.drop();
      folder.remove();
    });

    let number = 0;
    async function write(id: string, type: string, data: object): Promise<string> {
      number += 1;
      const metadata = { accountId: "acc_test0001", requestId: `change-${number}`, correlationId: "request-1" };
      const event = { id: eventIdFrom("beside-lanes", String(number)), type, data: { schemaVersion: 1, ...data }, metadata };
      return (await store.append(`conversation-${id}`, [event], "any")).position;
    }
    const begin = (id: string) =>
      write(id, "ConversationStarted", { mode: "ask", model: { choice: "automatic" }, references: [], title: `About ${id}` });
    const rename = (id: string) => write(id, "ConversationRenamed", { title: `Renamed ${number}` });

    /** Works through one of the two partitions; nobody works through the other. */
    function runLane(partition: number): void {
      let relayed: string | null = null;
      const following = (async () => {
        for await (const event of store.subscribe({ from: null, prefixes: [], signal: stopping.signal }))
          if (partitionOf(settings, event.stream) === partition) relayed = event.position;
      })();
      const source = laneSource({ place: { topic, partition }, settings, store, relayed: () => relayed, stallTimeoutMs: 10 });
      const checkpoint = laneCheckpoint(database, { projection: projection.name, topic, partition });
      const options = { projection: notes[0] as Projection, database, store: source, log, signal: stopping.signal };
      const running = runProjection({ ...options, standbyMs: 20, checkpoint });
      lane = { ...running, finished: Promise.all([running.finished, following]).then(() => undefined) };
    }
    async function reached(position: string): Promise<void> {
      while (lane?.status().position !== position) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const signal = new AbortController().signal;
    const differences = async () => (await verify({ projections: notes, database, reader, store, signal }))[0]?.differences;
    const floor = async () => (await readCheckpoint(database, projection.name)).position;

    it("compares what each partition has applied, before and after a rebuild", async () => {
      await begin(idIn(0));
      await begin(idIn(1));
      runLane(1);
      await reached(await rename(idIn(1)));
      expect(await floor()).to.equal(null);
      expect(await differences()).to.deep.equal([]);
      const last = await rename(idIn(1));
      await reached(last);
      await rename(idIn(0));
      await rebuild({ projections: notes, database, store, signal });
      // Everything is in the new tables, and the lane finds itself there.
      expect(BigInt((await floor()) ?? "0") >= BigInt(last)).to.equal(true);
      for (let times = 0; times < 3; times += 1) await reached(await rename(idIn(1)));
      expect(await differences()).to.deep.equal([]);
    });

    it("keeps what an idle partition has applied", async () => {
      await begin(idIn(0));
      runLane(1);
      const ahead = await begin(idIn(1));
      await reached(ahead);
      await rebuild({ projections: notes, database, store: { ...store, subscribe: upTo(ahead) }, signal });
      expect(await floor()).to.equal(ahead);
      expect(await differences()).to.deep.equal([]);
    });

    /** A store whose news come late: a rebuild's first reading ends before the position, as when the event is written just then. */
    function upTo(position: string): EventStore["subscribe"] {
      let first = true;
      return async function* (options) {
        const late = first;
        first = false;
        for await (const event of store.subscribe(options)) {
          if (late && event.position === position) {
            options.onCaughtUp?.();
            return;
          }
          yield event;
        }
      };
    }
  });
}
