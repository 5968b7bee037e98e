import { bounds } from "@colloquy/schemas/bounds.ts";
import { earlierModel } from "@colloquy/schemas/conversations/export.ts";
import type { Change, RecordedTurn } from "@colloquy/schemas/sync/changes.ts";
import { conversationTitle } from "./title.ts";

/** An entry that could not be migrated, unchanged, with the reason. */
export interface SetAside {
  entry: unknown;
  reason: string;
}

/** A conversation of the prototype as the changes that recreate it. */
export interface PlannedConversation {
  entry: unknown;
  conversationId: string;
  title: string;
  turns: number;
  changes: Change[];
}

export interface MigrationPlan {
  conversations: PlannedConversation[];
  setAside: SetAside[];
}

interface Message {
  role: "learner" | "assistant";
  content: string;
  at: string;
}

/** Sorts before all time-based ids, so that a conversation's first changes are sent first. */
export const migratedPrefix = "00proto-";

/**
 * Plans the migration of the prototype's record (`{version: 0, conversations: [{id, title, messages, pinned, archived}]}`). Ids derive from
 * the account and the entry, so the same record always gives the same changes. Pure.
 */
export async function planMigration(text: string, accountId: string, now: string): Promise<MigrationPlan> {
  const record = parsed(text);
  if (!isObject(record) || record.version !== 0 || !Array.isArray(record.conversations))
    return { conversations: [], setAside: [{ entry: text, reason: "The record is not one of the earlier version." }] };
  const plan: MigrationPlan = { conversations: [], setAside: [] };
  const seen = new Set<string>();
  for (const entry of record.conversations as unknown[]) {
    try {
      const planned = await conversationOf(entry, accountId, now);
      if (seen.has(planned.conversationId)) throw new Unreadable("There is another conversation of the same id.");
      seen.add(planned.conversationId);
      plan.conversations.push(planned);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      plan.setAside.push({ entry, reason: error.message });
    }
  }
  return plan;
}

class Unreadable extends Error {}

async function conversationOf(entry: unknown, accountId: string, now: string): Promise<PlannedConversation> {
  if (!isObject(entry)) throw new Unreadable("The entry is no conversation.");
  const { id, title, messages, pinned = false, archived = false } = entry;
  if (typeof id !== "string" || !id) throw new Unreadable("The conversation has no id.");
  if (!Array.isArray(messages) || messages.length === 0) throw new Unreadable("The conversation has no messages.");
  if (typeof pinned !== "boolean" || typeof archived !== "boolean")
    throw new Unreadable("It does not say whether it is pinned or archived.");
  const read = (messages as unknown[]).map((message) => messageOf(message, now));
  const digest = await digestOf(`${accountId} ${id}`);
  const conversationId = `proto-${digest}`;
  const words =
    typeof title === "string" && title.trim()
      ? title.trim().slice(0, bounds.conversation.titleLength)
      : conversationTitle(read[0]?.content ?? "");
  const turns = turnsOf(read, words, digest);
  if (turns.length > bounds.conversation.turns) throw new Unreadable("The conversation is longer than one may be.");
  const begun = read[0]?.at ?? now;
  const changes: Omit<Change, "changeId" | "domain" | "entityId">[] = [
    { type: "started", at: begun, data: { mode: "ask", model: { choice: "automatic" }, references: [], title: words } },
    ...turns.map(({ turn, at }) => ({ type: "turn_recorded", at, data: { ...turn } })),
    ...(pinned ? [{ type: "pinned", at: begun, data: {} }] : []),
    ...(archived ? [{ type: "archived", at: begun, data: {} }] : []),
  ];
  return {
    entry,
    conversationId,
    title: words,
    turns: turns.length,
    changes: changes.map((change, index) => ({
      changeId: `${migratedPrefix}${digest}-${String(index).padStart(5, "0")}`,
      domain: "conversation" as const,
      entityId: conversationId,
      ...change,
    })),
  };
}

function messageOf(message: unknown, now: string): Message {
  if (!isObject(message) || typeof message.content !== "string" || !message.content.trim()) throw new Unreadable("A message has no text.");
  const role = message.role === "assistant" ? "assistant" : message.role === "user" || message.role === "learner" ? "learner" : null;
  if (!role) throw new Unreadable("A message does not say who wrote it.");
  const most = role === "learner" ? bounds.ask.messageLength : bounds.conversation.answerLength;
  if (message.content.length > most) throw new Unreadable("A message is longer than one may be.");
  const { createdAt } = message;
  const time = typeof createdAt === "string" || typeof createdAt === "number" ? new Date(createdAt) : new Date(now);
  if (Number.isNaN(time.getTime())) throw new Unreadable("A message has no time that can be read.");
  return { role, content: message.content, at: time.toISOString() };
}

/** A question and the answer after it form a turn; a message without a counterpart forms one by itself. The model is unknown. */
function turnsOf(messages: readonly Message[], title: string, digest: string): { turn: RecordedTurn; at: string }[] {
  const turns: { turn: RecordedTurn; at: string }[] = [];
  for (const { role, content, at } of messages) {
    const last = turns.at(-1);
    if (role === "assistant" && last && last.turn.answer === "") {
      last.turn = { ...last.turn, answer: content, outcome: "finished" };
      continue;
    }
    const turnId = `proto-${digest}-${String(turns.length).padStart(5, "0")}`;
    const base = { turnId, citations: [], provider: "p1" as const, model: earlierModel, fallbackDepth: 0 };
    const turn: RecordedTurn =
      role === "learner"
        ? { ...base, question: content, answer: "", outcome: "stopped" }
        : { ...base, question: title, answer: content, outcome: "finished" };
    turns.push({ turn, at });
  }
  return turns;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

async function digestOf(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes.slice(0, 12)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
