import { bounds } from "@colloquy/schemas/bounds.ts";
import { learnerErased, learnerEventTypes } from "@colloquy/schemas/events/learner.ts";
import { changeOfEvent, type PersonalEvent } from "@colloquy/schemas/events/personal.ts";
import { LayeredLog } from "../sync/change-log.ts";
import { digestOf } from "../sync/digest.ts";
import { accepted, type ChangeCommand, type Decision, duplicate, type EntityKind, type EntityState, refused } from "../sync/entity-kind.ts";

export interface LearnerState extends EntityState {
  readonly changes: LayeredLog;
  readonly hiddenModels: ReadonlySet<string>;
}

const { preferences } = learnerEventTypes;
const initial: LearnerState = { owner: null, changes: LayeredLog.empty, hiddenModels: new Set() };

/** Whether a change becomes its event: whatever was chosen last, in the order of the stream, holds. */
function decide({ accountId, eventId, event }: ChangeCommand<PersonalEvent>, state: LearnerState): Decision {
  if (state.owner !== null && state.owner !== accountId) return refused("not_found");
  const known = state.changes.get(eventId);
  if (known !== undefined) return known === digestOf(event) ? duplicate : refused("request_id_reused");
  if (event.type === learnerErased) return accepted;
  if (state.changes.size >= bounds.learner.changes) return refused("too_many");
  const isHiding = event.type === preferences.model_hidden && !state.hiddenModels.has(String(event.data.modelId));
  return isHiding && state.hiddenModels.size >= bounds.learner.hiddenModels ? refused("too_many") : accepted;
}

/** An account's own stream: its preferences, how far it read, its reviews. */
export const learnerKind: EntityKind<LearnerState, PersonalEvent> = {
  name: "learner",
  readEvent: (stored) => (changeOfEvent(stored) ? ({ type: stored.type, data: stored.data } as PersonalEvent) : null),
  initial,
  evolve(state, events) {
    let { owner } = state;
    let { changes } = state;
    let added: [string, string][] = [];
    const hiddenModels = new Set(state.hiddenModels);
    for (const { id, accountId, event } of events) {
      owner ??= accountId;
      if (event.type === learnerErased) {
        changes = LayeredLog.empty;
        added = [];
        hiddenModels.clear();
      }
      added.push([id, digestOf(event)]);
      if (event.type === preferences.model_hidden) hiddenModels.add(String(event.data.modelId));
      if (event.type === preferences.model_shown) hiddenModels.delete(String(event.data.modelId));
    }
    return { owner, changes: changes.with(added), hiddenModels };
  },
  decide,
  deletion: learnerErased,
};
