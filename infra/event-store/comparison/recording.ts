import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/**
 * Recorded sequences of operations and what a real EventStoreDB answered, one JSON object a line. Names of streams, event ids and positions
 * are symbols, because each run has its own.
 */
export interface RecordedSequence {
  name: string;
  ops: Operation[];
  /** One outcome for each operation. */
  out: Outcome[];
}

/** One operation. `k` names its kind (`player.ts`), `s` its stream; `=` before a name takes the name as it is. */
export interface Operation {
  k: string;
  s?: string;
  ev?: ProposedSymbol[];
  /** Expected revision. */
  x?: string | number;
  /** "c" sends credentials, which makes the client use the call Append rather than BatchAppend. */
  via?: string;
  creds?: { username: string; password: string };
  deadline?: number;
  batchSize?: number;
  from?: Place;
  dir?: "f" | "b";
  max?: number;
  links?: boolean;
  meta?: Record<string, unknown>;
  ms?: number;
  filter?: SymbolicFilter;
  window?: number;
  interval?: number;
  /** Number of the subscription in its sequence, which makes the id of its last event. */
  n?: number;
  /** What happens while a subscription runs. */
  during?: Operation[];
  sentinel?: string;
  sentinelType?: string;
  resume?: boolean;
  wait?: number;
  waitCaught?: number;
  tail?: number;
  what?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the raw call (`raw-calls.ts`)
  build?: any;
}

/** An event: `i` makes its id, `t` is its type, `d` its data, `m` its metadata; `b` sends bytes, `size` that many of them. */
export interface ProposedSymbol {
  i: number | string;
  t?: string;
  d?: unknown;
  m?: unknown;
  b?: boolean;
  size?: number;
  msize?: number;
}

/** A revision, or a position: an event that was seen, the mark with which each sequence begins, or a number. */
export type Place =
  | "start"
  | "end"
  | "mark"
  | string
  | number
  | { ev?: [string, number]; abs?: string | number; d?: number; p?: string | number; pd?: number };

export interface SymbolicFilter {
  on?: "stream" | "type";
  prefixes?: string[];
  regex?: string;
  win?: number;
  cp?: number;
  count?: boolean;
}

export type Outcome = Record<string, unknown>;

/** @throws Error for a file that is no recording */
export function readRecording(file: string): RecordedSequence[] {
  const bytes = readFileSync(file);
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line.trim())
    .map((line, index) => {
      const sequence = JSON.parse(line) as Partial<RecordedSequence>;
      if (typeof sequence.name !== "string" || !Array.isArray(sequence.ops) || sequence.out?.length !== sequence.ops.length)
        throw new Error(`${file}, line ${index + 1}: not a recorded sequence (name, ops and as many outcomes).`);
      return sequence as RecordedSequence;
    });
}
