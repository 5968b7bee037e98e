import type { IncomingMessage, ServerResponse } from "node:http";
import { httpDuration } from "@colloquy/infra/telemetry/metrics.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import type { RevisionResponse } from "@colloquy/schemas/courses/revision.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { etagOf } from "./etag.ts";

/** How long an answer stands before the catalogue is asked again, in milliseconds: short beside the three seconds between two checks. */
const freshForMs = 250;
const path = /^\/api\/courses\/([A-Za-z0-9_-]{8,64})\/revision$/;
const route = "/api/courses/:courseId/revision";

interface Answer {
  etag: string;
  body: string;
  until: number;
}

/** The state of a revision that its ETag stands for. */
export const revisionTag = ({ courseId, sequence, revisionId }: Omit<RevisionResponse, "schemaVersion">): string =>
  etagOf(courseId, sequence, revisionId);

/**
 * Answers the check that every open page makes every three seconds, before Express and from memory: a page asks what it asked before,
 * and nearly always hears that nothing has changed. One question to the catalogue serves all who ask within a quarter of a second.
 * @returns false for every other request, also one that names a position to wait for or comes from another site: those go the usual way.
 */
export function revisionCheck(
  catalogue: Pick<CourseCatalogue, "get">,
  now: () => number = () => performance.now(),
): (request: IncomingMessage, response: ServerResponse, otherwise: () => void) => boolean {
  const known = new Map<string, Answer>();
  const asked = new Map<string, Promise<Answer | null>>();

  async function ask(courseId: string): Promise<Answer | null> {
    const listing = await catalogue.get(courseId);
    if (!listing) {
      known.delete(courseId);
      return null;
    }
    const { sequence, revisionId } = listing;
    const body: RevisionResponse = versioned({ courseId, sequence, revisionId });
    const answer = { etag: revisionTag(body), body: JSON.stringify(body), until: now() + freshForMs };
    known.set(courseId, answer);
    return answer;
  }

  return (request, response, otherwise) => {
    const { method, url = "", headers } = request;
    const courseId = method === "GET" && headers.origin === undefined ? path.exec(url)?.[1] : undefined;
    if (courseId === undefined) return false;
    const began = performance.now();
    const send = ({ etag, body }: Answer): void => {
      const common = { etag, "cache-control": "public, no-cache", "x-content-type-options": "nosniff" };
      const holds = headers["if-none-match"]?.split(",").some((tag) => tag.trim() === etag) ?? false;
      if (holds) response.writeHead(304, common).end();
      else
        response
          .writeHead(200, { ...common, "content-type": "application/json; charset=utf-8", "content-length": Buffer.byteLength(body) })
          .end(body);
      httpDuration.observe({ method: "GET", route, status: holds ? 304 : 200 }, (performance.now() - began) / 1_000);
    };
    const kept = known.get(courseId);
    if (kept && kept.until > now()) {
      send(kept);
      return true;
    }
    const asking = asked.get(courseId) ?? ask(courseId).finally(() => asked.delete(courseId));
    asked.set(courseId, asking);
    // What is not there, and what cannot be read just now, the usual way says best.
    asking.then((answer) => (answer ? send(answer) : otherwise()), otherwise);
    return true;
  };
}
