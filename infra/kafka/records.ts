import type { StoredEvent } from "../event-store/events.ts";

/**
 * An event as a record: the key is the stream, the value its data as JSON, the headers `type`, `id` and `position`, and `about` with the
 * rest (JSON: stream, revision, created, metadata, after). Few headers, because each costs the client library as much as the value.
 */
export interface EventRecord {
  key: string;
  value: Buffer | string;
  headers: Record<string, string>;
}

/** A record as a consumer reads it. */
export interface RelayedEvent {
  event: StoredEvent;
  /**
   * Position of the event before it in the same partition; null for the first. A consumer that has not applied that event missed
   * something.
   */
  after: string | null;
}

/** A record without an event: it makes a broker begin a new segment, so that the old one can be deleted from disk. */
export const filler = { key: "", value: "", headers: { filler: "1" } } as const satisfies EventRecord;

export const isFiller = ({ headers }: { headers: Record<string, string> }): boolean => headers.filler !== undefined;

interface About extends Pick<StoredEvent, "stream" | "revision" | "created" | "metadata"> {
  after: string | null;
  /** The data is no JSON but bytes. */
  bytes?: true;
}

const isDecimal = (text: string | undefined): text is string => text !== undefined && /^\d+$/.test(text);

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

/** The event of a record; null for a record of another program. */
export function eventOf(record: { value: Buffer | null; headers: Record<string, string> }): RelayedEvent | null {
  const { id, type, position, about } = record.headers;
  if (!id || !type || !about || !isDecimal(position) || record.value === null) return null;
  try {
    const { stream, revision, created, metadata, after, bytes } = JSON.parse(about) as Partial<About>;
    if (typeof stream !== "string" || typeof revision !== "number" || typeof created !== "string") return null;
    const data: unknown = bytes ? record.value : JSON.parse(record.value.toString());
    return { event: { id, type, data, metadata: metadata ?? {}, stream, revision, position, created }, after: after ?? null };
  } catch {
    return null;
  }
}
