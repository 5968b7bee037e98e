import type { ResolvedEvent } from "../links.ts";

/** What goes into a group and what comes out of it. */

/** An event that comes into the group. */
export interface Arrival {
  /** Its place where it is read from: a revision, or a position of `$all`. */
  order: number;
  /** The id by which it is answered. */
  id: string;
  /** The stream by which it is pinned. */
  stream: string;
  resolved: ResolvedEvent;
}

export interface Message extends Arrival {
  /** Counts the messages of where it comes from. */
  seq: number;
  /** Whether it was parked and is given again. */
  replayed: boolean;
  retries: number;
  /** What it weighs in memory. */
  bytes: number;
  done: boolean;
}

export type NackAction = "park" | "retry" | "skip" | "stop";

export type Input =
  | { kind: "connect"; consumer: string; slots: number }
  | { kind: "leave"; consumer: string }
  /** Whether the way to the consumer takes more now. */
  | { kind: "ready"; consumer: string; ready: boolean }
  | { kind: "ack"; consumer: string; ids: readonly string[] }
  | { kind: "nack"; consumer: string; ids: readonly string[]; action: NackAction; reason: string }
  /** Answers `read`: everything up to `scannedTo` was looked at, and whether that is all there is. */
  | { kind: "read"; arrivals: readonly Arrival[]; scannedTo: number; end: boolean }
  /** What was asked for could not be read. */
  | { kind: "unread" }
  /** Something was written. */
  | { kind: "wake" }
  | { kind: "tick" }
  | { kind: "parked" | "park_failed"; message: Message; reason: string }
  /** Gives parked messages again, from the first that is left up to a revision of the parked stream (exclusive). */
  | { kind: "replay"; from: number; stop: number }
  /** Answers `read_parked`. */
  | { kind: "replayed"; arrivals: readonly Arrival[]; next: number };

export type Effect =
  /** It is a consumer now: said before anything is delivered. */
  | { kind: "accept"; consumer: string }
  | { kind: "deliver"; consumer: string; message: Message }
  /** One more than the group takes. */
  | { kind: "refuse"; consumer: string }
  | { kind: "drop"; consumer: string }
  | { kind: "read"; after: number; count: number }
  | { kind: "read_parked"; from: number; stop: number }
  | { kind: "park"; message: Message; reason: string }
  /** Everything up to here is done. */
  | { kind: "checkpoint"; at: number }
  /** Parked messages below are done. */
  | { kind: "truncate_parked"; before: number };
