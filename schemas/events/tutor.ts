import type { Citation } from "../ask/citations.ts";
import type { ModelSelection, Writer } from "../ask/models.ts";
import type { AttachedReference } from "../sync/changes.ts";
import type { EvidenceEntry, LedgerCheckpoint } from "../tutor/ledger.ts";
import type { TutorAction } from "../tutor/requests.ts";
import type { Criterion, Decision, Reason, Selection } from "../tutor/session.ts";

/** Who wrote something. */
export interface WrittenBy {
  provider: Writer;
  /** Of an assistant: the name it registered with. */
  model: string;
  fallbackDepth: number;
}

/** An objective a session teaches. */
export interface SessionObjective {
  objectiveId: string;
  title: string;
  topicId: string;
  topicTitle: string;
  /** Address of the topic. */
  href: string;
  /** Whether the course names none for this topic, and this one was made from its title. */
  derived: boolean;
}

/** A question with everything that is not for the learner's eyes. */
export interface TutorItem {
  itemId: string;
  kind: "probe" | "check";
  objectiveId: string;
  stepId: string | null;
  breadth: "broad" | "narrow";
  prompt: string;
  selection: Selection;
  choices: { choiceId: string; text: string }[];
  /** The answer key. */
  right: string[];
  rubric: string[];
  modelAnswer: string;
  /** The hint ladder, first rung first. */
  hints: string[];
  explanation: string;
  citations: Citation[];
  sourceIds: string[];
  /** Digest of the text of each source, by which evidence is carried over to a later revision. */
  sourceDigests: Record<string, string>;
  /** Equal for questions that ask the same. */
  sameness: string;
  /** SHA-256 of question and key, as the ledger names it. */
  digest: string;
  by: WrittenBy;
  /** The closing question of a film: of which job. */
  film?: string;
}

/** Stream `tutor-<sessionId>`. Learner's own words are never in it: `textId` names them in the stream of texts. */
export interface TutorEventData {
  TutorSessionOpened: {
    sessionId: string;
    conversationId: string;
    courseId: string;
    courseTitle: string;
    courseRevisionId: string;
    language: string;
    goalTextId: string;
    objectives: SessionObjective[];
    references: AttachedReference[];
    model: ModelSelection;
    carriedFrom?: string;
    /** Questions that were answered in the sessions this one goes on from: their keys were shown. The newest come last. */
    askedBefore?: { objectiveId: string; prompt: string; sameness: string }[];
  };
  /** A request of the learner was carried out; the events up to the next one came of it. */
  TurnTaken: {
    requestId: string;
    digest: string;
    action: TutorAction["type"] | "start" | "proposal" | "film";
    at: string;
    model?: ModelSelection;
    /** The course was published anew, and nothing that the session stands on has changed: the revision it stands on from now on. */
    courseRevisionId?: string;
  };
  ProbesPrepared: { items: TutorItem[] };
  ProbeAsked: { itemId: string };
  CheckAsked: { item: TutorItem };
  ProbeAnswered: TutorAnswer;
  CheckAnswered: TutorAnswer;
  /** The closing question of a film, which its learner answered there: beside whatever waits here, and with the film's help. */
  FilmQuestionAsked: { item: TutorItem };
  FilmQuestionAnswered: TutorAnswer;
  /** An answer of an earlier session, given on text that has not changed. */
  EvidenceCarried: { fromSessionId: string; fromEntryId: string; itemId: string; sourceDigests: Record<string, string> };
  HintGiven: { itemId: string; level: number };
  ExplanationGiven: { itemId: string };
  SelfReported: { objectiveId: string; knows: boolean };
  PlanRejected: { messageId: string; attempt: number; steps: { stepId: string; title: string }[]; findings: string[]; by: WrittenBy };
  PlanVerified: { by: WrittenBy };
  PlanInstalled: { messageId: string; steps: { stepId: string; title: string; reason: string }[]; by: WrittenBy };
  StepTaught: {
    messageId: string;
    stepId: string;
    title: string;
    text: string;
    citations: Citation[];
    angle: number;
    outcome: "finished" | "stopped";
    by: WrittenBy;
  };
  AdaptDecided: { messageId: string; decision: Decision; reason: Reason; stepId: string | null };
  ItemReplaced: { itemId: string };
  GradeDisputed: { itemId: string; textId: string | null };
  SessionPaused: Record<never, never>;
  SessionResumed: Record<never, never>;
  SessionCompleted: Record<never, never>;
  /** An entry of the ledger, in the chain; comes right after the fact it records. */
  EvidenceRecorded: { entry: EvidenceEntry };
  /** The service's signature under the ledger so far. */
  CheckpointSigned: { checkpoint: LedgerCheckpoint };
}

/** A question of an earlier session. */
export type AskedBefore = NonNullable<TutorEventData["TutorSessionOpened"]["askedBefore"]>[number];

export interface TutorAnswer {
  messageId: string;
  itemId: string;
  choiceIds: string[];
  textId: string | null;
  correct: boolean;
  aided: boolean;
  gradedBy: "application" | "model";
  by?: WrittenBy;
  criteria: Omit<Criterion, "reason">[];
  /** The grader's reasons may quote the learner: they are kept with the learner's texts. */
  reasonsTextId: string | null;
}

export type TutorEventType = keyof TutorEventData;
export type TutorEvent = { [Type in TutorEventType]: { type: Type; data: { schemaVersion: 1 } & TutorEventData[Type] } }[TutorEventType];

/** `reasons`: a JSON list, one for each criterion. */
export type TutorTextKind = "goal" | "answer" | "reasons" | "dispute";

/** Stream `tutortext-<sessionId>`: the learner's own words with the salts of their commitments. Truncated when they are deleted. */
export type TutorTextEvent =
  | { type: "TutorTextKept"; data: { schemaVersion: 1; textId: string; kind: TutorTextKind; text: string; salt: string } }
  | { type: "TutorTextsDeleted"; data: { schemaVersion: 1 } };

export const tutorEventTypes = [
  "TutorSessionOpened",
  "TurnTaken",
  "ProbesPrepared",
  "ProbeAsked",
  "CheckAsked",
  "ProbeAnswered",
  "CheckAnswered",
  "EvidenceCarried",
  "FilmQuestionAsked",
  "FilmQuestionAnswered",
  "HintGiven",
  "ExplanationGiven",
  "SelfReported",
  "PlanRejected",
  "PlanVerified",
  "PlanInstalled",
  "StepTaught",
  "AdaptDecided",
  "ItemReplaced",
  "GradeDisputed",
  "SessionPaused",
  "SessionResumed",
  "SessionCompleted",
  "EvidenceRecorded",
  "CheckpointSigned",
] as readonly TutorEventType[];
export const tutorTextEventTypes = ["TutorTextKept", "TutorTextsDeleted"] as const satisfies readonly TutorTextEvent["type"][];

export const tutorStreamPrefix = "tutor-";
export const tutorTextStreamPrefix = "tutortext-";
export const tutorStream = (sessionId: string): string => tutorStreamPrefix + sessionId;
export const tutorTextStream = (sessionId: string): string => tutorTextStreamPrefix + sessionId;
export const sessionIdOf = (stream: string): string => stream.slice(stream.indexOf("-") + 1);

const known: ReadonlySet<string> = new Set<string>([...tutorEventTypes, ...tutorTextEventTypes]);

/** An event of either stream in its present shape; null for a type this version does not know. The texts in it are untrusted data. */
export function readTutorEvent(stored: { type: string; data: unknown }): TutorEvent | TutorTextEvent | null {
  if (!known.has(stored.type)) return null;
  const { type, data } = stored as TutorEvent;
  if (data.schemaVersion !== 1) throw new TypeError(`${type} has the unknown version ${String(data.schemaVersion)}`);
  return { type, data } as TutorEvent;
}
