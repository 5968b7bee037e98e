import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { gatewayFixture } from "../model-gateway/gateway.fixture.ts";
import type { ScriptedServer, SeenRequest } from "../model-gateway/scripted-server.fixture.ts";
import { askedCourse } from "./asked-course.fixture.ts";
import { type ServedTutor, serveTutor } from "./tutor.fixture.ts";

/** Tutoring over two scripted models, a writer and a looker, and a course without questions of its own. */

export interface WrittenQuestion {
  prompt: string;
  selection: "single" | "multiple" | "text";
  choices: { text: string; correct: boolean }[];
  rubric: string[];
  modelAnswer: string;
  hint: string;
  explanation: string;
  passages: string[];
}

export const written = (prompt: string, [right = "", ...wrong]: string[], more: Partial<WrittenQuestion> = {}): WrittenQuestion => ({
  prompt,
  selection: "single",
  choices: [{ text: right, correct: true }, ...wrong.map((text) => ({ text, correct: false }))],
  rubric: [],
  modelAnswer: "",
  hint: "Look at the signs.",
  explanation: "The lesson says so.",
  passages: ["s1"],
  ...more,
});

export const inWords = (prompt: string): WrittenQuestion =>
  written(prompt, [], { selection: "text", choices: [], rubric: ["It says so."], modelAnswer: "So it is put in other words." });

/** A question as the second look is shown it. */
export interface LookedQuestion {
  number: number;
  objective: string;
  prompt: string;
  choices: { number: number; text: string }[];
  criteria: { number: number }[];
}

export interface LookSaid {
  question: number;
  testsObjective: boolean;
  follows: number[];
  givesItselfAway: boolean;
  repeatsRevealed: boolean;
  reason: string;
}

/** What both models say; a test changes what it is about. Null hangs. */
export interface Scripts {
  probe: WrittenQuestion;
  /** Questions one after another, the last one for all that follow. */
  checks: WrittenQuestion[];
  /** The second look; by default an honest one. */
  look(questions: LookedQuestion[]): string | null;
  /** Numbers chosen by the wording alone, in the order of the calls. */
  guess(question: LookedQuestion, call: number): number[];
  /** Lessons one after another, the last one for all that follow. */
  lessons: string[];
  help: string;
}

export const questionsIn = (body: SeenRequest["body"]): LookedQuestion[] =>
  JSON.parse(/<questions>(.*?)<\/questions>/s.exec(body.messages[0]?.content ?? "")?.[1] ?? "[]");

export const nameIn = ({ response_format: format }: SeenRequest["body"]): string => format?.json_schema?.name ?? "text";

/** To be called inside `describe`. */
export function scriptedTutor() {
  const models = gatewayFixture();
  let served: ServedTutor | undefined;
  let folder = "";
  let asked = 0;
  let guesses = 0;
  let taught = 0;
  let all: WrittenQuestion[] = [];
  const requests: { to: "writer" | "looker"; body: SeenRequest["body"] }[] = [];

  /** An honest look, which knows what every question that was written takes for right. */
  const honest = (questions: LookedQuestion[]): LookSaid[] =>
    questions.map(({ number, prompt, choices, criteria }) => {
      const known = all.find((one) => one.prompt === prompt);
      const right = known?.choices.filter(({ correct }) => correct).map(({ text }) => text) ?? [];
      const follows = [...choices.filter(({ text }) => right.includes(text)), ...criteria].map((one) => one.number);
      return { question: number, testsObjective: true, follows, givesItselfAway: false, repeatsRevealed: false, reason: "" };
    });
  const usual: Scripts = {
    probe: written("Which sign joins two programs into one pipeline?", ["|", ">", "&", ";"]),
    checks: [written("Which sign would you type between two filters?", ["|", "<", "#", "%"])],
    look: (questions) => JSON.stringify({ questions: honest(questions) }),
    guess: () => [],
    lessons: ["The vertical bar is the sign for it. [s1]"],
    help: "Because the second one reads what the first one writes. [s1]",
  };
  let scripts: Scripts = usual;

  function reply(to: "writer" | "looker", body: SeenRequest["body"]): string | null {
    requests.push({ to, body });
    const system = body.messages[0]?.content ?? "";
    const questions = questionsIn(body);
    switch (nameIn(body)) {
      case "probe": {
        const { hint: _hint, rubric: _rubric, modelAnswer: _answer, ...item } = scripts.probe;
        const objectiveId = /"id":"([^"]+)"/.exec(system)?.[1] ?? "";
        all = [...all, scripts.probe];
        return JSON.stringify({ items: [{ objectiveId, breadth: "broad", ...item }] });
      }
      case "plan": {
        const objectiveIds = [/"id":"([^"]+)"/.exec(system)?.[1] ?? ""];
        return JSON.stringify({ steps: [{ key: "p1", title: "Pipes", objectiveIds, passages: ["s1"], prerequisites: [], reason: "So." }] });
      }
      case "verification":
        return JSON.stringify({ unsupported: [], prerequisiteGaps: [] });
      case "check": {
        const next = scripts.checks[Math.min(asked, scripts.checks.length - 1)] ?? scripts.probe;
        // It writes questions with choices only: another kind is not taken.
        if (!system.includes("selection is text")) asked += 1;
        all = [...all, next];
        return JSON.stringify(next);
      }
      case "look":
        return scripts.look(questions);
      case "guess": {
        guesses += 1;
        const answers = questions.map((one) => ({ question: one.number, choices: scripts.guess(one, guesses) }));
        return JSON.stringify({ answers });
      }
      case "grading":
        return JSON.stringify({ criteria: [{ criterion: 1, met: true, reason: "It says so." }] });
      default:
        if (!system.includes("You teach a learner")) return scripts.help;
        taught += 1;
        return scripts.lessons[Math.min(taught, scripts.lessons.length) - 1] ?? "";
    }
  }

  async function serve(change: Partial<Scripts> = {}, { alone = false, secondLookMs = 20_000 } = {}): Promise<ServedTutor> {
    [scripts, asked, guesses, taught, all] = [{ ...usual, ...change }, 0, 0, 0, []];
    requests.length = 0;
    const answerAs = (to: "writer" | "looker"): Promise<ScriptedServer> => models.serve({ kind: "reply", to: (body) => reply(to, body) });
    const servers = await Promise.all([answerAs("writer"), ...(alone ? [] : [answerAs("looker")])]);
    const course = askedCourse(0);
    folder = dirname(course.folder);
    served = await serveTutor({ others: [course], around: () => models.gatewayTo(servers.map(({ url }) => url)), secondLookMs });
    return served;
  }
  afterEach(async () => {
    await served?.close();
    served = undefined;
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  return { serve, requests, honest };
}
