import type { EventInStream } from "@colloquy/schemas/define-events.ts";
import type { Logger } from "../telemetry/log.ts";
import { unknownEvents } from "../telemetry/metrics.ts";

/** The part of a registry of events that a reader needs. */
export interface EventParser<Event> {
  has(type: string): boolean;
  parse(stored: EventInStream): Event;
}

const logged = new Set<string>();

/**
 * A stored event at its newest version. Null for a type that this version of the program does not know, as a newer version may have
 * written it: it is counted, and logged once for each reader and type.
 * @throws {UnreadableEvent} for a version that is not known, and for data that does not fit
 */
export function knownEvent<Event>(
  events: EventParser<Event>,
  stored: EventInStream,
  { reader, log }: { reader: string; log?: Logger | undefined },
): Event | null {
  const { type, stream, revision } = stored;
  if (events.has(type)) return events.parse(stored);
  unknownEvents.inc({ reader, type });
  const key = `${reader} ${type}`;
  if (log && !logged.has(key)) {
    logged.add(key);
    log.warn({ reader, type, stream, revision }, "events of an unknown type are skipped; a newer version of the program wrote them");
  }
  return null;
}
