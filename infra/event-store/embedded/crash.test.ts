import { expect } from "chai";
import { type EventStore, openEventStore, type StoredEvent } from "../client.ts";
import { collect, newEvent, numbers, temporaryFolder } from "../event-store.fixture.ts";
import { type SpawnedEventStore, spawnEventStore } from "./spawn-server.fixture.ts";

describe("the event store, killed again and again while it is written to", () => {
  const rounds = 5;
  const writers = 12;
  const acknowledgedEachRound = 250;

  it("loses nothing it has acknowledged, doubles nothing, and leaves no gap", async function () {
    this.timeout(120_000);
    const folder = temporaryFolder();
    const acknowledged = new Map<string, { stream: string; revision: number; position: string }>();
    let sent = 0;
    let server: SpawnedEventStore | null = null;
    let store: EventStore | null = null;
    let dead = false;
    let enough = (): void => {};

    /** Writes until the server is dead; whatever was refused or cut off is sent again in the next round, as a client would. */
    async function write(stream: string): Promise<void> {
      let { revision } = (await store?.fold(stream, () => null, null)) ?? { revision: -1 };
      while (!dead && store) {
        const events = numbers(1 + (sent % 3)).map(() => newEvent({ number: sent++ }));
        try {
          const result = await store.append(stream, events, revision < 0 ? "none" : revision);
          for (const [index, { id }] of events.entries())
            acknowledged.set(id, {
              stream,
              revision: revision + 1 + index,
              position: String(Number(result.position) - (events.length - 1 - index)),
            });
          expect(result.revision).to.equal(revision + events.length);
          revision = result.revision;
          if (acknowledged.size >= goal) enough();
        } catch (error) {
          if (!dead) throw error;
        }
      }
    }

    let goal = 0;
    for (const _ of numbers(rounds)) {
      server = await spawnEventStore(folder.path);
      store = openEventStore(server.url);
      dead = false;
      goal = acknowledged.size + acknowledgedEachRound;
      const reached = new Promise<void>((resolve) => {
        enough = resolve;
      });
      const writing = numbers(writers).map((writer) => write(`stream-${writer}`));
      await Promise.race([reached, Promise.all(writing)]);
      dead = true;
      const killed = server.kill();
      // Closed at once, so that nobody waits for the dead.
      await Promise.all([killed, store.close()]);
      await Promise.all(writing);
    }

    server = await spawnEventStore(folder.path);
    store = openEventStore(server.url);
    const stored = await collect(store.readAll());
    const byId = new Map<string, StoredEvent>(stored.map((event) => [event.id, event]));
    expect(byId.size).to.equal(stored.length);
    expect(acknowledged.size).to.be.at.least(rounds * acknowledgedEachRound);
    for (const [id, { stream, revision, position }] of acknowledged) expect(byId.get(id)).to.include({ stream, revision, position });
    expect(stored.map(({ position }) => Number(position))).to.deep.equal(numbers(stored.length, 1));
    for (const events of Map.groupBy(stored, ({ stream }) => stream).values())
      expect(events.map(({ revision }) => revision)).to.deep.equal(numbers(events.length));
    await store.close();
    await server.stop();
    folder.remove();
  });
});
