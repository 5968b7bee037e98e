import type { Question, QuestionKind } from "../courses/blocks.ts";
import { comparableCode } from "./compare.ts";
import { gapsInCode } from "./gaps.ts";
import { isNumberRight } from "./numbers.ts";
import type { QuestionResponse } from "./response.ts";
import { isSameText } from "./same-text.ts";
import { partId } from "./shown.ts";

/** Kinds that are marked without a judgement: all but free text. */
export const isMechanical = (kind: QuestionKind): kind is Exclude<QuestionKind, "free"> => kind !== "free";

export type MechanicalQuestion = Exclude<Question, { kind: "free" }>;

export interface Marking {
  correct: boolean;
  /** Of each choice, item, gap or pair of the response: whether it is right. */
  parts?: boolean[];
  /** What the author says to those who took these choices. */
  feedback?: string[];
}

const wrong: Marking = { correct: false };

/** Marks a response by the key. One of another form than the question asks for is wrong. Pure. */
export function markResponse(key: MechanicalQuestion, response: QuestionResponse): Marking {
  switch (key.kind) {
    case "single":
    case "multiple":
      return "choiceIds" in response ? markChoices(key.kind, key.choices, response.choiceIds) : wrong;
    case "text":
      return { correct: "text" in response && key.accepted.some((accepted) => isSameText(response.text, accepted)) };
    case "number":
      return { correct: "text" in response && isNumberRight(response.text, key) };
    case "gap": {
      if (!("texts" in response)) return wrong;
      const inCode = gapsInCode(key.markdown);
      const { texts } = response;
      return marked(
        key.gaps.map((accepted, index) => {
          const given = texts[index] ?? "";
          if (inCode.has(index + 1)) return accepted.some((answer) => comparableCode(answer) === comparableCode(given));
          return accepted.some((answer) => isSameText(given, answer));
        }),
        texts.length === key.gaps.length,
      );
    }
    case "order": {
      if (!("choiceIds" in response)) return wrong;
      const { choiceIds } = response;
      return marked(
        choiceIds.map((id, index) => id === partId(key.items[index] ?? "")),
        choiceIds.length === key.items.length,
      );
    }
    case "match": {
      if (!("pairs" in response)) return wrong;
      const rightOf = new Map(key.pairs.map(({ left, right }) => [partId(left), partId(right)]));
      const { pairs } = response;
      const distinct = new Set(pairs.map(({ left }) => left)).size;
      return marked(
        pairs.map(({ left, right }) => rightOf.get(left) === right),
        pairs.length === key.pairs.length && distinct === pairs.length,
      );
    }
  }
}

const marked = (parts: boolean[], isComplete: boolean): Marking => ({ correct: isComplete && parts.every(Boolean), parts });

function markChoices(
  kind: "single" | "multiple",
  choices: Extract<MechanicalQuestion, { kind: "single" | "multiple" }>["choices"],
  chosen: readonly string[],
): Marking {
  const byId = new Map(choices.map((choice) => [partId(choice.markdown), choice]));
  const parts = chosen.map((id) => byId.get(id)?.correct ?? false);
  const taken = new Set(chosen);
  const isWhole = choices.every(({ markdown, correct }) => taken.has(partId(markdown)) === correct);
  const feedback = [...taken].flatMap((id) => byId.get(id)?.feedback ?? []);
  return {
    correct: kind === "single" ? chosen.length === 1 && parts[0] === true : isWhole && parts.every(Boolean),
    parts,
    ...(feedback.length > 0 && { feedback }),
  };
}
