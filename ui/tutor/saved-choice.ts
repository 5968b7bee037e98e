import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
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
