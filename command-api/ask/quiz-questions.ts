import type { Citation } from "@colloquy/schemas/ask/citations.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { choiceErrors } from "@colloquy/schemas/generation/choices.ts";
import type { GeneratedQuestion } from "@colloquy/schemas/generation/quiz.ts";
import type { Question, Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { shuffledChoices } from "@colloquy/schemas/quiz/quiz-order.ts";
import { v7 as uuid } from "uuid";
import { citationOf } from "../grounding/citations.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";

/** Questions taken from what models propose; see `gatherQuestions`. */
export interface GatheredQuestions {
  readonly questions: readonly Question[];
  /** Takes those that can be taken, up to `most` in all. */
  take(proposed: readonly GeneratedQuestion[], most: number): void;
  /** The quiz of what has been taken so far, always under the same id. */
  quiz(title: string): Quiz;
}

/**
 * Gathers questions for a quiz. A question is left out when its passages were not given in this turn, when it repeats another one,
 * or when its choices are not distinct or their right ones do not fit its kind. Ids are the application's, and so is the order of
 * the choices, because models like to put the right one first.
 * @param random as `Math.random`
 */
export function gatherQuestions(passages: readonly TurnPassage[], random: () => number = Math.random): GatheredQuestions {
  const byKey = new Map(passages.map((passage) => [passage.key, passage]));
  const sources = new Map<string, Citation>();
  const questions: Question[] = [];
  const asked = new Set<string>();
  const quizId = uuid();

  function questionFrom(proposed: GeneratedQuestion): Question | null {
    const grounds = proposed.passages.flatMap((key) => byKey.get(key) ?? []);
    const about = sameness(proposed.prompt);
    const proposals = withoutLetters(proposed.choices);
    const distinct = new Set(proposals.map(({ text }) => sameness(text))).size === proposals.length;
    if (grounds.length === 0 || asked.has(about) || !distinct || choiceErrors(proposed.kind, proposals).length > 0) return null;
    asked.add(about);
    for (const passage of grounds)
      if (!sources.has(passage.sourceId) && sources.size < bounds.citation.perAnswer)
        sources.set(passage.sourceId, citationOf(passage, sources.size + 1, `${proposed.prompt} ${proposed.explanation}`));
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
    take(proposed, most) {
      for (const proposal of proposed) {
        if (questions.length >= most) return;
        const question = questionFrom(proposal);
        if (question) questions.push(question);
      }
    },
    quiz: (title) => ({ type: "quiz", quizId, title, questions: [...questions], sources: [...sources.values()] }),
  };
}

/** Equal for texts that say the same: spacing and a full stop do not count, nor does the case of letters, save in code and formulas. */
export function sameness(text: string): string {
  const folded = text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[.!?…]+$/, "")
    .trim();
  return /[`$\\<>|*^=~]|(?:^|\s)-/.test(folded) ? folded : folded.toLowerCase();
}

const letter = /^\(?(?:[A-Ha-h]|[1-8])[).:]\s+/;

/** Choices are named by ids: letters a model has put before all of them go. */
export function withoutLetters(choices: GeneratedQuestion["choices"]): GeneratedQuestion["choices"] {
  if (!choices.every(({ text }) => letter.test(text))) return choices;
  return choices.map(({ text, correct }) => ({ text: text.replace(letter, ""), correct }));
}
