import { bounds } from "@colloquy/schemas/bounds.ts";
import { annotationEventTypes } from "@colloquy/schemas/events/annotation.ts";
import { changeOfEvent, type PersonalEvent } from "@colloquy/schemas/events/personal.ts";
import { digestOf } from "../sync/digest.ts";
import { accepted, type ChangeCommand, type Decision, duplicate, type EntityKind, type EntityState, refused } from "../sync/entity-kind.ts";

export interface AnnotationState extends EntityState {
  readonly changes: ReadonlyMap<string, string>;
  readonly deleted: boolean;
  /** Digest of the first event. */
  readonly opening: string | null;
}

const deletion = annotationEventTypes.deleted;

/** Whether a change becomes its event: begins with the mark, ends with its deletion; nobody learns of another's. */
function decide({ accountId, eventId, event }: ChangeCommand<PersonalEvent>, state: AnnotationState): Decision {
  if (state.owner === null) return event.type === annotationEventTypes.marked ? accepted : refused("not_found");
  if (state.owner !== accountId) return refused("not_found");
  const known = state.changes.get(eventId);
  if (known !== undefined) return known === digestOf(event) ? duplicate : refused("request_id_reused");
  if (state.deleted) return event.type === deletion ? duplicate : refused("not_found");
  if (event.type === deletion) return accepted;
  if (state.changes.size >= bounds.annotation.changes) return refused("too_many");
  if (event.type === annotationEventTypes.marked) return state.opening === digestOf(event) ? duplicate : refused("request_id_reused");
  return accepted;
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
      if (event.type === annotationEventTypes.marked) opening = digestOf(event);
      if (event.type === deletion) deleted = true;
    }
    return { owner, changes, deleted, opening };
  },
  decide,
  deletion,
};
