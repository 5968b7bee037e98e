import type { Question, QuestionKind, QuestionLevel, QuestionPlace } from "../blocks.ts";
import { questionKinds, questionPlaces } from "../blocks.ts";
import { fenceTracker } from "../parsers/fences.ts";
import { numberGaps } from "../parsers/gap-marks.ts";
import { questionHeaderKeys } from "../parsers/question.ts";
import { keyForms } from "../parsers/question-body.ts";
import { exactNumber } from "../parsers/question-key.ts";
import { readSource, trimBlock } from "../parsers/source.ts";
import { explanationTemplate, hintTemplate, keyLine, keyTemplates } from "./question-templates.ts";

/** Edits of a question's source for forms. They also work while its body has errors, and change only what they are for. */

export type QuestionHeaderKey = (typeof questionHeaderKeys)[number];

/** The header of a question as it is written: ids that the topic does not have and numbers that are none included. */
export interface QuestionHeader {
  kind: QuestionKind;
  objective: string;
  level: QuestionLevel;
  about: string[];
  place: QuestionPlace;
  tolerance: string;
  unit: string;
  retired: boolean;
}

const headerMark = "---";
const lineEnd = /\r\n?|\n/;

/** The header of a question; null if it is missing, or has errors that only its author can correct. */
export function readQuestionHeader(source: string): QuestionHeader | null {
  const { fields, errors } = readSource(source.replaceAll(/\r\n?/g, "\n"), questionHeaderKeys);
  const value = (key: QuestionHeaderKey): string => fields.get(key)?.value ?? "";
  const kind = questionKinds.find((one) => one === value("kind"));
  if (errors.length > 0 || !kind) return null;
  return {
    kind,
    objective: value("objective"),
    level: value("level") === "application" ? "application" : "recall",
    about: value("about")
      .split(/[\s,]+/)
      .filter(Boolean),
    place: questionPlaces.find((one) => one === value("place")) ?? "page",
    tolerance: value("tolerance"),
    unit: value("unit"),
    retired: value("retired") === "true",
  };
}

/** Where the body of a source begins: behind the line that ends its header, or at 0 without a header. */
export function bodyStart(source: string): number {
  const end = /^---[ \t]*(?:\r\n?|\n)(?:[^\r\n]*(?:\r\n?|\n))*?---[ \t]*(?:\r\n?|\n|$)/.exec(source);
  return end?.[0].length ?? 0;
}

/** The source with a field of its header set; an empty value takes the field away. Other lines stay as they are. */
export function withHeaderField(source: string, key: QuestionHeaderKey, value: string): string {
  const start = bodyStart(source);
  const end = lineEnd.exec(source)?.[0] ?? "\n";
  const lines = start > 0 ? source.slice(0, start).trimEnd().split(lineEnd).slice(1, -1) : [];
  const shown = value === "" || (value === value.trim() && !value.startsWith('"')) ? value : JSON.stringify(value);
  const at = lines.findIndex((line) => line.slice(0, line.indexOf(":")).trim() === key);
  const field = shown === "" ? [] : [`${key}: ${shown}`];
  if (at < 0) lines.push(...field);
  else if (lines[at] === field[0]) return source;
  else lines.splice(at, 1, ...field);
  const header = lines.length > 0 ? [headerMark, ...lines, headerMark, ""].join(end) : "";
  return header + source.slice(start);
}

/** The source with the ids in its header replaced. */
export function withHeaderIds(source: string, now: (id: string) => string): string {
  const header = readQuestionHeader(source);
  if (!header) return source;
  const { objective, about } = header;
  const moved = about.map(now);
  const renamed = objective && now(objective) !== objective ? withHeaderField(source, "objective", now(objective)) : source;
  return moved.join() === about.join() ? renamed : withHeaderField(renamed, "about", moved.join(", "));
}

interface Section {
  name: string;
  text: string;
}

/** The body of a question, cut where its key and its sections begin. */
interface Body {
  prompt: string;
  key: string;
  sections: Section[];
}

function readBody(body: string, kind: QuestionKind): Body {
  const mark = keyForms[kind]?.mark;
  const prompt: string[] = [];
  const key: string[] = [];
  const sections: { name: string; lines: string[] }[] = [];
  const fences = fenceTracker();
  let into = prompt;
  let isOpen = false;
  for (const line of body.split(lineEnd)) {
    const isMark = !fences.isOpen();
    const [, name] = (isMark && /^:{3,}[ \t]*([a-z]*)/.exec(line)) || [];
    if (name !== undefined && (name || isOpen)) {
      if (!isOpen) {
        into = [];
        sections.push({ name, lines: into });
      }
      isOpen = !isOpen;
    } else if (isMark && into === prompt && mark?.test(line)) into = key;
    fences.next(line);
    into.push(line);
  }
  return {
    prompt: trimBlock(prompt.join("\n")),
    key: trimBlock(key.join("\n")),
    sections: sections.map(({ name, lines }) => ({ name, text: trimBlock(lines.join("\n")) })),
  };
}

const order = ["hint", "rubric", "answer", "explanation"];

function writeBody({ prompt, key, sections }: Body): string {
  const sorted = sections.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  return [prompt, key, ...sorted.map(({ text }) => text)].filter(Boolean).join("\n\n");
}

/** What of a question belongs to its kind, as it was written last: switching the kind back brings it back. */
export type KeptParts = Partial<Record<QuestionKind, KindParts>>;
interface KindParts extends Body {
  /** The prompt without its gaps. */
  plain: string;
  tolerance: string;
  unit: string;
}

const ownSections = new Set(["rubric", "answer"]);

/**
 * The question as another kind. Prompt, hints and explanation stay; the key is the one that was written for this kind before, or is made of
 * the right answers, or a template.
 */
export function withKind(source: string, kind: QuestionKind, kept: KeptParts): { source: string; kept: KeptParts } {
  const header = readQuestionHeader(source);
  if (!header || header.kind === kind) return { source, kept };
  const from = header.kind;
  const body = readBody(source.slice(bodyStart(source)), from);
  const plain = from === "gap" ? withoutGaps(body.prompt, kept.gap) : unescaped(body.prompt, keyForms[from]?.mark);
  const { tolerance, unit } = header;
  const before = kept[kind];
  const rights = rightAnswers(from, body);
  const isPair = (one: QuestionKind) => one === "single" || one === "multiple";
  const key = isPair(kind) && isPair(from) ? body.key : (before?.key ?? keyOf(kind, rights));
  const shared = body.sections.filter(({ name }) => !ownSections.has(name));
  const own =
    kind === "free" ? (before?.sections ?? readBody(keyTemplates.free, "free").sections).filter(({ name }) => ownSections.has(name)) : [];
  const needsExplanation = kind !== "free" && !shared.some(({ name }) => name === "explanation");
  const prompt = kind === "gap" ? gapPrompt(plain, before, rights) : escaped(plain, keyForms[kind]?.mark);
  const written = writeBody({
    prompt,
    key: kind === "gap" || kind === "free" ? "" : key,
    sections: [...shared, ...own, ...(needsExplanation ? [{ name: "explanation", text: explanationTemplate }] : [])],
  });
  const keptNow: KeptParts = {
    ...kept,
    [from]: { ...body, plain, tolerance, unit },
    ...(kind === "gap" && { gap: { ...body, prompt, plain, tolerance, unit } }),
  };
  const isNumber = kind === "number";
  let head = withHeaderField(source.slice(0, bodyStart(source)), "kind", kind);
  head = withHeaderField(head, "tolerance", isNumber ? (before?.tolerance ?? "") : "");
  head = withHeaderField(head, "unit", isNumber ? (before?.unit ?? "") : "");
  return { source: head + written, kept: keptNow };
}

const anyGap = /(?<!\\)\[\[.*?\]\]/g;

/** A prompt as other kinds show it: without what switching to gaps appended, and with a line for every other gap. */
function withoutGaps(prompt: string, kept?: KindParts): string {
  if (kept && prompt.startsWith(`${kept.plain}\n\n`) && !kept.plain.includes("[[")) return kept.plain;
  return prompt.replaceAll(anyGap, "___");
}

function gapPrompt(plain: string, before: KindParts | undefined, rights: readonly string[]): string {
  if (before && before.plain === plain) return before.prompt;
  if (numberGaps(plain, 1).gaps.length > 0) return plain;
  return `${plain}\n\n${rights.length > 0 ? `[[${rights.join("|")}]]` : keyTemplates.gap}`.trimStart();
}

/** The right answers of a key in one line each. */
function rightAnswers(kind: QuestionKind, { key, prompt }: Body): string[] {
  if (kind === "gap") return numberGaps(prompt, 1).gaps.flat();
  const mark =
    kind === "single" || kind === "multiple"
      ? /^[-*+] \[[xX]\][ \t]+(.+)$/gm
      : kind === "text" || kind === "number"
        ? /^=[ \t]+(.+)$/gm
        : null;
  return mark ? [...key.matchAll(mark)].map(([, text = ""]) => text.trim()) : [];
}

function keyOf(kind: QuestionKind, rights: readonly string[]): string {
  const template = keyTemplates[kind];
  if (kind === "number") {
    const number = rights.find((text) => exactNumber(text) !== null);
    return number === undefined ? template : `= ${number}`;
  }
  if (rights.length === 0) return template;
  if (kind === "text") return rights.map((text) => `= ${text}`).join("\n");
  if (kind !== "single" && kind !== "multiple") return template;
  const wrong = template.slice(template.indexOf("- [ ]"));
  const right = kind === "single" ? rights.slice(0, 1) : rights;
  return [...right.map((text) => `- [x] ${text}`), wrong].join("\n");
}

/** A prompt with a backslash before each line that would be a mark of the key. */
const escaped = (prompt: string, mark: RegExp | undefined): string => mapText(prompt, (line) => (mark?.test(line) ? `\\${line}` : line));

const unescaped = (prompt: string, mark: RegExp | undefined): string =>
  mapText(prompt, (line) => (line.startsWith("\\") && mark?.test(line.replace(/^\\+/, "")) ? line.slice(1) : line));

function mapText(text: string, change: (line: string) => string): string {
  const fences = fenceTracker();
  return text
    .split("\n")
    .map((line) => (fences.next(line) ? line : change(line)))
    .join("\n");
}

/** What a button of the form can add to a question. */
export type QuestionPart = "answer" | "distractor" | "hint" | "explanation";

/** The parts that can be added to a question just now. */
export function addableParts(source: string): QuestionPart[] {
  const header = readQuestionHeader(source);
  if (!header) return [];
  const { sections } = readBody(source.slice(bodyStart(source)), header.kind);
  const isExplained = sections.some(({ name }) => name === "explanation");
  return [
    ...(header.kind === "number" ? [] : (["answer"] as const)),
    ...(header.kind === "match" ? (["distractor"] as const) : []),
    "hint",
    ...(isExplained ? [] : (["explanation"] as const)),
  ];
}

/**
 * The source with one more choice, answer, item, pair, gap, criterion, hint or explanation.
 * @returns with it the range of the words to write over
 */
export function withPart(source: string, part: QuestionPart): { source: string; select: readonly [number, number] } | null {
  const header = readQuestionHeader(source);
  if (!header) return null;
  const start = bodyStart(source);
  const body = readBody(source.slice(start), header.kind);
  const added = part === "hint" || part === "explanation" ? withSection(body, part) : withAnswer(body, header.kind, part);
  if (!added) return null;
  const { text, words } = added;
  const written = source.slice(0, start) + writeBody(added.body);
  // The text may stand there before: what was added is the last of its like.
  const at = written.lastIndexOf(text) + text.lastIndexOf(words);
  return { source: written, select: [at, at + words.length] };
}

interface Added {
  body: Body;
  /** What was added, and the words of it that its author writes over. */
  text: string;
  words: string;
}

function withSection(body: Body, name: "hint" | "explanation"): Added {
  const text = name === "hint" ? hintTemplate : explanationTemplate;
  return { body: { ...body, sections: [...body.sections, { name, text }] }, text, words: instructionIn(text.split("\n")[1] ?? "") };
}

function withAnswer(body: Body, kind: QuestionKind, part: "answer" | "distractor"): Added | null {
  const keyed = (text: string): Added => ({
    body: { ...body, key: [body.key, text].filter(Boolean).join("\n") },
    text,
    words: instructionIn(text),
  });
  const count = body.key.split("\n").filter((line) => keyForms[kind]?.mark.test(line)).length + 1;
  switch (kind) {
    case "single":
    case "multiple":
      return keyed(keyLine.choice(count));
    case "text":
      return keyed(keyLine.text(count));
    case "order":
      return keyed(keyLine.order(count));
    case "match":
      return keyed(part === "distractor" ? keyLine.distractor(count) : keyLine.match(count));
    case "gap":
      return { body: { ...body, prompt: `${body.prompt} [[answer]]`.trimStart() }, text: "[[answer]]", words: "answer" };
    case "free": {
      const rubric = body.sections.find(({ name }) => name === "rubric");
      const text = keyLine.rubric([...(rubric?.text ?? "").matchAll(/^[-*+] /gm)].length + 1);
      const own = rubric ? rubric.text.replace(/\n:::[ \t]*$/, `\n${text}\n:::`) : `::: rubric\n${text}\n:::`;
      const sections = [...body.sections.filter((one) => one !== rubric), { name: "rubric", text: own }];
      return { body: { ...body, sections }, text, words: instructionIn(text) };
    }
    case "number":
      return null;
  }
}

/** The first instruction of a template's line. */
const instructionIn = (line: string): string => /Write .*?(?=$| =>)/.exec(line)?.[0] ?? line;

const fencedCode = /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^\1[`~]*[ \t]*$/gm;

type Prompted = Pick<Question, "kind" | "markdown">;
const gapsAsLines = ({ kind, markdown }: Prompted): string => (kind === "gap" ? markdown.replaceAll(anyGap, "___") : markdown);

/** The code in a question's prompt, for which `promptLine` has a dash; empty where there is none. */
export const promptCode = (question: Prompted): string =>
  [...gapsAsLines(question).matchAll(fencedCode)].map(([, , code = ""]) => code.trimEnd()).join("\n\n");

/** The words of a question by which lists name it: its prompt in one line, with a dash for code and for each gap. */
export const promptLine = (question: Prompted): string => gapsAsLines(question).replaceAll(fencedCode, "–").replaceAll(/\s+/g, " ").trim();
