import type { DatabaseSync, StatementSync } from "node:sqlite";
import { readBatch } from "./limits.ts";
import type { Filter, RecordedEvent, StreamState } from "./records.ts";

/**
 * Reads, one bounded turn at a time: a turn holds no lock and no cursor once it has returned, so whoever reads may wait for a
 * slow connection between two of them.
 */
export interface Reader {
  /** A turn over one stream, from a revision on (inclusive), of `limit` events at most. */
  stream(name: string, state: StreamState, from: number, backwards: boolean, limit?: number): StreamTurn;
  /** Prepares reading `$all` through a filter; each call is a turn from a position on (exclusive). */
  all(filter: Filter | null, backwards: boolean): (from: number, limit?: number) => AllBatch;
  /** Position of the last event, 0 when there is none. */
  head(): number;
  /** The largest position not above this one at which an event is stored; 0 when there is none. */
  storedAt(position: number): number;
}

interface StreamTurn {
  events: RecordedEvent[];
  /** The revision the next turn begins with, null when there is no more. */
  next: number | null;
}

export interface AllBatch {
  events: RecordedEvent[];
  /** Every event up to here (down to here, backwards) has been looked at; the next turn begins behind it. */
  scannedTo: number;
  /** Whether the turn reached the last event there is (the first, backwards). */
  done: boolean;
}

type Row = [number, string, number, Uint8Array, string, number, number, Uint8Array, Uint8Array];

export function openReader(database: DatabaseSync): Reader {
  const fields = "e.revision, e.id, e.type, e.json, e.created, e.data, e.metadata";
  const ofStream = (order: "ASC" | "DESC") =>
    rows(
      database,
      `SELECT e.position, ?, ${fields} FROM events e
       WHERE e.stream = ? AND e.revision BETWEEN ? AND ? AND e.created >= ? AND e.live = 1 ORDER BY e.revision ${order} LIMIT ?`,
    );
  const up = ofStream("ASC");
  const down = ofStream("DESC");
  const storedAt = database.prepare("SELECT max(position) AS position FROM events WHERE position <= ?");
  const reader: Reader = {
    head: () => reader.storedAt(Number.MAX_SAFE_INTEGER),
    storedAt: (position) => Number(storedAt.get(position)?.position ?? 0),

    stream(name, state, from, backwards, limit = readBatch.events) {
      const lowest = Math.max(state.truncateBefore, state.maxCount === null ? 0 : state.next - state.maxCount);
      const oldest = state.maxAge === null ? 0 : Date.now() - state.maxAge * 1000;
      const last = state.next - 1;
      const [low, high] = backwards ? [lowest, Math.min(from, last)] : [Math.max(from, lowest), last];
      const most = Math.min(limit, readBatch.events);
      const { events, stopped } = take((backwards ? down : up).iterate(name, state.id, low, high, oldest, most), null, most);
      return { events, next: stopped && stopped.revision + (backwards ? -1 : 1) };
    },

    all(filter, backwards) {
      const byPrefix = filter && "prefixes" in filter ? filter : null;
      const byPattern = filter && "pattern" in filter ? filter : null;
      const column = byPrefix?.on === "type" ? "e.type" : "s.name";
      const prefixes = byPrefix?.prefixes ?? [];
      const condition = byPrefix ? `AND (${prefixes.map(() => `substr(${column}, 1, ?) = ?`).join(" OR ") || "FALSE"})` : "";
      const values = prefixes.flatMap((prefix) => [[...prefix].length, prefix]);
      const statement = rows(
        database,
        `SELECT e.position, s.name, ${fields} FROM events e JOIN streams s ON s.id = e.stream
         WHERE e.position BETWEEN ? AND ? AND e.live = 1 ${condition} ORDER BY e.position ${backwards ? "DESC" : "ASC"} LIMIT ?`,
      );
      return (from, limit = readBatch.events) => {
        const end = backwards ? Math.max(1, from - readBatch.scanned) : Math.min(reader.head(), from + readBatch.scanned);
        const [low, high] = backwards ? [end, from - 1] : [from + 1, end];
        if (low > high) return { events: [], scannedTo: from, done: true };
        const most = Math.min(limit, readBatch.events);
        const { events, stopped } = take(statement.iterate(low, high, ...values, most), byPattern, most);
        if (stopped) return { events, scannedTo: stopped.position, done: false };
        return { events, scannedTo: end, done: backwards ? end === 1 : end === reader.head() };
      };
    },
  };
  return reader;
}

function rows(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

interface Taken {
  events: RecordedEvent[];
  /** The last event looked at when the turn was full before the rows were at an end. */
  stopped: RecordedEvent | null;
}

function take(found: Iterable<unknown>, filter: (Filter & { pattern: RegExp }) | null, most: number): Taken {
  const events: RecordedEvent[] = [];
  let bytes = 0;
  let looked = 0;
  let latest: RecordedEvent | null = null;
  for (const row of found as Iterable<Row>) {
    latest = recorded(row);
    looked += 1;
    if (filter && !filter.pattern.test(filter.on === "type" ? latest.type : latest.stream)) continue;
    events.push(latest);
    bytes += latest.data.length + latest.metadata.length;
    if (bytes >= readBatch.bytes) return { events, stopped: latest };
  }
  return { events, stopped: looked === most ? latest : null };
}

function recorded([position, stream, revision, id, type, json, created, data, metadata]: Row): RecordedEvent {
  return { position, stream, revision, id, type, json: json === 1, created, data, metadata };
}
