import { type EventMetadata, readEventMetadata } from "@colloquy/schemas/events/metadata.ts";
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
  /** As it was written, of whatever version: `parse` of the stream's registry reads it. */
  data: unknown;
  metadata: Partial<EventMetadata>;
  stream: string;
  revision: number;
  /** Commit position, decimal. */
  position: string;
  /** RFC 3339. */
  created: string;
}

/** An event that a reader handled. A store that was restored from an older backup has another one at its position. */
export interface SeenEvent {
  position: string;
  id: string;
}

/** Converts an event of the official client. Its data is as it was written; data that is not JSON stays bytes. */
export function storedEvent(event: RecordedEvent | AllStreamRecordedEvent, commit: bigint | undefined): StoredEvent {
  return {
    id: event.id,
    type: event.type,
    data: event.data,
    metadata: readEventMetadata(event.metadata),
    stream: event.streamId,
    revision: Number(event.revision),
    position: String(event.position?.commit ?? commit ?? 0n),
    created: event.created.toISOString(),
  };
}

/** The store's own events, such as `$metadata` and `$streamDeleted`. */
export const isSystemEvent = (event: { type: string }): boolean => event.type.startsWith("$");
