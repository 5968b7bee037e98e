/** What goes into the store and what comes out of it, free of gRPC and of SQLite. */

export interface ProposedEvent {
  /** 16 bytes. */
  id: Uint8Array;
  type: string;
  json: boolean;
  data: Uint8Array;
  metadata: Uint8Array;
}

export interface RecordedEvent extends ProposedEvent {
  stream: string;
  revision: number;
  /** Commit and prepare position alike: 1, 2, 3… in the order of commits. */
  position: number;
  /** Milliseconds since 1970. */
  created: number;
}

/** What a writer says the stream's last revision is. */
export type Expected = number | "any" | "no_stream" | "stream_exists";

/** What became of a write. Refusals are values: they are ordinary answers, and they must not undo their group. */
export type WriteResult =
  | { kind: "written"; revision: number; position: number | null }
  /** `current` is -1 when there is no stream. */
  | { kind: "wrong_expected"; current: number }
  | { kind: "stream_deleted" };

/** A stream as the store knows it. */
export interface StreamState {
  id: number;
  /** Revision of the next event; 0 when the stream has only metadata. */
  next: number;
  /** Events below it are hidden, and gone from the file. */
  truncateBefore: number;
  /** Deleted: may be written again, from `next` on. Tombstoned: never. */
  condition: "live" | "deleted" | "tombstoned";
  maxCount: number | null;
  /** Seconds. */
  maxAge: number | null;
}

/** Which events of `$all` a reader wants. */
export type Filter = { on: "stream" | "type" } & ({ prefixes: string[] } | { pattern: RegExp });
