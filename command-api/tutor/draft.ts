import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { chained } from "@colloquy/infra/ledger/chain.ts";
import type { TutorEvent, TutorEventData, TutorEventType } from "@colloquy/schemas/events/tutor.ts";
import type { EvidenceEntry, UnchainedEntry } from "@colloquy/schemas/tutor/ledger.ts";
import { probabilitiesIn, withEntry } from "@colloquy/schemas/tutor/replay.ts";
import type { TutorPhase } from "@colloquy/schemas/tutor/session.ts";
import { evolve, type TutorState } from "@colloquy/schemas/tutor/state.ts";

/** When and under which request something is decided: every id is made from these, so that a decision taken twice is the same. */
export interface Occasion {
  at: string;
  requestId: string;
  /** The assistant it came through. */
  via?: NonNullable<EvidenceEntry["via"]>;
}

/** What an entry says beside what every entry says. The phase may depend on what the entry itself changes. */
export type EntryFields = Pick<EvidenceEntry, "kind"> & { phase: TutorPhase | ((after: TutorState) => TutorPhase) } & Partial<
    Omit<UnchainedEntry, "schemaVersion" | "index" | "entryId" | "at" | "kind" | "phase" | "masteryBefore" | "masteryAfter">
  >;

/** Events in the making, and the state they lead to. */
export interface Draft {
  readonly state: TutorState;
  readonly events: readonly TutorEvent[];
  tell<Type extends TutorEventType>(type: Type, data: TutorEventData[Type]): void;
  /** Records the fact told last in the ledger. */
  enter(fields: EntryFields): void;
  /** An id of this occasion: the same each time for the same name. */
  id(name: string): string;
}

export function draftFrom(before: TutorState, { at, requestId, via }: Occasion): Draft {
  let state = before;
  const events: TutorEvent[] = [];
  const id = (name: string): string => eventIdFrom("tutor id", state.sessionId || before.sessionId, requestId, name);
  const tell: Draft["tell"] = (type, data) => {
    const event = { type, data: { schemaVersion: 1, ...data } } as TutorEvent;
    events.push(event);
    state = evolve(state, event);
  };
  return {
    get state() {
      return state;
    },
    events,
    tell,
    id,
    enter({ phase, ...fields }) {
      const { ledger } = state;
      const objectiveIds = fields.objectiveIds ?? [];
      // An answer that is carried over came as it first came, whoever opens the session it goes to.
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
      };
      tell("EvidenceRecorded", { entry: chained(entry, ledger.lastHash) });
    },
  };
}
