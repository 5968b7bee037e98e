import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { knownEvent } from "@colloquy/infra/event-store/known-event.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { publicationEvents, publicationStreamPrefix } from "@colloquy/schemas/publication/events.ts";
import type { Publication } from "./handlers.ts";

/** The known courses, and the position up to which their read model is complete. */
interface KnownCourses {
  courseIds: readonly string[];
  position: string | null;
}

/**
 * Moves pointers that are behind their events until the signal, because a process may have crashed between event and pointer. Checks the
 * known courses first and then follows publications, so that a start does not read the whole store.
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
      log.error({ err: error, courseId }, "the pointer of a course could not be checked; the next publication or start tries again");
    }
  }
  for await (const event of eventStore.subscribe({ from: known.position, prefixes: [publicationStreamPrefix], name: "pointers", signal })) {
    try {
      const published = knownEvent(publicationEvents, event, { reader: "course pointers", log });
      if (published) await publication.advancePointer(published.data);
    } catch (error) {
      const { stream, revision } = event;
      log.error({ err: error, stream, revision }, "the pointer of a course could not be moved; the next publication or start tries again");
    }
  }
}
