import type { ParsedBlock, Question } from "../../courses/blocks.ts";
import { textLines } from "../../courses/markdown-text.ts";
import type { MechanicalQuestion } from "../mark.ts";
import { canBeWorkedOut, outputChoices, type ShownOutput } from "./outputs.ts";
import { type NamedStatement, namedInPoint, namedInSentence } from "./statements.ts";

/** A question that an application makes of a page's own text, without a model: its key is what the page has in that place. */
export interface DerivedQuestion {
  question: MechanicalQuestion;
  /** What tells which objective it is about: the text that it was made of, and what is said before it. */
  context: string;
}

/** What the application asks about code, by the language of the course. */
const prompts: Readonly<Record<string, { code: string; table: string; output: string; gives: string }>> = {
  en: {
    code: "Which code has this output?",
    table: "Which code gives this table?",
    output: "What is the output of this code?",
    gives: "This has another output:",
  },
  de: {
    code: "Welcher Code hat diese Ausgabe?",
    table: "Welcher Code ergibt diese Tabelle?",
    output: "Was gibt dieser Code aus?",
    gives: "Dies hat eine andere Ausgabe:",
  },
  ar: {
    code: "أي شيفرة تعطي هذا الناتج؟",
    table: "أي شيفرة تعطي هذا الجدول؟",
    output: "ما ناتج هذه الشيفرة؟",
    gives: "لهذه ناتج آخر:",
  },
};

/**
 * The questions that a page's blocks give: the name left out of a key point or a definition, and code with its output. None about code in
 * a language that the application has no words for.
 * @param blocks all of the page, null for one that learners may not read: what stands beside it is not next to each other
 */
export function derivedQuestions(blocks: readonly (ParsedBlock | null)[], language: string): DerivedQuestion[] {
  const words = prompts[language.split("-", 1)[0]?.toLowerCase() ?? ""];
  return [...namedQuestions(blocks.filter((block) => block !== null)), ...(words ? outputQuestions(shownOutputs(blocks), words) : [])];
}

const common = (about: string[], level: Question["level"]) => ({ about, level, place: "bank" as const, hints: [] });

function namedQuestions(blocks: readonly ParsedBlock[]): DerivedQuestion[] {
  const found = blocks.flatMap((block): [string, NamedStatement][] => {
    const named =
      block.type === "core.key-points"
        ? block.data.points.map(namedInPoint)
        : block.type === "core.theory"
          ? sentencesIn(block.data.markdown).map(namedInSentence)
          : [];
    return named.flatMap((one): [string, NamedStatement][] => (one ? [[block.id, one]] : []));
  });
  // What is defined on the page and repeated as a key point is asked for once.
  const names = new Set<string>();
  return found.flatMap(([blockId, { text, accepted }]) => {
    const name = (accepted[0] ?? "").toLowerCase();
    if (names.has(name)) return [];
    names.add(name);
    const question: MechanicalQuestion = { kind: "gap", markdown: text, gaps: [accepted], ...common([blockId], "recall") };
    return [{ question, context: text.replace("[[1]]", accepted[0] ?? "") }];
  });
}

/** The sentences of paragraphs of prose, each in one line; no lists, quotations, headings or tables. */
function sentencesIn(markdown: string): string[] {
  const paragraphs: string[][] = [[]];
  for (const { text } of textLines(markdown))
    if (text.trim() === "") paragraphs.push([]);
    else paragraphs.at(-1)?.push(text.trim());
  const isProse = (lines: readonly string[]): boolean => lines.every((line) => !/^(?:[-*+>#|]|\d+[.)])(?: |$)/.test(line));
  return paragraphs.filter(isProse).flatMap((lines) => lines.join(" ").split(/(?<=[.!?]) (?=\p{Lu}|[*_`])/u));
}

/** Languages whose code gives a table; behind other code a table may be anything. */
const givesTable = /^(?:sql|sqlite|mysql|mariadb|postgres|postgresql|psql|plsql|tsql)$/i;

/** Code that is followed by its output, or by a table of what it gives. */
function shownOutputs(blocks: readonly (ParsedBlock | null)[]): ShownOutput[] {
  return blocks.flatMap((block, index): ShownOutput[] => {
    const given = blocks[index + 1];
    if (block?.type !== "core.code" || block.data.role !== "input" || !given) return [];
    const { language, code } = block.data;
    const shown = { blockIds: [block.id, given.id] as [string, string], language, code, before: proseBefore(blocks, index) };
    if (given.type === "core.table") return !givesTable.test(language) ? [] : [{ ...shown, output: tableText(given.data), isTable: true }];
    return given.type === "core.code" && given.data.role === "output" ? [{ ...shown, output: given.data.code, isTable: false }] : [];
  });
}

function proseBefore(blocks: readonly (ParsedBlock | null)[], index: number): string {
  const before = blocks[index - 1];
  return before?.type === "core.theory" ? (before.data.markdown.split(/\n{2,}/).at(-1) ?? "") : "";
}

function tableText({ header, rows }: Extract<ParsedBlock, { type: "core.table" }>["data"]): string {
  const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll(/(?<!\\)\|/g, "\\|")).join(" | ")} |`;
  return [row(header), row(header.map(() => "---")), ...rows.map(row)].join("\n");
}

function outputQuestions(shown: readonly ShownOutput[], words: NonNullable<(typeof prompts)[string]>): DerivedQuestion[] {
  const isAmbiguous = (of: ShownOutput): boolean => shown.some((one) => one.code === of.code && one.output !== of.output);
  const worked = shown.filter((one) => canBeWorkedOut(one) && !isAmbiguous(one));
  const context = ({ before, code }: ShownOutput): string => `${before}\n${code}`;
  const typed = distinctBy(worked, ({ code }) => code).map((one): DerivedQuestion => {
    const markdown = `${words.output}\n\n${fenced(one.code, one.language)}`;
    const output = one.output.trim();
    const asked = { markdown, ...common([...one.blockIds], "application") };
    const isNumber = /^-?\d{1,6}(?:\.\d{1,4})?$/.test(output);
    const question: MechanicalQuestion = isNumber
      ? { kind: "number", value: Number(output), tolerance: 0, ...asked }
      : { kind: "text", accepted: [output], ...asked };
    return { question, context: context(one) };
  });
  const chosen = outputChoices(shown.filter((one) => !worked.includes(one))).map(({ right, wrong }): DerivedQuestion => {
    const markdown = `${right.isTable ? words.table : words.code}\n\n${outputText(right)}`;
    const choices = [
      { markdown: codeText(right), correct: true },
      ...wrong.map((one) => ({
        markdown: codeText(one),
        correct: false,
        feedback: `${words.gives}\n\n${outputText(one)}`,
      })),
    ];
    return { question: { kind: "single", markdown, choices, ...common([...right.blockIds], "application") }, context: context(right) };
  });
  return [...typed, ...chosen];
}

const outputText = ({ output, isTable }: ShownOutput): string => (isTable ? output : fenced(output, "text"));

/** One line stands in the text, more in a block. */
const codeText = ({ code, language }: ShownOutput): string => (/^[^`\n]+\n*$/.test(code) ? `\`${code.trim()}\`` : fenced(code, language));

/** A fence longer than any in the code. */
function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/\n+$/, "")}\n${fence}`;
}

const distinctBy = <One>(all: readonly One[], key: (one: One) => string): One[] => [...new Map(all.map((one) => [key(one), one])).values()];
