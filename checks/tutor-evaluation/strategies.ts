import { wordsOf } from "@colloquy/command-api/tutor/shown-texts.ts";
import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { blindResponse, rightResponse } from "./authored-bank.ts";
import { isLesson } from "./learners.ts";
import type { Fact } from "./made-up-course.ts";
import { knowingAnswer } from "./writer.ts";

/**
 * A simulated learner. Each learner has some objectives at the beginning (`knows`), and on the others it answers by its strategy. All
 * parameters are fixed before a run; learners that the model was tuned against and those that were held out stand apart.
 */
export interface Strategy {
  name: string;
  /** Not run before the parameters were chosen. */
  heldOut?: true;
  /** Share of objectives it has at the beginning. */
  knows: number;
  /** Chance of a wrong answer on what it has. */
  slips: number;
  /** Chance to get an objective from one lesson on it. */
  learns?: number;
  /** Chance to lose an objective overnight. */
  forgets?: number;
  /** How many wrong choices of a question it rules out. */
  rulesOut?: number;
  /** Remembers which statements and answers were shown as right or wrong, word by word. */
  memorises?: true;
  /** Writes what a lesson said when own words are asked for; `shuffles`: changes every so manieth word. */
  copies?: true;
  shuffles?: number;
  /** Takes the choice that is longest and has most words in common with the question and what was read. */
  testWise?: true;
  /** Writes that it does not know. */
  admits?: true;
  /** Partial knowledge by item response theory (2PL): ability at an objective; it has it where 80 % of items are answered without guessing. */
  ability?: { mean: number; spread: number };
  /** Chance to ask for a hint before an answer, and for the explanation. */
  asksHints?: number;
  asksExplanations?: number;
  /** What its grader does: see `WriterSettings`. */
  lenient?: number;
  strict?: number;
}

const half = { knows: 0.5, slips: 0.08 };
/** The learners that parameters were chosen with. */
export const tunedWith: readonly Strategy[] = [
  { name: "knows it", knows: 1, slips: 0.08 },
  { name: "blind guesser", ...half },
  { name: "rules out one of four", ...half, rulesOut: 1 },
  { name: "rules out two of four", ...half, rulesOut: 2 },
  { name: "memoriser", ...half, memorises: true },
  { name: "copier", ...half, copies: true },
  { name: "weak partial knowledge", knows: 0, slips: 0, ability: { mean: -0.5, spread: 1 } },
  { name: "learner", knows: 0.2, slips: 0.08, learns: 0.35 },
];
/** Learners that were not run before the parameters were chosen. */
export const heldOut: readonly Strategy[] = (
  [
    { name: "test-wise", ...half, testWise: true },
    { name: "test-wise, rules out one", ...half, testWise: true, rulesOut: 1, memorises: true },
    { name: "copier who changes words", ...half, copies: true, shuffles: 7 },
    { name: "says it does not know", ...half, admits: true },
    { name: "fast learner", knows: 0.2, slips: 0.08, learns: 0.7 },
    { name: "slow learner", knows: 0.2, slips: 0.08, learns: 0.1 },
    { name: "forgetter", knows: 0.6, slips: 0.08, learns: 0.35, forgets: 0.3 },
    { name: "lenient grader", ...half, lenient: 0.4 },
    { name: "strict grader", knows: 1, slips: 0.08, strict: 0.3 },
    { name: "hint seeker", ...half, asksHints: 0.6, asksExplanations: 0.2, memorises: true },
    { name: "careless", knows: 1, slips: 0.2 },
    { name: "middling partial knowledge", knows: 0, slips: 0, ability: { mean: 0.5, spread: 1 } },
  ] satisfies Strategy[]
).map((strategy) => ({ ...strategy, heldOut: true }));

export interface Learner {
  has(objectiveId: string): boolean;
  /** What it does before it answers. */
  asksFirst(item: TutorItem): ("hint" | "explanation")[];
  answer(item: TutorItem, session: TutorSession): { choiceIds: string[] } | { text: string } | { response: QuestionResponse };
  isTaught(objectiveIds: readonly string[]): void;
  sleeps(): void;
}

export function createLearner(strategy: Strategy, objectiveIds: readonly string[], facts: readonly Fact[], random: () => number): Learner {
  const { knows, slips, learns = 0, forgets = 0, rulesOut = 0, ability, asksHints = 0, asksExplanations = 0 } = strategy;
  const has = new Set(objectiveIds.filter(() => random() < knows));
  const abilities = new Map(objectiveIds.map((id) => [id, ability ? ability.mean + ability.spread * normal(random) : 0]));
  if (ability) for (const [id, theta] of abilities) if (meanCorrect(theta) >= 0.8) has.add(id);
  const factOf = ({ prompt }: TutorItem): Fact | undefined => facts.find((fact) => fact.prompt === prompt);

  /** Whether it gets this question by knowing. */
  function knowsAnswer({ objectiveId }: TutorItem): boolean {
    if (ability) return random() < correctChance(abilities.get(objectiveId) ?? 0, normal(random));
    return has.has(objectiveId) && random() >= slips;
  }
  function words(item: TutorItem, session: TutorSession): string {
    if (strategy.admits) return "I don't know, sorry.";
    const lesson = session.messages.findLast(isLesson);
    if (!strategy.copies || !lesson)
      return `It may be ${Math.floor(random() * 1e9)} or ${Math.floor(random() * 1e9)} in some way or other.`;
    const { shuffles } = strategy;
    const taken = lesson.text.replace(/\[\^\d+\]/g, "").split(" ");
    const changed = shuffles ? taken.map((word, index) => (index % shuffles === shuffles - 1 ? "perhaps" : word)) : taken;
    // What it copies is as good as the course: a grader takes it for right.
    return `${changed.join(" ")} ${factOf(item)?.answer ?? ""}`;
  }
  /** Choices that it takes for wrong or right, by what it remembers or by their form. */
  function guessed(item: TutorItem, session: TutorSession): string[] {
    const shown = session.messages.flatMap((message) => (message.kind === "answer" || message.kind === "explanation" ? message : []));
    const questions = new Map(
      session.messages.flatMap((message) => (message.kind === "question" ? [[message.itemId, message] as const] : [])),
    );
    const textsOf = (right: boolean): Set<string> =>
      new Set(
        shown.flatMap((one) =>
          (questions.get(one.itemId)?.choices ?? [])
            .filter(({ choiceId }) => one.right.includes(choiceId) === right)
            .map(({ text }) => text),
        ),
      );
    const [good, bad] = strategy.memorises ? [textsOf(true), textsOf(false)] : [new Set<string>(), new Set<string>()];
    const remembered = item.choices.filter(({ text }) => good.has(text)).map(({ choiceId }) => choiceId);
    const count = item.selection === "single" ? 1 : 1 + Math.floor(random() * (item.choices.length - 1));
    if (remembered.length > 0) return remembered.slice(0, item.selection === "single" ? 1 : undefined);
    const wrong = item.choices.filter(({ choiceId }) => !item.right.includes(choiceId)).toSorted(() => random() - 0.5);
    const out = new Set(wrong.slice(0, rulesOut).map(({ choiceId }) => choiceId));
    const open = item.choices.filter(({ choiceId, text }) => !out.has(choiceId) && !bad.has(text)).toSorted(() => random() - 0.5);
    if (strategy.testWise) {
      const read = new Set(
        wordsOf([item.prompt, ...session.messages.flatMap((message) => (message.kind === "teaching" ? message.text : []))].join(" ")),
      );
      const worth = ({ text }: { text: string }): number => wordsOf(text).filter((word) => read.has(word)).length + text.length / 100;
      return open
        .toSorted((one, other) => worth(other) - worth(one))
        .slice(0, Math.min(count, 2))
        .map(({ choiceId }) => choiceId);
    }
    // Who has ruled out all but as many as are right takes these.
    const left = item.selection === "multiple" && open.length <= item.right.length ? open.length : Math.min(count, open.length);
    return open.slice(0, Math.max(1, left)).map(({ choiceId }) => choiceId);
  }

  return {
    has: (objectiveId) => has.has(objectiveId),
    asksFirst: () => [...(random() < asksHints ? ["hint" as const] : []), ...(random() < asksExplanations ? ["explanation" as const] : [])],
    answer(item, session) {
      const knowing = knowsAnswer(item);
      const { key } = item;
      if (key && knowing) return { response: rightResponse(key) };
      if (key && item.choices.length === 0) return { response: blindResponse(key, rulesOut, random) };
      if (item.selection === "text") {
        const fact = factOf(item);
        return { text: knowing && fact ? knowingAnswer(fact, random) : words(item, session) };
      }
      if (knowing) return { choiceIds: item.right };
      if (!has.has(item.objectiveId) || ability) return { choiceIds: guessed(item, session) };
      const wrong = item.choices.filter(({ choiceId }) => !item.right.includes(choiceId));
      return { choiceIds: wrong.slice(0, 1).map(({ choiceId }) => choiceId) };
    },
    isTaught(taught) {
      for (const id of taught) if (random() < learns) has.add(id);
    },
    sleeps() {
      for (const id of [...has]) if (random() < forgets) has.delete(id);
    },
  };
}

/** 2PL with discrimination 1.7, where it meets the normal ogive (Birnbaum 1968). */
const correctChance = (ability: number, difficulty: number): number => 1 / (1 + Math.exp(-1.7 * (ability - difficulty)));
/** Over difficulties that are normally distributed. */
function meanCorrect(ability: number): number {
  let [sum, weight] = [0, 0];
  for (let difficulty = -4; difficulty <= 4; difficulty += 0.1) {
    const density = Math.exp(-(difficulty ** 2) / 2);
    sum += density * correctChance(ability, difficulty);
    weight += density;
  }
  return sum / weight;
}

const normal = (random: () => number): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
