import type { IncomingMessage, ServerResponse } from "node:http";
import { httpDuration } from "@colloquy/infra/telemetry/metrics.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import type { RevisionResponse } from "@colloquy/schemas/courses/revision.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { etagOf } from "../etag.ts";

/** How long an answer is cached, in milliseconds: short compared with the three seconds between two checks of a page. */
const freshForMs = 250;
const path = /^\/api\/courses\/([A-Za-z0-9_-]{8,64})\/revision$/;
const route = "/api/courses/:courseId/revision";

interface Answer {
  etag: string;
  body: string;
  until: number;
}

/** The ETag of a revision. */
export const revisionTag = ({ courseId, sequence, revisionId }: Omit<RevisionResponse, "schemaVersion">): string =>
  etagOf(courseId, sequence, revisionId);

/**
 * Answers the check that every open page makes every three seconds, before Express and from memory, because nearly always nothing has
 * changed. All requests within a quarter of a second share one query of the catalogue.
 * @returns false for any other request, also one that names a position or comes from another site: Express answers those
 */
export function revisionCheck(
  catalogue: Pick<CourseCatalogue, "get">,
  now: () => number = () => performance.now(),
): (request: IncomingMessage, response: ServerResponse, otherwise: () => void) => boolean {
  const answers = new Map<string, Answer>();
  const pending = new Map<string, Promise<Answer | null>>();

  async function ask(courseId: string): Promise<Answer | null> {
    const listing = await catalogue.get(courseId);
    if (!listing) {
      answers.delete(courseId);
      return null;
    }
    const { sequence, revisionId } = listing;
    const body: RevisionResponse = versioned({ courseId, sequence, revisionId });
    const answer = { etag: revisionTag(body), body: JSON.stringify(body), until: now() + freshForMs };
    answers.set(courseId, answer);
    return answer;
  }

  return (request, response, otherwise) => {
    const { method, url = "", headers } = request;
    const courseId = method === "GET" && headers.origin === undefined ? path.exec(url)?.[1] : undefined;
    if (courseId === undefined) return false;
    const began = performance.now();
    const send = ({ etag, body }: Answer): void => {
      const common = { etag, "cache-control": "public, no-cache", "x-content-type-options": "nosniff" };
      const isUnchanged = headers["if-none-match"]?.split(",").some((tag) => tag.trim() === etag) ?? false;
      if (isUnchanged) response.writeHead(304, common).end();
      else
        response
          .writeHead(200, { ...common, "content-type": "application/json; charset=utf-8", "content-length": Buffer.byteLength(body) })
          .end(body);
      httpDuration.observe({ method: "GET", route, status: isUnchanged ? 304 : 200 }, (performance.now() - began) / 1_000);
    };
    const cached = answers.get(courseId);
    if (cached && cached.until > now()) {
      send(cached);
      return true;
    }
    const asking = pending.get(courseId) ?? ask(courseId).finally(() => pending.delete(courseId));
    pending.set(courseId, asking);
    // Express answers for unknown courses and for errors.
    asking.then((answer) => (answer ? send(answer) : otherwise()), otherwise);
    return true;
  };
}
