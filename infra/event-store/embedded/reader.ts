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
  /** Events were written or purged: what was kept of the newest ones counts no more. */
  changed(): void;
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

type ScannedRow = [number, number, number, Uint8Array, string, number, number, Uint8Array, Uint8Array];
type Row = [number, string, number, Uint8Array, string, number, number, Uint8Array, Uint8Array];

/** Streams whose names a filter has looked at already, at most. */
const mostVerdicts = 50_000;

/** The least share of wanted events for which a turn reads more rows than it may send. */
const leastShare = 1 / 16;
/** Turns of more rows read only what decides whether an event is wanted. */
const sparseFrom = 4 * readBatch.events;
const sparseColumns = 5;
/** Newest events that are kept for all live subscriptions, at most. */
const mostShared = 64;
/** Turns that are kept of them: what was written last, and that nothing follows. */
const keptTurns = 4;

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
  const scanned = (order: "ASC" | "DESC") =>
    rows(
      database,
      `SELECT position, stream, revision, id, type, json, created, data, metadata FROM events
       WHERE position BETWEEN ? AND ? AND live = 1 ORDER BY position ${order} LIMIT ?`,
    );
  const at = rows(database, "SELECT position, stream, revision, id, type, json, created, data, metadata FROM events WHERE position = ?");
  // Where little is wanted, the rest of its row is not read.
  const sparseUp = rows(
    database,
    "SELECT position, stream, NULL, NULL, type FROM events WHERE position BETWEEN ? AND ? AND live = 1 ORDER BY position LIMIT ?",
  );
  const scanUp = scanned("ASC");
  const scanDown = scanned("DESC");
  const nameStatement = database.prepare("SELECT name FROM streams WHERE id = ?");
  const highest = database.prepare("SELECT max(position) AS position FROM events");
  const below = database.prepare("SELECT max(position) AS position FROM events WHERE position < ?");
  const place = database.prepare("SELECT 1 FROM events WHERE position = ?");

  const names = new Map<number, string>();
  function nameOf(stream: number): string {
    const known = names.get(stream);
    if (known !== undefined) return known;
    if (names.size >= mostVerdicts) names.clear();
    const name = String(nameStatement.get(stream)?.name);
    names.set(stream, name);
    return name;
  }

  // Live subscriptions all read the same newest events: each is read once, and is one object for all of them.
  let newest: { from: number; rows: ScannedRow[] }[] = [];
  const events = new WeakMap<ScannedRow, RecordedEvent>();
  function scan(from: number, backwards: boolean, most: number): ScannedRow[] {
    if (backwards) return scanDown.all(0, from - 1, most) as unknown as ScannedRow[];
    const kept = newest.find((turn) => turn.from === from && turn.rows.length <= most);
    if (kept) return kept.rows;
    const found = (most > sparseFrom ? sparseUp : scanUp).all(from + 1, Number.MAX_SAFE_INTEGER, most) as unknown as ScannedRow[];
    if (found.length < Math.min(most, mostShared)) newest = [{ from, rows: found }, ...newest.slice(0, keptTurns - 1)];
    return found;
  }
  function eventOf(row: ScannedRow, isShared: boolean): RecordedEvent {
    const known = isShared ? events.get(row) : undefined;
    if (known) return known;
    const whole = (row.length as number) === sparseColumns ? (at.get(row[0]) as unknown as ScannedRow) : row;
    const [position, stream, revision, id, type, json, created, data, metadata] = whole;
    const event = { position, stream: nameOf(stream), revision, id, type, json: json === 1, created, data, metadata };
    if (isShared) events.set(row, event);
    return event;
  }

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
    changed() {
      newest = [];
    },
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
      const verdicts = new Map<number, boolean>();
      const isWanted = (stream: number, type: string): boolean => {
        if (!filter) return true;
        if (filter.on === "type") return filter.matches(type);
        const known = verdicts.get(stream);
        if (known !== undefined) return known;
        if (verdicts.size >= mostVerdicts) verdicts.clear();
        const verdict = filter.matches(nameOf(stream));
        verdicts.set(stream, verdict);
        return verdict;
      };
      // As many as are likely to be needed: rows that a full turn leaves behind are read again.
      let perWanted = 1;
      return (from, limit = readBatch.events) => {
        const most = Math.min(limit, readBatch.events);
        const looked = Math.min(Math.ceil(most * perWanted), readBatch.scanned);
        const rows = scan(from, backwards, looked);
        const isShared = newest.some((turn) => turn.rows === rows);
        const scanned: Scanned[] = [];
        let wanted = 0;
        let bytes = 0;
        for (const row of rows) {
          const position = row[0];
          if (!isWanted(row[1], row[4])) {
            scanned.push({ position, event: null });
            continue;
          }
          const event = eventOf(row, isShared);
          scanned.push({ position, event });
          wanted += 1;
          bytes += event.data.length + event.metadata.length;
          if (wanted === most || bytes >= readBatch.bytes) break;
        }
        if (scanned.length > 0) perWanted = scanned.length / Math.max(wanted, scanned.length * leastShare);
        // Fewer rows than were asked for are the last: a live subscription need not look a second time after each commit.
        return { scanned, done: rows.length < looked && scanned.length === rows.length };
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
