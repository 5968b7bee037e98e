import type { Emphasis } from "@colloquy/schemas/explainers/storyboard.ts";
import { askedSeconds } from "@colloquy/schemas/explainers/timing.ts";
import { seeded, shuffled } from "../facts.ts";
import { type Candidate, candidate } from "./scene.ts";
import { filmWords } from "./words.ts";

/** The film that is asked about. */
export interface Of {
  title: string;
  emphasis: Emphasis;
  language: string;
  /** What is not to be asked. */
  avoid: readonly string[];
}

type Choices = { text: string; correct: boolean }[];

/** How long a question and its choices take to read, in seconds. */
export const readIn = (question: string, choices: Choices): number =>
  [question, ...choices.map(({ text }) => text)].reduce((sum, text) => sum + askedSeconds(text), 0);
/** More than so many seconds of reading are too much for the end of a film. */
export const longRead = 10;
/** Four choices, or three where four take long to read; the right one stands first. */
export const briefly = (question: string, choices: Choices): Choices => choices.slice(0, readIn(question, choices) > longRead ? 3 : 4);

/** A closing question with its choices in an order that gives nothing away. */
export const questionScene = (of: {
  narration: string;
  question: string;
  right: string;
  wrong: readonly string[];
  explanation: string;
  says: readonly string[];
  quotes: Candidate["quotes"];
}): Candidate => {
  const choices = briefly(of.question, [{ text: of.right, correct: true }, ...of.wrong.map((text) => ({ text, correct: false }))]);
  return candidate({
    layout: "question",
    heading: "",
    narration: of.narration,
    at: Number.MAX_SAFE_INTEGER,
    says: of.says,
    content: { question: of.question, choices: shuffled(choices, seeded(of.question)), explanation: of.explanation.slice(0, 600) },
    quotes: of.quotes,
  });
};

/** A question on a sentence of the film; null where it is long, or another film of the topic asks it. */
export function onSentence(
  sentence: string,
  asked: { question: string; right: string; wrong: string[] },
  { says, quotes }: Candidate,
  { emphasis, avoid, language }: Of,
): Candidate | null {
  if (asked.question.length > 190 || avoid.includes(asked.question)) return null;
  const words = filmWords(language);
  return questionScene({
    ...asked,
    narration: words.asks[emphasis],
    explanation: words.explanation(sentence),
    says,
    quotes: quotes.slice(0, 1),
  });
}
