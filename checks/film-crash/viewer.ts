import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "../../client/client.ts";

export interface ViewerReport {
  events: number;
  /** How often the viewer came back, by `Last-Event-ID`. */
  returns: number;
  /** What a viewer must never see. */
  wrong: string[];
}

/** Watches a film being made until it is there or has failed for good, hanging up now and then and going on where it was; `percent` and the events' numbers only ever grow. */
export async function watchFilm(options: {
  url: string;
  headers: Record<string, string>;
  jobId: string;
  random: () => number;
  signal: AbortSignal;
}): Promise<ViewerReport> {
  const { url, headers, jobId, random, signal } = options;
  const call = createClient({ address: url, headers });
  const seen: ViewerReport = { events: 0, returns: 0, wrong: [] };
  let [last, percent, over] = [-1, 0, false];
  while (!over && !signal.aborted) {
    const leaving = new AbortController();
    const patience = 1 + Math.floor(random() * 12);
    let own = 0;
    try {
      const events = await call("GET /api/visual-explainers/jobs/:jobId/events", {
        parameters: { jobId },
        signal: AbortSignal.any([signal, leaving.signal]),
        ...(last >= 0 && { lastEventId: String(last) }),
      });
      for await (const { id: eventId, data: event } of events) {
        // The place in the queue is not an event of the job and has no id of its own.
        if (event.ahead !== undefined) continue;
        const id = Number(eventId);
        if (last >= 0 && id !== last + 1) seen.wrong.push(`${jobId}: event ${id} came after ${last}`);
        if (event.percent < percent) seen.wrong.push(`${jobId}: ${percent} % became ${event.percent} %`);
        [last, percent] = [id, event.percent];
        seen.events += 1;
        own += 1;
        over = event.state === "completed" || event.state === "failed";
        if (over || own >= patience) break;
      }
    } catch {
      await pause(50);
    } finally {
      leaving.abort();
    }
    seen.returns += 1;
  }
  return seen;
}
