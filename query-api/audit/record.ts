import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { knownEvent } from "@colloquy/infra/event-store/known-event.ts";
import { exportLines, type LedgerRecord } from "@colloquy/infra/ledger/export.ts";
import type { LedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { type FaultCode, type LedgerFault, verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import type { AuditedSession, AuditMoment, AuditRecord, AuditVerification } from "@colloquy/schemas/audit/requests.ts";
import type { WrittenBy } from "@colloquy/schemas/models.ts";
import { type TutorEvent, tutorEvents } from "@colloquy/schemas/tutor/events.ts";
import type { EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import { emptyLedger, evolveLedger, type LedgerState } from "@colloquy/schemas/tutor/replay.ts";
import { evolve, exists, initial, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import { sessionView } from "@colloquy/schemas/tutor/view.ts";
import { differencesIn, type RecordedFact } from "./differences.ts";

/** What was read from a session's stream: the fold of its events, its ledger, and its moments in order. */
export interface SessionHistory {
  state: TutorState;
  records: LedgerRecord[];
  /** The ledger at each revision of the stream. */
  ledgerAt: ReadonlyMap<number, LedgerState>;
  facts: RecordedFact[];
  moments: RecordedMoment[];
}

/** A moment whose message is not looked up yet. */
interface RecordedMoment {
  event: number;
  at: string;
  messageId: string | null;
  entry: EvidenceEntry | null;
  by: WrittenBy | null;
}

/** Folds a session's events, in order. */
export async function readHistory(events: AsyncIterable<StoredEvent>): Promise<SessionHistory> {
  const moments: RecordedMoment[] = [];
  const records: LedgerRecord[] = [];
  const facts: RecordedFact[] = [];
  const ledgerAt = new Map<number, LedgerState>();
  let state = initial;
  let ledger = emptyLedger;
  let fact: RecordedFact["fact"] = null;
  for await (const stored of events) {
    const event = knownEvent(tutorEvents, stored, { reader: "audit record" });
    const messageCount = state.messages.length;
    state = { ...(event ? evolve(state, event) : state), version: stored.revision };
    if (event?.type === "EvidenceRecorded") {
      const { entry } = event.data;
      const last = moments.at(-1);
      // The entry that follows a message is its receipt.
      if (last && last.entry === null && state.messages.at(-1)?.receipt === entry.index) last.entry = entry;
      else moments.push({ event: stored.revision, at: entry.at, messageId: null, entry, by: null });
      records.push({ entry });
      facts.push({ entry, fact });
      fact = null;
      ledger = evolveLedger(ledger, entry);
    } else if (event?.type === "CheckpointSigned") records.push({ checkpoint: event.data.checkpoint });
    else if (event && isAnswer(event)) fact = event.data;
    if (state.messages.length > messageCount) {
      const message = state.messages.at(-1);
      const at = message?.at || stored.metadata.at || stored.created;
      moments.push({
        event: stored.revision,
        at,
        messageId: message?.messageId ?? null,
        entry: null,
        by: event && writerOf(state, event),
      });
    }
    ledgerAt.set(stored.revision, ledger);
  }
  return { state, records, ledgerAt, facts, moments };
}

const answerTypes = ["ProbeAnswered", "CheckAnswered", "FilmQuestionAnswered", "ReviewQuestionAnswered"] as const;
type AnswerEvent = Extract<TutorEvent, { type: (typeof answerTypes)[number] }>;
const isAnswer = (event: TutorEvent): event is AnswerEvent => answerTypes.some((type) => type === event.type);

/** The model that wrote the text of an event. */
function writerOf(state: TutorState, event: TutorEvent): WrittenBy | null {
  if (event.type === "ProbeAsked") return state.items[event.data.itemId]?.by ?? null;
  if (event.type === "CheckAsked" || event.type === "FilmQuestionAsked" || event.type === "ReviewQuestionAsked") return event.data.item.by;
  if (event.type === "StepTaught" || event.type === "PlanInstalled" || event.type === "PlanRejected") return event.data.by;
  return null;
}

interface RecordNeeds {
  session: AuditedSession;
  history: SessionHistory;
  /** The live state of the session; null if there is none. */
  live: TutorState | null;
  signer: LedgerSigner;
  now: string;
}

/** Everything a replay needs, without the learner's own texts and without answer keys that were not shown. */
export function auditRecordOf({ session, history, live, signer, now }: RecordNeeds): AuditRecord {
  const { state, records, ledgerAt, facts } = history;
  const { fault, entries, checkpoints, keyIds, unproven } = verifyLedger(
    exportLines(session.sessionId, records, signer, now),
    signer.keys(),
  );
  const view = exists(state) ? sessionView(state, {}) : null;
  const messages = new Map(view?.messages.map((message) => [message.messageId, message]));
  const moments = history.moments.map(({ event, at, messageId, entry, by }): AuditMoment => {
    const model = entry?.model ?? (by ? `${by.provider}/${by.model}` : null);
    return { event, at, entry, model, message: (messageId !== null && messages.get(messageId)) || null };
  });
  const ledger = [...ledgerAt.values()].at(-1) ?? emptyLedger;
  return {
    session,
    moments,
    replay: { phase: ledger.phase, paused: ledger.paused, path: [...ledger.path] },
    verification: { entries: entries.length, checkpoints, keyIds, ...soundness(fault), unproven, fault },
    differences: differencesIn(facts, live, live ? (ledgerAt.get(live.version) ?? ledger) : ledger),
  };
}

const ofTree: readonly FaultCode[] = ["session", "checkpoints", "size", "root", "truncated", "trailing"];
const ofSignatures: readonly FaultCode[] = ["signature", "untrusted", "early", "retired"];

/** Verification stops at the first fault, so everything after it is unknown. */
function soundness(fault: LedgerFault | null): Pick<AuditVerification, "chain" | "tree" | "signatures"> {
  if (!fault) return { chain: "sound", tree: "sound", signatures: "sound" };
  if (ofTree.includes(fault.code)) return { chain: "unknown", tree: "fault", signatures: "unknown" };
  if (ofSignatures.includes(fault.code)) return { chain: "unknown", tree: "unknown", signatures: "fault" };
  return { chain: "fault", tree: "unknown", signatures: "unknown" };
}
