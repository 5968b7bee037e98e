import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import { formatQuestion, parseQuestion } from "@colloquy/schemas/courses/parsers/question.ts";
import { writeFence } from "@colloquy/schemas/courses/parsers/source.ts";
import { type QuestionKey, rightAnswer } from "../../questions/question-file.ts";
import { carpentriesContainers } from "../carpentries/containers.ts";
import type { Builder, ContainerRule } from "../markdown/builder.ts";
import { draftBlock } from "../markdown/draft.ts";
import { createCodeWatch, type SourceLine, toLines, trimLines } from "../markdown/lines.ts";
import type { Page } from "../markdown/page.ts";
import { becameWords, objectiveOf } from "../question-place.ts";

/** A question that a quiz of another program clearly states; its texts are Markdown of the page on which it stands. */
export type QuizQuestion = QuestionKey & { level?: Question["level"] };

/** A question whose key is not clear: it becomes an exercise with what is known of its solution. */
export interface UnclearQuestion {
  unclear: string;
  markdown: string;
  solution: string;
}

/** The quizzes of one page: lines that stand in for their questions, and the rule that makes blocks of these. */
export interface PageQuizzes {
  /** @param from what the report calls them, such as "mdbook-quiz" */
  linesFor(questions: readonly (QuizQuestion | UnclearQuestion)[], line: number, from: string): SourceLine[];
  rule: ContainerRule;
}

export function createPageQuizzes(page: Page): PageQuizzes {
  const known = new Map<string, QuizQuestion>();
  const from = new Map<string, string>();
  return {
    linesFor: (questions, line, source) =>
      questions.flatMap((question) => {
        const checked = "unclear" in question ? question : valid(question);
        if ("unclear" in checked) {
          page.note(line, `a quiz question (${source}): ${checked.unclear}`, "stays an exercise");
          const { markdown, solution } = checked;
          const answer = solution.trim() ? ["::: solution", ...safeLines(solution), ":::"] : [];
          return numbered(["", "::: quiz-exercise", ...safeLines(markdown), ...answer, ":::", ""], line);
        }
        const name = `quiz-question-${known.size + 1}`;
        known.set(name, checked);
        from.set(name, source);
        // The prompt is read only where the question stands within another part.
        return numbered(["", `::: ${name}`, ...safeLines(checked.markdown), ":::", ""], line);
      }),
    rule: (container, builder) => {
      if (container.name === "quiz-exercise") return carpentriesContainers({ ...container, name: "exercise" }, builder);
      const question = known.get(container.name);
      if (!question) return false;
      const source = `a quiz question (${from.get(container.name)})`;
      if (!question.explanation) page.note(container.line, `${source} without an explanation`, "its right answer stands there; write one");
      addQuizQuestion(question, builder, container.line);
      page.note(container.line, source, becameWords(objectiveOf(builder)));
      return true;
    },
  };
}

function addQuizQuestion({ level = "recall", ...question }: QuizQuestion, builder: Builder, line: number): void {
  const objective = objectiveOf(builder);
  const place = objective === undefined ? ("self-check" as const) : ("page" as const);
  const header = { ...(objective !== undefined && { objective }), level, about: [], place };
  const block = draftBlock("core.question", { ...question, ...header } as Question);
  const text = (markdown: string): string => builder.itemOf([{ kind: "lines", lines: numbered(safeLines(markdown), line) }], block);
  const data = block.data as Question;
  data.markdown = text(data.markdown);
  data.hints = data.hints.map(text);
  data.explanation = text(data.explanation ?? "") || rightAnswer(question);
  if ("choices" in data)
    data.choices = data.choices.map(({ markdown, correct, feedback }) => ({
      markdown: text(markdown),
      correct,
      ...(feedback && { feedback: text(feedback) }),
    }));
  builder.addBlock(block);
}

/** The question if it can be one of a course. */
function valid(question: QuizQuestion): QuizQuestion | UnclearQuestion {
  const whole = {
    level: "recall",
    ...question,
    about: [],
    place: "self-check",
    explanation: question.explanation || rightAnswer(question),
  };
  const parsed = parseQuestion(formatQuestion(whole as Question));
  if (parsed.ok) return question;
  return {
    unclear: parsed.errors[0]?.message ?? "it is no question",
    markdown: question.markdown,
    solution: [rightAnswer(question), question.explanation ?? ""].filter(Boolean).join("\n\n"),
  };
}

const numbered = (texts: readonly string[], number: number): SourceLine[] => texts.map((text) => ({ text, number }));

/** The lines of a text that can neither open nor close a part around it. */
function safeLines(markdown: string): string[] {
  const isCode = createCodeWatch();
  let fence = "";
  const lines = trimLines(toLines(markdown)).map(({ text }) => {
    const code = isCode(text);
    fence = code ? fence || (/^\s*(`{3,}|~{3,})/.exec(text)?.[1] ?? "") : "";
    return code ? text : text.replace(/^( {0,3})(:{3,})/, "$1\\$2");
  });
  // One line more tells whether the code was closed.
  return isCode("") && fence ? [...lines, fence] : lines;
}

/** Code as a fenced block, without empty lines about it. */
export const fencedCode = (code: string, language: string): string => writeFence(code.replace(/^\n+/, "").trimEnd(), language);
