import type { AuthoredQuestion } from "@colloquy/command-api/tutor/course.ts";
import { sha256 } from "@colloquy/infra/ledger/chain.ts";
import type { QuestionKind, QuestionLevel } from "@colloquy/schemas/courses/blocks.ts";
import type { MechanicalQuestion } from "@colloquy/schemas/questions/mark.ts";
import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import { partId } from "@colloquy/schemas/questions/shown.ts";
import type { Fact } from "./made-up-course.ts";

/** The kinds of a bank's questions on one objective, as often as in the demonstration courses; a smaller bank has the first of them. */
const kinds: readonly [Exclude<QuestionKind, "free">, QuestionLevel][] = [
  ["text", "recall"],
  ["number", "application"],
  ["single", "application"],
  ["multiple", "application"],
  ["match", "application"],
  ["gap", "application"],
  ["text", "recall"],
  ["order", "application"],
  ["number", "application"],
  ["multiple", "recall"],
  ["gap", "recall"],
];

/** So many questions of an author's on each objective of a made-up course, each on a fact of its own. */
export function authoredBank(facts: readonly Fact[], perObjective: number, sourceIdOf: (fact: Fact) => string): AuthoredQuestion[] {
  return [...Map.groupBy(facts, ({ objectiveId }) => objectiveId)].flatMap(([objectiveId, own]) =>
    own.slice(0, perObjective).map((fact, index): AuthoredQuestion => {
      const question = questionOn(fact, kinds[index % kinds.length] ?? ["text", "recall"]);
      const blockId = `question-${objectiveId}-${index}`;
      return { blockId, topicId: `topic-${objectiveId}`, objectiveId, digest: sha256(blockId), question, sourceIds: [sourceIdOf(fact)] };
    }),
  );
}

function questionOn(fact: Fact, [kind, level]: (typeof kinds)[number]): MechanicalQuestion {
  const { prompt, answer, distractors, subject, sentence } = fact;
  const common = { level, about: [], place: "bank" as const, markdown: prompt, hints: ["Think of where it is."], explanation: sentence };
  const [one = "", two = "", three = ""] = distractors;
  const turned = answer.split(" ").toReversed().join(" ");
  switch (kind) {
    case "single":
      return {
        ...common,
        kind,
        choices: [{ markdown: answer, correct: true }, ...[one, two, three].map((markdown) => ({ markdown, correct: false }))],
      };
    case "multiple": {
      const choice = (correct: boolean) => (markdown: string) => ({ markdown, correct });
      return { ...common, kind, choices: [...[answer, turned].map(choice(true)), ...[one, two].map(choice(false))] };
    }
    case "text":
      return { ...common, kind, accepted: [answer] };
    case "number":
      return { ...common, kind, value: Number(/\d+/.exec(answer)?.[0] ?? 0), tolerance: 0 };
    case "gap":
      return { ...common, kind, markdown: `Every ${subject} turns toward [[1]].`, gaps: [[answer]] };
    case "order":
      return { ...common, kind, items: [answer, one, two, three] };
    case "match":
      return {
        ...common,
        kind,
        pairs: [answer, one, two].map((right, index) => ({ left: `${subject} ${index + 1}`, right })),
        extra: [three],
      };
  }
}

/** The right response to a question. */
export function rightResponse(key: MechanicalQuestion): QuestionResponse {
  switch (key.kind) {
    case "single":
    case "multiple":
      return { choiceIds: key.choices.flatMap(({ markdown, correct }) => (correct ? partId(markdown) : [])) };
    case "text":
      return { text: key.accepted[0] ?? "" };
    case "number":
      return { text: String(key.value) };
    case "gap":
      return { texts: key.gaps.map(([accepted = ""]) => accepted) };
    case "order":
      return { choiceIds: key.items.map(partId) };
    case "match":
      return { pairs: key.pairs.map(({ left, right }) => ({ left: partId(left), right: partId(right) })) };
  }
}

/**
 * A response made without knowing, to a question without choices: what is to be written is never hit, things are put in any order, and of
 * the right sides of a pair as many wrong ones are ruled out as of choices.
 */
export function blindResponse(key: MechanicalQuestion, rulesOut: number, random: () => number): QuestionResponse {
  const inAnyOrder = <One>(list: readonly One[]): One[] =>
    list
      .map((one) => ({ one, place: random() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ one }) => one);
  switch (key.kind) {
    case "order":
      return { choiceIds: inAnyOrder(key.items).map(partId) };
    case "match": {
      const rights = [...key.pairs.map(({ right }) => right), ...key.extra];
      return {
        pairs: key.pairs.map(({ left, right }) => {
          const wrong = inAnyOrder(rights.filter((one) => one !== right)).slice(rulesOut);
          return { left: partId(left), right: partId(inAnyOrder([right, ...wrong])[0] ?? right) };
        }),
      };
    }
    case "gap":
      return { texts: key.gaps.map(() => "something else") };
    default:
      return { text: "something else" };
  }
}
