import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import type { Builder } from "../markdown/builder.ts";
import { anchorsOf } from "../markdown/callouts.ts";
import type { Container } from "../markdown/containers.ts";
import { draftBlock } from "../markdown/draft.ts";
import { type SourceLine, trimLines } from "../markdown/lines.ts";
import { becameWords, objectiveOf } from "../question-place.ts";
import { readKeyedChoices } from "./choice-key.ts";

/**
 * Adds a challenge as a question if it has choices and a solution that clearly names the right one. On a page with several objectives
 * nothing says which of them it is about: it is a self-check, which is evidence of nothing.
 */
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
  const objective = objectiveOf(builder);
  const data: Question & { kind: "single" | "multiple" } = {
    kind: read.kind,
    ...(objective !== undefined && { objective }),
    level: "recall",
    about: [],
    place: objective === undefined ? "self-check" : "page",
    markdown: "",
    hints: [],
    choices: [],
  };
  // What is read for the block notes on it where it stands, so the block comes first.
  const block = draftBlock("core.question", data);
  const { title } = builder.takeTitle(container, block);
  const text = (lines: SourceLine[]): string => builder.itemOf([{ kind: "lines", lines }], block);
  const prompt = builder.markdownOf([{ kind: "lines", lines: read.prompt }], block);
  data.markdown = [...(title ? [`**${title}**`] : []), prompt].join("\n\n");
  data.explanation = builder.markdownOf([{ kind: "lines", lines: read.explanation }], block);
  data.choices = read.choices.map(({ lines, correct, feedback }) => {
    const said = feedback.length > 0 ? text(feedback) : "";
    return { markdown: text(lines), correct, ...(said && { feedback: said }) };
  });
  const longest = bounds.course.question.partLength;
  if (data.choices.some(({ markdown, feedback = "" }) => markdown.length > longest || feedback.length > longest))
    return keep("one of its choices is too long");
  page.note(container.line, "a challenge with choices", becameWords(objective));
  builder.addBlock(block, anchorsOf(container));
  return true;
}

function withoutHeading(lines: readonly SourceLine[]): SourceLine[] {
  const [first, ...rest] = trimLines(lines);
  if (!first) return [];
  return /^ {0,3}#{1,6}\s/.test(first.text) ? trimLines(rest) : [first, ...rest];
}
