import type { SeenEvent } from "../event-store/events.ts";

/** By topic: the position of the last event relayed to each partition; null for a partition without any. */
export type LastPositions = Record<string, (string | null)[]>;

export interface Progress {
  /** Of the last event in the order of $all; null before the first. */
  position: string | null;
  /** That event, by which the next relay checks that the store is the same; absent at the beginning and in marks of earlier versions. */
  seen?: SeenEvent;
  last: LastPositions;
}

/**
 * What the relay writes with each batch. For consumers: after applying `last` of every partition they have everything up to `position`.
 * For the next relay: the acknowledged progress that it continues from, and the records that it must still delete.
 */
export interface Mark extends Progress {
  acked: Progress;
  /** By topic and partition: what is to be deleted. */
  purges: Record<string, Record<string, Purge>>;
}

/** Records before `offset` must go, because of a deletion whose own record was written by `at` (milliseconds since 1970). */
export interface Purge {
  offset: number;
  at: number;
}

export const markKey = "mark";

export const writeMark = (mark: Mark): string => JSON.stringify(mark);

/** @throws {SyntaxError} for anything else */
export function readMark(value: Uint8Array | null): Mark {
  const mark: unknown = value && JSON.parse(Buffer.from(value).toString());
  if (typeof mark !== "object" || mark === null || !("acked" in mark) || !("last" in mark))
    throw new SyntaxError("not a mark of the relay");
  return mark as Mark;
}
