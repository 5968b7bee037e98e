import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { knownEvent } from "@colloquy/infra/event-store/known-event.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { publicationEvents, publicationStreamPrefix } from "@colloquy/schemas/publication/events.ts";
import type { Publication } from "./handlers.ts";

/** The courses there are, and how far their read model has come: everything behind that position is yet to be looked at. */
export interface KnownCourses {
  courseIds: readonly string[];
  position: string | null;
}

/**
 * Keeps every course's pointer where its events say, for as long as the signal allows: a process may have died between the event and
 * the pointer. Looks at each course known and then at each publication that comes, so that a start does not read the whole store;
 * where the pointer is right, that is one small read.
 */
export async function keepPointers(options: {
  eventStore: Pick<EventStore, "subscribe">;
  publication: Publication;
  known: KnownCourses;
  log: Logger;
  signal: AbortSignal;
}): Promise<void> {
  const { eventStore, publication, known, log, signal } = options;
  for (const courseId of known.courseIds) {
    if (signal.aborted) return;
    try {
      await publication.repairPointer(courseId);
    } catch (error) {
      log.error({ err: error, courseId }, "a course's pointer could not be looked at; the next publication or start tries again");
    }
  }
  for await (const event of eventStore.subscribe({ from: known.position, prefixes: [publicationStreamPrefix], name: "pointers", signal })) {
    try {
      const published = knownEvent(publicationEvents, event, { reader: "course pointers", log });
      if (published) await publication.advancePointer(published.data);
    } catch (error) {
      const { stream, revision } = event;
      log.error({ err: error, stream, revision }, "a course's pointer could not be moved; the next publication or start tries again");
    }
  }
}
