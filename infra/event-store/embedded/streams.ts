import type { DatabaseSync } from "node:sqlite";
import { endOfStream } from "./limits.ts";
import type { StreamState } from "./records.ts";

/** The table of streams, and what a stream's metadata says about it. */
export interface Streams {
  find(name: string): StreamState | null;
  /** The stream, made with no events when it is new. */
  ensure(name: string): StreamState;
  save(state: StreamState): void;
}

/** How the protocol names all streams together. */
export const allStream = "$all";
export const metastreamPrefix = "$$";
export const metastreamOf = (stream: string): string => `${metastreamPrefix}${stream}`;

export function openStreams(database: DatabaseSync): Streams {
  const find = database.prepare("SELECT id, next_revision, truncate_before, condition, max_count, max_age FROM streams WHERE name = ?");
  const make = database.prepare(
    "INSERT INTO streams (name, next_revision, truncate_before, condition, max_count) VALUES (?, 0, 0, 'live', ?)",
  );
  const save = database.prepare(
    "UPDATE streams SET next_revision = ?, truncate_before = ?, condition = ?, max_count = ?, max_age = ? WHERE id = ?",
  );
  const streams: Streams = {
    find(name) {
      const row = find.get(name);
      if (!row) return null;
      return {
        id: Number(row.id),
        next: Number(row.next_revision),
        truncateBefore: Number(row.truncate_before),
        condition: row.condition as StreamState["condition"],
        maxCount: row.max_count === null ? null : Number(row.max_count),
        maxAge: row.max_age === null ? null : Number(row.max_age),
      };
    },
    ensure(name) {
      const known = streams.find(name);
      if (known) return known;
      // A metastream shows its last event only, as in EventStoreDB.
      const maxCount = name.startsWith(metastreamPrefix) ? 1 : null;
      const { lastInsertRowid } = make.run(name, maxCount);
      return { id: Number(lastInsertRowid), next: 0, truncateBefore: 0, condition: "live", maxCount, maxAge: null };
    },
    save(state) {
      save.run(state.next, state.truncateBefore, state.condition, state.maxCount, state.maxAge, state.id);
    },
  };
  return streams;
}

/** A stream's metadata as an object; `{}` for what is none. */
export function parseMetadata(data: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(data).toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The stream as its new metadata says. `$tb` at the end of all revisions means deleted. */
export function withMetadata(state: StreamState, metadata: Record<string, unknown>): StreamState {
  const count = (key: string): number | null => {
    const value = metadata[key];
    return typeof value === "number" && value >= 0 ? Math.floor(value) : null;
  };
  // Larger ones are no whole numbers to SQLite, and no stream is longer or older.
  const limit = (key: string): number | null => {
    const value = count(key);
    // Zero means no limit, not an empty stream.
    return value ? Math.min(value, Number.MAX_SAFE_INTEGER) : null;
  };
  const truncateBefore = count("$tb") ?? 0;
  const deleted = truncateBefore >= Number(endOfStream);
  return {
    ...state,
    truncateBefore: deleted ? state.next : Math.min(truncateBefore, Number.MAX_SAFE_INTEGER),
    condition: state.condition === "tombstoned" ? "tombstoned" : deleted ? "deleted" : "live",
    maxCount: limit("$maxCount"),
    maxAge: limit("$maxAge"),
  };
}
