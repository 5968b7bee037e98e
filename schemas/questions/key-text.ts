import type { Question } from "../courses/blocks.ts";
import { fillGaps } from "./gaps.ts";
import type { QuestionResponse } from "./response.ts";
import { partId } from "./shown.ts";

/** The right answer of a question as Markdown. */
export function keyText(question: Question): string {
  switch (question.kind) {
    case "single":
    case "multiple":
      return question.choices.flatMap(({ correct, markdown }) => (correct ? markdown : [])).join("\n\n");
    case "text":
      return question.accepted[0] ?? "";
    case "number":
      return [question.value, question.unit].filter((part) => part !== undefined).join(" ");
    case "gap":
      return fillGaps(question.markdown, (gap) => question.gaps[gap - 1]?.[0] ?? "");
    case "order":
      return question.items.map((item, index) => `${index + 1}. ${item}`).join("\n");
    case "match":
      return question.pairs.map(({ left, right }) => `- ${left} → ${right}`).join("\n");
    case "free":
      return question.answer;
  }
}

/** A question without its key as Markdown: the prompt, then its choices, items or both sides in alphabetical order. */
export function questionMarkdown(question: Question): string {
  const { kind, markdown } = question;
  const list = (parts: readonly string[]): string =>
    parts
      .toSorted()
      .map((part) => `- ${part.replaceAll("\n", "\n  ")}`)
      .join("\n");
  const lists =
    kind === "single" || kind === "multiple"
      ? [question.choices.map((choice) => choice.markdown)]
      : kind === "order"
        ? [question.items]
        : kind === "match"
          ? [question.pairs.map(({ left }) => left), [...question.pairs.map(({ right }) => right), ...question.extra]]
          : [];
  return [kind === "gap" ? fillGaps(markdown, () => "[…]") : markdown, ...lists.map(list)].join("\n\n");
}

/** A response to a question as Markdown. */
export function responseText(question: Question, response: QuestionResponse): string {
  const named = (texts: readonly string[]) => new Map(texts.map((text) => [partId(text), text]));
  if ("text" in response) return response.text;
  if ("texts" in response) return fillGaps(question.markdown, (gap) => response.texts[gap - 1] ?? "");
  if ("pairs" in response) {
    const { pairs, extra } = question.kind === "match" ? question : { pairs: [], extra: [] };
    const sides = named([...pairs.flatMap(({ left, right }) => [left, right]), ...extra]);
    return response.pairs.map(({ left, right }) => `- ${sides.get(left) ?? ""} → ${sides.get(right) ?? ""}`).join("\n");
  }
  const parts = named("choices" in question ? question.choices.map(({ markdown }) => markdown) : "items" in question ? question.items : []);
  const mark = question.kind === "order" ? (index: number) => `${index + 1}.` : () => "-";
  return response.choiceIds.map((id, index) => `${mark(index)} ${parts.get(id) ?? ""}`).join("\n");
}
