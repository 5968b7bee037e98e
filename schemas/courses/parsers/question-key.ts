import { bounds } from "../../bounds.ts";
import type { Question, QuestionChoice, QuestionKind, SourceError } from "../blocks.ts";
import { remark } from "../remarks.ts";
import { fenceTracker } from "./fences.ts";
import { numberGaps } from "./gap-marks.ts";
import { type KeyItem, keyForms, type QuestionBody } from "./question-body.ts";
import { quoted, trimBlock } from "./source.ts";

const limits = bounds.course.question;

/** The parts of a question that its key consists of, with the prompt, which holds the gaps. */
type KeyOf<Kind extends Question> = Kind extends Question
  ? Omit<Kind, "objective" | "level" | "about" | "place" | "retired" | "hints" | "explanation">
  : never;
export type Key = KeyOf<Question>;

export interface NumberHeader {
  tolerance: number;
  unit: string | undefined;
}

/**
 * The key of a question from its body. What is wrong is added to `errors`; the key is then of no use.
 * @param parts the lists of its sections: only free text has them
 */
export function readKey(
  kind: QuestionKind,
  body: QuestionBody,
  { tolerance, unit }: NumberHeader,
  parts: { rubric: KeyItem[]; answer: string },
  errors: SourceError[],
): Key {
  const markdown = body.prompt;
  const { items, promptLine } = body;
  const form = keyForms[kind]?.form ?? "";
  if (form && items.length === 0) errors.push({ line: promptLine, ...remark("question-none", { form }) });
  const counted = ({ min, max }: { min: number; max: number }, count: number): void => {
    if (items.length > 0 && (count < min || count > max))
      errors.push({ line: promptLine, ...remark("question-count", { min, max, form, count }) });
  };
  const texts = items.map((item) => textOf(item, errors));
  switch (kind) {
    case "single":
    case "multiple": {
      const choices = items.map((item) => choiceOf(item, errors));
      counted(limits.choices, items.length);
      if (errors.length === 0)
        distinct(
          choices.map((choice) => choice.markdown),
          items,
          errors,
        );
      if (errors.length === 0) checkMarks(kind, choices, items, errors);
      return { kind, markdown, choices };
    }
    case "text":
      counted(limits.accepted, items.length);
      return { kind, markdown, accepted: texts };
    case "number": {
      const value = exactNumber(texts[0] ?? "");
      const [line = promptLine, extra] = items.map((item) => item.line);
      if (extra !== undefined) errors.push({ line: extra, ...remark("question-count", { min: 1, max: 1, form, count: items.length }) });
      else if (items.length > 0 && value === null && errors.length === 0) errors.push({ line, ...notANumber(texts[0] ?? "") });
      return { kind, markdown, value: value ?? 0, tolerance, ...(unit !== undefined && { unit }) };
    }
    case "order":
      counted(limits.items, items.length);
      if (errors.length === 0) distinct(texts, items, errors);
      return { kind, markdown, items: texts };
    case "match":
      return { kind, markdown, ...pairsOf(items, counted, errors) };
    case "gap": {
      const numbered = numberGaps(markdown, promptLine);
      errors.push(...numbered.errors);
      if (numbered.gaps.length === 0 && errors.length === 0)
        errors.push({ line: promptLine, ...remark("question-gaps", { form: "`[[…]]`" }) });
      const { min, max } = limits.gaps;
      const count = numbered.gaps.length;
      if (count > max) errors.push({ line: promptLine, ...remark("question-count", { min, max, form: "`[[…]]`", count }) });
      return { kind, markdown: numbered.markdown, gaps: numbered.gaps };
    }
    case "free": {
      const rubric = parts.rubric.map((item) => textOf(item, errors));
      const { min, max } = limits.rubric;
      const count = rubric.length;
      if ((count < min || count > max) && errors.length === 0)
        errors.push({ line: parts.rubric[0]?.line ?? promptLine, ...remark("question-count", { min, max, form: "`- …`", count }) });
      return { kind, markdown, rubric, answer: parts.answer };
    }
  }
}

function textOf({ line, lines }: KeyItem, errors: SourceError[]): string {
  const text = trimBlock(lines.join("\n")).trimStart();
  checkPart(text, line, errors);
  return text;
}

function checkPart(text: string, line: number, errors: SourceError[]): void {
  const max = limits.partLength;
  if (text === "") errors.push({ line, ...remark("answer-empty") });
  else if (text.length > max) errors.push({ line, ...remark("answer-long", { count: text.length, max }) });
}

/** A choice: its text, then lines that begin with `>`, its feedback. `\>` begins a line of the text. */
function choiceOf({ line, mark, lines }: KeyItem, errors: SourceError[]): QuestionChoice {
  const [first = "", ...further] = lines;
  const text = [first];
  const feedback: string[] = [];
  const fences = fenceTracker();
  fences.next(first);
  let isFeedback = false;
  for (const [index, raw] of further.entries()) {
    isFeedback ||= !fences.isOpen() && raw.startsWith(">");
    if (!isFeedback) {
      const kept = !fences.isOpen() && /^\\+>/.test(raw) ? raw.slice(1) : raw;
      fences.next(kept);
      text.push(kept);
    } else if (raw.startsWith(">")) feedback.push(raw.replace(/^> ?/, ""));
    else if (raw.trim() !== "") {
      errors.push({ line: line + 1 + index, ...remark("question-feedback", { mark: quoted(">") }) });
      break;
    }
  }
  const markdown = trimBlock(text.join("\n")).trimStart();
  const words = trimBlock(feedback.join("\n"));
  // The text itself was checked with those of the other kinds.
  if (markdown === "" && lines.some((one) => one.trim() !== "")) errors.push({ line, ...remark("answer-empty") });
  return { markdown, correct: /x/i.test(mark), ...(words && { feedback: words }) };
}

function checkMarks(kind: "single" | "multiple", choices: QuestionChoice[], items: KeyItem[], errors: SourceError[]): void {
  const count = choices.filter(({ correct }) => correct).length;
  const line = items[0]?.line ?? 1;
  if (kind === "single" && count !== 1) errors.push({ line, ...remark("question-single", { mark: "`- [x]`", count }) });
  if (kind === "multiple" && (count === 0 || count === choices.length))
    errors.push({ line, ...remark("question-multiple", { right: "`- [x]`", wrong: "`- [ ]`" }) });
}

function distinct(texts: readonly string[], items: readonly { line: number }[], errors: SourceError[]): void {
  const seen = new Set<string>();
  for (const [index, text] of texts.entries()) {
    const words = text.replaceAll(/\s+/g, " ");
    if (seen.has(words)) errors.push({ line: items[index]?.line ?? 1, ...remark("answer-twice", { text: quoted(clipped(words)) }) });
    seen.add(words);
  }
}

const clipped = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

function pairsOf(
  items: readonly KeyItem[],
  counted: (limit: { min: number; max: number }, count: number) => void,
  errors: SourceError[],
): { pairs: { left: string; right: string }[]; extra: string[] } {
  const pairs: { left: string; right: string }[] = [];
  const extra: string[] = [];
  const lefts: { text: string; line: number }[] = [];
  const rights: { text: string; line: number }[] = [];
  for (const { line, lines } of items) {
    const sides = (lines[0] ?? "").split(/(?<!\\)=>/).map((side) => side.trim().replaceAll("\\=>", "=>"));
    const [left = "", right = ""] = sides;
    if (sides.length !== 2) {
      errors.push({ line, ...remark("match-arrow", { form: "`- … => …`", mark: "`=>`", escaped: "`\\=>`" }) });
      continue;
    }
    checkPart(right, line, errors);
    rights.push({ text: right, line });
    if (left === "") extra.push(right);
    else {
      checkPart(left, line, errors);
      lefts.push({ text: left, line });
      pairs.push({ left, right });
    }
  }
  counted(limits.pairs, pairs.length);
  counted(limits.extra, extra.length);
  if (errors.length === 0)
    for (const side of [lefts, rights])
      distinct(
        side.map(({ text }) => text),
        side,
        errors,
      );
  return { pairs, extra };
}

/** A number as authors write it: with a decimal point, an exponent or as a fraction; null if it is none. */
export function exactNumber(text: string): number | null {
  const [, sign = "", top = "", bottom] =
    /^([+\-−]?)((?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,3})?)(?:\/(\d{1,40}(?:\.\d{1,40})?))?$/.exec(text.trim()) ?? [];
  if (top === "") return null;
  const size = Number(top) / (bottom === undefined ? 1 : Number(bottom));
  if (!Number.isFinite(size)) return null;
  return size === 0 || sign === "" || sign === "+" ? size : -size;
}

export const notANumber = (given: string) =>
  remark("question-number", { given: quoted(given), one: "`3.5`", two: "`-1/2`", three: "`1e-3`" });
