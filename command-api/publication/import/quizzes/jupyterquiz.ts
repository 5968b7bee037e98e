import { type Folder, joinPath } from "../markdown/folder.ts";
import { asText, isRecord } from "../markdown/front-matter.ts";
import type { SourceLine } from "../markdown/lines.ts";
import type { Page } from "../markdown/page.ts";
import { fencedCode, type PageQuizzes, type QuizQuestion, type UnclearQuestion } from "./page-quizzes.ts";

/** A quiz of jupyterquiz (https://github.com/jmshea/jupyterquiz): code that shows the questions of a JSON file. */
const call = /^[ \t]*display_quiz\((?:[^()]|\([^()]*\))*\)[ \t]*;?[ \t]*$/gm;
const fileIn = /display_quiz\(\s*r?(["'])([^"'\n#]+)\1/;
const setUp = /^[ \t]*(?:from jupyterquiz import .*|import jupyterquiz.*|[!%]\s*(?:pip|conda|mamba) install .*jupyterquiz.*)$/gm;
const fenceMark = /^(`{3,}|~{3,})\s*(?:python|py)\b/i;

/** Puts the questions of quiz files in the place of the code that shows them. */
export function withNotebookQuizzes(lines: readonly SourceLine[], folder: Folder, page: Page, quizzes: PageQuizzes): SourceLine[] {
  const result: SourceLine[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (!line) break;
    const mark = fenceMark.exec(line.text)?.[1];
    const end = mark === undefined ? -1 : lines.findIndex(({ text }, index) => index > at && text.trim() === mark);
    const code = lines.slice(at + 1, Math.max(end, at + 1));
    if (end < 0 || !code.some(({ text }) => text.includes("display_quiz("))) {
      result.push(line);
      if (end > 0) {
        result.push(...code);
        at = end - 1;
      }
      continue;
    }
    const read = quizzesIn(code.map(({ text }) => text).join("\n"), line.number, folder, page, quizzes);
    const rest = read.code.trim();
    if (rest)
      result.push(line, ...rest.split("\n").map((text) => ({ text, number: line.number })), { text: mark ?? "", number: line.number });
    result.push(...read.lines);
    at = end;
  }
  return result;
}

/** The questions that a cell shows, and what else its code does. */
function quizzesIn(code: string, line: number, folder: Folder, page: Page, quizzes: PageQuizzes): { code: string; lines: SourceLine[] } {
  const lines: SourceLine[] = [];
  let kept = false;
  const rest = code.replaceAll(call, (whole) => {
    const written = fileIn.exec(whole)?.[2];
    const file = written === undefined ? null : joinPath(page.file, written);
    const questions = file !== null && folder.files.has(file) ? readQuiz(folder.text(file)) : "its questions are in no file of the folder";
    if (typeof questions === "string") {
      page.note(line, `a quiz (jupyterquiz), ${whole.trim().slice(0, 80)}: ${questions}`, "its code is kept");
      kept = true;
      return whole;
    }
    lines.push(...quizzes.linesFor(questions, line, "jupyterquiz"));
    return "";
  });
  return { code: kept ? rest : rest.replaceAll(setUp, ""), lines };
}

/** @returns the reason if the file holds no quiz */
function readQuiz(text: string): (QuizQuestion | UnclearQuestion)[] | string {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.length > 0 ? parsed.filter(isRecord).map(readQuestion) : "its file holds no list of questions";
  } catch {
    return "its file is not valid JSON";
  }
}

function readQuestion(question: Record<string, unknown>): QuizQuestion | UnclearQuestion {
  const answers = Array.isArray(question.answers) ? question.answers.filter(isRecord) : [];
  const markdown = withCode(question.question, question.code);
  const right = answers.filter(({ correct }) => correct === true);
  const unclear = (why: string): UnclearQuestion => ({
    unclear: why,
    markdown,
    solution: right.map((one) => solutionOf(one)).join("\n\n"),
  });
  const common = { markdown, hints: [] };
  switch (question.type) {
    case "multiple_choice":
    case "many_choice": {
      const isSingle = question.type === "multiple_choice";
      if (isSingle && right.length !== 1) return unclear("one choice is to be taken, but not exactly one is right");
      const choices = answers.map(({ answer, code, correct, feedback }) => {
        const said = asText(feedback)?.trim();
        return { markdown: withCode(answer, code), correct: correct === true, ...(said && { feedback: said }) };
      });
      return { ...common, kind: isSingle ? "single" : "multiple", choices };
    }
    case "numeric": {
      const [answer] = right;
      if (!answer || right.length > 1) return unclear("not exactly one number is right");
      const said = asText(answer.feedback)?.trim();
      const key = numberOf(answer, question.precision);
      return key === null
        ? unclear("its right number cannot be read")
        : { ...common, ...key, ...(said && { explanation: said }), kind: "number" };
    }
    case "string": {
      const accepted = right.flatMap(({ answer }) => asText(answer)?.trim() || []);
      return accepted.length > 0 ? { ...common, kind: "text", accepted } : unclear("no text is right");
    }
    default:
      return unclear(`questions of the type “${String(question.type).slice(0, 40)}” have no counterpart here`);
  }
}

/** A value, rounded to `precision` significant digits before it is compared, or the middle of a range. */
function numberOf({ value, range }: Record<string, unknown>, precision: unknown): { value: number; tolerance: number } | null {
  if (Array.isArray(range)) {
    const [from, to] = range.map(Number);
    if (range.length !== 2 || from === undefined || to === undefined || !(from <= to)) return null;
    return { value: exact((from + to) / 2), tolerance: exact((to - from) / 2) };
  }
  const number = typeof value === "string" && value.trim() ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return null;
  const digits =
    typeof precision === "number" && precision >= 1 && number !== 0 ? precision - 1 - Math.floor(Math.log10(Math.abs(number))) : null;
  return { value: number, tolerance: digits === null ? 0 : exact(0.5 * 10 ** -digits) };
}

const exact = (number: number): number => Number(number.toPrecision(12));

const solutionOf = ({ answer, code, value, range }: Record<string, unknown>): string =>
  withCode(answer ?? value ?? (Array.isArray(range) ? range.join(" – ") : ""), code);

function withCode(text: unknown, code: unknown): string {
  const listing = asText(code);
  return [
    asText(text)?.trim() ?? (typeof text === "number" ? String(text) : ""),
    listing === undefined ? "" : fencedCode(listing, "python"),
  ]
    .filter(Boolean)
    .join("\n\n");
}
