import type { AskPhase } from "@colloquy/schemas/ai/ask.ts";
import type { ModelSelection, Provider } from "@colloquy/schemas/ai/models.ts";
import type { TurnSoFar } from "@colloquy/schemas/ai/turn-so-far.ts";
import type { Conversation, ConversationSummary } from "@colloquy/schemas/conversations.ts";
import type { AttachedReference, Change } from "@colloquy/schemas/sync/changes.ts";
import type { ClientProblem } from "../api/problems.ts";
import type { QuizDraft } from "../quiz/progress.ts";

/** What was typed and not sent, with what was chosen for it. `key`: a conversation's id, or the place of a new one. */
export interface DraftRow {
  key: string;
  text: string;
  references: AttachedReference[];
  model: ModelSelection | null;
  savedAt: number;
}

/** A change the server has not acknowledged. Ids sort by the time they were minted, so the key's order is the sending order. */
export interface OutboxRow {
  key: string;
  change: Change;
}

/** An answer being written: enough to read on, or to record what had come, should the page go away. */
export interface RunningRow {
  /** The turn's id, and the request's. */
  key: string;
  conversationId: string;
  /** Whether the conversation was in the history already. */
  recorded: boolean;
  question: string;
  turn: TurnSoFar;
  references: AttachedReference[];
  model: ModelSelection;
  replaces: string | null;
  /** When the learner asked, RFC 3339. */
  at: string;
  savedAt: number;
}

/** What the application did for an answer; kept on this device only, the record on the server has no place for it. */
export interface TraceRow {
  /** The turn's id. */
  key: string;
  conversationId: string;
  phases: { phase: AskPhase; atMs: number }[];
  sources: number | null;
  elapsedMs: number;
  followUps: string[];
  references: AttachedReference[];
  /** "length": the answer reached its bound. */
  finishReason: "stop" | "length" | null;
  /** Why it broke off. Absent: it did not, or an older version of the page kept this row. */
  problem?: ClientProblem | null;
  /** Who was asked first. */
  asked?: { provider: Provider; model: string };
  /** What the service says that answered, where that is another model than was asked for. */
  reportedModel?: string;
}

/** Answers to a quiz that are in progress. */
export interface QuizRow {
  /** The quiz's id. */
  key: string;
  conversationId: string;
  draft: QuizDraft;
  savedAt: number;
}

export interface SummaryRow {
  key: string;
  summary: ConversationSummary;
}

export interface RecordRow {
  key: string;
  record: Conversation;
  openedAt: number;
}

export interface MetaRow {
  key: "deviceId" | "cursor";
  value: string;
}

/** A record of the personal domain `preferences`: its entity, when it was last written (RFC 3339), and all of it. */
export interface PreferenceRow {
  key: "workspace";
  at: string;
  data: { hiddenModels: string[] };
}

/** One table; rows are found by `key` and listed in its order. */
export interface Table<Row extends { key: string }> {
  get(key: string): Promise<Row | undefined>;
  put(row: Row): Promise<void>;
  /** All of them or, if the page goes away meanwhile, none. */
  putAll(rows: Row[]): Promise<void>;
  delete(key: string): Promise<void>;
  all(): Promise<Row[]>;
}

export interface Tables {
  drafts: Table<DraftRow>;
  outbox: Table<OutboxRow>;
  running: Table<RunningRow>;
  traces: Table<TraceRow>;
  quizzes: Table<QuizRow>;
  summaries: Table<SummaryRow>;
  records: Table<RecordRow>;
  meta: Table<MetaRow>;
  preferences: Table<PreferenceRow>;
}

export const tableNames = [
  "drafts",
  "outbox",
  "running",
  "traces",
  "quizzes",
  "summaries",
  "records",
  "meta",
  "preferences",
] as const satisfies (keyof Tables)[];
