import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { enginesToTest, type TemporaryDatabase } from "@colloquy/infra/database/temporary.fixture.ts";
import { type EventStore, eventIdFrom, openEventStore, StoreUnavailable } from "@colloquy/infra/event-store/client.ts";
import { type SpawnedEventStore, spawnEventStore } from "@colloquy/infra/event-store/embedded/spawn-server.fixture.ts";
import { temporaryFolder } from "@colloquy/infra/event-store/event-store.fixture.ts";
import { openKafka } from "@colloquy/infra/kafka/client.ts";
import { partitionOf } from "@colloquy/infra/kafka/layout.ts";
import { type Relay, runRelay } from "@colloquy/infra/kafka/relay/relay.ts";
import type { KafkaSettings } from "@colloquy/infra/kafka/settings.ts";
import { startTestBroker, type TestBroker, testBrokerHere } from "@colloquy/infra/kafka/test-broker/start.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { expect } from "chai";
import type { Kysely } from "kysely";
import { waitForPosition } from "../checkpoints/queries.ts";
import type { CheckpointTables } from "../checkpoints/tables.ts";
import type { ConversationTables } from "../conversations/tables.ts";
import type { SyncTables } from "../sync/tables.ts";
import { type Member, type Members, members } from "./members.fixture.ts";

const jars = await testBrokerHere();
const log = createLog("test", { LOG_LEVEL: "silent" });
const heldWithinMs = 120_000;
const accountId = "acc_test0001";

for (const engine of await enginesToTest()) {
  (jars ? describe : describe.skip)(`projections as a consumer group on ${engine.name}`, function () {
    this.timeout(400_000);
    let broker: TestBroker;
    before(async () => {
      broker = await startTestBroker(jars ?? "");
    });
    after(() => broker?.remove());

    let folder: ReturnType<typeof temporaryFolder>;
    let server: SpawnedEventStore;
    let store: EventStore;
    let place: TemporaryDatabase;
    let database: Kysely<CheckpointTables & ConversationTables & SyncTables>;
    let group: Members;
    let settings: KafkaSettings;
    let relay: Relay;
    let stopping: AbortController;
    beforeEach(async () => {
      folder = temporaryFolder();
      server = await spawnEventStore(folder.path);
      store = openEventStore(server.url);
      place = await engine.create();
      database = openDatabase(place.config, { readOnly: true });
      const prefix = `group-${randomBytes(4).toString("hex")}`;
      settings = { brokers: [broker.address], prefix, partitions: 3, replication: null, retentionHours: 24, tls: null, sasl: null };
      group = members({ eventStoreUrl: server.url, broker: broker.address, prefix, place });
      stopping = new AbortController();
      relay = runRelay({ store, kafka: openKafka(settings, log), settings, log, signal: stopping.signal });
    });
    afterEach(async () => {
      stopping.abort();
      await Promise.all([relay.finished, group.close()]);
      await Promise.all([database.destroy(), store.close()]);
      await server.kill();
      await place.drop();
      folder.remove();
    });

    let number = 0;
    async function write(id: string, type: string, data: object): Promise<{ position: string; revision: number }> {
      number += 1;
      const requestId = `change-${number}`;
      const event = { id: eventIdFrom("group", requestId), type, data: { schemaVersion: 1, ...data } };
      const metadata = { accountId, requestId, correlationId: requestId };
      return patiently(() => store.append(`conversation-${id}`, [{ ...event, metadata }], "any"));
    }
    /** A busy machine may keep the store waiting; ids make another try safe. */
    async function patiently<Result>(call: () => Promise<Result>): Promise<Result> {
      for (;;) {
        try {
          return await call();
        } catch (error) {
          if (!(error instanceof StoreUnavailable) || stopping.signal.aborted) throw error;
        }
      }
    }
    const begin = (id: string) =>
      write(id, "ConversationStarted", { mode: "ask", model: { choice: "automatic" }, references: [], title: `About ${id}` });
    const rename = (id: string) => write(id, "ConversationRenamed", { title: `Renamed ${number}` });
    async function remove(id: string): Promise<void> {
      const { revision } = await write(id, "ConversationDeleted", {});
      await patiently(() => store.truncateBefore(`conversation-${id}`, revision));
    }
    /** Conversations come, change and go until `rest` is called, which says where the last event is. */
    function load(): { rest(): Promise<string> } {
      let going = true;
      const writing = (async () => {
        for (let index = 0; going && !stopping.signal.aborted; index += 1) {
          const id = `${number}-${index}`;
          await begin(id);
          for (let times = 0; times < 4; times += 1) await rename(id);
          if (index % 7 === 6) await remove(id);
          // Slow enough for a busy machine to follow: what is behind at the end has to be caught up with.
          await pause(40);
        }
      })();
      // A test that failed before it came to the end is told of by its own failure.
      writing.catch(() => undefined);
      return {
        async rest() {
          going = false;
          await writing;
          return (await begin(`last-${number}`)).position;
        },
      };
    }
    const held = async (position: string) => {
      for (const name of ["conversations", "sync"])
        expect(await waitForPosition(database, name, position, heldWithinMs), `${name} at ${position}`).to.equal(true);
    };
    async function works(member: Member): Promise<void> {
      while (!(await member.status()).some(({ applied }) => applied > 0)) await pause(50);
    }
    /** What the feed has must be the events there are: none lost, none doubled. */
    async function expectExact(): Promise<void> {
      const events = await Array.fromAsync(store.readAll({ prefixes: ["conversation-"] }));
      const rows = await database.selectFrom("sync_feed").select("change_id").orderBy("position").execute();
      expect(rows.map(({ change_id }) => change_id)).to.deep.equal(events.map(({ metadata }) => metadata.requestId));
      const verified = await group.tool("verify");
      expect(verified.code, verified.output).to.equal(0);
      expect(verified.output).to.match(/^conversations: matches its events[\s\S]*^sync: matches its events/m);
    }

    it("applies each event once while members and the broker are killed", async () => {
      const [first, second] = [await group.start(), await group.start()];
      const going = load();
      await Promise.all([works(first), works(second)]);
      const third = await group.start();
      await works(third);
      await first.end("SIGKILL");
      await broker.kill();
      await pause(300);
      await broker.start();
      expect(await second.end("SIGTERM")).to.equal(0);
      const fourth = await group.start();
      await works(fourth);
      const last = await going.rest();
      await held(last);
      await expectExact();
      // One that is left alone has every partition.
      await third.end("SIGKILL");
      await held((await begin("alone")).position);
      const states = (await fourth.status()).map(({ state }) => state);
      expect(states.every((state) => state === "live" || state === "catching-up" || state === "standby")).to.equal(true);
      await expectExact();
    });

    it("can be rebuilt, verified and shown while it runs", async () => {
      const member = await group.start();
      await group.start();
      const going = load();
      await works(member);
      const verified = await group.tool("verify");
      expect(verified.code, verified.output).to.equal(0);
      const rebuilt = await group.tool("rebuild", "all");
      expect(rebuilt.code, rebuilt.output).to.equal(0);
      const again = await group.tool("verify", "conversations");
      expect(again.code, again.output).to.equal(0);
      await held(await going.rest());
      await expectExact();
      expect((await group.tool("status")).output).to.match(/^conversations +running +\d+ +no +1×$/m);
    });

    it("a failing event stops its partition only, until a rebuild without it", async () => {
      const member = await group.start();
      const at = (id: string) => partitionOf(settings, `conversation-${id}`);
      await held((await begin("sick")).position);
      const ids = Array.from({ length: 40 }, (_, index) => `well-${index}`);
      const other = ids.find((id) => at(id) !== at("sick")) ?? "";
      const same = ids.find((id) => at(id) === at("sick")) ?? "";
      const { position, revision } = await write("sick", "ConversationRenamed", { schemaVersion: 99, title: "From the future" });
      await begin(other);
      await begin(same);
      const rowOf = (id: string) =>
        database.selectFrom("conversations").select("title").where("conversation_id", "=", id).executeTakeFirst();
      const statusOf = async (name: string) => (await member.status()).find((one) => one.name === name);
      while ((await statusOf("conversations"))?.state !== "failed" || !(await rowOf(other))) await pause(50);
      expect((await statusOf("conversations"))?.failure).to.include({ stream: "conversation-sick", position });
      expect((await statusOf("courses"))?.state).to.not.equal("failed");
      expect(await rowOf(same)).to.equal(undefined);
      expect((await group.tool("status")).output).to.match(/^conversations +failed +.*at ConversationRenamed/m);
      await store.truncateBefore("conversation-sick", revision + 1);
      const rebuilt = await group.tool("rebuild", "all");
      expect(rebuilt.code, rebuilt.output).to.equal(0);
      await held((await rename(same)).position);
      expect(await rowOf(same)).to.not.equal(undefined);
      while ((await statusOf("conversations"))?.state === "failed") await pause(50);
      expect((await group.tool("verify")).code).to.equal(0);
    });
  });
}
