import type { AskPhase } from "@colloquy/schemas/ask/ask.ts";
import type { ModelSelection, Provider } from "@colloquy/schemas/ask/models.ts";
import type { TurnProgress } from "@colloquy/schemas/ask/turn-progress.ts";
import type { Conversation, ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import type { RetiredCard, ReviewCard } from "@colloquy/schemas/review/requests.ts";
import type { AttachedReference, Change } from "@colloquy/schemas/sync/changes.ts";
import type { ClientProblem } from "../api/problems.ts";
import type { QuizDraft } from "../quiz/progress.ts";
import type { PersonalDomain, PersonalStates } from "./personal-fold.ts";

/** What was typed and not sent, with what was chosen for it. `key`: a conversation's id and the tab's, parted by a space, or the tab's place of a new one. */
export interface DraftRow {
  key: string;
  text: string;
  references: AttachedReference[];
  model: ModelSelection | null;
  /** Of a new conversation: the address of the page that was carried into it. */
  carried?: string;
  /** Of a new conversation that is to be tutoring. */
  mode?: "tutor";
  savedAt: number;
}

/** A change that the server has not sent back yet. Ids sort by the time they were minted, so the key's order is the sending order. */
export interface OutboxRow {
  key: string;
  change: Change;
  /** The position by which the server has it; absent while it is unsent. */
  acknowledged?: string;
}

/** An answer being written: enough to read on, or to record what had come, should the page go away. */
export interface RunningRow {
  /** The turn's id, and the request's. */
  key: string;
  conversationId: string;
  /** Whether the conversation was in the history already. */
  recorded: boolean;
  question: string;
  turn: TurnProgress;
  references: AttachedReference[];
  model: ModelSelection;
  replaces: string | null;
  /** The service has never had it: it waits for its learner to send it again. */
  unsent?: true;
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

/** A row of the history as the server's changes up to `position` made it. */
export interface SummaryRow {
  key: string;
  summary: ConversationSummary;
  position: string;
}

/** A conversation in full, as the server's changes up to its `position` made it. */
export interface RecordRow {
  key: string;
  record: Conversation;
}

/** The different words of a conversation as the search compares them, parted by spaces. */
export interface WordsRow {
  key: string;
  words: string;
}

export interface MetaRow {
  /** `renames:<topicId>`: what a page and its blocks were called before. */
  key: "deviceId" | "cursor" | "migration" | "set-aside" | `renames:${string}`;
  value: string;
}

/** An entity of the personal domains besides conversations. `key`: domain and entity, parted by a space. */
export type PersonalRow = {
  [Of in PersonalDomain]: { key: string; domain: Of; state: PersonalStates[Of]; position: string };
}[PersonalDomain];

/** Before the id of a tutoring conversation: its row of `workspace` holds an answer that is chosen or written and not confirmed. */
export const tutorAnswerPrefix = "chosen-";
/** Before the id of a film: its row of `workspace` holds scenes that were changed and not checked yet. */
export const filmEditsPrefix = "film-edits-";

/**
 * How the workspace stands in this browser; never synced. `key`: `layout-<tab>`, a browser tab's layout; `sides`, what is folded away; or
 * `chosen-<conversation>`, an answer to the tutor; `film-edits-<job>`, changed scenes of a film.
 */
export interface WorkspaceRow {
  key: string;
  /** Checked by whoever reads it. */
  value: unknown;
  savedAt: number;
}

/** The cards of review as the service had them last, so that they can be asked without it. */
export interface ReviewRow {
  key: "cards";
  cards: ReviewCard[];
  retired: RetiredCard[];
}

/** One table; rows are found by `key` and listed in its order. */
export interface Table<Row extends { key: string }> {
  get(key: string): Promise<Row | undefined>;
  put(row: Row): Promise<void>;
  /** All of them or, if the page goes away meanwhile, none. */
  putAll(rows: Row[]): Promise<void>;
  delete(key: string): Promise<void>;
  getAll(): Promise<Row[]>;
  /** The rows of these keys that there are. */
  getMany(keys: string[]): Promise<Row[]>;
  deleteAll(keys: string[]): Promise<void>;
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
  words: Table<WordsRow>;
  personal: Table<PersonalRow>;
  workspace: Table<WorkspaceRow>;
  review: Table<ReviewRow>;
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
  "words",
  "personal",
  "workspace",
  "review",
] as const satisfies (keyof Tables)[];
