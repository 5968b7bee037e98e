import { type EventStore, openEventStore, type StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { newEvent, temporaryFolder } from "@colloquy/infra/event-store/event-store.fixture.ts";
import { partitionOf } from "@colloquy/infra/kafka/layout.ts";
import { expect } from "chai";
import { type LaneSource, laneSource } from "./lane-source.ts";

const settings = { prefix: "test", partitions: 2 };
const streams = Array.from({ length: 20 }, (_, index) => `note-${index}`);
const own = streams.find((stream) => partitionOf(settings, stream) === 0) ?? "";
const foreign = streams.find((stream) => partitionOf(settings, stream) === 1) ?? "";

describe("lane source", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore;
  let store: EventStore;
  let source: LaneSource;
  let relayed: string | null;
  let stopping: AbortController;
  beforeEach(async () => {
    folder = temporaryFolder();
    server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    store = openEventStore(server.url);
    relayed = null;
    stopping = new AbortController();
    source = laneSource({ place: { topic: "test.note", partition: 0 }, settings, store, relayed: () => relayed, stallTimeoutMs: 20 });
  });
  afterEach(async () => {
    stopping.abort();
    await store.close();
    await server.close();
    folder.remove();
  });

  /** Writes events numbered from 0, every third to a stream of another partition; gives back those of this one. */
  async function write(count: number): Promise<StoredEvent[]> {
    for (let number = 0; number < count; number += 1) await store.append(number % 3 === 2 ? foreign : own, [newEvent({ number })], "any");
    return (await Array.fromAsync(store.readAll())).filter(({ stream }) => stream === own);
  }
  /** As the relay would hand them over. */
  function bring(events: readonly StoredEvent[], from = 0, to = events.length): void {
    for (let index = from; index < to; index += 1) {
      const event = events[index];
      if (event) source.receive({ event, after: events[index - 1]?.position ?? null });
    }
  }
  async function take(count: number, from: string | null = null): Promise<string[]> {
    const taken: string[] = [];
    const round = new AbortController();
    const signal = AbortSignal.any([round.signal, stopping.signal]);
    for await (const event of source.subscribe({ from, prefixes: ["note-"], signal })) if (taken.push(event.id) >= count) break;
    round.abort();
    return taken;
  }
  const ids = (events: readonly StoredEvent[]) => events.map(({ id }) => id);

  it("yields each record from Kafka once", async () => {
    const events = await write(6);
    bring(events);
    bring(events, 1);
    expect(await take(4)).to.deep.equal(ids(events));
  });

  it("reads missing records from the event store", async () => {
    const events = await write(12);
    expect(events).to.have.lengthOf(8);
    bring(events, 2, 3);
    bring(events, 6, 8);
    expect(await take(8)).to.deep.equal(ids(events));
  });

  it("reads the event store if Kafka delivers nothing while the relay is ahead", async () => {
    const events = await write(6);
    relayed = events[2]?.position ?? null;
    expect(await take(3)).to.deep.equal(ids(events.slice(0, 3)));
  });

  it("starts after a checkpoint and repeats what a broken subscription took", async () => {
    const events = await write(9);
    bring(events);
    expect(await take(2)).to.deep.equal(ids(events.slice(0, 2)));
    // The runner wrote the first only; nothing is brought twice.
    expect(await take(5, events[0]?.position)).to.deep.equal(ids(events.slice(1)));
  });

  it("reports its position if the missing events are truncated", async () => {
    const events = await write(6);
    await store.truncateBefore(own, 3);
    bring(events, 3);
    const passed: string[] = [];
    const round = new AbortController();
    const subscription = source.subscribe({ from: null, prefixes: ["note-"], signal: round.signal, onCheckpoint: (at) => passed.push(at) });
    for await (const event of subscription) {
      expect(event.id).to.equal(events[3]?.id);
      break;
    }
    round.abort();
    expect(passed).to.deep.equal([events[2]?.position]);
  });

  it("reports that it has caught up after the relay's last record", async () => {
    const events = await write(3);
    relayed = events[1]?.position ?? null;
    bring(events);
    const order: string[] = [];
    const round = new AbortController();
    const onCaughtUp = () => {
      order.push("caught up");
      round.abort();
    };
    for await (const event of source.subscribe({ from: null, prefixes: ["note-"], signal: round.signal, onCaughtUp })) order.push(event.id);
    expect(order).to.deep.equal([...ids(events), "caught up"]);
  });
});
