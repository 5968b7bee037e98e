import { answer } from "@colloquy/command-api/ask/answer.ts";
import { resolveReferences } from "@colloquy/command-api/grounding/retrieve.ts";
import { rewrittenQueries } from "@colloquy/command-api/grounding/rewrite-question.ts";
import type { ModelGateway } from "@colloquy/command-api/model-gateway/gateway.ts";
import { countTokens } from "@colloquy/command-api/tokens.ts";
import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import type { Passage, SearchIndex } from "@colloquy/schemas/courses/revision.ts";
import type { EvaluationLibrary } from "./library.ts";
import { type AskQuestion, folded, type GradedBlock, lastTurn } from "./questions.ts";

/** What one question came to; shares are 0 to 1. */
export interface Outcome {
  question: AskQuestion;
  /** Share of the blocks that answer which the model read. */
  share: number;
  /** Share of the course text in the prompt that stands in a section (page and heading) of a block that answers or helps; of a page asked about, the page. */
  precision: number;
  /** Of the whole system prompt. */
  tokens: number;
  /** Of the first ten passages found for the question alone; null for kinds that no search could answer. */
  ranking: { recall: number; ndcg: number } | null;
  /** Phrases of the blocks that answer and did not reach the model. */
  missing: string[];
}

interface PlacedPassage extends Passage {
  courseId: string;
  words: string;
  page: string;
  section: string;
}

/** Passages that are too short to tell whether they stand in a prompt, such as `$ ls`. */
const shortest = 24;
const looked = 10;
const searchedKinds: ReadonlySet<AskQuestion["kind"]> = new Set(["own-words", "rewritten", "in-course", "language"]);

/** Asks questions through the code of an Ask turn, with a model that keeps its prompt, and measures what the model was given to read. */
export function evaluator({ library, pages, courses }: EvaluationLibrary): (question: AskQuestion) => Promise<Outcome> {
  const passages = courses.flatMap(placed);
  const blockOf = (courseId: string, { phrase }: GradedBlock): PlacedPassage => {
    const words = folded(phrase);
    const found = passages.find((passage) => passage.courseId === courseId && passage.words.includes(words));
    if (!found) throw new Error(`no block of ${courseId} says “${phrase}”`);
    return found;
  };

  return async (question) => {
    const { relevant, text, rewrite } = lastTurn(question);
    const system = await promptOf(question, { library, pages }, blockOf);
    const read = folded(system);
    const answering = relevant.filter(({ grade }) => grade === 2);
    const missing = answering.filter(({ phrase }) => !read.includes(folded(phrase))).map(({ phrase }) => phrase);
    const given = passages.filter(({ words }) => words.length >= shortest && read.includes(words));
    const among = question.kind === "in-course" ? { courseIds: [question.courseId] } : {};
    const blocks = relevant.map((block) => blockOf(question.courseId, block));
    const about = new Set(blocks.map(({ section, page }) => (question.kind === "vague" ? page : section)));
    const onTopic = given.filter(({ section, page }) => about.has(question.kind === "vague" ? page : section));
    return {
      question,
      share: 1 - missing.length / answering.length,
      precision: given.length > 0 ? lengthOf(onTopic) / lengthOf(given) : 0,
      tokens: countTokens(system),
      ranking: searchedKinds.has(question.kind)
        ? rankingOf(await library.search(rewrite ? rewrittenQueries(rewrite) : text, { limit: looked, ...among }), relevant)
        : null,
      missing,
    };
  };
}

function placed({ courseId, sources, passages }: SearchIndex): PlacedPassage[] {
  const pages = new Map(sources.map(({ sourceId, href }) => [sourceId, href.split("#")[0] ?? href]));
  return passages.map((passage) => {
    const page = pages.get(passage.sourceId) ?? "";
    return { ...passage, courseId, words: folded(passage.text), page, section: `${page}#${passage.heading}` };
  });
}

const lengthOf = (passages: readonly PlacedPassage[]): number => passages.reduce((sum, { text }) => sum + text.length, 0);

/** The system prompt of a question. Earlier turns are answered with the first block that answers them, as a short answer would be. */
async function promptOf(
  asked: AskQuestion,
  { library, pages }: Pick<EvaluationLibrary, "library" | "pages">,
  blockOf: (courseId: string, block: GradedBlock) => PlacedPassage,
): Promise<string> {
  const { courseId, attached, selection, turns } = asked;
  const question = turns.at(-1);
  const history = turns.slice(0, -1).flatMap(({ text, relevant: [first] }) => {
    const said = first ? blockOf(courseId, first).text.slice(0, 400) : "";
    return [
      { role: "learner" as const, text },
      { role: "assistant" as const, text: `${said} [^1]` },
    ];
  });
  const href = selection
    ? await hrefOf(library, courseId, blockOf(courseId, { phrase: selection, grade: 2 }))
    : attached && `/courses/${attached}`;
  const references = await resolveReferences({ library, isRevision: async () => true }, href ? [{ href }] : []);
  const { rewrite } = lastTurn(asked);
  let system = "";
  const frames = answer(
    {
      library,
      pages,
      rewriter: { rewrite: async () => rewrite },
      gateway: keepingPrompts((prompt) => (system = prompt)),
      now: () => performance.now(),
    },
    {
      schemaVersion: 1,
      accountId: "evaluation",
      requestId: "evaluation-0001",
      conversationId: null,
      message: question?.text ?? "",
      history,
      references,
      language: "en",
      model: { choice: "automatic" },
    },
    new AbortController().signal,
  );
  for await (const _ of frames);
  return system;
}

async function hrefOf(library: PassageLibrary, courseId: string, { page, sourceId }: PlacedPassage): Promise<string> {
  const found = await library.resolve({ href: page });
  const href = found?.passages.find((passage) => passage.sourceId === sourceId)?.source.href;
  if (!href) throw new Error(`no address of a block of ${courseId}`);
  return href;
}

/** A model that answers at once and hands over the instructions it was given. */
function keepingPrompts(keep: (system: string) => void): ModelGateway {
  const run = { provider: "p1" as const, model: "evaluation", modelName: "evaluation", fallbackDepth: 0 };
  return {
    choices: () => [],
    automatic: () => true,
    check: async () => undefined,
    leftToday: async () => new Map(),
    contextTokens: () => 131_072,
    refresh: async () => undefined,
    shortText: async () => null,
    async streamText({ system }) {
      keep(system);
      return {
        ...run,
        text: (async function* () {
          yield "Noted.";
        })(),
        finished: Promise.resolve({ finishReason: "stop" as const }),
      };
    },
    generateObject: () => Promise.reject(new Error("the evaluation has no objects")),
  };
}

/** Recall and normalised discounted cumulative gain (Järvelin and Kekäläinen; gains 2^grade − 1) of what a search found. */
function rankingOf(found: readonly { text: string }[], relevant: readonly GradedBlock[]): { recall: number; ndcg: number } {
  const grades = found.map(({ text }) => {
    const words = folded(text);
    return Math.max(0, ...relevant.filter(({ phrase }) => words.includes(folded(phrase))).map(({ grade }) => grade));
  });
  const ideal = relevant.map(({ grade }) => grade as number).sort((one, other) => other - one);
  const answering = relevant.filter(({ grade }) => grade === 2).length;
  return {
    recall: Math.min(1, grades.filter((grade) => grade === 2).length / answering),
    ndcg: gain(grades) / gain(ideal.slice(0, looked)),
  };
}

const gain = (grades: readonly number[]): number => grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
