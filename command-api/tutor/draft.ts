import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { chained } from "@colloquy/infra/ledger/chain.ts";
import type { WrittenBy } from "@colloquy/schemas/models.ts";
import type { TutorEvent, TutorEventData, TutorEventType } from "@colloquy/schemas/tutor/events.ts";
import type { EvidenceEntry, UnchainedEntry } from "@colloquy/schemas/tutor/ledger.ts";
import { probabilitiesIn, standingsIn, withEntry } from "@colloquy/schemas/tutor/replay.ts";
import type { TutorPhase } from "@colloquy/schemas/tutor/session.ts";
import { evolve, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import { Rejection } from "../decider.ts";

/** The time and request of a decision. Ids derive from them, so a repeated decision gives the same events. */
export interface Occasion {
  at: string;
  requestId: string;
  /** The assistant that passed it on. */
  via?: NonNullable<EvidenceEntry["via"]>;
}

/** The fields of an entry that its draft does not fill in. The phase may depend on what the entry changes. */
export type EntryFields = Pick<EvidenceEntry, "kind"> & { phase: TutorPhase | ((after: TutorState) => TutorPhase) } & Partial<
    Omit<UnchainedEntry, "schemaVersion" | "index" | "entryId" | "at" | "kind" | "phase" | "masteryBefore" | "masteryAfter">
  >;

/** The events of a decision so far and the state they lead to. */
export interface Draft {
  readonly state: TutorState;
  readonly events: readonly TutorEvent[];
  emit<Type extends TutorEventType>(type: Type, data: TutorEventData[Type]): void;
  /** Adds the ledger entry of the last event. */
  record(fields: EntryFields): void;
  /** An id that is always the same for this occasion and name. */
  id(name: string): string;
}

/** What a command comes to. */
export type Decision = readonly TutorEvent[] | Rejection;
export const reject = (code: Rejection["code"], detail: string): Rejection => new Rejection(code, { detail });

/** A model as entries name it. */
export const nameOf = ({ provider, model }: WrittenBy): string => `${provider}/${model}`;

export function draftFrom(before: TutorState, { at, requestId, via }: Occasion): Draft {
  let state = before;
  const events: TutorEvent[] = [];
  const id = (name: string): string => eventIdFrom("tutor id", state.sessionId || before.sessionId, requestId, name);
  const emit: Draft["emit"] = (type, data) => {
    const event = { type, data: { schemaVersion: 1, ...data } } as TutorEvent;
    events.push(event);
    state = evolve(state, event);
  };
  return {
    get state() {
      return state;
    },
    events,
    emit,
    id,
    record({ phase, ...fields }) {
      const { ledger } = state;
      const objectiveIds = fields.objectiveIds ?? [];
      // A carried answer keeps the assistant that passed it on at first, whoever opens the new session.
      const through = fields.carriedFrom ? fields.via : via;
      const bare: UnchainedEntry = {
        schemaVersion: 1,
        index: ledger.count,
        entryId: id(`entry ${ledger.count}`),
        at,
        phase: ledger.phase,
        objectiveIds,
        aided: false,
        gradedBy: "application",
        sourceIds: [],
        courseRevisionId: state.courseRevisionId,
        ...(through && { via: through }),
        ...fields,
        masteryBefore: probabilitiesIn(ledger, objectiveIds),
        masteryAfter: {},
      };
      const after = withEntry(ledger, bare);
      const entry: UnchainedEntry = {
        ...bare,
        phase: typeof phase === "function" ? phase({ ...state, ledger: after }) : phase,
        masteryAfter: probabilitiesIn(after, objectiveIds),
        ...(after.parameters.version > 1 && { standings: standingsIn(after, objectiveIds) }),
      };
      emit("EvidenceRecorded", { entry: chained(entry, ledger.lastHash) });
    },
  };
}
