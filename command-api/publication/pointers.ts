import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { coursePublished, publicationStreamPrefix } from "@colloquy/schemas/events/publication.ts";
import type { Publication } from "./handlers.ts";

/**
 * Keeps every course's pointer where its events say, for as long as the signal allows: a process may have died between the event and
 * the pointer. Runs from the first publication on; where the pointer is right, that is one small read.
 */
export async function followPublications(options: {
  eventStore: Pick<EventStore, "subscribe">;
  publication: Publication;
  log: Logger;
  signal: AbortSignal;
}): Promise<void> {
  const { eventStore, publication, log, signal } = options;
  for await (const event of eventStore.subscribe({ from: null, prefixes: [publicationStreamPrefix], signal })) {
    const published = coursePublished.safeParse(event.data);
    if (!published.success) continue;
    const { courseId, sequence } = published.data;
    try {
      await publication.advancePointer(published.data);
    } catch (error) {
      log.error({ err: error, courseId, sequence }, "a course's pointer could not be moved; the next publication or start tries again");
    }
  }
}
