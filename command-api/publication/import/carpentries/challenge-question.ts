import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import { idFrom } from "../ids.ts";
import type { Builder } from "../markdown/builder.ts";
import { anchorsOf } from "../markdown/callouts.ts";
import type { Container } from "../markdown/containers.ts";
import { draftBlock } from "../markdown/draft.ts";
import { type SourceLine, textOf, trimLines } from "../markdown/lines.ts";
import { wordsOf } from "../similarity.ts";
import { readKeyedChoices } from "./choice-key.ts";

/** Adds a challenge as a question if it has choices, a solution that clearly names the right one, and an objective it belongs to. */
export function addQuestion(container: Container, builder: Builder): boolean {
  const { page } = builder;
  const [first, ...others] = container.children;
  const solutions = others.filter((node) => node.kind === "container" && node.name === "solution");
  const [solution] = solutions;
  const hints = others.filter((node) => node.kind === "container" && node.name === "hint");
  const isPlain = others.every((node) =>
    node.kind === "lines" ? trimLines(node.lines).length === 0 : /^(?:solution|hint)$/.test(node.name),
  );
  if (first?.kind !== "lines" || solution?.kind !== "container" || solutions.length > 1 || !isPlain || hints.length > 0) return false;
  if (solution.children.some((node) => node.kind === "container")) return false;
  const read = readKeyedChoices(
    withoutHeading(first.lines),
    withoutHeading(solution.children.flatMap((node) => (node.kind === "lines" ? node.lines : []))),
  );
  if (read === null) return false;
  const keep = (reason: string): false => {
    page.note(container.line, `a challenge with choices: ${reason}`, "stays an exercise");
    return false;
  };
  if (typeof read === "string") return keep(read);
  const about = [first, solution].flatMap((node) => (node.kind === "lines" ? textOf(node.lines) : solutionText(solution)));
  const objective = objectiveOf(about.join("\n"), builder);
  if (objective === null) return keep("none of the page's objectives fits it better than the others");

  const block = draftBlock("core.question", {
    kind: "free",
    level: "recall",
    about: [],
    place: "page",
    markdown: "",
    hints: [],
    rubric: [],
    answer: "",
  });
  if (block.type !== "core.question") return false;
  const { title } = builder.takeTitle(container, block);
  const text = (lines: SourceLine[]): string => builder.itemOf([{ kind: "lines", lines }], block);
  const prompt = builder.markdownOf([{ kind: "lines", lines: read.prompt }], block);
  const data: Question = {
    kind: read.kind,
    objective: idFrom("objective", page.file, objective),
    level: "recall",
    about: [],
    place: "page",
    markdown: [...(title ? [`**${title}**`] : []), prompt].join("\n\n"),
    hints: [],
    explanation: builder.markdownOf([{ kind: "lines", lines: read.explanation }], block),
    choices: read.choices.map(({ lines, correct, feedback }) => {
      const said = feedback.length > 0 ? text(feedback) : "";
      return { markdown: text(lines), correct, ...(said && { feedback: said }) };
    }),
  };
  const longest = bounds.course.question.partLength;
  if (data.choices.some(({ markdown, feedback = "" }) => markdown.length > longest || feedback.length > longest))
    return keep("one of its choices is too long");
  block.data = data;
  page.note(container.line, "a challenge with choices", `became a question; check its objective, “${objective.slice(0, 80)}”`);
  builder.addBlock(block, anchorsOf(container));
  return true;
}

const solutionText = ({ children }: Container): string[] => children.map((node) => (node.kind === "lines" ? textOf(node.lines) : ""));

function withoutHeading(lines: readonly SourceLine[]): SourceLine[] {
  const [first, ...rest] = trimLines(lines);
  if (!first) return [];
  return /^ {0,3}#{1,6}\s/.test(first.text) ? trimLines(rest) : [first, ...rest];
}

const frequent = new Set(
  "the and for with that this what which how use using explain describe write can not are from into does its will you your when where why each one two a an of to in is it be or on as by do".split(
    " ",
  ),
);

const stems = (text: string): Set<string> =>
  new Set([...wordsOf(text)].filter((word) => !frequent.has(word)).map((word) => word.replace(/(?:ing|ed|es|s)$/, "")));

/** The objective that shares most words with a text, rare words counting more; null when none or several do. The author is told to check. */
function objectiveOf(text: string, { objectives }: Builder): string | null {
  const offered = [...new Set(objectives)].slice(0, bounds.course.objectives);
  if (offered.length === 1) return offered[0] ?? null;
  const words = stems(text);
  const sets = offered.map(stems);
  const weight = (word: string): number => 1 / sets.filter((set) => set.has(word)).length;
  const scores = sets.map((set) => [...set].reduce((sum, word) => sum + (words.has(word) ? weight(word) : 0), 0));
  const best = Math.max(0, ...scores);
  const fitting = offered.filter((_objective, index) => scores[index] === best);
  return best > 0 && fitting.length === 1 ? (fitting[0] ?? null) : null;
}
