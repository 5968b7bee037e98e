import type { DatabaseSync } from "node:sqlite";
import { endOfStream } from "./limits.ts";
import type { Expected, ProposedEvent, StreamState, WriteResult } from "./records.ts";
import { metastreamOf, metastreamPrefix, parseMetadata, type Streams, withMetadata } from "./streams.ts";
import { uuidBytes } from "./uuid.ts";

/** Writes, each inside a transaction of the caller's. */
export interface Writer {
  append(stream: string, expected: Expected, events: readonly ProposedEvent[]): WriteResult;
  /** Hides the stream and purges its events; it may be written again. */
  delete(stream: string, expected: Expected): WriteResult;
  /** Deletes the stream for good. */
  tombstone(stream: string, expected: Expected): WriteResult;
  /** Forgets what an undone transaction counted. */
  rewind(): void;
  /** Position of the last event, 0 when there is none. */
  last(): number;
  /** Whether events were purged since this was last asked. */
  takePurged(): boolean;
}

const none = new Uint8Array(0);
/** A stream nobody has written. */
const absent: StreamState = { id: 0, next: 0, truncateBefore: 0, condition: "live", maxCount: null, maxAge: null };
const tombstoneRevision = Number.MAX_SAFE_INTEGER;

export function openWriter(database: DatabaseSync, streams: Streams): Writer {
  const head = database.prepare("SELECT max(position) AS position FROM events");
  const insert = database.prepare(
    "INSERT INTO events (position, stream, revision, id, type, json, created, live, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?)",
  );
  // Named, because the planner would rather walk the whole stream in order.
  const revisionOf = database.prepare("SELECT min(revision) AS revision FROM events INDEXED BY events_by_id WHERE stream = ? AND id = ?");
  const idsFrom = database.prepare("SELECT id, position FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?");
  const newestData = database.prepare("SELECT data FROM events WHERE stream = ? AND live = 1 ORDER BY revision DESC LIMIT 1");
  const purge = database.prepare(
    "UPDATE events SET live = 0, data = zeroblob(length(data)), metadata = zeroblob(length(metadata)) WHERE stream = ? AND revision < ? AND live = 1",
  );

  const readHead = (): number => Number(head.get()?.position ?? 0);
  let last = readHead();
  let purged = false;

  function purgeBelow(state: StreamState): void {
    if (state.truncateBefore > 0 && Number(purge.run(state.id, state.truncateBefore).changes) > 0) purged = true;
  }

  /** The earlier write of these very events, when there was one from this revision on. */
  function written(state: StreamState, from: number, events: readonly ProposedEvent[]): WriteResult | null {
    const rows = idsFrom.all(state.id, from, events.length);
    const same =
      rows.length === events.length && events.every((event, index) => Buffer.from(event.id).equals(rows[index]?.id as Uint8Array));
    return same ? { kind: "written", revision: from + events.length - 1, position: Number(rows.at(-1)?.position) } : null;
  }

  /** `null` when the events are to be written. */
  function settled(state: StreamState, expected: Expected, events: readonly ProposedEvent[]): WriteResult | null {
    const current = state.next - 1;
    const wrong: WriteResult = { kind: "wrong_expected", current };
    if (state.condition === "tombstoned") return { kind: "stream_deleted" };
    const [first] = events;
    if (typeof expected === "number") {
      if (expected === current) return null;
      return (first && expected < current && written(state, expected + 1, events)) || wrong;
    }
    if (expected === "no_stream") {
      if (current < 0) return null;
      return (first && written(state, 0, events)) || (state.condition === "deleted" ? null : wrong);
    }
    if (expected === "stream_exists" && (current < 0 || state.condition === "deleted")) return wrong;
    const known = first && current >= 0 ? revisionOf.get(state.id, first.id)?.revision : null;
    return typeof known === "number" ? (written(state, known, events) ?? wrong) : null;
  }

  function insertAll(state: StreamState, events: readonly ProposedEvent[]): void {
    const created = Date.now();
    for (const event of events) {
      insert.run(last + 1, state.id, state.next, event.id, event.type, event.json ? 1 : 0, created, event.data, event.metadata);
      last += 1;
      state.next += 1;
    }
    streams.save(state);
  }

  function applyMetadata(stream: string, data: Uint8Array): void {
    const state = withMetadata(streams.ensure(stream), parseMetadata(data));
    streams.save(state);
    purgeBelow(state);
  }

  /** Writes `$tb` into the metadata and leaves the rest of it as it was. */
  function truncate(stream: string, before: number | bigint): void {
    const meta = streams.ensure(metastreamOf(stream));
    const newest = newestData.get(meta.id)?.data;
    const { $tb: _replaced, ...rest } = newest instanceof Uint8Array ? parseMetadata(newest) : {};
    // Written by hand: no JavaScript number holds the end of a stream.
    const data = Buffer.from(`${JSON.stringify(rest).slice(0, -1)}${Object.keys(rest).length ? "," : ""}"$tb":${before}}`);
    insertAll(meta, [{ id: newId(), type: "$metadata", json: true, data, metadata: none }]);
    applyMetadata(stream, data);
  }

  return {
    last: () => last,
    rewind() {
      // `purged` stays: an earlier write of the same group may have purged and been committed, and to empty the log once too often costs nothing.
      last = readHead();
    },
    takePurged() {
      const was = purged;
      purged = false;
      return was;
    },
    append(stream, expected, events) {
      const found = streams.find(stream) ?? absent;
      const answer = settled(found, expected, events);
      if (answer) return answer;
      const newest = events.at(-1);
      if (!newest) return { kind: "written", revision: found.next - 1, position: null };
      if (found.condition === "deleted") truncate(stream, found.next);
      const state = found === absent || found.condition === "deleted" ? streams.ensure(stream) : found;
      insertAll(state, events);
      if (stream.startsWith(metastreamPrefix)) applyMetadata(stream.slice(metastreamPrefix.length), newest.data);
      return { kind: "written", revision: state.next - 1, position: last };
    },
    delete(stream, expected) {
      const state = streams.find(stream);
      // What was never there, not even by its metadata, cannot be deleted, whatever is expected of it.
      if (!state) return { kind: "wrong_expected", current: -1 };
      const answer = settled(state, expected, []);
      if (answer) return answer;
      truncate(stream, endOfStream);
      return { kind: "written", revision: state.next - 1, position: last };
    },
    tombstone(stream, expected) {
      const answer = settled(streams.find(stream) ?? absent, expected, []);
      if (answer) return answer;
      const state = streams.ensure(stream);
      const gone: StreamState = { ...state, condition: "tombstoned", truncateBefore: state.next };
      insert.run(last + 1, gone.id, tombstoneRevision, newId(), "$streamDeleted", 1, Date.now(), Buffer.from("{}"), none);
      last += 1;
      streams.save(gone);
      purgeBelow(gone);
      return { kind: "written", revision: tombstoneRevision, position: last };
    },
  };
}

function newId(): Uint8Array {
  return uuidBytes(crypto.randomUUID()) ?? none;
}
