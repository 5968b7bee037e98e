import type { Question } from "../courses/blocks.ts";
import type { QuestionResponse } from "./response.ts";
import { partId } from "./shown.ts";

/** What is right, in the form of a response; for free text a model answer with the criteria that it meets. */
export type QuestionSolution = QuestionResponse | { answer: string; rubric: readonly string[] };

export function solutionOf(question: Question): QuestionSolution {
  switch (question.kind) {
    case "single":
    case "multiple":
      return { choiceIds: question.choices.flatMap(({ markdown, correct }) => (correct ? [partId(markdown)] : [])) };
    case "text":
      return { text: question.accepted[0] ?? "" };
    case "number":
      return { text: [String(question.value), question.unit].filter(Boolean).join(" ") };
    case "gap":
      return { texts: question.gaps.map(([first = ""]) => first) };
    case "order":
      return { choiceIds: question.items.map(partId) };
    case "match":
      return { pairs: question.pairs.map(({ left, right }) => ({ left: partId(left), right: partId(right) })) };
    case "free":
      return { answer: question.answer, rubric: question.rubric };
  }
}
