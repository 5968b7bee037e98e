import { z } from "zod";

const text = z.string();
const item = z.object({ itemId: text, authored: z.object({ blockId: text, digest: text }).optional() });
const asked = z.object({ item });
const choiceIds = z.array(text);
const answer = z.object({
  itemId: text,
  correct: z.boolean(),
  help: text.default(""),
  choiceIds,
  response: z.object({ choiceIds: choiceIds.optional() }).optional(),
});

/** Of the events of tutoring sessions what is counted: no text of a learner, and no item that the course's authors did not write. */
export const countedEvents = {
  TutorSessionOpened: z.object({ courseId: text, conversationId: text }),
  ProbesPrepared: z.object({ items: z.array(item) }),
  ProbeAsked: z.object({ itemId: text }),
  CheckAsked: asked,
  ReviewQuestionAsked: asked,
  ProbeAnswered: answer,
  CheckAnswered: answer,
  ReviewQuestionAnswered: answer,
} as const;
export type CountedType = keyof typeof countedEvents;
export type CountedEvent = { [Type in CountedType]: { type: Type; data: z.output<(typeof countedEvents)[Type]> } }[CountedType];

/** A question of the course's own that a session asked. */
export interface AskedQuestion {
  blockId: string;
  /** Of the version that was asked. */
  digest: string;
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

/** The session after one more event; null before the first. An item counts once, with its first answer. Pure. */
export function evolve(state: QuestionSession | null, event: CountedEvent, position: string): QuestionSession | null {
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
      const { itemId, correct, help, choiceIds, response } = event.data;
      const choices = choiceIds.length > 0 ? choiceIds : (response?.choiceIds ?? []);
      return withChange(state, itemId, (item) => (item.answered ? item : { ...item, answered: position, correct, help, choices }));
    }
  }
}

function withItem(state: QuestionSession, { itemId, authored }: z.output<typeof item>, asked: string): QuestionSession {
  if (!authored || state.items[itemId]) return state;
  const { blockId, digest } = authored;
  const added: AskedQuestion = { blockId, digest, asked, answered: "", correct: false, help: "", choices: [] };
  return { ...state, items: { ...state.items, [itemId]: added } };
}

function withChange(state: QuestionSession, itemId: string, change: (item: AskedQuestion) => AskedQuestion): QuestionSession {
  const item = state.items[itemId];
  return item ? { ...state, items: { ...state.items, [itemId]: change(item) } } : state;
}
