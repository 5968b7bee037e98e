import { parse } from "smol-toml";
import { NotText } from "../markdown/decode.ts";
import { type Folder, joinPath } from "../markdown/folder.ts";
import { asText, isRecord } from "../markdown/front-matter.ts";
import { createCodeWatch, type SourceLine } from "../markdown/lines.ts";
import type { Page } from "../markdown/page.ts";
import { fencedCode, type PageQuizzes, type QuizQuestion, type UnclearQuestion } from "./page-quizzes.ts";

/** A quiz of mdbook-quiz (https://github.com/cognitive-engineering-lab/mdbook-quiz): `{{#quiz ../quizzes/one.toml}}`. */
const directive = /^\s*\{\{\s*#quiz\s+([^\s{}]+)[^{}]*\}\}\s*$/;
const source = "mdbook-quiz";

/** Puts the questions of quiz files in the place of the directives that name them. */
export function withQuizFiles(lines: readonly SourceLine[], folder: Folder, page: Page, quizzes: PageQuizzes): SourceLine[] {
  const isCode = createCodeWatch();
  return lines.flatMap((line) => {
    const written = isCode(line.text) ? undefined : directive.exec(line.text)?.[1];
    if (written === undefined) return [line];
    const file = joinPath(page.file, written);
    const leaveOut = (what: string): SourceLine[] => {
      page.note(line.number, what, "left out");
      return [];
    };
    if (file === null || !folder.files.has(file)) return leaveOut(`the quiz ${written} is not in the folder`);
    const questions = readQuiz(folder, file);
    return typeof questions === "string"
      ? leaveOut(`the quiz ${written} cannot be read: ${questions}`)
      : quizzes.linesFor(questions, line.number, source);
  });
}

/** @returns the reason if the file holds no quiz */
function readQuiz(folder: Folder, file: string): (QuizQuestion | UnclearQuestion)[] | string {
  try {
    const questions: unknown = parse(folder.text(file)).questions;
    return Array.isArray(questions) && questions.length > 0 ? questions.filter(isRecord).flatMap(readQuestion) : "it has no questions";
  } catch (error) {
    if (error instanceof NotText) return "it is no text";
    return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  }
}

function readQuestion(question: Record<string, unknown>): (QuizQuestion | UnclearQuestion)[] {
  const prompt = isRecord(question.prompt) ? question.prompt : {};
  const answer = isRecord(question.answer) ? question.answer : {};
  const markdown = asText(prompt.prompt) ?? "";
  const context = asText(question.context)?.trim();
  const common = { hints: [], ...(context && { explanation: context }) };
  const unclear = (why: string, solution: string): UnclearQuestion[] => [
    { unclear: why, markdown, solution: [solution, context].filter(Boolean).join("\n\n") },
  ];
  switch (question.type) {
    case "MultipleChoice": {
      const right = textsOf(answer.answer);
      const choices = [
        ...right.map((text) => ({ markdown: text, correct: true })),
        ...textsOf(prompt.distractors).map((text) => ({ markdown: text, correct: false })),
      ];
      return [{ ...common, kind: Array.isArray(answer.answer) ? "multiple" : "single", markdown, choices }];
    }
    case "ShortAnswer": {
      const accepted = [...textsOf(answer.answer), ...textsOf(answer.alternatives)];
      if (prompt.response === "long") return unclear("it asks for a long answer, which has no rubric", accepted.join("\n\n"));
      return [{ ...common, kind: "text", markdown, accepted: accepted.map((text) => text.trim()) }];
    }
    case "Tracing":
      return [traced(asText(prompt.program) ?? "", answer, common)];
    case "Informative":
      return unclear("it asks nothing", "");
    default:
      return unclear(`questions of the type “${String(question.type).slice(0, 40)}” have no counterpart here`, "");
  }
}

/** A program to be read: it does not compile, or what it prints is asked for. */
function traced(
  program: string,
  answer: Record<string, unknown>,
  common: { hints: never[]; explanation?: string },
): QuizQuestion | UnclearQuestion {
  const printed = (asText(answer.stdout) ?? "").trim();
  const code = fencedCode(program, "rust");
  if (answer.doesCompile === true && printed === "")
    return { unclear: "its program prints nothing", markdown: code, solution: common.explanation ?? "" };
  const lines = printed.includes("\n") ? " Write the lines with a space between them." : "";
  const markdown = `What does this program print?${lines} If it does not compile, write “error”.\n\n${code}`;
  const accepted =
    answer.doesCompile === true ? [printed.replaceAll(/\s*\n\s*/g, " ")] : ["error", "does not compile", "it does not compile"];
  return { ...common, kind: "text", level: "application", markdown, accepted };
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).flatMap((one) => asText(one) ?? []);
