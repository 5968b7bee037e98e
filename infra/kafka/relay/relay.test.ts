import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { type EventStore, eventIdFrom, openEventStore, type StoredEvent, StoreUnavailable } from "../../event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "../../event-store/embedded/server.ts";
import { newEvent, rejection, temporaryFolder } from "../../event-store/event-store.fixture.ts";
import { createLog } from "../../telemetry/log.ts";
import { openKafka } from "../client.ts";
import { KafkaIsAhead } from "../is-ahead.ts";
import { partitionOf } from "../layout.ts";
import type { KafkaSettings } from "../settings.ts";
import { readTopic, withoutRepeated } from "../test-broker/read-topic.ts";
import { startTestBroker, type TestBroker, testBrokerHere } from "../test-broker/start.ts";
import { eventTopics } from "../topics.ts";
import { type Relay, type RelayStatus, runRelay } from "./relay.ts";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));
const jars = await testBrokerHere();
const log = createLog("test", { LOG_LEVEL: "silent" });
/** Deleted segments are looked for and removed as soon as the broker can. */
const prompt = { "log.retention.check.interval.ms": "300", "log.segment.delete.delay.ms": "100", "log.initial.task.delay.ms": "300" };

(jars ? describe : describe.skip)("the relay, to a real Kafka", function () {
  this.timeout(300_000);
  let broker: TestBroker;
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore;
  let store: EventStore;
  before(async () => {
    broker = await startTestBroker(jars ?? "", prompt);
    folder = temporaryFolder();
    server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    store = openEventStore(server.url);
  });
  after(async () => {
    await store?.close();
    await server?.close();
    folder?.remove();
    await broker?.remove();
  });

  let stopping: AbortController;
  let running: Relay[];
  let children: ChildProcess[];
  beforeEach(() => {
    stopping = new AbortController();
    running = [];
    children = [];
  });
  afterEach(async () => {
    stopping.abort();
    await Promise.all(running.map(({ finished }) => finished.catch(() => undefined)));
    for (const child of children) await end(child, "SIGKILL");
  });

  const settingsOf = (prefix: string, partitions = 3): KafkaSettings => ({
    brokers: [broker.address],
    prefix,
    partitions,
    replication: null,
    retentionHours: 24,
    tls: null,
    sasl: null,
  });
  const kafkaOf = (settings: KafkaSettings) => openKafka(settings, log);
  function relay(settings: KafkaSettings, signal = stopping.signal, rollAfterMs?: number): Relay {
    const options = { store, kafka: kafkaOf(settings), settings, log, signal: AbortSignal.any([signal, stopping.signal]) };
    const begun = runRelay({ ...options, ...(rollAfterMs !== undefined && { rollAfterMs }) });
    running.push(begun);
    return begun;
  }
  async function until(done: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await done())) await pause(20);
  }
  const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  async function relayProcess(settings: KafkaSettings): Promise<{ child: ChildProcess; status(): Promise<RelayStatus> }> {
    const env = {
      ...process.env,
      NODE_ENV: "test",
      LOG_LEVEL: "silent",
      EVENTSTORE_URL: server.url,
      RELAY_PORT: "0",
      KAFKA_BROKERS: broker.address,
      KAFKA_TOPIC_PREFIX: settings.prefix,
      KAFKA_PARTITIONS: String(settings.partitions),
    };
    const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "ignore"] });
    children.push(child);
    const [line] = (await once(createInterface({ input: child.stdout ?? process.stdin }), "line")) as [string];
    const { port } = JSON.parse(line) as { port: number };
    return {
      child,
      status: async () => ((await (await fetch(`http://127.0.0.1:${port}/status`)).json()) as { relay: RelayStatus }).relay,
    };
  }

  let written = 0;
  const metadata = { accountId: "acc_test0001", requestId: "change-1", correlationId: "request-1" };
  async function write(stream: string, count = 1, type = "TurnRecorded", text = ""): Promise<string> {
    const events = Array.from({ length: count }, () => {
      written += 1;
      return { id: eventIdFrom("relay-test", String(written)), type, data: { schemaVersion: 1, number: written, text }, metadata };
    });
    // A busy machine may keep the store waiting; the ids make another try safe.
    for (;;) {
      try {
        return (await store.append(stream, events, "any")).position;
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || stopping.signal.aborted) throw error;
      }
    }
  }
  const stored = (prefix: string): Promise<StoredEvent[]> => Array.fromAsync(store.readAll({ prefixes: [`${prefix}-`] }));
  /** Every event of a category is in its topic, in order within each stream, once repeated ones are dropped. */
  async function expectComplete(settings: KafkaSettings, category: string): Promise<{ records: number; events: number }> {
    const records = await readTopic(broker.address, `${settings.prefix}.${category}`);
    const events = await stored(category);
    const kept = withoutRepeated(records.filter(({ headers }) => headers.position));
    expect(kept.length).to.equal(events.length);
    const byStream = (all: { stream: string; id: string }[]) => {
      const groups = Map.groupBy(all, ({ stream }) => stream);
      return Object.fromEntries([...groups].toSorted().map(([stream, some]) => [stream, some.map(({ id }) => id)]));
    };
    expect(byStream(kept.map(({ key, headers }) => ({ stream: key, id: headers.id ?? "" })))).to.deep.equal(byStream(events));
    for (const { key, partition } of records) if (key) expect(partition).to.equal(partitionOf(settings, key));
    return { records: records.length, events: events.length };
  }

  it("copies every event to the topic of its category, and goes on with what comes", async () => {
    const settings = settingsOf("copies");
    await write("apple-1", 3);
    await write("pear-1", 2);
    const { status } = relay(settings);
    const last = await write("apple-2", 1, "Renamed", "a larger one ".repeat(70_000));
    await until(() => status().position === last);
    expect(await expectComplete(settings, "apple")).to.deep.equal({ records: 4, events: 4 });
    expect(await expectComplete(settings, "pear")).to.deep.equal({ records: 2, events: 2 });
    const [event] = await stored("apple");
    const record = (await readTopic(broker.address, "copies.apple")).find(({ headers }) => headers.id === event?.id);
    expect(record).to.deep.include({ key: "apple-1", value: JSON.stringify(event?.data) });
    expect(record?.headers).to.include({ type: "TurnRecorded", position: event?.position });
    expect(status()).to.include({ state: "relaying", relayed: 6, lagMs: 0 });
  });

  it("begins behind its own checkpoint, and from the beginning where Kafka has none", async () => {
    const settings = settingsOf("resumes");
    await write("plum-1", 50);
    const leaving = new AbortController();
    const first = relay(settings, leaving.signal);
    const at = await write("plum-2", 5);
    await until(() => first.status().position === at);
    leaving.abort();
    await first.finished;
    const last = await write("plum-1", 7);
    const second = relay(settings);
    await until(() => second.status().position === last);
    expect(second.status().relayed).to.equal(7);
    expect(await expectComplete(settings, "plum")).to.deep.equal({ records: 62, events: 62 });
  });

  it("loses nothing and keeps each stream's order when it and the broker are killed under load", async () => {
    const settings = settingsOf("killed");
    let copying = await relayProcess(settings);
    let writing = true;
    const load = (async () => {
      for (let index = 0; writing && !stopping.signal.aborted; index += 1) {
        await write(`cherry-${index % 17}`, 1 + (index % 4));
        await pause(5);
      }
    })();
    for (let round = 0; round < 4; round += 1) {
      // Killed while it works, not before it has begun.
      for (let sends = 0; sends < 2; sends += 1) {
        const { position } = await copying.status();
        await until(async () => (await copying.status()).position !== position);
      }
      await end(copying.child, "SIGKILL");
      if (round % 2 === 1) await broker.kill();
      copying = await relayProcess(settings);
      if (round % 2 === 1) await broker.start();
    }
    // And the broker alone, under a relay that lives on.
    const { relayed } = await copying.status();
    await until(async () => (await copying.status()).relayed > relayed);
    await broker.kill();
    await pause(500);
    await broker.start();
    writing = false;
    await load;
    const last = await write("cherry-last");
    await until(async () => (await copying.status()).position === last);
    const { records, events } = await expectComplete(settings, "cherry");
    expect(events).to.be.greaterThan(50);
    expect(records).to.be.at.least(events);
    await end(copying.child, "SIGTERM");
    expect(copying.child.exitCode).to.equal(0);
  });

  it("may run twice: what both copied is dropped by position", async () => {
    const settings = settingsOf("twice");
    await write("lemon-1", 300);
    const relays = [relay(settings), relay(settings)];
    let last = "";
    for (let index = 0; index < 40; index += 1) last = await write(`lemon-${index % 5}`, 3);
    await until(() => relays.every(({ status }) => status().position === last));
    const { records, events } = await expectComplete(settings, "lemon");
    expect(records).to.be.greaterThan(events);
  });

  it("ends in words when the topics have another number of partitions", async () => {
    await kafkaOf(settingsOf("counted")).createTopics(eventTopics(settingsOf("counted", 2), ["lime"]));
    await write("lime-1");
    const refused = await relay(settingsOf("counted")).finished.catch((error) => error);
    expect(refused.message).to.match(/counted\.lime has 2 partitions, KAFKA_PARTITIONS says 3: set it to 2/);
  });

  it("takes the text of what was deleted out of the topics, and off the broker's disk", async () => {
    const settings = settingsOf("forgets");
    const rollAfterMs = 4_000;
    const kafka = kafkaOf(settings);
    await kafka.createTopics(
      eventTopics(settings, ["conversation"]).map((topic) => ({ ...topic, config: { ...topic.config, "segment.ms": "3000" } })),
    );
    const secret = "kryptonite-8841";
    const { status } = relay(settings, stopping.signal, rollAfterMs);
    await write("conversation-secret", 3, "TurnRecorded", secret);
    await write("conversation-kept", 3, "TurnRecorded", "stays in the event store");
    await until(async () => (await filesWith(secret)) > 0);
    const marker = await write("conversation-secret", 1, "ConversationDeleted");
    await store.truncateBefore("conversation-secret", 3);
    await until(() => status().position === marker);
    expect(status().purging).to.be.at.least(1);
    // First nobody can read it any more …
    const readable = async () => (await readTopic(broker.address, "forgets.conversation")).some(({ value }) => value.includes(secret));
    await until(async () => !(await readable()));
    // … then it is off the disk, though nobody writes to the partition any more.
    await until(async () => (await filesWith(secret)) === 0);
    await until(() => status().purging === 0);
    const last = await write("conversation-kept", 1, "TurnRecorded", "goes on");
    await until(() => status().position === last);
    expect((await readTopic(broker.address, "forgets.conversation")).at(-1)?.value).to.include("goes on");
  });

  it("takes out what an account's erasure deletes, too: its marks, its own stream, what it wrote in tutoring", async () => {
    const settings = settingsOf("erased");
    const rollAfterMs = 4_000;
    const categories = ["annotation", "learner", "tutortext"];
    const kafka = kafkaOf(settings);
    await kafka.createTopics(
      eventTopics(settings, categories).map((topic) => ({ ...topic, config: { ...topic.config, "segment.ms": "3000" } })),
    );
    const secret = "unobtainium-5523";
    const { status } = relay(settings, stopping.signal, rollAfterMs);
    for (const [stream, type] of [
      ["annotation-erased", "AnnotationMarked"],
      ["learner-acc_erased01", "PreferenceChosen"],
      ["tutortext-erased", "TutorTextKept"],
    ] as const)
      await write(stream, 2, type, secret);
    await until(async () => (await filesWith(secret)) >= categories.length);
    let marker = "";
    for (const [stream, type] of [
      ["annotation-erased", "AnnotationDeleted"],
      ["tutortext-erased", "TutorTextsDeleted"],
      ["learner-acc_erased01", "LearnerErased"],
    ] as const) {
      marker = await write(stream, 1, type);
      await store.truncateBefore(stream, 2);
    }
    await until(() => status().position === marker);
    for (const category of categories)
      await until(async () => !(await readTopic(broker.address, `erased.${category}`)).some(({ value }) => value.includes(secret)));
    await until(async () => (await filesWith(secret)) === 0);
    await until(() => status().purging === 0);
    // The marker itself may leave with the file it stood in: whoever reads from there finds it in the event store.
    const left = await Promise.all(categories.map((category) => stored(category)));
    expect(left.flat().map(({ type }) => type)).to.have.members(["AnnotationDeleted", "TutorTextsDeleted", "LearnerErased"]);
  });

  /** How many of the broker's files hold a text. */
  async function filesWith(text: string): Promise<number> {
    // grep's 1 says that there are none; its 2, that a file went away meanwhile.
    const { stdout } = await promisify(execFile)("grep", ["-rlaF", text, broker.records]).catch((error) => error);
    return stdout.split("\n").filter(Boolean).length;
  }

  it("takes up a purge that an earlier relay left undone", async () => {
    const settings = settingsOf("takes-up");
    const leaving = new AbortController();
    const first = relay(settings, leaving.signal, 600_000);
    await write("conversation-other", 5, "TurnRecorded", "something");
    const marker = await write("conversation-other", 1, "ConversationDeleted");
    await until(() => first.status().position === marker);
    leaving.abort();
    await first.finished;
    const { status } = relay(settings, stopping.signal, 600_000);
    await until(() => status().purging > 0);
    const texts = async () =>
      (await readTopic(broker.address, "takes-up.conversation"))
        .filter(({ key }) => key === "conversation-other")
        .map(({ headers }) => headers.type);
    await until(async () => (await texts()).length === 1);
    expect(await texts()).to.deep.equal(["ConversationDeleted"]);
  });

  it("ends with words when the store was restored from a backup that is older than the topics, however far it has grown since", async () => {
    const settings = settingsOf("restored");
    const last = await write("quince-1", 3);
    const leaving = new AbortController();
    const { status, finished } = relay(settings, leaving.signal);
    await until(() => status().position === last);
    leaving.abort();
    await finished;
    const older = temporaryFolder();
    const restored = await startEventStore({ dataDir: older.path, port: 0, insecure: true });
    const itsStore = openEventStore(restored.url);
    try {
      const again = runRelay({ store: itsStore, kafka: kafkaOf(settings), settings, log, signal: stopping.signal });
      const error = await rejection(again.finished);
      expect(error).to.be.instanceOf(KafkaIsAhead);
      expect(error.message).to.match(/another KAFKA_TOPIC_PREFIX than "restored"/);
      for (let grown = "0"; BigInt(grown) <= BigInt(last) + 5n; )
        ({ position: grown } = await itsStore.append("quince-2", [newEvent({})], "any"));
      const grown = runRelay({ store: itsStore, kafka: kafkaOf(settings), settings, log, signal: stopping.signal });
      expect((await rejection(grown.finished)).message).to.match(
        /has another event at position[\s\S]*another KAFKA_TOPIC_PREFIX than "restored"/,
      );
    } finally {
      await itsStore.close();
      await restored.close();
      older.remove();
    }
  });
});
