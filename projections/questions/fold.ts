import type { TutorEvent, TutorEventType, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import { type Generated, generatedFrom } from "./generated.ts";

/** The events of tutoring sessions that are counted. */
export const countedEvents = [
  "TutorSessionOpened",
  "ProbesPrepared",
  "ProbeAsked",
  "CheckAsked",
  "ReviewQuestionAsked",
  "ProbeAnswered",
  "CheckAnswered",
  "ReviewQuestionAnswered",
] as const satisfies readonly TutorEventType[];

/** A question that a session asked: one of the course's own, or one that a model wrote. */
export interface AskedQuestion {
  /** Empty for one that a model wrote. */
  blockId: string;
  /** Of the version that was asked, or of what a model wrote. */
  digest: string;
  /** What a model wrote; null for a question of the course's own. */
  generated: Generated | null;
  /** Padded position of the event; empty until then. */
  asked: string;
  answered: string;
  correct: boolean;
  /** The help that the answer had; empty without. */
  help: string;
  /** Ids of the chosen choices. */
  choices: readonly string[];
}

export interface QuestionSession {
  courseId: string;
  conversationId: string;
  /** By item id. */
  items: Readonly<Record<string, AskedQuestion>>;
}

/**
 * The session after one more event; null before the first. An item counts once, with its first answer. No text of a learner is kept; what a
 * model wrote is, because owners may add it to the course once enough learners were asked the same. Pure.
 */
export function evolve(state: QuestionSession | null, event: TutorEvent, position: string): QuestionSession | null {
  if (event.type === "TutorSessionOpened") {
    const { courseId, conversationId } = event.data;
    return state ?? { courseId, conversationId, items: {} };
  }
  if (!state) return null;
  switch (event.type) {
    case "ProbesPrepared":
      return event.data.items.reduce((before, item) => withItem(before, item, ""), state);
    case "CheckAsked":
    case "ReviewQuestionAsked":
      return withItem(state, event.data.item, position);
    case "ProbeAsked": {
      const { itemId } = event.data;
      return withChange(state, itemId, (item) => (item.asked ? item : { ...item, asked: position }));
    }
    case "ProbeAnswered":
    case "CheckAnswered":
    case "ReviewQuestionAnswered": {
      const { itemId, correct, help = "", choiceIds, response } = event.data;
      const choices = choiceIds.length === 0 && response && "choiceIds" in response ? response.choiceIds : choiceIds;
      return withChange(state, itemId, (item) => (item.answered ? item : { ...item, answered: position, correct, help, choices }));
    }
    default:
      return state;
  }
}

function withItem(state: QuestionSession, item: TutorItem, asked: string): QuestionSession {
  const { itemId, authored, film } = item;
  // What the application makes of a page's text is neither the course's own nor a model's.
  const isMade = item.key !== undefined && !authored;
  if (film || isMade || state.items[itemId]) return state;
  const { blockId, digest, generated } = authored ? { ...authored, generated: null } : { blockId: "", ...generatedFrom(item) };
  const added: AskedQuestion = { blockId, digest, generated, asked, answered: "", correct: false, help: "", choices: [] };
  return { ...state, items: { ...state.items, [itemId]: added } };
}

function withChange(state: QuestionSession, itemId: string, change: (item: AskedQuestion) => AskedQuestion): QuestionSession {
  const item = state.items[itemId];
  return item ? { ...state, items: { ...state.items, [itemId]: change(item) } } : state;
}
