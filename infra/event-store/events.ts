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
  /** Why upcasting failed; `data` is then of an old version. Readers that need the event reject it. */
  unreadable?: string;
}

/** An event that a reader handled. A store that was restored from an older backup has another one at its position. */
export interface SeenEvent {
  position: string;
  id: string;
}

/**
 * Converts an event of the official client and upcasts it. All readers get their events from here or from `upToDate`. Data that is not
 * JSON stays bytes.
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

/** Upcasts an event to the current version. If that fails, the event keeps its data and says why in `unreadable`. */
export function upToDate(stored: StoredEvent, upcasters?: Upcasters): StoredEvent {
  try {
    const { type, data } = upcast(stored, upcasters);
    return data === stored.data ? stored : { ...stored, type, data };
  } catch (error) {
    return { ...stored, unreadable: `${stored.type} could not be upcast: ${error instanceof Error ? error.message : error}` };
  }
}

/** The store's own events, such as `$metadata` and `$streamDeleted`. */
export const isSystemEvent = (event: { type: string }): boolean => event.type.startsWith("$");
