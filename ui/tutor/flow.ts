import type { TutorMessage, TutorSession } from "@colloquy/schemas/tutor/session.ts";

type Of<Kind extends TutorMessage["kind"]> = Extract<TutorMessage, { kind: Kind }>;

/** A question with everything that belongs to it. */
export interface AskedQuestion {
  question: Of<"question">;
  hints: Of<"hint">[];
  explanation: Of<"explanation"> | null;
  answer: Of<"answer"> | null;
}

export type Entry =
  | { kind: "asked"; key: string; asked: AskedQuestion }
  | { kind: "message"; key: string; message: Exclude<TutorMessage, { kind: "question" | "hint" | "explanation" | "answer" }> };

/** What belongs together on the page: an answered question, what came of it, and the question after it. */
export interface Group {
  key: string;
  entries: Entry[];
}

/** Decisions that are told where they were made. The others show in what follows them. */
const shownDecisions = new Set(["advance", "reinforce", "replan", "wait", "dispute"]);

/**
 * What was said and done, in groups that keep their keys while a session goes on; `answering`: the question whose answer is on its way.
 * Pure.
 */
export function groupsOf({ messages }: Pick<TutorSession, "messages">, answering: string | null = null): Group[] {
  const asked = new Map<string, AskedQuestion>();
  const entries: Entry[] = [];
  for (const message of messages)
    switch (message.kind) {
      case "question": {
        const one: AskedQuestion = { question: message, hints: [], explanation: null, answer: null };
        asked.set(message.itemId, one);
        // What was answered at the end of a film stands before the question that waits, for that one comes next.
        const last = message.film === undefined ? undefined : entries.at(-1);
        const waits = last?.kind === "asked" && !last.asked.answer && !last.asked.question.replaced;
        entries.splice(waits ? -1 : entries.length, 0, { kind: "asked", key: message.itemId, asked: one });
        break;
      }
      case "hint":
        asked.get(message.itemId)?.hints.push(message);
        break;
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
