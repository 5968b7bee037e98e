import { readNumbers } from "@colloquy/schemas/questions/numbers.ts";
import type { QuestionResponse, ShownQuestion } from "@colloquy/schemas/questions/response.ts";

/** The response that a question begins with. */
export function emptyResponse(question: ShownQuestion): QuestionResponse {
  switch (question.kind) {
    case "single":
    case "multiple":
      return { choiceIds: [] };
    case "order":
      return { choiceIds: question.items.map(({ id }) => id) };
    case "match":
      return { pairs: [] };
    case "gap":
      return { texts: Array<string>(question.gaps).fill("") };
    default:
      return { text: "" };
  }
}

/** Whether a response has the form that the question asks for: one kept from another version may not. */
export function fits(question: ShownQuestion, response: QuestionResponse): boolean {
  switch (question.kind) {
    case "single":
    case "multiple":
      return "choiceIds" in response && response.choiceIds.every((id) => question.choices.some((choice) => choice.id === id));
    case "order": {
      if (!("choiceIds" in response) || response.choiceIds.length !== question.items.length) return false;
      const { choiceIds } = response;
      return question.items.every(({ id }) => choiceIds.includes(id));
    }
    case "match":
      return "pairs" in response && response.pairs.every(({ left }) => question.lefts.some(({ id }) => id === left));
    case "gap":
      return "texts" in response && response.texts.length === question.gaps;
    default:
      return "text" in response;
  }
}

/** Whether nothing is missing that can be marked: what is no number would be wrong by its form, and items never come in the right order. */
export function isComplete(question: ShownQuestion, response: QuestionResponse): boolean {
  if (question.kind === "order") return "choiceIds" in response && response.choiceIds.some((id, place) => id !== question.items[place]?.id);
  if ("choiceIds" in response) return response.choiceIds.length > 0;
  if ("texts" in response) return response.texts.every((text) => text.trim() !== "");
  if ("pairs" in response) return question.kind === "match" && response.pairs.length === question.lefts.length;
  return question.kind === "number" ? readNumbers(response.text, question.unit).length > 0 : response.text.trim() !== "";
}

/** The choice taken, or given up. */
export function withChoice(response: QuestionResponse, id: string, on: boolean, only: boolean): QuestionResponse {
  if (!("choiceIds" in response)) return response;
  const others = only ? [] : response.choiceIds.filter((one) => one !== id);
  return { choiceIds: on ? [...others, id] : others };
}

/** The item moved by one place; the same response at an end. */
export function withMoved(response: QuestionResponse, id: string, by: -1 | 1): QuestionResponse {
  if (!("choiceIds" in response)) return response;
  const ids = [...response.choiceIds];
  const from = ids.indexOf(id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= ids.length) return response;
  [ids[from], ids[to]] = [ids[to] as string, ids[from] as string];
  return { choiceIds: ids };
}

/** The left side with this right side; with none if it is empty. */
export function withPair(response: QuestionResponse, left: string, right: string): QuestionResponse {
  if (!("pairs" in response)) return response;
  const others = response.pairs.filter((pair) => pair.left !== left);
  return { pairs: right ? [...others, { left, right }] : others };
}

/** The text typed into a gap, by its number from 1. */
export function withGap(response: QuestionResponse, gap: number, text: string): QuestionResponse {
  if (!("texts" in response)) return response;
  return { texts: response.texts.map((one, index) => (index === gap - 1 ? text : one)) };
}
