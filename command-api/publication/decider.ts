import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { CourseOrigin } from "@colloquy/schemas/courses/revision.ts";
import type { CoursePublished, PublicationEvent } from "@colloquy/schemas/publication/events.ts";

/** A revision as the stream tells it. */
export interface Published extends CoursePublished {
  /** Of its event. */
  position: string;
}

export interface PublicationState {
  live: Published | null;
  /** The request that made it. */
  requestId: string | null;
  /** How things stood before that, so that a request sent twice is answered alike. Shared, so that a long history is read in a moment. */
  before: PublicationState | null;
}

export const initial: PublicationState = { live: null, requestId: null, before: null };

export interface PublishCommand {
  courseId: string;
  requestId: string;
  /** The revision the author began from; null for a course that was never published. */
  base: { sequence: number; revisionId: string } | null;
  contentHash: string;
  /** The name of the revision this would become. */
  revisionId: string;
  title: string;
  summary: string;
  language: string;
  origin: CourseOrigin;
  topics: number;
  publishedBy: string;
  /** The objects of the live revision are lost: the same content makes a new revision. */
  lost?: boolean;
}

export function evolve(
  state: PublicationState,
  event: { data: CoursePublished; requestId: string | undefined; position: string },
): PublicationState {
  return { live: { ...event.data, position: event.position }, requestId: event.requestId ?? null, before: state };
}

/** What a request came to. */
function madeBy(requestId: string, state: PublicationState): Published | null {
  for (let then: PublicationState | null = state; then; then = then.before) if (then.requestId === requestId) return then.live;
  return null;
}

/**
 * The revision that already answers a request: the one it made, or the live one when nothing was changed.
 * @throws {ProblemError} `request_id_reused` when the request id stood for other content.
 */
export function settledBy(command: Pick<PublishCommand, "requestId" | "contentHash" | "lost">, state: PublicationState): Published | null {
  const earlier = madeBy(command.requestId, state);
  if (earlier) {
    if (earlier.contentHash !== command.contentHash) throw new ProblemError("request_id_reused");
    return earlier;
  }
  return !command.lost && state.live?.contentHash === command.contentHash ? state.live : null;
}

/** @throws {ProblemError} `request_id_reused`, `course_not_editable`, or `stale_base` when somebody else published since. */
export function decide(command: PublishCommand, state: PublicationState): PublicationEvent[] {
  if (settledBy(command, state)) return [];
  const { live } = state;
  if (live && live.origin !== command.origin)
    throw new ProblemError("course_not_editable", {
      detail:
        live.origin === "compiled"
          ? "This course ships with the program and cannot be replaced. Publish under another course id."
          : "A course of this id is kept in the object store already. Choose another course id.",
    });
  if (live?.sequence !== command.base?.sequence || live?.revisionId !== command.base?.revisionId)
    throw new ProblemError("stale_base", { ...(live && { live: { sequence: live.sequence, revisionId: live.revisionId } }) });
  const { requestId: _, lost: __, ...facts } = command;
  return [{ type: "CoursePublished", data: { schemaVersion: 1, ...facts, sequence: (live?.sequence ?? 0) + 1 } }];
}
