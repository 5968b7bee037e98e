import type { QuestionResponse, ShownQuestion } from "@colloquy/schemas/questions/response.ts";
import type { TutorAction } from "@colloquy/schemas/tutor/requests.ts";

interface Asked {
  itemId: string;
  selection: string;
  choices: readonly { choiceId: string }[];
  question?: ShownQuestion | undefined;
}

/** An answer to a waiting question that is complete, right or wrong. @param pick one of several, by their number */
export function someAnswer({ itemId, selection, choices, question }: Asked, words: string, pick: (count: number) => number): TutorAction {
  if (question) return { type: "answer", itemId, response: someResponse(question, pick) };
  if (selection === "text") return { type: "answer", itemId, text: words };
  return { type: "answer", itemId, choiceIds: [choices[pick(choices.length)]?.choiceId ?? ""] };
}

function someResponse(question: ShownQuestion, pick: (count: number) => number): QuestionResponse {
  switch (question.kind) {
    case "single":
    case "multiple":
      return { choiceIds: [question.choices[pick(question.choices.length)]?.id ?? ""] };
    case "order":
      return { choiceIds: question.items.map(({ id }) => id) };
    case "match":
      return { pairs: question.lefts.map(({ id }) => ({ left: id, right: question.rights[pick(question.rights.length)]?.id ?? "" })) };
    case "gap":
      return { texts: Array<string>(question.gaps).fill("1") };
    default:
      return { text: "1" };
  }
}
