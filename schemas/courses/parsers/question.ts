import { bounds } from "../../bounds.ts";
import { type ParseResult, type Question, questionKinds, questionLevels, questionPlaces, type SourceError } from "../blocks.ts";
import { idPattern } from "../field-rules.ts";
import { remark } from "../remarks.ts";
import { fenceTracker } from "./fences.ts";
import { writeGaps } from "./gap-marks.ts";
import { escapeMarks, type KeyItem, keyForms, opening, readQuestionBody, type Section, type SectionName } from "./question-body.ts";
import { exactNumber, type NumberHeader, notANumber, readKey } from "./question-key.ts";
import { oneOf, optionalField, present, quoted, readSource, type SourceText, trimBlock, writeSource } from "./source.ts";

export const questionHeaderKeys = ["kind", "objective", "level", "about", "place", "retired", "tolerance", "unit"] as const;

/**
 * `core.question`: header `kind`, `objective`, `level` (recall when absent), `about` (ids of blocks), `place` (page when absent), `retired`, and for
 * numbers `tolerance` and `unit`; then the prompt, the key in the form of its kind, and the sections `::: hint`, `::: explanation` and for
 * free text `::: rubric` and `::: answer`. A backslash before a line of the text keeps it from being a mark; nothing in fenced code is one.
 */
export function parseQuestion(text: string): ParseResult<"core.question"> {
  const source = readSource(text, questionHeaderKeys);
  const { errors } = source;
  const kind = oneOf(source, "kind", questionKinds, "single");
  if (errors.length === 0 && !source.fields.get("kind")?.value)
    errors.push({ line: 1, ...remark("question-kind", { form: quoted("kind: single"), kinds: questionKinds.join(", ") }) });
  const level = oneOf(source, "level", questionLevels, "recall");
  const place = oneOf(source, "place", questionPlaces, "page");
  const retired = oneOf(source, "retired", ["true", "false"], "false") === "true";
  const objective = idsOf(source, "objective", 1)[0];
  const about = idsOf(source, "about", bounds.course.question.about);
  const number = numberHeader(source, kind);
  if (errors.length) return { ok: false, errors };

  const names: SectionName[] = kind === "free" ? ["hint", "rubric", "answer", "explanation"] : ["hint", "explanation"];
  const body = readQuestionBody(source.body, source.bodyLine, kind, names, errors);
  if (errors.length) return { ok: false, errors };
  if (!body.prompt) errors.push({ line: source.bodyLine, ...remark("question-empty") });
  const sections = body.sections.map((section) => ({ ...section, markdown: trimBlock(section.lines.join("\n")) }));
  for (const section of sections)
    if (!section.markdown) errors.push({ line: section.line, ...remark("section-empty", { open: opening(section.name) }) });
  const section = (name: SectionName) => sections.find((one) => one.name === name);
  for (const name of kind === "free" ? (["rubric", "answer"] as const) : (["explanation"] as const))
    if (!section(name)) errors.push({ line: source.bodyLine, ...remark("section-missing", { open: opening(name), mark: "`:::`" }) });
  const hints = sections.filter(({ name }) => name === "hint");
  const surplus = hints[bounds.course.question.hints];
  if (surplus) errors.push({ line: surplus.line, ...remark("too-many", { most: bounds.course.question.hints, count: hints.length }) });
  const rubric = section("rubric");
  const parts = { rubric: rubric ? listOf(rubric, errors) : [], answer: section("answer")?.markdown ?? "" };
  if (errors.length) return { ok: false, errors };

  const { markdown, ...key } = readKey(kind, body, number, parts, errors);
  if (errors.length) return { ok: false, errors: errors.slice(0, 20) };
  const data = {
    ...present("objective", objective),
    level,
    about,
    place,
    ...(retired && { retired }),
    markdown,
    hints: hints.map((hint) => hint.markdown),
    ...present("explanation", section("explanation")?.markdown),
    ...key,
  } as Question;
  return { ok: true, data };
}

function idsOf(source: SourceText, key: string, most: number): string[] {
  const field = source.fields.get(key);
  const ids = [...new Set((field?.value ?? "").split(/[\s,]+/).filter(Boolean))];
  if (!field) return ids;
  if (ids.some((id) => !idPattern.test(id))) source.errors.push({ line: field.line, ...remark("id-form", bounds.idLength) });
  else if (ids.length > most) source.errors.push({ line: field.line, ...remark("too-many", { most, count: ids.length }) });
  return ids;
}

function numberHeader(source: SourceText, kind: Question["kind"]): NumberHeader {
  for (const key of ["tolerance", "unit"]) {
    const field = source.fields.get(key);
    if (field && kind !== "number")
      source.errors.push({ line: field.line, ...remark("question-key", { key: quoted(key), kind: quoted("number") }) });
  }
  const field = source.fields.get("tolerance");
  const tolerance = field?.value ? exactNumber(field.value) : 0;
  if (field && (tolerance === null || tolerance < 0)) source.errors.push({ line: field.line, ...notANumber(field.value) });
  return { tolerance: tolerance ?? 0, unit: optionalField(source, "unit") };
}

const listMark = /^[-*+](?:[ \t]+|$)/;

/** The items of a section that is a list. */
function listOf({ line, lines }: Section, errors: SourceError[]): KeyItem[] {
  const items: KeyItem[] = [];
  for (const [index, text] of lines.entries()) {
    const at = line + 1 + index;
    const [mark] = listMark.exec(text) ?? [];
    const last = items.at(-1);
    if (mark !== undefined) items.push({ line: at, mark, lines: [text.slice(mark.length)] });
    else if (last && (text.trim() === "" || /^(?: {2}|\t)/.test(text))) last.lines.push(text.replace(/^(?: {2}|\t)/, ""));
    else if (text.trim() !== "") {
      errors.push({ line: at, ...remark("question-line", { form: "`- …`" }) });
      break;
    }
  }
  return items;
}

export function formatQuestion(question: Question): string {
  const { kind, objective, level, about, place, retired, markdown, hints, explanation } = question;
  const isNumber = question.kind === "number";
  const header = {
    kind,
    objective,
    level: level === "recall" ? undefined : level,
    about: about.length > 0 ? about.join(", ") : undefined,
    place: place === "page" ? undefined : place,
    retired: retired ? "true" : undefined,
    tolerance: isNumber && question.tolerance !== 0 ? String(question.tolerance) : undefined,
    unit: isNumber ? question.unit : undefined,
  };
  const section = (name: SectionName, text: string): string => `::: ${name}\n${escapeMarks(text, null)}\n:::`;
  const prompt = question.kind === "gap" ? writeGaps(markdown, question.gaps) : markdown;
  const key = keyLines(question);
  const parts = [
    escapeMarks(prompt, keyForms[kind]?.mark ?? null),
    ...(key.length > 0 ? [key.join("\n")] : []),
    ...hints.map((hint) => section("hint", hint)),
    ...(question.kind === "free" ? [section("rubric", listed("- ", question.rubric).join("\n")), section("answer", question.answer)] : []),
    ...(explanation === undefined ? [] : [section("explanation", explanation)]),
  ];
  return writeSource(header, parts.join("\n\n"));
}

function keyLines(question: Question): string[] {
  switch (question.kind) {
    case "single":
    case "multiple":
      return question.choices.map(({ markdown, correct, feedback }) => {
        const quote = feedback?.split("\n").map((line) => (line === "" ? ">" : `> ${line}`)) ?? [];
        const lines = [escapeQuotes(markdown), ...quote].join("\n");
        return indented(`- [${correct ? "x" : " "}] `, 2, lines);
      });
    case "text":
      return question.accepted.map((answer) => `= ${answer}`);
    case "number":
      return [`= ${question.value}`];
    case "order":
      return question.items.map((item, index) => indented(`${index + 1}. `, 3, item));
    case "match":
      return [...question.pairs, ...question.extra.map((right) => ({ left: "", right }))].map(
        ({ left, right }) => `- ${left ? `${escapeArrows(left)} ` : ""}=> ${escapeArrows(right)}`,
      );
    case "gap":
    case "free":
      return [];
  }
}

const listed = (mark: string, items: readonly string[]): string[] => items.map((item) => indented(mark, 2, item));

const indented = (mark: string, by: number, text: string): string =>
  mark +
  text
    .split("\n")
    .map((line, index) => (index === 0 || line === "" ? line : " ".repeat(by) + line))
    .join("\n");

const escapeArrows = (text: string): string => text.replaceAll("=>", "\\=>");

/** Lines of a choice after its first that begin with `>` are its feedback. */
function escapeQuotes(markdown: string): string {
  const [first = "", ...further] = markdown.split("\n");
  const fences = fenceTracker();
  fences.next(first);
  return [first, ...further.map((line) => (!fences.next(line) && /^\\*>/.test(line) ? `\\${line}` : line))].join("\n");
}
