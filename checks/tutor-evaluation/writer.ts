import type { ModelGateway, ObjectRequest, RunInfo } from "@colloquy/command-api/model-gateway/gateway.ts";
import { demonstrationModel, type ModelChoice } from "@colloquy/schemas/models.ts";
import type { Fact } from "./made-up-course.ts";

/** How a model writes and grades; fixed before a run. */
export interface WriterSettings {
  /** It can check no questions, like the demonstration model. */
  unable?: boolean;
  /** Share of questions with a flaw that test-wise learners see: the right choice repeats a word of the question and is the longest. */
  flawed: number;
  /** Share of answers in own words without knowing that the grader takes for right, and of knowing ones that it takes for wrong. */
  lenient: number;
  strict: number;
}

const run: RunInfo = { provider: "p1", model: "made-up", modelName: "Made up", fallbackDepth: 0 };

/** It can check questions, as the demonstration model cannot. */
const choice: ModelChoice = {
  id: "p1/made-up",
  name: "Made up",
  provider: "p1",
  providerLabel: "Made up",
  default: true,
  automaticRank: 1,
  experimental: false,
  capabilities: { ask: true, tutor: true, quiz: true },
};

/** What a learner writes who knows it; a learner who does not writes something else. */
export const knowingAnswer = (fact: Fact, random: () => number): string =>
  `As I see it ${Math.floor(random() * 1e9)} it comes to ${fact.answer} because of how it moves ${Math.floor(random() * 1e9)}.`;

/** A model that writes lessons and questions from the facts of a made-up course, by the prompts that real models get. */
export function madeUpWriter(
  facts: readonly Fact[],
  { unable = false, flawed, lenient, strict }: WriterSettings,
  random: () => number,
): ModelGateway {
  const any = <One>(list: readonly One[]): One | undefined => list[Math.floor(random() * list.length)];
  const keysIn = (system: string): Map<string, string> =>
    new Map([...system.matchAll(/<passage id="(s\d+)"[^>]*>\n([\s\S]*?)\n<\/passage>/g)].map(([, key = "", text = ""]) => [text, key]));
  const objectivesIn = (system: string): string[] =>
    [...(/<objectives>(.*?)<\/objectives>/s.exec(system)?.[1] ?? "").matchAll(/"id":"([^"]+)"/g)].map(([, id = ""]) => id);

  function choicesOf({ answer, distractors, subject }: Fact): { text: string; correct: boolean }[] {
    const right = random() < flawed ? `${answer}, as ${subject} does by its very nature` : answer;
    return [{ text: right, correct: true }, ...distractors.map((text) => ({ text, correct: false }))];
  }
  function question(fact: Fact, selection: "single" | "multiple" | "text", key: string) {
    const common = { prompt: fact.prompt, explanation: fact.sentence, passages: [key], hint: "Think of where it is." };
    if (selection === "text")
      return { ...common, selection, choices: [], rubric: [`It comes to ${fact.answer}.`], modelAnswer: fact.sentence };
    const choices = choicesOf(fact);
    if (selection === "multiple") choices[1] = { text: `${fact.answer.split(" ").reverse().join(" ")}`, correct: true };
    return { ...common, selection, choices, rubric: [], modelAnswer: "" };
  }
  function fresh(system: string, objectiveId: string): { fact: Fact; key: string } | null {
    const keys = keysIn(system);
    const asked = /<asked>(.*?)<\/asked>/s.exec(system)?.[1] ?? "";
    const own = facts.filter((fact) => fact.objectiveId === objectiveId && keys.has(fact.sentence));
    const fact = any(own.filter(({ prompt }) => !asked.includes(prompt))) ?? any(own);
    return fact ? { fact, key: keys.get(fact.sentence) ?? "" } : null;
  }

  const make: Record<string, (system: string) => unknown> = {
    probe: (system) => ({
      items: objectivesIn(system).flatMap((objectiveId) =>
        (["broad", "narrow"] as const).flatMap((breadth) => {
          const found = fresh(system, objectiveId);
          if (!found) return [];
          const { hint: _hint, rubric: _rubric, modelAnswer: _answer, ...item } = question(found.fact, "single", found.key);
          return [{ objectiveId, breadth, ...item }];
        }),
      ),
    }),
    plan: (system) => {
      const keys = [...keysIn(system).entries()];
      const steps = objectivesIn(system).map((objectiveId, index) => ({
        key: `p${index + 1}`,
        title: objectiveId,
        objectiveIds: [objectiveId],
        passages: keys
          .filter(([text]) => facts.some((fact) => fact.objectiveId === objectiveId && fact.sentence === text))
          .map(([, key]) => key)
          .slice(0, 4),
        prerequisites: [],
        reason: "So.",
      }));
      return { steps };
    },
    verification: () => ({ unsupported: [], prerequisiteGaps: [] }),
    check: (system) => {
      const [objectiveId = ""] = objectivesIn(system);
      const found = fresh(system, objectiveId);
      const selection = system.includes("selection is text") ? "text" : system.includes("selection multiple") ? "multiple" : "single";
      if (!found)
        return { selection: "none", prompt: "", choices: [], rubric: [], modelAnswer: "", hint: "", explanation: "", passages: [] };
      return question(found.fact, selection, found.key);
    },
    // Its own questions are sound, as far as it knows them: what flaws leave to guess, learners of the evaluation show.
    look: (system) => {
      const questions = JSON.parse(/<questions>(.*?)<\/questions>/s.exec(system)?.[1] ?? "[]") as {
        number: number;
        prompt: string;
        choices: { number: number; text: string }[];
        criteria: { number: number }[];
      }[];
      return {
        questions: questions.map(({ number, prompt, choices, criteria }) => {
          const fact = facts.find((one) => one.prompt === prompt);
          const isRight = (text: string): boolean => fact !== undefined && !fact.distractors.includes(text);
          const follows = [...choices.filter(({ text }) => isRight(text)), ...criteria].map((one) => one.number);
          return { question: number, testsObjective: true, follows, givesItselfAway: false, repeatsRevealed: false, reason: "" };
        }),
      };
    },
    guess: () => ({ answers: [] }),
    grading: (system) => {
      const answer = JSON.parse(/<answer>(.*?)<\/answer>/s.exec(system)?.[1] ?? '""') as string;
      const rubric = /<rubric>(.*?)<\/rubric>/s.exec(system)?.[1] ?? "";
      const knows = facts.some(({ answer: known }) => rubric.includes(known) && answer.includes(known));
      return { criteria: [{ criterion: 1, met: knows ? random() >= strict : random() < lenient, reason: "So." }] };
    },
  };
  return {
    choices: () => [unable ? { ...choice, id: `p1/${demonstrationModel}` } : choice],
    automatic: () => true,
    check: async () => undefined,
    leftToday: async () => new Map(),
    contextTokens: () => 100_000,
    refresh: async () => undefined,
    shortText: async () => {
      throw new Error("no short text is asked for in a tutoring session");
    },
    async streamText({ system }) {
      const keys = [...keysIn(system).entries()].slice(0, 4);
      const text = async function* () {
        yield keys.map(([sentence, key]) => `${sentence} [${key}]`).join(" ");
      };
      return { ...run, text: text(), finished: Promise.resolve({ finishReason: "stop" as const }) };
    },
    async generateObject<T>({ name, schema, system }: ObjectRequest<T>) {
      return { object: schema.parse(make[name]?.(system)), run };
    },
  };
}
