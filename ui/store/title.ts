import { msg } from "../messages/page.ts";

const titleLength = 80;

interface Named {
  title: string;
}

/** A learner's question in words: the button for a quiz sends the bare command `/quiz`. What was typed stays as it was typed. */
export function shownQuestion(question: string, references: readonly Named[] = []): string {
  if (!/^\s*\/quiz\s*$/i.test(question)) return question;
  const about = references[0]?.title;
  return about ? msg("store.quizMeOn", { about }) : msg("store.quizMe");
}

/**
 * A conversation's title: its first question in one line, cut at a word. A bare request for a quiz is named after the first attached page.
 */
export function conversationTitle(question: string, references: readonly Named[] = []): string {
  const line = question
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^\/quiz(?: (?:me )?(?:on |about )?(.*))?$/i, (_all, said?: string) => {
      const about = said || references[0]?.title;
      return about ? msg("store.quiz", { about }) : msg("embed.quiz");
    });
  if (line.length <= titleLength) return line;
  const cut = line.slice(0, titleLength);
  const space = cut.lastIndexOf(" ");
  return `${(space > titleLength / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.–—-]+$/, "")}…`;
}
