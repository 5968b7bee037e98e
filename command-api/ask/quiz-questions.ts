import { samenessOf } from "@colloquy/infra/object-store/course-questions.ts";
import type { RankedPassage } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { choiceErrors } from "@colloquy/schemas/generation/choices.ts";
import type { GeneratedQuestion } from "@colloquy/schemas/generation/quiz.ts";
import { shuffledChoices } from "@colloquy/schemas/questions/choice-order.ts";
import { normalizedText } from "@colloquy/schemas/questions/compare.ts";
import type { ChoiceQuestion, CourseQuestion, Question, Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { v7 as uuid } from "uuid";
import { citationOf } from "../grounding/citations.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";

/** A question of a course's own that a quiz is to ask, with the passages that its answer follows from. */
export interface AuthoredChoice extends Pick<CourseQuestion, "authored" | "key"> {
  passages: readonly RankedPassage[];
}

/** Accepts proposed questions; see `questionCollector`. */
export interface QuestionCollector {
  readonly questions: readonly Question[];
  /** Adds questions of the course's own. @param written the sameness of each that it holds, retired ones included: no model asks them */
  addAuthored(chosen: readonly AuthoredChoice[], written?: ReadonlySet<string>): void;
  /** Accepts usable questions, up to `most` in all. */
  add(proposed: readonly GeneratedQuestion[], most: number): void;
  /** The quiz so far, always with the same id. */
  quiz(title: string): Quiz;
}

/**
 * Collects questions for a quiz. Rejects a question whose passages were not given in this turn, that repeats another one, whose choices
 * are not distinct, or whose correct choices do not fit its kind. The application assigns ids and shuffles the choices, because models
 * tend to put the correct one first.
 * @param random as `Math.random`
 */
export function questionCollector(passages: readonly TurnPassage[], random: () => number = Math.random): QuestionCollector {
  const byKey = new Map(passages.map((passage) => [passage.key, passage]));
  const sources = new Map<string, Citation>();
  const questions: Question[] = [];
  const cite = (passage: TurnPassage, sentence: string): void => {
    if (!sources.has(passage.sourceId) && sources.size < bounds.citation.perAnswer)
      sources.set(passage.sourceId, citationOf(passage, sources.size + 1, sentence));
  };
  const asked = new Set<string>();
  let held: ReadonlySet<string> = new Set();
  const quizId = uuid();

  function questionFrom(proposed: GeneratedQuestion): ChoiceQuestion | null {
    const grounds = proposed.passages.flatMap((key) => byKey.get(key) ?? []);
    const prompt = normalizedText(proposed.prompt);
    const proposals = withoutChoiceLetters(proposed.choices);
    const distinct = new Set(proposals.map(({ text }) => normalizedText(text))).size === proposals.length;
    if (held.has(samenessOf(proposed.prompt, proposals))) return null;
    if (grounds.length === 0 || asked.has(prompt) || !distinct || choiceErrors(proposed.kind, proposals).length > 0) return null;
    asked.add(prompt);
    for (const passage of grounds) cite(passage, `${proposed.prompt} ${proposed.explanation}`);
    const choices = shuffledChoices(proposals, random).map((choice) => ({ choiceId: uuid(), ...choice }));
    return {
      questionId: uuid(),
      kind: proposed.kind,
      prompt: proposed.prompt,
      choices: choices.map(({ choiceId, text }) => ({ choiceId, text })),
      correct: choices.filter((choice) => choice.correct).map((choice) => choice.choiceId),
      explanation: proposed.explanation,
      sourceIds: [...new Set(grounds.map((passage) => passage.sourceId))],
    };
  }

  return {
    questions,
    addAuthored(chosen, written = held) {
      held = written;
      for (const { authored, key, passages: grounds } of chosen) {
        asked.add(normalizedText(key.markdown));
        for (const passage of grounds) cite({ ...passage, key: "" }, `${key.markdown} ${key.explanation ?? ""}`);
        questions.push({ questionId: uuid(), authored, key, sourceIds: grounds.map(({ sourceId }) => sourceId) });
      }
    },
    add(proposed, most) {
      for (const proposal of proposed) {
        if (questions.length >= most) return;
        const question = questionFrom(proposal);
        if (question) questions.push(question);
      }
    },
    quiz: (title) => ({ type: "quiz", quizId, title, questions: [...questions], sources: [...sources.values()] }),
  };
}

const letter = /^\(?(?:[A-Ha-h]|[1-8])[).:]\s+/;

/** Removes letters or numbers that a model put before all choices: choices are named by ids. */
export function withoutChoiceLetters(choices: GeneratedQuestion["choices"]): GeneratedQuestion["choices"] {
  if (!choices.every(({ text }) => letter.test(text))) return choices;
  return choices.map(({ text, correct }) => ({ text: text.replace(letter, ""), correct }));
}
