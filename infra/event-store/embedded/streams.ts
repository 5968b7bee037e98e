import type { DatabaseSync } from "node:sqlite";
import type { StreamState } from "./records.ts";

/** The table of streams. */
export interface Streams {
  /** A stream as it stands; null when nobody has written it. A metastream is tombstoned with its stream. */
  find(name: string): StreamState | null;
  /** The stream, made with no events when it is new. */
  ensure(name: string): StreamState;
  save(state: StreamState): void;
}

/** How the protocol names all streams together. */
export const allStream = "$all";
export const metastreamPrefix = "$$";
export const metastreamOf = (stream: string): string => `${metastreamPrefix}${stream}`;
export const isMetastream = (stream: string): boolean => stream.startsWith(metastreamPrefix);
export const originalOf = (metastream: string): string => metastream.slice(metastreamPrefix.length);

/** A stream nobody has written. */
export const absent: Readonly<StreamState> = { id: 0, next: 0, truncateBefore: 0, condition: "live", maxCount: null, maxAge: null };

export function openStreams(database: DatabaseSync): Streams {
  const find = database.prepare("SELECT id, next_revision, truncate_before, condition, max_count, max_age FROM streams WHERE name = ?");
  find.setReturnArrays(true);
  const make = database.prepare(
    "INSERT INTO streams (name, next_revision, truncate_before, condition, max_count) VALUES (?, 0, 0, 'live', ?)",
  );
  const save = database.prepare(
    "UPDATE streams SET next_revision = ?, truncate_before = ?, condition = ?, max_count = ?, max_age = ? WHERE id = ?",
  );

  function stored(name: string): StreamState | null {
    const row = find.get(name) as unknown as [number, number, number, StreamState["condition"], number | null, number | null] | undefined;
    if (!row) return null;
    const [id, next, truncateBefore, condition, maxCount, maxAge] = row;
    return { id, next, truncateBefore, condition, maxCount, maxAge };
  }

  const streams: Streams = {
    find(name) {
      const state = stored(name);
      if (!isMetastream(name) || streams.find(originalOf(name))?.condition !== "tombstoned") return state;
      return { ...(state ?? absent), condition: "tombstoned" };
    },
    ensure(name) {
      const known = stored(name);
      if (known) return known;
      // A metastream shows its last event only, as in EventStoreDB.
      const maxCount = isMetastream(name) ? 1 : null;
      const { lastInsertRowid } = make.run(name, maxCount);
      return { ...absent, id: Number(lastInsertRowid), maxCount };
    },
    save(state) {
      save.run(state.next, state.truncateBefore, state.condition, state.maxCount, state.maxAge, state.id);
    },
  };
  return streams;
}
