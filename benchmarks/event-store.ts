import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { type EventStore, type NewEvent, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { spawnEventStore } from "@colloquy/infra/event-store/embedded/spawn-server.fixture.ts";
import { type Benchmark, milliseconds, percentile, sized, times } from "./benchmark.ts";

const warmup = sized(500, 10);
const sequential = sized(2_000, 20);
const concurrent = { writers: 64, each: sized(200, 2) };
const catchUp = { events: sized(60_000, 800), batch: 200, wanted: "conversation-", others: "publication-" };
const live = sized(1_000, 20);

/**
 * The embedded event store as a process of its own, durable settings, over the typed client; beside it the same events put
 * into SQLite by `node:sqlite` in this process with `synchronous=FULL` and no network.
 */
export async function run(): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-event-store-"));
  const server = await spawnEventStore(folder);
  const store = openEventStore(server.url);
  const plain = plainSqlite(join(folder, "plain.db"));
  try {
    await appendOneByOne(store, "warmup-1", warmup);
    const one = await appendOneByOne(store, "conversation-sequential", sequential);
    const inserts = Array.from({ length: sequential }, plain.insert);
    await appendConcurrently(store, "warmup");
    const many = await appendConcurrently(store, "writer");
    const insertsEachSecond = 1_000 / percentile(inserts, 0.5);
    const arrival = await appendToLive(store);
    await fill(store, plain);
    const caughtUp = await readWanted(store);
    const selected = plain.select();
    return {
      title: `Embedded event store (${catchUp.events.toLocaleString("en")} events of about 330 bytes)`,
      baseline:
        "the same events in SQLite by `node:sqlite`, `synchronous=FULL`, in this process, no gRPC: an insert in a transaction of its own; a plain SELECT",
      rows: [
        row("append, one after another, median", percentile(one, 0.5), percentile(inserts, 0.5)),
        row("append, one after another, 99th percentile", percentile(one, 0.99), percentile(inserts, 0.99)),
        rate(`append, ${concurrent.writers} writers at once`, many, insertsEachSecond),
        rate("filtered catch-up (half of the events wanted)", caughtUp, selected),
        row("append to live subscriber, median", percentile(arrival, 0.5), percentile(inserts, 0.5)),
        row("append to live subscriber, 99th percentile", percentile(arrival, 0.99), percentile(inserts, 0.99)),
      ],
    };
  } finally {
    plain.close();
    await store.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function row(what: string, value: number, baseline: number) {
  return { what, value: milliseconds(value), baseline: milliseconds(baseline), ratio: times(value / baseline) };
}

function rate(what: string, value: number, baseline: number) {
  const text = (each: number): string => `${Math.round(each).toLocaleString("en")} events/s`;
  return { what, value: text(value), baseline: text(baseline), ratio: times(value / baseline) };
}

const text = "A turn of a conversation, about as long as a learner's question together with the start of its answer. ".repeat(2);
const event = (number: number): NewEvent => ({
  id: crypto.randomUUID(),
  type: "TurnRecorded",
  data: { schemaVersion: 1, number, text },
  metadata: { accountId: "acc_benchmark", requestId: `request-${number}`, correlationId: "benchmark" },
});

/** Milliseconds of each append. */
async function appendOneByOne(store: EventStore, stream: string, count: number): Promise<number[]> {
  const taken: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const began = performance.now();
    await store.append(stream, [event(number)], number === 0 ? "none" : number - 1);
    taken.push(performance.now() - began);
  }
  return taken;
}

/** Events each second. */
async function appendConcurrently(store: EventStore, name: string): Promise<number> {
  const began = performance.now();
  await Promise.all(
    Array.from({ length: concurrent.writers }, (_, writer) => appendOneByOne(store, `conversation-${name}-${writer}`, concurrent.each)),
  );
  return (concurrent.writers * concurrent.each * 1_000) / (performance.now() - began);
}

/** Milliseconds from the call of append to the subscriber's having the event. */
async function appendToLive(store: EventStore): Promise<number[]> {
  const stop = new AbortController();
  const prefix = "live-";
  const events = store.subscribe({ from: "end", prefixes: [prefix], signal: stop.signal })[Symbol.asyncIterator]();
  const taken: number[] = [];
  let next = events.next();
  // "end" is settled with the first answer of the store; until then what is appended may be passed.
  for await (const _ of store.readAll({ limit: 1 }));
  for (let number = 0; number < live + warmup; number += 1) {
    const began = performance.now();
    const appended = store.append(`${prefix}1`, [event(number)], number === 0 ? "none" : number - 1);
    await next;
    if (number >= warmup) taken.push(performance.now() - began);
    await appended;
    next = events.next();
  }
  stop.abort();
  await next;
  return taken;
}

async function fill(store: EventStore, plain: ReturnType<typeof plainSqlite>): Promise<void> {
  for (let number = 0; number < catchUp.events; number += catchUp.batch) {
    const prefix = (number / catchUp.batch) % 2 === 0 ? catchUp.wanted : catchUp.others;
    const events = Array.from({ length: catchUp.batch }, (_, index) => event(number + index));
    await store.append(`${prefix}fill-${number}`, events, "none");
    plain.insertAll(`${prefix}fill-${number}`, events);
  }
}

/** Wanted events each second, from the start to the end of what there is. */
async function readWanted(store: EventStore): Promise<number> {
  const stop = new AbortController();
  const began = performance.now();
  let count = 0;
  let took = Number.NaN;
  const onCaughtUp = (): void => {
    took = performance.now() - began;
    stop.abort();
  };
  for await (const _ of store.subscribe({ from: null, prefixes: [catchUp.wanted], signal: stop.signal, onCaughtUp })) count += 1;
  return (count * 1_000) / took;
}

function plainSqlite(file: string) {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  database.exec("CREATE TABLE events (position INTEGER PRIMARY KEY, stream TEXT, id TEXT, type TEXT, data BLOB, metadata BLOB)");
  const statement = database.prepare("INSERT INTO events (stream, id, type, data, metadata) VALUES (?, ?, ?, ?, ?)");
  const put = (stream: string, { id, type, data, metadata }: NewEvent): void =>
    void statement.run(stream, id, type, Buffer.from(JSON.stringify(data)), Buffer.from(JSON.stringify(metadata)));
  let number = 0;
  return {
    insert(): number {
      const one = event(number++);
      const began = performance.now();
      put("conversation-sequential", one);
      return performance.now() - began;
    },
    insertAll(stream: string, events: NewEvent[]): void {
      database.exec("BEGIN");
      for (const one of events) put(stream, one);
      database.exec("COMMIT");
    },
    /** Wanted events each second. */
    select(): number {
      const select = database.prepare("SELECT * FROM events WHERE substr(stream, 1, ?) = ? ORDER BY position");
      const began = performance.now();
      let count = 0;
      for (const found of select.iterate(catchUp.wanted.length, catchUp.wanted)) if (found.data) count += 1;
      return (count * 1_000) / (performance.now() - began);
    },
    close: () => database.close(),
  };
}
