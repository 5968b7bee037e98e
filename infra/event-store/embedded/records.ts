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
  /** Commit and prepare position alike, in the order of commits: 1, 2, 3…, in strict mode the record's place in a log of bytes. */
  position: number;
  /** Milliseconds since 1970. */
  created: number;
}

/** What a writer says the stream's last revision is. */
export type Expected = bigint | "any" | "no_stream" | "stream_exists";

/** What became of a write. Refusals are values: they are ordinary answers, and they must not undo their group. */
export type WriteResult =
  /** `position` is null for a recognised retry of events that are hidden now. */
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

/** Which events of `$all` a reader wants, by their type or by the name of their stream. */
export interface Filter {
  on: "stream" | "type";
  matches(text: string): boolean;
}
