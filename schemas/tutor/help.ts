import type { TutorItem } from "./events.ts";
import type { Help } from "./session.ts";
import type { TutorState } from "./state.ts";

/** What makes an answer to this item one with help; null for an unaided answer. Pure. */
export function helpOf(state: TutorState, item: TutorItem): Help | null {
  if (item.film !== undefined) return "film";
  if (state.explained.includes(item.itemId)) return "explanation";
  if ((state.hints[item.itemId] ?? 0) > 0) return "hint";
  if (state.helped?.includes(item.itemId)) return "asked";
  if (isRepeated(state, item)) return "repeated";
  return isShown(state, item) ? "shown" : null;
}

/** Whether the same question was answered before, here or in a session this one goes on from: its key was shown then. */
export function isRepeated(state: TutorState, item: TutorItem): boolean {
  if (state.askedBefore?.some(({ sameness }) => sameness === item.sameness)) return true;
  return Object.keys(state.answers).some((itemId) => itemId !== item.itemId && state.items[itemId]?.sameness === item.sameness);
}

/** Whether a statement of this item was shown before as right or wrong, by another question or by a text. */
function isShown(state: TutorState, { itemId, shown, statements = [] }: TutorItem): boolean {
  if (shown) return true;
  const revealed = revealedStatements(state, itemId);
  return statements.some((one) => revealed.has(one));
}

/** Ids of the statements whose truth the learner was shown, by questions other than `except`. */
export function revealedStatements(state: TutorState, except?: string): ReadonlySet<string> {
  const answered = [...Object.keys(state.answers), ...state.explained].filter((itemId) => itemId !== except);
  return new Set([
    ...(state.askedBefore ?? []).flatMap(({ statements = [] }) => statements.map(({ id }) => id)),
    ...answered.flatMap((itemId) => state.items[itemId]?.statements ?? []),
  ]);
}
