import type { Question } from "../courses/blocks.ts";

/**
 * What a page says in a self-check that is never asked, as Markdown: the prompt with its choices, and the explanation with what is said of
 * each choice. Null for every other question, because a key must not be found by searching.
 */
export function selfCheckTexts(question: Question): { prompt: string; solution: string } | null {
  if (question.place !== "self-check") return null;
  const choices = "choices" in question ? question.choices : [];
  const list = (items: readonly string[]): string => items.map((item) => `- ${item.replaceAll("\n", "\n  ")}`).join("\n");
  const said = choices.flatMap(({ markdown, feedback }) => (feedback === undefined ? [] : [`${markdown} ${feedback}`]));
  return {
    prompt: [question.markdown, list(choices.map(({ markdown }) => markdown))].filter(Boolean).join("\n\n"),
    solution: [...question.hints, list(said), question.explanation ?? ""].filter(Boolean).join("\n\n"),
  };
}
