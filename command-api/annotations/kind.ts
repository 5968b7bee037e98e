import { bounds } from "@colloquy/schemas/bounds.ts";
import { annotationEventTypes } from "@colloquy/schemas/events/annotation.ts";
import { changeOfEvent, type PersonalEvent } from "@colloquy/schemas/events/personal.ts";
import { digestOf } from "../sync/digest.ts";
import { accepted, type ChangeCommand, type Decision, duplicate, type EntityKind, type EntityState, refused } from "../sync/entity-kind.ts";

export interface AnnotationState extends EntityState {
  readonly changes: ReadonlyMap<string, string>;
  readonly deleted: boolean;
  /** Type and digest of the first event: a mark is made once, a drawing goes on. */
  readonly opening: { type: string; digest: string } | null;
}

const deletion = annotationEventTypes.deleted;

const { marked, drawn, strokes_erased, note_written, coloured } = annotationEventTypes;
/** What may follow, by what it began with. */
const following: Readonly<Record<string, readonly string[]>> = { [marked]: [note_written, coloured], [drawn]: [drawn, strokes_erased] };

/** Whether a change becomes its event: begins with the mark or the first strokes, ends with the deletion; nobody learns of another's. */
function decide({ accountId, eventId, event }: ChangeCommand<PersonalEvent>, state: AnnotationState): Decision {
  if (state.owner === null) return event.type in following ? accepted : refused("not_found");
  if (state.owner !== accountId) return refused("not_found");
  const known = state.changes.get(eventId);
  if (known !== undefined) return known === digestOf(event) ? duplicate : refused("request_id_reused");
  if (state.deleted) return event.type === deletion ? duplicate : refused("not_found");
  if (event.type === deletion) return accepted;
  if (state.changes.size >= bounds.annotation.changes) return refused("too_many");
  const { type, digest } = state.opening ?? { type: "", digest: "" };
  if (event.type === marked && type === marked) return digest === digestOf(event) ? duplicate : refused("request_id_reused");
  return following[type]?.includes(event.type) ? accepted : refused("invalid_request");
}

export const annotationKind: EntityKind<AnnotationState, PersonalEvent> = {
  name: "annotation",
  readEvent: (stored) =>
    changeOfEvent(stored)?.domain === "annotation" ? ({ type: stored.type, data: stored.data } as PersonalEvent) : null,
  initial: { owner: null, changes: new Map(), deleted: false, opening: null },
  evolve(state, events) {
    let { owner, deleted, opening } = state;
    const changes = new Map(state.changes);
    for (const { id, accountId, event } of events) {
      owner ??= accountId;
      changes.set(id, digestOf(event));
      if (event.type !== deletion) opening ??= { type: event.type, digest: digestOf(event) };
      if (event.type === deletion) deleted = true;
    }
    return { owner, changes, deleted, opening };
  },
  decide,
  deletion,
};
