import type { DatabaseSync, StatementSync } from "node:sqlite";
import { readBatch } from "./limits.ts";
import type { Filter, RecordedEvent, StreamState } from "./records.ts";

/**
 * Reads, one bounded turn at a time: a turn holds no lock and no cursor once it has returned, so whoever reads may wait for a
 * slow connection between two of them.
 */
export interface Reader {
  /** A turn over what a stream shows, from a revision on (inclusive), of `limit` events at most. */
  stream(name: string, state: StreamState, from: number, backwards: boolean, limit?: number): StreamTurn;
  /** The same of everything that is stored, whatever the stream's limits hide: what a live subscription delivers. */
  streamLive(name: string, state: StreamState, from: number): StreamTurn;
  /** One event of a stream, if the stream shows it. */
  event(name: string, state: StreamState, revision: number): RecordedEvent | null;
  /** Prepares reading `$all` through a filter; each call is a turn from a position on (exclusive). */
  all(filter: Filter | null, backwards: boolean): (from: number, limit?: number) => AllBatch;
  /** Position of the last event, 0 when there is none. */
  head(): number;
  /** The last position below this one at which an event stands; 0 when there is none. */
  before(position: number): number;
  /** Whether an event stands, or stood, exactly here. */
  isPlace(position: number): boolean;
}

interface StreamTurn {
  events: RecordedEvent[];
  /** The revision the next turn begins with, null when there is no more. */
  next: number | null;
}

/** Something that was looked at: its position, and the event when it is wanted. */
export interface Scanned {
  position: number;
  event: RecordedEvent | null;
}

export interface AllBatch {
  /** Everything that was looked at, in order. */
  scanned: Scanned[];
  /** Whether the turn reached the last event there is (the first, backwards). */
  done: boolean;
}

type Row = [number, string, number, Uint8Array, string, number, number, Uint8Array, Uint8Array];

/** Streams whose names a filter has looked at already, at most. */
const mostVerdicts = 50_000;

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
  const at = rows(database, `SELECT e.position, s.name, ${fields} FROM events e JOIN streams s ON s.id = e.stream WHERE e.position = ?`);
  const scan = (order: "ASC" | "DESC") =>
    rows(
      database,
      `SELECT position, stream, type FROM events WHERE position BETWEEN ? AND ? AND live = 1 ORDER BY position ${order} LIMIT ?`,
    );
  const scanUp = scan("ASC");
  const scanDown = scan("DESC");
  const nameOf = database.prepare("SELECT name FROM streams WHERE id = ?");
  const highest = database.prepare("SELECT max(position) AS position FROM events");
  const below = database.prepare("SELECT max(position) AS position FROM events WHERE position < ?");
  const place = database.prepare("SELECT 1 FROM events WHERE position = ?");

  const lowest = (state: StreamState): number => Math.max(state.truncateBefore, state.maxCount === null ? 0 : state.next - state.maxCount);
  const oldest = (state: StreamState): number => (state.maxAge === null ? 0 : Date.now() - state.maxAge * 1_000);

  function turn(statement: StatementSync, values: (string | number)[], most: number, step: number): StreamTurn {
    const events: RecordedEvent[] = [];
    let bytes = 0;
    for (const row of statement.iterate(...values, most) as Iterable<unknown> as Iterable<Row>) {
      const event = recorded(row);
      events.push(event);
      bytes += event.data.length + event.metadata.length;
      if (bytes >= readBatch.bytes) break;
    }
    const latest = events.at(-1);
    const isFull = latest && (events.length === most || bytes >= readBatch.bytes);
    return { events, next: isFull ? latest.revision + step : null };
  }

  const reader: Reader = {
    head: () => Number(highest.get()?.position ?? 0),
    before: (position) => Number(below.get(position)?.position ?? 0),
    isPlace: (position) => place.get(position) !== undefined,

    stream(name, state, from, backwards, limit = readBatch.events) {
      const last = state.next - 1;
      const [low, high] = backwards ? [lowest(state), Math.min(from, last)] : [Math.max(from, lowest(state)), last];
      const values = [name, state.id, low, high, oldest(state)];
      return turn(backwards ? down : up, values, Math.min(limit, readBatch.events), backwards ? -1 : 1);
    },

    streamLive: (name, state, from) => turn(up, [name, state.id, from, Number.MAX_SAFE_INTEGER, 0], readBatch.events, 1),

    event(name, state, revision) {
      if (revision < lowest(state) || revision >= state.next) return null;
      const [row] = up.all(name, state.id, revision, revision, oldest(state), 1) as unknown as Row[];
      return row ? recorded(row) : null;
    },

    all(filter, backwards) {
      const statement = backwards ? scanDown : scanUp;
      const verdicts = new Map<number, boolean>();
      const isWanted = (stream: number, type: string): boolean => {
        if (!filter) return true;
        if (filter.on === "type") return filter.matches(type);
        const known = verdicts.get(stream);
        if (known !== undefined) return known;
        if (verdicts.size >= mostVerdicts) verdicts.clear();
        const verdict = filter.matches(String(nameOf.get(stream)?.name));
        verdicts.set(stream, verdict);
        return verdict;
      };
      return (from, limit = readBatch.events) => {
        const [low, high] = backwards ? [0, from - 1] : [from + 1, Number.MAX_SAFE_INTEGER];
        const scanned: Scanned[] = [];
        let wanted = 0;
        let bytes = 0;
        const found = statement.all(low, high, filter ? readBatch.scanned : Math.min(limit, readBatch.events)) as unknown as [
          number,
          number,
          string,
        ][];
        for (const [position, stream, type] of found) {
          if (!isWanted(stream, type)) {
            scanned.push({ position, event: null });
            continue;
          }
          const event = recorded(at.get(position) as unknown as Row);
          scanned.push({ position, event });
          wanted += 1;
          bytes += event.data.length + event.metadata.length;
          if (wanted === Math.min(limit, readBatch.events) || bytes >= readBatch.bytes) break;
        }
        return { scanned, done: found.length === 0 };
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

function recorded([position, stream, revision, id, type, json, created, data, metadata]: Row): RecordedEvent {
  return { position, stream, revision, id, type, json: json === 1, created, data, metadata };
}
