import { bounds } from "@colloquy/schemas/bounds.ts";
import { accountHeader, publishHeader } from "@colloquy/schemas/headers.ts";
import type {
  EditorHistoryResponse,
  EditorSourceResponse,
  PublishRequestBody,
  PublishResponse,
  TutoredResponse,
} from "@colloquy/schemas/publication/requests.ts";
import { type Fetch, getJson, jsonInit, postJson, send, withQuery } from "./http.ts";
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
    source: (course, revision) => getJson(fetch, withQuery("/api/course-editor/source", { course, revision })),
    history: async (course) => (await getJson<EditorHistoryResponse>(fetch, withQuery("/api/course-editor/history", { course }))).revisions,
    tutored: async (courseId, changed, signal) =>
      (await postJson<TutoredResponse>(fetch, "/api/course-editor/tutored", { courseId, changed }, signal)).learners,
    async publish(request, signal) {
      const late = AbortSignal.timeout(bounds.publication.requestMs);
      const init = jsonInit(request, AbortSignal.any([signal, late]));
      try {
        const response = await send(fetch, "/api/course-editor/publish", { ...init, headers: { ...init.headers, [publishHeader]: "1" } });
        return (await response.json()) as PublishResponse;
      } catch (error) {
        if (error instanceof RequestFailed || signal.aborted) throw error;
        throw new RequestFailed(unreachable(), error);
      }
    },
  };
}
