import type { EventMetadata } from "@colloquy/schemas/events/metadata.ts";
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
}

/** An event as the official client gives it, in our words. Bytes that are no JSON are kept as bytes. */
export function storedEvent(event: RecordedEvent | AllStreamRecordedEvent, commit: bigint | undefined): StoredEvent {
  const metadata = event.metadata;
  return {
    id: event.id,
    type: event.type,
    data: event.data,
    metadata:
      typeof metadata === "object" && metadata !== null && !(metadata instanceof Uint8Array) ? (metadata as Partial<EventMetadata>) : {},
    stream: event.streamId,
    revision: Number(event.revision),
    position: String(event.position?.commit ?? commit ?? 0n),
    created: event.created.toISOString(),
  };
}

/** Events of the store's own, such as `$metadata` and `$streamDeleted`. */
export const isSystemEvent = (event: { type: string }): boolean => event.type.startsWith("$");
