import { type AnnotationEvent, annotationEventTypes, isAnnotationEvent } from "@colloquy/schemas/annotations/events.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { type ChangeCommand, DigestLog, decideRepeated, digestOf, type EntityState, evolveEntity } from "../change-decider.ts";
import { type Decider, type Recorded, Rejection } from "../decider.ts";

export interface AnnotationState extends EntityState {
  readonly deleted: boolean;
  /** Type and digest of the first event. */
  readonly opening: { type: string; digest: string } | null;
}

const initialState: AnnotationState = { owner: null, changes: DigestLog.empty, deleted: false, opening: null };

const { marked, drawn, strokes_erased, note_written, coloured, deleted } = annotationEventTypes;
/** Events that may follow, by the type of the first one: a mark is made once, a drawing is continued. */
const following: Readonly<Record<string, readonly string[]>> = { [marked]: [note_written, coloured], [drawn]: [drawn, strokes_erased] };

/** An annotation begins with its mark or its first strokes and ends with its deletion. */
function decide(command: ChangeCommand, state: AnnotationState): readonly AnnotationEvent[] | Rejection {
  const { event } = command;
  const known = decideRepeated(command, state);
  if (known) return known;
  if (!isAnnotationEvent(event)) return new Rejection("invalid_request");
  if (state.owner === null) return event.type in following ? [event] : new Rejection("not_found");
  if (state.deleted) return event.type === deleted ? [] : new Rejection("not_found");
  if (event.type === deleted) return [event];
  if (state.changes.size >= bounds.annotation.changes) return new Rejection("too_many");
  const { type, digest } = state.opening ?? { type: "", digest: "" };
  if (event.type === marked && type === marked) return digest === digestOf(event) ? [] : new Rejection("request_id_reused");
  return following[type]?.includes(event.type) ? [event] : new Rejection("invalid_request");
}

function evolve(state: AnnotationState, event: Recorded<AnnotationEvent>): AnnotationState {
  const digest = digestOf(event);
  const next = { ...state, ...evolveEntity(state, event, digest) };
  if (event.type === deleted) return { ...next, deleted: true };
  return { ...next, opening: state.opening ?? { type: event.type, digest } };
}

export const annotationDecider: Decider<ChangeCommand, AnnotationEvent, AnnotationState> = { initialState, decide, evolve };
