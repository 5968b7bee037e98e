import type { AskPhase } from "@colloquy/schemas/ai/ask.ts";
import type { ModelSelection, Provider } from "@colloquy/schemas/ai/models.ts";
import type { Conversation, ConversationSummary } from "@colloquy/schemas/conversations.ts";
import type { AttachedReference, Change } from "@colloquy/schemas/sync/changes.ts";

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

/** An answer being written: enough to record what had come, should the page go away. */
export interface RunningRow {
  /** The turn's id. */
  key: string;
  conversationId: string;
  /** Whether the conversation was in the history already. */
  recorded: boolean;
  question: string;
  text: string;
  references: AttachedReference[];
  model: ModelSelection;
  /** The slot that is asked first: all that is known of who writes until the answer is complete. */
  provider: Provider;
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
  summaries: Table<SummaryRow>;
  records: Table<RecordRow>;
  meta: Table<MetaRow>;
}

export const tableNames = ["drafts", "outbox", "running", "traces", "summaries", "records", "meta"] as const satisfies (keyof Tables)[];
