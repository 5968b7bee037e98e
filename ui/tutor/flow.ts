import type { TutorMessage, TutorSession } from "@colloquy/schemas/tutor/session.ts";

type Of<Kind extends TutorMessage["kind"]> = Extract<TutorMessage, { kind: Kind }>;

/** What a learner asked back, with what they were answered. */
export type Exchange = Of<"asked">;

/** A question with its hints, exchanges, explanation and answer. */
export interface AskedQuestion {
  question: Of<"question">;
  hints: Of<"hint">[];
  /** What was asked back while it waited. */
  exchanges: Exchange[];
  explanation: Of<"explanation"> | null;
  answer: Of<"answer"> | null;
}

export type Entry =
  | { kind: "asked"; key: string; asked: AskedQuestion }
  | { kind: "message"; key: string; message: Exclude<TutorMessage, { kind: "question" | "hint" | "explanation" | "answer" }> };

/** Entries shown together: an answered question, its consequences, and the next question. */
export interface Group {
  key: string;
  entries: Entry[];
}

/** Decisions with a line of their own; the others are visible in what follows them. */
const shownDecisions = new Set(["advance", "reinforce", "replan", "wait", "dispute", "return"]);

/**
 * Groups a session's messages; a group keeps its key while the session continues. `answering`: id of the question whose answer is being
 * graded. Pure.
 */
export function groupsOf({ messages }: Pick<TutorSession, "messages">, answering: string | null = null): Group[] {
  const asked = new Map<string, AskedQuestion>();
  const entries: Entry[] = [];
  for (const message of messages)
    switch (message.kind) {
      case "question": {
        const one: AskedQuestion = { question: message, hints: [], exchanges: [], explanation: null, answer: null };
        asked.set(message.itemId, one);
        // A video's closing question, and one of Review, goes before the open question, because the open question comes next.
        const last = message.film === undefined && !message.review ? undefined : entries.at(-1);
        const waits = last?.kind === "asked" && !last.asked.answer && !last.asked.question.replaced;
        entries.splice(waits ? -1 : entries.length, 0, { kind: "asked", key: message.itemId, asked: one });
        break;
      }
      case "hint":
        asked.get(message.itemId)?.hints.push(message);
        break;
      case "asked": {
        const waiting = message.itemId === null ? undefined : asked.get(message.itemId);
        if (waiting) waiting.exchanges.push(message);
        else entries.push({ kind: "message", key: message.messageId, message });
        break;
      }
      case "explanation":
        Object.assign(asked.get(message.itemId) ?? {}, { explanation: message });
        break;
      case "answer":
        Object.assign(asked.get(message.itemId) ?? {}, { answer: message });
        break;
      case "decision":
        if (shownDecisions.has(message.decision)) entries.push({ kind: "message", key: message.messageId, message });
        break;
      default:
        entries.push({ kind: "message", key: message.messageId, message });
    }
  const groups: Group[] = [];
  for (const entry of entries) {
    const begins = entry.kind === "asked" && (entry.asked.answer !== null || entry.asked.question.replaced || entry.key === answering);
    const last = groups.at(-1);
    if (begins || !last) groups.push({ key: entry.key, entries: [entry] });
    else last.entries.push(entry);
  }
  return groups;
}
