import { type EventMetadata, readEventMetadata } from "@colloquy/schemas/events/metadata.ts";
import { type Upcasters, upcast } from "@colloquy/schemas/events/upcasting.ts";
import type { AllStreamRecordedEvent, RecordedEvent } from "@eventstore/db-client";

export interface NewEvent {
  /** A UUID; the same one again on the same stream is the same event. */
  id: string;
  type: string;
  data: object;
  metadata: EventMetadata;
}

export interface StoredEvent {
  id: string;
  type: string;
  data: unknown;
  metadata: Partial<EventMetadata>;
  stream: string;
  revision: number;
  /** Commit position, decimal. */
  position: string;
  /** RFC 3339. */
  created: string;
  /** Why its data is still of an old version: bringing it up to date failed. Readers that need it refuse it. */
  unreadable?: string;
}

/** An event that was handled, by which a reader knows its store again: one that was set back has another in its place. */
export interface SeenEvent {
  position: string;
  id: string;
}

/**
 * An event as the official client gives it, in our words and in its present version: whatever reads events gets them through here
 * or through `upToDate`. Bytes that are no JSON are kept as bytes.
 */
export function storedEvent(event: RecordedEvent | AllStreamRecordedEvent, commit: bigint | undefined, upcasters?: Upcasters): StoredEvent {
  const stored: StoredEvent = {
    id: event.id,
    type: event.type,
    data: event.data,
    metadata: readEventMetadata(event.metadata),
    stream: event.streamId,
    revision: Number(event.revision),
    position: String(event.position?.commit ?? commit ?? 0n),
    created: event.created.toISOString(),
  };
  return upToDate(stored, upcasters);
}

/** The same event in its present version. One that cannot be brought there is kept as it is, and says why. */
export function upToDate(stored: StoredEvent, upcasters?: Upcasters): StoredEvent {
  try {
    const { type, data } = upcast(stored, upcasters);
    return data === stored.data ? stored : { ...stored, type, data };
  } catch (error) {
    return { ...stored, unreadable: `${stored.type} could not be upcast: ${error instanceof Error ? error.message : error}` };
  }
}

/** Events of the store's own, such as `$metadata` and `$streamDeleted`. */
export const isSystemEvent = (event: { type: string }): boolean => event.type.startsWith("$");
