import { bounds } from "@colloquy/schemas/bounds.ts";
import { isLearnerEvent, type LearnerEvent, learnerErased } from "@colloquy/schemas/learner/events.ts";
import { type ChangeCommand, DigestLog, decideRepeated, type EntityState, evolveEntity } from "../change-decider.ts";
import { type Decider, type Recorded, Rejection } from "../decider.ts";

/** An account's own stream: its preferences, how far it read, its reviews. */
export interface LearnerState extends EntityState {
  readonly hiddenModels: ReadonlySet<string>;
  /** The last event is the erasure: nothing was recorded since. */
  readonly erased: boolean;
}

const initialState: LearnerState = { owner: null, changes: DigestLog.empty, hiddenModels: new Set(), erased: false };

/** The last choice in the order of the stream holds. */
function decide(command: ChangeCommand, state: LearnerState): readonly LearnerEvent[] | Rejection {
  const { event } = command;
  const known = decideRepeated(command, state);
  if (known) return known;
  if (!isLearnerEvent(event)) return new Rejection("invalid_request");
  if (event.type === learnerErased) return state.erased ? [] : [event];
  if (state.changes.size >= bounds.learner.changes) return new Rejection("too_many");
  const isHiding = event.type === "ModelHidden" && !state.hiddenModels.has(event.data.modelId);
  return isHiding && state.hiddenModels.size >= bounds.learner.hiddenModels ? new Rejection("too_many") : [event];
}

function evolve(state: LearnerState, event: Recorded<LearnerEvent>): LearnerState {
  const erased = event.type === learnerErased;
  const before: LearnerState = erased ? { ...initialState, owner: state.owner } : state;
  const next: LearnerState = { ...before, ...evolveEntity(before, event), erased };
  if (event.type === "ModelHidden") return { ...next, hiddenModels: before.hiddenModels.union(new Set([event.data.modelId])) };
  if (event.type === "ModelShown") return { ...next, hiddenModels: before.hiddenModels.difference(new Set([event.data.modelId])) };
  return next;
}

export const learnerDecider: Decider<ChangeCommand, LearnerEvent, LearnerState> = { initialState, decide, evolve };
