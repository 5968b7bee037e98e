import { type StoredEvent, upToDate } from "../event-store/events.ts";
import { isDecimal } from "./decimal.ts";

/**
 * An event as a record: the key is the stream, the value its data as JSON, the headers `type`, `id` and `position`, and `about` with the
 * rest (JSON: stream, revision, created, metadata, after). Few headers, because each costs the client library as much as the value.
 */
export interface EventRecord {
  key: string;
  value: Buffer | string;
  headers: Record<string, string>;
}

/** What a consumer makes of a record. */
export interface RelayedEvent {
  event: StoredEvent;
  /**
   * Position of the event before it in the same partition; null for the partition's very first. A consumer that does not hold
   * that one yet has missed something, whatever the reason.
   */
  after: string | null;
}

/** A record without an event: its coming makes a broker begin a new segment, so that the one before can leave the disk. */
export const filler = { key: "", value: "", headers: { filler: "1" } } as const satisfies EventRecord;

export const isFiller = ({ headers }: { headers: Record<string, string> }): boolean => headers.filler !== undefined;

interface About extends Pick<StoredEvent, "stream" | "revision" | "created" | "metadata"> {
  after: string | null;
  /** The data is no JSON but bytes. */
  bytes?: true;
}

export function recordOf(event: StoredEvent, after: string | null): EventRecord {
  const { id, type, stream, revision, position, created, metadata, data } = event;
  const isBytes = data instanceof Uint8Array;
  const about: About = { stream, revision, created, metadata, after, ...(isBytes && { bytes: true }) };
  return {
    key: stream,
    value: isBytes ? Buffer.from(data) : (JSON.stringify(data) ?? "null"),
    headers: { type, id, position, about: JSON.stringify(about) },
  };
}

/** The event of a record, in its present version; null for a record that is none of ours. */
export function eventOf(record: { value: Buffer | null; headers: Record<string, string> }): RelayedEvent | null {
  const { id, type, position, about } = record.headers;
  if (!id || !type || !about || !isDecimal(position) || record.value === null) return null;
  try {
    const { stream, revision, created, metadata, after, bytes } = JSON.parse(about) as Partial<About>;
    if (typeof stream !== "string" || typeof revision !== "number" || typeof created !== "string") return null;
    const data: unknown = bytes ? record.value : JSON.parse(record.value.toString());
    return { event: upToDate({ id, type, data, metadata: metadata ?? {}, stream, revision, position, created }), after: after ?? null };
  } catch {
    return null;
  }
}
