import { bounds } from "../bounds.ts";
import type { ModelSelection, WrittenBy } from "../models.ts";
import type { Citation } from "../sources/citations.ts";
import type { AttachedReference } from "../sync/changes.ts";
import type { AskedBefore, SessionObjective, TutorAnswer, TutorEvent, TutorItem } from "./events.ts";
import { emptyLedger, evolveLedger, type LedgerState } from "./replay.ts";
import type { Decision, Reason } from "./session.ts";

/** A message as the stream has it: what is known of items and texts is looked up when it is shown. */
export type StoredMessage = { messageId: string; at: string; receipt: number | null } & (
  | { kind: "goal"; textId: string }
  | { kind: "plan"; verified: boolean; steps: { stepId: string; title: string }[]; findings: string[] }
  | {
      kind: "teaching";
      stepId: string;
      objectiveIds?: string[];
      title: string;
      text: string;
      citations: Citation[];
      angle: number;
      outcome: "finished" | "stopped";
      nothingElse?: true;
      by: WrittenBy;
    }
  | { kind: "question"; itemId: string; replaced: boolean }
  | { kind: "answer"; answer: TutorAnswer; disputed: boolean }
  | { kind: "hint"; itemId: string; level: number }
  | { kind: "explanation"; itemId: string }
  | {
      kind: "asked";
      itemId: string | null;
      textId: string;
      replyTextId: string;
      citations: Citation[];
      outcome: "finished" | "stopped";
      foundNothing?: true;
      by?: WrittenBy;
    }
  | { kind: "self_report"; objectiveId: string; knows: boolean }
  | { kind: "decision"; decision: Decision; reason: Reason; stepId: string | null }
);

/** One session as a fold of its stream: plain JSON, so that a read model can keep it. Holds answer keys; `view.ts` leaves them out. */
export interface TutorState {
  readonly sessionId: string;
  readonly accountId: string;
  readonly conversationId: string;
  readonly courseId: string;
  readonly courseTitle: string;
  readonly courseRevisionId: string;
  readonly language: string;
  readonly goalTextId: string;
  readonly objectives: readonly SessionObjective[];
  readonly references: readonly AttachedReference[];
  readonly model: ModelSelection;
  readonly carriedFrom: string | null;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly completedAt: string | null;
  /** Revision of the stream. */
  readonly version: number;
  readonly ledger: LedgerState;
  /** By item id; probes not asked yet included. */
  readonly items: Readonly<Record<string, TutorItem>>;
  /** Digests of the sources of questions that were answered in an earlier session, by item id. */
  readonly carried: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The learner chose practice, which proves nothing. */
  readonly practice?: true;
  /** Questions answered in the sessions this one goes on from, where it does. */
  readonly askedBefore?: readonly AskedBefore[];
  /** Items in the order they were asked. */
  readonly asked: readonly string[];
  /** The item that waits for an answer. */
  readonly current: string | null;
  /** Rungs of hints given, by item. */
  readonly hints: Readonly<Record<string, number>>;
  readonly explained: readonly string[];
  /** Items that the learner asked back about while they waited; missing in rows of older versions. */
  readonly helped?: readonly string[];
  /** Items whose answer was returned because it repeated a shown text; missing in rows of older versions. */
  readonly returned?: readonly string[];
  readonly answers: Readonly<Record<string, TutorAnswer>>;
  readonly replaced: readonly string[];
  readonly disputed: readonly string[];
  readonly messages: readonly StoredMessage[];
  /** Digests of the requests that were carried out, by request id. */
  readonly requests: Readonly<Record<string, string>>;
  readonly step: StepProgress;
  readonly replans: number;
  /** Objectives whose step was planned anew. */
  readonly replanned: readonly string[];
  /** What the last plan was refused for. */
  readonly findings: readonly string[];
}

/** How the current step goes. */
export interface StepProgress {
  readonly stepId: string | null;
  readonly taught: number;
  readonly asked: number;
  /** Reinforcements in a row that brought no gain. */
  readonly reinforced: number;
  /** The step was taught and its question is still to come. */
  readonly awaitsItem: boolean;
}

const noStep: StepProgress = { stepId: null, taught: 0, asked: 0, reinforced: 0, awaitsItem: false };

export const initial: TutorState = {
  sessionId: "",
  accountId: "",
  conversationId: "",
  courseId: "",
  courseTitle: "",
  courseRevisionId: "",
  language: "en",
  goalTextId: "",
  objectives: [],
  references: [],
  model: { choice: "automatic" },
  carriedFrom: null,
  startedAt: "",
  updatedAt: "",
  completedAt: null,
  version: -1,
  ledger: emptyLedger,
  items: {},
  carried: {},
  asked: [],
  current: null,
  hints: {},
  explained: [],
  answers: {},
  replaced: [],
  disputed: [],
  messages: [],
  requests: {},
  step: noStep,
  replans: 0,
  replanned: [],
  findings: [],
};

export const exists = (state: TutorState): boolean => state.sessionId !== "";

/** The state after one more event. Pure. */
export function evolve(state: TutorState, event: TutorEvent): TutorState {
  return { ...apply(state, event), version: state.version + 1 };
}

function apply(state: TutorState, event: TutorEvent): TutorState {
  switch (event.type) {
    case "TutorSessionOpened": {
      const { schemaVersion: _, carriedFrom, ...opened } = event.data;
      const goal: StoredMessage = {
        kind: "goal",
        messageId: opened.goalTextId,
        at: state.updatedAt,
        receipt: null,
        textId: opened.goalTextId,
      };
      return { ...state, ...opened, carriedFrom: carriedFrom ?? null, startedAt: state.updatedAt, messages: [goal] };
    }
    case "TurnTaken": {
      const { requestId, digest, at, model, courseRevisionId } = event.data;
      const changed = { ...(model && { model }), ...(courseRevisionId && { courseRevisionId }) };
      return { ...state, updatedAt: at, requests: { ...state.requests, [requestId]: digest }, ...changed };
    }
    case "EvidenceCarried":
      return { ...state, carried: { ...state.carried, [event.data.itemId]: event.data.sourceDigests } };
    case "ProbesPrepared":
      return { ...state, items: { ...state.items, ...Object.fromEntries(event.data.items.map((item) => [item.itemId, item])) } };
    case "ProbeAsked":
      return withQuestion(state, event.data.itemId);
    case "CheckAsked": {
      const { item } = event.data;
      const step = { ...state.step, asked: state.step.asked + 1, awaitsItem: false };
      return { ...withQuestion({ ...state, items: { ...state.items, [item.itemId]: item } }, item.itemId), step };
    }
    case "ProbeAnswered":
    case "CheckAnswered":
      return { ...withAnswer(state, event.data), current: null };
    // Beside the lesson: what waits, how the step goes and which questions were asked stay as they are.
    case "FilmQuestionAsked":
    case "ReviewQuestionAsked": {
      const { item } = event.data;
      const question = { kind: "question" as const, messageId: item.itemId, itemId: item.itemId, replaced: false };
      return { ...withMessage(state, question), items: { ...state.items, [item.itemId]: item } };
    }
    case "FilmQuestionAnswered":
    case "ReviewQuestionAnswered":
      return withAnswer(state, event.data);
    case "AnswerReturned":
      return { ...state, returned: [...(state.returned ?? []), event.data.itemId] };
    case "HintGiven": {
      const { itemId, level } = event.data;
      const hints = { ...state.hints, [itemId]: level };
      return { ...withMessage(state, { kind: "hint", messageId: `${itemId}-h${level}`, itemId, level }), hints };
    }
    case "LearnerAsked": {
      const { schemaVersion: _, ...asked } = event.data;
      const helped = asked.itemId === null || asked.foundNothing ? {} : { helped: [...new Set([...(state.helped ?? []), asked.itemId])] };
      return { ...withMessage(state, { kind: "asked", ...asked }), ...helped };
    }
    case "ExplanationGiven": {
      const { itemId } = event.data;
      return { ...withMessage(state, { kind: "explanation", messageId: `${itemId}-x`, itemId }), explained: [...state.explained, itemId] };
    }
    case "SelfReported": {
      const { objectiveId, knows } = event.data;
      return withMessage(state, { kind: "self_report", messageId: `report-${state.version + 1}`, objectiveId, knows });
    }
    case "PlanRejected": {
      const { messageId, steps, findings } = event.data;
      return { ...withMessage(state, { kind: "plan", messageId, verified: false, steps, findings }), findings };
    }
    case "PlanInstalled": {
      const { messageId, steps } = event.data;
      const shown = steps.map(({ stepId, title }) => ({ stepId, title }));
      return { ...withMessage(state, { kind: "plan", messageId, verified: true, steps: shown, findings: [] }), findings: [], step: noStep };
    }
    case "StepTaught": {
      const { schemaVersion: _, ...taught } = event.data;
      const step = stepOf(state, taught.stepId);
      return { ...withMessage(state, { kind: "teaching", ...taught }), step: { ...step, taught: step.taught + 1, awaitsItem: true } };
    }
    case "AdaptDecided":
      return withDecision(state, event.data);
    case "ItemReplaced":
      return withReplacedItem(state, event.data.itemId);
    case "GradeDisputed": {
      const { itemId } = event.data;
      const messages = state.messages.map((message) =>
        message.kind === "answer" && message.answer.itemId === itemId ? { ...message, disputed: true } : message,
      );
      return { ...state, messages, disputed: [...state.disputed, itemId] };
    }
    case "SessionCompleted":
      return { ...state, current: null, completedAt: state.updatedAt };
    case "EvidenceRecorded":
      return withEntry(state, event.data.entry);
    default:
      return state;
  }
}

type Unplaced = StoredMessage extends infer Message ? (Message extends StoredMessage ? Omit<Message, "at" | "receipt"> : never) : never;

/** With one more message; its receipt is that of the entry that follows. */
function withMessage(state: TutorState, message: Unplaced): TutorState {
  if (state.messages.length >= bounds.tutor.messages) return state;
  return { ...state, messages: [...state.messages, { ...message, at: state.updatedAt, receipt: null } as StoredMessage] };
}

function withQuestion(state: TutorState, itemId: string): TutorState {
  return {
    ...withMessage(state, { kind: "question", messageId: itemId, itemId, replaced: false }),
    asked: [...state.asked, itemId],
    current: itemId,
  };
}

function withAnswer(state: TutorState, { schemaVersion: _, ...answer }: { schemaVersion: 1 } & TutorAnswer): TutorState {
  const answers = { ...state.answers, [answer.itemId]: answer };
  return { ...withMessage(state, { kind: "answer", messageId: answer.messageId, answer, disputed: false }), answers };
}

/** Whether a question is asked in the lesson itself, not by a film or in Review. */
export const isOfLesson = (item: TutorItem | undefined): boolean => item?.film === undefined && item?.review === undefined;

/** The last answer to a question of the lesson itself; others stand beside it. */
export function latestAnswer({ messages, items }: TutorState): Extract<StoredMessage, { kind: "answer" }> | undefined {
  const ofLesson = (message: StoredMessage): message is Extract<StoredMessage, { kind: "answer" }> =>
    message.kind === "answer" && isOfLesson(items[message.answer.itemId]);
  return messages.findLast(ofLesson);
}

/** The progress of a step: from the beginning when it is another than before. */
const stepOf = ({ step }: TutorState, stepId: string): StepProgress => (step.stepId === stepId ? step : { ...noStep, stepId });

function withDecision(
  state: TutorState,
  { messageId, decision, reason, stepId }: { messageId: string; decision: Decision; reason: Reason; stepId: string | null },
): TutorState {
  const told = withMessage(state, { kind: "decision", messageId, decision, reason, stepId });
  if (decision === "reinforce") {
    // A correct answer needs one more question; a wrong one another angle first.
    const { step } = state;
    const isGain = reason === "more_evidence" || reason === "other_kind" || reason === "other_objective" || reason === "practice_next";
    const reinforced = isGain ? 0 : step.reinforced + 1;
    return { ...told, step: { ...step, reinforced, awaitsItem: reason !== "wrong_answer" } };
  }
  if (decision === "advance") return { ...told, step: noStep };
  if (decision !== "replan") return told;
  const failed = state.ledger.path.find((step) => step.stepId === stepId)?.objectiveIds ?? [];
  return { ...told, step: noStep, replans: state.replans + 1, replanned: [...new Set([...state.replanned, ...failed])] };
}

function withReplacedItem(state: TutorState, itemId: string): TutorState {
  const messages = state.messages.map((message) =>
    message.kind === "question" && message.itemId === itemId ? { ...message, replaced: true } : message,
  );
  const isCheck = state.items[itemId]?.kind === "check";
  return {
    ...state,
    messages,
    replaced: [...state.replaced, itemId],
    current: null,
    ...(isCheck && { step: { ...state.step, asked: Math.max(0, state.step.asked - 1), awaitsItem: true } }),
  };
}

/** The ledger with one more entry, which is the receipt of the message before it. */
function withEntry(state: TutorState, entry: Parameters<typeof evolveLedger>[1]): TutorState {
  const last = state.messages.at(-1);
  const messages = last && last.receipt === null ? [...state.messages.slice(0, -1), { ...last, receipt: entry.index }] : state.messages;
  return { ...state, messages, ledger: evolveLedger(state.ledger, entry) };
}
