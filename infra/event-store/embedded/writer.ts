import type { DatabaseSync } from "node:sqlite";
import { endOfStream, noStreamRevision } from "./limits.ts";
import { deletedMetadata, limitsOf, withLimits, withTruncateBefore } from "./metadata.ts";
import type { Reader } from "./reader.ts";
import { recentIds } from "./recent-ids.ts";
import type { Expected, ProposedEvent, StreamState, WriteResult } from "./records.ts";
import { absent, isMetastream, metastreamOf, originalOf, type Streams } from "./streams.ts";
import { uuidBytes } from "./uuid.ts";

/** Writes, each inside a transaction of the caller's. */
export interface Writer {
  append(stream: string, expected: Expected, events: readonly ProposedEvent[]): WriteResult;
  /** Hides the stream and purges its events; it may be written again. */
  delete(stream: string, expected: Expected): WriteResult;
  /** Deletes the stream for good. */
  tombstone(stream: string, expected: Expected): WriteResult;
  /** The transaction stands. */
  committed(): void;
  /** Forgets what an undone transaction counted. */
  rewind(): void;
  /** Position of the last event, 0 when there is none. */
  last(): number;
  /** Place of the next event. */
  end(): number;
  /** Whether events were purged since this was last asked. */
  takePurged(): boolean;
}

export interface WriterOptions {
  /** Positions are places in a log of bytes, hidden events stay until a scavenge, and retries are recognised by recent ids alone. */
  strict: boolean;
}

const none = new Uint8Array(0);
const tombstoneRevision = Number.MAX_SAFE_INTEGER;
/** Where the first record stands in strict mode, and what a record holds beside its texts, in bytes. */
const firstPlace = 733;
const recordOverhead = 90;

export function openWriter(database: DatabaseSync, streams: Streams, reader: Reader, { strict }: WriterOptions): Writer {
  const lastRecord = database.prepare(
    `SELECT e.position, length(CAST(s.name AS BLOB)) + length(CAST(e.type AS BLOB)) + length(e.data) + length(e.metadata) AS size
     FROM events e JOIN streams s ON s.id = e.stream ORDER BY e.position DESC LIMIT 1`,
  );
  const insert = database.prepare(
    "INSERT INTO events (position, stream, revision, id, type, json, created, live, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?)",
  );
  // Named, because the planner would rather walk the whole stream in order.
  const revisionOf = database.prepare("SELECT min(revision) AS revision FROM events INDEXED BY events_by_id WHERE stream = ? AND id = ?");
  const idAt = database.prepare("SELECT id FROM events WHERE stream = ? AND revision = ?");
  const newest = database.prepare("SELECT data FROM events WHERE stream = ? AND live = 1 ORDER BY revision DESC LIMIT 1");
  const purge = database.prepare(
    "UPDATE events SET live = 0, data = zeroblob(length(data)), metadata = zeroblob(length(metadata)) WHERE stream = ? AND revision < ? AND live = 1",
  );
  const recent = recentIds();
  // What EventStoreDB's writer remembers, where its reader knows better: a metastream goes on after its stream's tombstone, and
  // metadata need not be marked as JSON to delete.
  const writtenMetastreams = new Set<string>();
  const deletedUnmarked = new Set<string>();

  /** A stream as a writer sees it. */
  function seen(stream: string): Readonly<StreamState> {
    const state = streams.find(stream) ?? absent;
    if (state.condition === "tombstoned" && writtenMetastreams.has(stream)) return { ...state, condition: "live" };
    return state.condition === "live" && deletedUnmarked.has(stream) ? { ...state, condition: "deleted" } : state;
  }

  let last = 0;
  let end = 0;
  let purged = false;
  readPlaces();

  function readPlaces(): void {
    const found = lastRecord.get();
    last = Number(found?.position ?? 0);
    end = strict ? (found ? last + recordOverhead + Number(found.size) : firstPlace) : last + 1;
  }

  function purgeBelow(state: StreamState): void {
    if (strict || state.truncateBefore <= 0) return;
    if (Number(purge.run(state.id, state.truncateBefore).changes) > 0) purged = true;
  }

  /** Takes the place of the next record. */
  function place(stream: string, { type, data, metadata }: Pick<ProposedEvent, "type" | "data" | "metadata">): number {
    const at = end;
    end += strict ? recordOverhead + Buffer.byteLength(stream) + Buffer.byteLength(type) + data.length + metadata.length : 1;
    return at;
  }

  /** Where an event id was written in this stream, as far as retries are recognised by ids. */
  function writtenAt(state: StreamState, id: Uint8Array): number | null {
    const remembered = recent.find(id);
    if (remembered) return remembered.stream === state.id ? remembered.revision : null;
    if (strict || state.id === 0) return null;
    const revision = revisionOf.get(state.id, id)?.revision;
    return typeof revision === "number" ? revision : null;
  }

  const isWrittenAt = (state: StreamState, id: Uint8Array, revision: number): boolean => {
    const stored = idAt.get(state.id, revision)?.id;
    return stored instanceof Uint8Array && Buffer.from(id).equals(stored);
  };

  /** A recognised retry. Its position is that of its last event, if that is still shown. */
  function repeated(stream: string, state: StreamState, revision: number): WriteResult {
    const shown = state.condition === "live" ? reader.event(stream, state, revision) : null;
    return { kind: "written", revision, position: shown?.position ?? null };
  }

  /** What EventStoreDB decides about a write; null when it is to be written. */
  function settled(stream: string, state: StreamState, expected: Expected, ids: readonly Uint8Array[]): WriteResult | null {
    const current = state.next - 1;
    const wrong: WriteResult = { kind: "wrong_expected", current };
    if (state.condition === "tombstoned") return { kind: "stream_deleted" };
    if (expected === "stream_exists") {
      if (state.condition === "deleted") return { kind: "stream_deleted" };
      if (current < 0 && !streams.find(metastreamOf(stream))?.next) return wrong;
    }
    if (expected === "any" || expected === "stream_exists") {
      let revision = -1;
      for (const [index, id] of ids.entries()) {
        const at = writtenAt(state, id);
        // Some of the events are known and others are not: no retry.
        if (at === null) return index === 0 ? null : wrong;
        revision = at;
      }
      return ids.length > 0 ? repeated(stream, state, revision) : null;
    }
    const isNew = expected === "no_stream" || expected === noStreamRevision;
    const revision = isNew ? -1 : Number(expected);
    if (revision > current) return wrong;
    if (revision === current) return null;
    for (const [index, id] of ids.entries()) {
      const at = revision + 1 + index;
      const remembered = recent.find(id);
      if ((remembered?.stream === state.id && remembered.revision === at) || isWrittenAt(state, id, at)) continue;
      return index === 0 && isNew && state.condition === "deleted" ? null : wrong;
    }
    return ids.length > 0 ? repeated(stream, state, revision + ids.length) : wrong;
  }

  function insertAll(stream: string, state: StreamState, events: readonly ProposedEvent[]): void {
    const created = Date.now();
    for (const event of events) {
      last = place(stream, event);
      insert.run(last, state.id, state.next, event.id, event.type, event.json ? 1 : 0, created, event.data, event.metadata);
      recent.add(event.id, { stream: state.id, revision: state.next });
      state.next += 1;
    }
    streams.save(state);
  }

  /** Metadata of a metastream says nothing: a metastream always shows its last event. */
  function applyMetadata(stream: string, { data, json }: Pick<ProposedEvent, "data" | "json">): void {
    if (isMetastream(stream)) return;
    writtenMetastreams.add(metastreamOf(stream));
    if (!json && limitsOf(data, true).truncateBefore === endOfStream) deletedUnmarked.add(stream);
    else deletedUnmarked.delete(stream);
    const state = withLimits(streams.ensure(stream), limitsOf(data, json));
    streams.save(state);
    purgeBelow(state);
  }

  function writeMetadata(stream: string, data: Uint8Array): void {
    const metastream = metastreamOf(stream);
    insertAll(metastream, streams.ensure(metastream), [{ id: newId(), type: "$metadata", json: true, data, metadata: none }]);
    applyMetadata(stream, { data, json: true });
  }

  /** A stream that was deleted begins again at the revision after its last one. */
  function undelete(stream: string, from: number): void {
    const metadata = newest.get(streams.ensure(metastreamOf(stream)).id)?.data;
    const changed = metadata instanceof Uint8Array ? withTruncateBefore(metadata, from) : null;
    if (changed) writeMetadata(stream, changed);
  }

  return {
    last: () => last,
    end: () => end,
    committed: recent.keep,
    rewind() {
      // `purged` stays: an earlier write of the same group may have purged and been committed, and to empty the log once too often costs nothing.
      recent.undo();
      readPlaces();
    },
    takePurged() {
      const was = purged;
      purged = false;
      return was;
    },
    append(stream, expected, events) {
      const found = seen(stream);
      const answer = settled(
        stream,
        found,
        expected,
        events.map(({ id }) => id),
      );
      if (answer) return answer;
      const wasDeleted = found.condition === "deleted";
      const first = found.next;
      let position = end;
      if (events.length > 0) {
        insertAll(stream, streams.ensure(stream), events);
        position = last;
      } else place(stream, { type: "", data: none, metadata: none });
      const latest = events.at(-1);
      if (isMetastream(stream) && latest) {
        const original = originalOf(stream);
        const hidden = seen(original).condition === "deleted";
        applyMetadata(original, latest);
        // Metadata written for a deleted stream brings it back, whatever it says.
        if (hidden) undelete(original, streams.find(original)?.next ?? 0);
      }
      if (wasDeleted) undelete(stream, first);
      return { kind: "written", revision: first + events.length - 1, position };
    },
    delete(stream, expected) {
      const state = seen(stream);
      const answer = settled(stream, state, expected, [newId()]);
      if (answer) return answer;
      // What was never there, not even by its metadata, cannot be deleted.
      if (state.next === 0 && !streams.find(metastreamOf(stream))?.next) return { kind: "wrong_expected", current: -1 };
      writeMetadata(stream, deletedMetadata());
      return { kind: "written", revision: state.next - 1, position: last };
    },
    tombstone(stream, expected) {
      const answer = settled(stream, seen(stream), expected, [newId()]);
      if (answer) return answer;
      const state = streams.ensure(stream);
      const gone: StreamState = { ...state, condition: "tombstoned", truncateBefore: state.next };
      const type = "$streamDeleted";
      last = place(stream, { type, data: none, metadata: none });
      insert.run(last, gone.id, tombstoneRevision, newId(), type, 0, Date.now(), none, none);
      streams.save(gone);
      writtenMetastreams.delete(stream);
      purgeBelow(gone);
      return { kind: "written", revision: tombstoneRevision, position: last };
    },
  };
}

function newId(): Uint8Array {
  return uuidBytes(crypto.randomUUID()) ?? none;
}
