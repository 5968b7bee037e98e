import { setTimeout as pause } from "node:timers/promises";
import type { JobEvent } from "@colloquy/schemas/explainers/job.ts";

export interface Seen {
  events: number;
  /** How often the viewer came back, by `Last-Event-ID`. */
  returns: number;
  /** What a viewer must never see. */
  wrong: string[];
}

/** Watches a film being made until it is there or has failed for good, hanging up now and then and going on where it was; `percent` and the events' numbers only ever grow. */
export async function watchFilm(options: {
  url: string;
  cookie: string;
  jobId: string;
  random: () => number;
  signal: AbortSignal;
}): Promise<Seen> {
  const { url, cookie, jobId, random, signal } = options;
  const seen: Seen = { events: 0, returns: 0, wrong: [] };
  let [last, percent, over] = [-1, 0, false];
  while (!over && !signal.aborted) {
    const leaving = new AbortController();
    const patience = 1 + Math.floor(random() * 12);
    let own = 0;
    try {
      const response = await fetch(`${url}/api/visual-explainers/jobs/${jobId}/events`, {
        headers: { cookie, ...(last >= 0 && { "last-event-id": String(last) }) },
        signal: AbortSignal.any([signal, leaving.signal]),
      });
      if (!response.ok || !response.body) throw new Error(`answered with ${response.status}`);
      for await (const { id, event } of eventsOf(response.body)) {
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

async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<{ id: number; event: JobEvent }> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const block = rest.slice(0, end);
      rest = rest.slice(end + 2);
      const [, id] = /^id: (\d+)$/m.exec(block) ?? [];
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      if (id !== undefined && data !== undefined) yield { id: Number(id), event: JSON.parse(data) as JobEvent };
    }
  }
}
