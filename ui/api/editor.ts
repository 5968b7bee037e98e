import { bounds } from "@colloquy/schemas/bounds.ts";
import { accountHeader, publishHeader } from "@colloquy/schemas/headers.ts";
import type {
  EditorHistoryResponse,
  EditorSourceResponse,
  PublishRequestBody,
  PublishResponse,
  TutoredResponse,
} from "@colloquy/schemas/publication/requests.ts";
import { abortedBy, call, type Fetch } from "./http.ts";
import { RequestFailed, unreachable } from "./problems.ts";

/** The course editor's client, for one owner. Everything throws `RequestFailed` (problems.ts). */
export interface EditorApi {
  /** The source of a revision; the live one by default. */
  source(courseId: string, revisionId?: string): Promise<EditorSourceResponse>;
  /** The revisions with authors and dates, latest first. */
  history(courseId: string): Promise<EditorHistoryResponse["revisions"]>;
  /** How many learners are being tutored on what a draft changes, by the ids of the changed units. */
  tutored(courseId: string, changed: readonly string[], signal?: AbortSignal): Promise<TutoredResponse["learners"]>;
  /** Publishes a whole course. Passes an abort on; a timeout counts as an unreachable service. */
  publish(request: Omit<PublishRequestBody, "schemaVersion">, signal: AbortSignal): Promise<PublishResponse>;
}

/** A client that acts for this account only: if somebody else signs in, its requests are refused. */
export function editorApi(accountId: string, open: Fetch = (input, init) => globalThis.fetch(input, init)): EditorApi {
  const fetch: Fetch = (input, init = {}) =>
    open(input, { ...init, headers: { ...(init.headers as Record<string, string>), [accountHeader]: accountId } });
  return {
    source: (course, revision) => call(fetch, "GET /api/course-editor/source", { query: { course, revision } }),
    history: async (course) => (await call(fetch, "GET /api/course-editor/history", { query: { course } })).revisions,
    tutored: async (courseId, changed, signal) => {
      const body = { courseId, changed: [...changed] };
      return (await call(fetch, "POST /api/course-editor/tutored", { body }, abortedBy(signal))).learners;
    },
    async publish(body, signal) {
      const late = AbortSignal.timeout(bounds.publication.requestMs);
      const init = { signal: AbortSignal.any([signal, late]), headers: { [publishHeader]: "1" } };
      try {
        return await call(fetch, "POST /api/course-editor/publish", { body }, init);
      } catch (error) {
        if (error instanceof RequestFailed || signal.aborted) throw error;
        throw new RequestFailed(unreachable(), error);
      }
    },
  };
}
