import { promptOf } from "../quiz/quiz-text.ts";
import { beginningOf, excerptAround } from "../search/text.ts";
import type { RecordedTurn } from "../sync/changes.ts";
import { shownWords } from "../text/visible-text.ts";

type Said = Pick<RecordedTurn, "question" | "answer" | "artifact">;

/**
 * What a list shows beneath a conversation's title: as a reader sees it, the stretch where one of the terms stands; where none does, as
 * the title alone was found, the first words that were answered. Null where nothing was.
 */
export function conversationExcerpt(turns: Iterable<Said>, terms: readonly string[], length?: number): string | null {
  let first: string | null = null;
  for (const turn of turns) {
    const [answer, question] = [shownWords(turn.answer), shownWords(turn.question)];
    const found = excerptAround(answer, terms, length) ?? excerptAround(question, terms, length);
    if (found !== undefined) return found;
    first ??= answer || (turn.artifact ? shownWords(turn.artifact.questions.map(promptOf).join(" ")) : question) || null;
  }
  return first === null ? null : beginningOf(first, length);
}
