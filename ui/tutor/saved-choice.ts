import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { AutosavedRow, type RowStore } from "../store/autosaved-row.ts";
import { tutorAnswerPrefix } from "../store/rows.ts";

/** The learner's unconfirmed answer to the open question. */
export interface UnconfirmedChoice {
  itemId: string;
  choiceIds: readonly string[];
  text: string;
  /** To a question of the course's own. */
  response?: QuestionResponse;
}

const typedIn = ({ text, response }: { text: string | null; response?: QuestionResponse | null | undefined }): string => {
  const texts = response && "texts" in response ? response.texts : [response && "text" in response ? response.text : (text ?? "")];
  return texts.flatMap((one) => one.trim() || []).join(" · ");
};

/** What was typed for a question that the session has gone past with another answer, or without one; null if that was sent. */
export function unsentWords(given: UnconfirmedChoice, { messages }: Pick<TutorSession, "messages">): string | null {
  const answer = messages.find((message) => message.kind === "answer" && message.itemId === given.itemId);
  const words = typedIn(given);
  return words && (answer?.kind !== "answer" || typedIn(answer) !== words) ? words : null;
}

/** The row that stores a conversation's unconfirmed answer. */
export const savedChoiceRow = (store: RowStore, conversationId: string): AutosavedRow<UnconfirmedChoice> =>
  new AutosavedRow(store, `${tutorAnswerPrefix}${conversationId}`);

/** The stored answer to a question; null if the row holds another question's. */
export async function savedChoiceFor(itemId: string, kept: AutosavedRow<UnconfirmedChoice>): Promise<UnconfirmedChoice | null> {
  const value = await kept.read();
  const { choiceIds, text, response } = value ?? {};
  if (value?.itemId !== itemId || !Array.isArray(choiceIds) || typeof text !== "string") return null;
  // A response of another form is not taken by its fields.
  const given = typeof response === "object" && response !== null && { response };
  return { itemId, choiceIds: choiceIds.filter((id) => typeof id === "string"), text, ...given };
}
