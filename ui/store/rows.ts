import type { TurnProgress } from "@colloquy/schemas/ask/turn-progress.ts";
import type { Conversation, ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import type { ModelSelection } from "@colloquy/schemas/models.ts";
import type { RetiredCard, ReviewCard } from "@colloquy/schemas/review/requests.ts";
import type { AttachedReference, Change } from "@colloquy/schemas/sync/changes.ts";
import type { TurnTrace } from "@colloquy/schemas/turn-trace.ts";
import type { ClientProblem } from "../api/problems.ts";
import type { QuizDraft } from "../quiz/progress.ts";
import type { PersonalDomain, PersonalStates } from "./personal-fold.ts";

/**
 * Text that was typed and not sent, with its choices. `key`: conversation id and tab id separated by a space, or the tab's place for a new
 * conversation.
 */
export interface DraftRow {
  key: string;
  text: string;
  references: AttachedReference[];
  model: ModelSelection | null;
  /** New conversations only: path of the page that was attached automatically. */
  carried?: string;
  /** New conversations only: it will be a tutoring session. */
  mode?: "tutor";
  savedAt: number;
}

/** A local change that the feed has not returned. Ids sort by time, so key order is sending order. */
export interface OutboxRow {
  key: string;
  change: Change;
  /** The server's position of this change; absent while it is unsent. */
  acknowledged?: string;
}

/** A running turn: enough to resume it, or to record the partial answer if the page is closed. */
export interface RunningRow {
  /** The id of the turn and of the request. */
  key: string;
  conversationId: string;
  /** Whether the conversation was already in the history. */
  recorded: boolean;
  question: string;
  turn: TurnProgress;
  references: AttachedReference[];
  model: ModelSelection;
  replaces: string | null;
  /** The service never received it; it waits for the learner to send it again. */
  unsent?: true;
  /** When the learner asked, RFC 3339. */
  at: string;
  savedAt: number;
}

/** What only this device knows of a recorded turn. Rows of older versions also hold how the answer came about, which is recorded now. */
export interface TraceRow extends Partial<Pick<TurnTrace, "phases" | "elapsedMs">> {
  /** The turn's id. */
  key: string;
  conversationId: string;
  /** What was attached to the question. */
  references: AttachedReference[];
  /** Why the answer broke off. Absent: it did not, or an older version wrote the row. */
  problem?: ClientProblem | null;
  sources?: number | null;
  followUps?: string[];
}

/** Unfinished answers to a quiz. */
export interface QuizRow {
  /** The quiz's id. */
  key: string;
  conversationId: string;
  draft: QuizDraft;
  savedAt: number;
}

/** A row of the history after the server's changes up to `position`. */
export interface SummaryRow {
  key: string;
  summary: ConversationSummary;
  position: string;
}

/** A whole conversation after the server's changes up to its `position`. */
export interface RecordRow {
  key: string;
  record: Conversation;
}

/** The distinct words of a conversation, normalised for search and separated by spaces. */
export interface WordsRow {
  key: string;
  words: string;
}

export interface MetaRow {
  /** `renames:<topicId>`: former names of a page and its blocks. */
  key: "deviceId" | "cursor" | "migration" | "set-aside" | "review-draft" | `renames:${string}`;
  value: string;
}

/** An entity of a personal domain other than conversations. `key`: domain and entity id, separated by a space. */
export type PersonalRow = {
  [Of in PersonalDomain]: { key: string; domain: Of; state: PersonalStates[Of]; position: string };
}[PersonalDomain];

/** Key prefix in `workspace`, before a conversation id: an answer to the tutor that was not confirmed. */
export const tutorAnswerPrefix = "chosen-";
/** Key prefix in `workspace`, before a conversation id: a question to the tutor that was not sent. */
export const tutorQuestionPrefix = "asking-";
/** The key of `meta` with an unchecked answer in Review. */
export const reviewDraftKey = "review-draft";
/** Key prefix in `workspace`, before a job id: edited scenes of a video that were not checked yet. */
export const filmEditsPrefix = "film-edits-";

/**
 * The workspace's state in this browser; never synced. Keys: `layout-<tab>`, a tab's layout; `sides`, what is folded;
 * `chosen-<conversation>`, an answer to the tutor; `film-edits-<job>`, edited scenes of a video.
 */
export interface WorkspaceRow {
  key: string;
  /** Validated by its reader. */
  value: unknown;
  savedAt: number;
}

/** The last review cards of the service, for reviewing offline. */
export interface ReviewRow {
  key: "cards";
  cards: ReviewCard[];
  retired: RetiredCard[];
}

/** One table; rows have a `key` and are listed in key order. */
export interface Table<Row extends { key: string }> {
  get(key: string): Promise<Row | undefined>;
  put(row: Row): Promise<void>;
  /** Puts all rows, or none if the page is closed meanwhile. */
  putAll(rows: Row[]): Promise<void>;
  delete(key: string): Promise<void>;
  getAll(): Promise<Row[]>;
  /** The existing rows among these keys. */
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

/** All tables, each made by its name. */
export function createTables(make: <Row extends { key: string }>(name: keyof Tables) => Table<Row>): Tables {
  return {
    drafts: make("drafts"),
    outbox: make("outbox"),
    running: make("running"),
    traces: make("traces"),
    quizzes: make("quizzes"),
    summaries: make("summaries"),
    records: make("records"),
    meta: make("meta"),
    words: make("words"),
    personal: make("personal"),
    workspace: make("workspace"),
    review: make("review"),
  };
}
