import { bounds } from "@colloquy/schemas/bounds.ts";
import { holdNotes } from "../markdown/for-instructors.ts";
import { createCodeWatch, type SourceLine, textOf, trimLines } from "../markdown/lines.ts";
import type { PageQuizzes } from "./page-quizzes.ts";

const box = /^[-*+] \[([ xX])\] +(?=\S)/;
const asks = /[?？؟]\W*$/u;

/**
 * Reads task lists that answer a question: a paragraph that ends with a question mark, then a list of which every item has a box, some ticked
 * and some not. A quotation within an item is its feedback; one after the list, or `<details>`, is the explanation. Other task lists stay, and
 * those with notes for instructors.
 */
export function withTaskListQuizzes(lines: readonly SourceLine[], quizzes: PageQuizzes): SourceLine[] {
  const isCode = createCodeWatch();
  const code = lines.map(({ text }) => isCode(text));
  const result: SourceLine[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (!line) break;
    const read = !code[at] && box.test(line.text) ? readList(lines, at) : null;
    const prompt = read ? promptBefore(result) : null;
    if (!read || prompt === null) {
      result.push(line);
      continue;
    }
    result.length -= prompt.length;
    const right = read.items.filter(({ correct }) => correct).length;
    const kind = right === 1 ? ("single" as const) : ("multiple" as const);
    const question = {
      kind,
      markdown: textOf(trimLines(prompt)),
      hints: [],
      choices: read.items,
      ...(read.explanation && { explanation: read.explanation }),
    };
    result.push(...quizzes.linesFor([question], line.number, "a task list"));
    at = read.next - 1;
  }
  return result;
}

/** The paragraph that ends what was read so far, with the blank lines after it, if it asks something. */
function promptBefore(lines: readonly SourceLine[]): SourceLine[] | null {
  let end = lines.length;
  while (end > 0 && !lines[end - 1]?.text.trim()) end -= 1;
  let start = end;
  while (start > 0 && lines[start - 1]?.text.trim()) start -= 1;
  const paragraph = lines.slice(start, end);
  const isText = paragraph.every(({ text }) => !/^\s*(?:#{1,6}\s|>|[-*+]\s|\d+[.)]\s|\||:{3}|`{3}|~{3}|<)/.test(text));
  return paragraph.length > 0 && isText && asks.test(paragraph.at(-1)?.text ?? "") ? lines.slice(start) : null;
}

interface Choice {
  markdown: string;
  correct: boolean;
  feedback?: string;
}

/** The list of boxes that begins here; null for one that is no key. */
function readList(lines: readonly SourceLine[], from: number): { items: Choice[]; explanation: string; next: number } | null {
  const items: { correct: boolean; lines: SourceLine[] }[] = [];
  let at = from;
  for (; at < lines.length; at += 1) {
    const line = lines[at];
    const mark = line && box.exec(line.text);
    if (line && mark) items.push({ correct: mark[1] !== " ", lines: [{ ...line, text: line.text.slice(mark[0].length) }] });
    else if (line && (/^ {2}/.test(line.text) || (!line.text.trim() && goesOn(lines[at + 1]?.text))))
      items.at(-1)?.lines.push({ ...line, text: line.text.replace(/^ {2,6}/, "") });
    else break;
  }
  if (/^(?:[-*+]|\d+[.)])\s/.test(lines[at]?.text ?? "")) return null;
  const right = items.filter(({ correct }) => correct).length;
  const { min, max } = bounds.course.question.choices;
  if (items.length < min || items.length > max || right === 0 || right === items.length) return null;
  const { explanation, next } = explanationAt(lines, at);
  if (holdNotes(lines.slice(from, next))) return null;
  return { items: items.map(({ correct, lines: own }) => choiceOf(correct, own)), explanation, next };
}

const goesOn = (text: string | undefined): boolean => text !== undefined && (box.test(text) || /^ {2,}\S/.test(text));

/** An item with the quotation that ends it as its feedback. */
function choiceOf(correct: boolean, lines: readonly SourceLine[]): Choice {
  const own = trimLines(lines);
  const quote = own.findIndex(({ text }, index) => index > 0 && /^>/.test(text) && own.slice(index).every((line) => /^>/.test(line.text)));
  const said = quote < 0 ? [] : own.slice(quote);
  const feedback = textOf(said.map((line) => ({ ...line, text: line.text.replace(/^> ?/, "") }))).trim();
  return { markdown: textOf(trimLines(quote < 0 ? own : own.slice(0, quote))), correct, ...(feedback && { feedback }) };
}

/** What folds out right after the list, or is quoted there. */
function explanationAt(lines: readonly SourceLine[], at: number): { explanation: string; next: number } {
  let start = at;
  while (start < lines.length && !lines[start]?.text.trim()) start += 1;
  const none = { explanation: "", next: at };
  if (/^<details\b/i.test(lines[start]?.text ?? "")) {
    const end = lines.findIndex(({ text }, index) => index >= start && /<\/details>\s*$/i.test(text));
    if (end < 0) return none;
    const text = textOf(lines.slice(start, end + 1));
    const explanation = text
      .replace(/^<details[^>]*>/i, "")
      .replace(/<\/details>\s*$/i, "")
      .replace(/<summary[\s\S]*?<\/summary>/i, "");
    return { explanation: explanation.trim(), next: end + 1 };
  }
  let end = start;
  while (/^>(?! ?\[!)/.test(lines[end]?.text ?? "")) end += 1;
  if (end === start) return none;
  return {
    explanation: lines
      .slice(start, end)
      .map(({ text }) => text.replace(/^> ?/, ""))
      .join("\n")
      .trim(),
    next: end,
  };
}
