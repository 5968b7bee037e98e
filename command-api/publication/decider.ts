import type { CourseOrigin } from "@colloquy/schemas/courses/revision.ts";
import type { CoursePublished, PublicationEvent } from "@colloquy/schemas/publication/events.ts";
import { type Decider, type Recorded, Rejection } from "../decider.ts";

/** A published revision, with its event's position. */
export interface Published extends CoursePublished {
  position: string;
}

export interface PublicationState {
  live: Published | null;
  /** The request that published the live revision. */
  requestId: string | null;
  /** The state before that, so that a repeated request gets its first answer. Linked rather than copied, so that long histories fold fast. */
  before: PublicationState | null;
}

const initialState: PublicationState = { live: null, requestId: null, before: null };

export interface PublishCommand {
  courseId: string;
  requestId: string;
  /** The revision that the author edited; null for a course that was never published. */
  base: { sequence: number; revisionId: string } | null;
  contentHash: string;
  /** Of the new revision. */
  revisionId: string;
  title: string;
  summary: string;
  language: string;
  origin: CourseOrigin;
  topics: number;
  publishedBy: string;
  /** The objects of the live revision are lost; then the same content makes a new revision. */
  lost?: boolean;
}

/** What a request published; null for a new one. */
function publishedBy(requestId: string, state: PublicationState): Published | null {
  for (let then: PublicationState | null = state; then; then = then.before) if (then.requestId === requestId) return then.live;
  return null;
}

/** The revision that already answers a request: the one it published, or the live one if nothing was changed. */
export function settledBy(
  command: Pick<PublishCommand, "requestId" | "contentHash" | "lost">,
  state: PublicationState,
): Published | Rejection | null {
  const earlier = publishedBy(command.requestId, state);
  if (earlier) return earlier.contentHash === command.contentHash ? earlier : new Rejection("request_id_reused");
  return !command.lost && state.live?.contentHash === command.contentHash ? state.live : null;
}

function decide(command: PublishCommand, state: PublicationState): PublicationEvent[] | Rejection {
  const settled = settledBy(command, state);
  if (settled) return settled instanceof Rejection ? settled : [];
  const { live } = state;
  if (live && live.origin !== command.origin)
    return new Rejection("course_not_editable", {
      detail:
        live.origin === "compiled"
          ? "This course ships with the program and cannot be replaced. Publish under another course id."
          : "A course with this id is in the object store. Choose another course id.",
    });
  if (live?.sequence !== command.base?.sequence || live?.revisionId !== command.base?.revisionId)
    return new Rejection("stale_base", { ...(live && { live: { sequence: live.sequence, revisionId: live.revisionId } }) });
  const { requestId: _, lost: __, ...facts } = command;
  return [{ type: "CoursePublished", data: { schemaVersion: 1, ...facts, sequence: (live?.sequence ?? 0) + 1 } }];
}

function evolve(before: PublicationState, { data, metadata }: Recorded<PublicationEvent>): PublicationState {
  return { live: { ...data, position: metadata.position }, requestId: metadata.requestId ?? null, before };
}

export const publicationDecider: Decider<PublishCommand, PublicationEvent, PublicationState> = { initialState, decide, evolve };
