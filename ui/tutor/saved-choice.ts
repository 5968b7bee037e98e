import { AutosavedRow, type RowStore } from "../store/autosaved-row.ts";
import { tutorAnswerPrefix } from "../store/rows.ts";

/** What the learner has chosen or written for the question that waits, and not confirmed yet. */
export interface UnconfirmedChoice {
  itemId: string;
  choiceIds: readonly string[];
  text: string;
}

/** Where a conversation's tutoring keeps what is chosen and not confirmed. */
export const savedChoiceRow = (store: RowStore, conversationId: string): AutosavedRow<UnconfirmedChoice> =>
  new AutosavedRow(store, `${tutorAnswerPrefix}${conversationId}`);

/** What was chosen for a question before; null if that was for another. */
export async function savedChoiceFor(itemId: string, kept: AutosavedRow<UnconfirmedChoice>): Promise<UnconfirmedChoice | null> {
  const value = await kept.read();
  const { choiceIds, text } = value ?? {};
  if (value?.itemId !== itemId || !Array.isArray(choiceIds) || typeof text !== "string") return null;
  return { itemId, choiceIds: choiceIds.filter((id) => typeof id === "string"), text };
}
