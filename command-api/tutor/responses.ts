import { isMisspelled, wordsIn } from "@colloquy/schemas/questions/misspelled.ts";
import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import { withoutKey } from "@colloquy/schemas/questions/shown.ts";
import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { TutorAction } from "@colloquy/schemas/tutor/requests.ts";
import { Rejection } from "../decider.ts";
import type { TutorCourse } from "./course.ts";

type Answer = Pick<Extract<TutorAction, { type: "answer" }>, "choiceIds" | "text" | "response">;

/** The response to a question of the course's own; null when it lacks a part, names what is not there, or has another form. */
export function responseTo(
  { itemId, key }: Pick<TutorItem, "itemId" | "key">,
  { choiceIds, text, response }: Answer,
): QuestionResponse | null {
  if (!key) return null;
  const given = response ?? (choiceIds ? { choiceIds } : text !== undefined ? { text } : null);
  const shown = withoutKey(key, itemId);
  if (!given) return null;
  const isOneOf = (parts: readonly { id: string }[], id: string): boolean => parts.some((part) => part.id === id);
  switch (shown.kind) {
    case "single":
    case "multiple": {
      if (!("choiceIds" in given)) return null;
      const ids = new Set(given.choiceIds);
      const most = shown.kind === "single" ? 1 : shown.choices.length;
      const fits = ids.size === given.choiceIds.length && ids.size >= 1 && ids.size <= most;
      return fits && given.choiceIds.every((id) => isOneOf(shown.choices, id)) ? given : null;
    }
    case "order": {
      if (!("choiceIds" in given) || given.choiceIds.length !== shown.items.length) return null;
      return shown.items.every(({ id }) => given.choiceIds.includes(id)) ? given : null;
    }
    case "match": {
      if (!("pairs" in given) || given.pairs.length !== shown.lefts.length) return null;
      const lefts = given.pairs.map(({ left }) => left);
      return shown.lefts.every(({ id }) => lefts.includes(id)) && given.pairs.every(({ right }) => isOneOf(shown.rights, right))
        ? given
        : null;
    }
    case "gap":
      return "texts" in given && given.texts.length === shown.gaps && given.texts.some((one) => one.trim() !== "") ? given : null;
    default:
      return "text" in given && given.text.trim() !== "" ? { text: given.text.trim() } : null;
  }
}

/**
 * Sends a response back before it is recorded where only its spelling is wrong, until it is confirmed; null for one that is marked.
 * `words`: other words of the course, which are no slips.
 */
export function returnedForSpelling(
  { key }: Pick<TutorItem, "key">,
  response: QuestionResponse,
  { confirmed, words }: { confirmed?: boolean | undefined; words?: ReadonlySet<string> | undefined },
): Rejection | null {
  if (confirmed || !key || !isMisspelled(key, response, words)) return null;
  return new Rejection("check_spelling", { detail: "Nothing was recorded. Send it with `confirmed` to have it marked as it stands." });
}

/** The words that a course uses in a topic. */
export const wordsOfTopic = ({ passages }: Pick<TutorCourse, "passages">, topicId: string | undefined): ReadonlySet<string> =>
  wordsIn(passages.flatMap(({ source, text }) => (source.topicId === topicId ? text : [])).join(" "));

/** What of a response a learner wrote, as it is kept with their texts; null for one of ids. */
export function writtenIn(response: QuestionResponse): string | null {
  if ("text" in response) return response.text;
  return "texts" in response ? JSON.stringify(response.texts) : null;
}
