import type { ParsedBlock, Question } from "../../courses/blocks.ts";
import { textLines } from "../../courses/markdown-text.ts";
import { writeFence } from "../../courses/parsers/source.ts";
import type { MechanicalQuestion } from "../mark.ts";
import { codeGaps, type Taught, taughtNames } from "./code-gaps.ts";
import { canBeWorkedOut, outputChoices } from "./outputs.ts";
import { describedNames } from "./pairs.ts";
import { hasOutput, outputFits, type ShownCode, type ShownOutput, shownCodes } from "./shown-code.ts";
import { type NamedStatement, namedInPoint, namedInSentence } from "./statements.ts";

/** A question that an application makes of a page's own text, without a model: its key is what the page has in that place. */
export interface DerivedQuestion {
  question: MechanicalQuestion;
  /** What tells which objective it is about: the text that it was made of, and what is said before it. */
  context: string;
}

/** What the application asks about code, by the language of the course. */
const prompts: Readonly<Record<string, Record<"code" | "table" | "output" | "gives" | "complete" | "said" | "prints" | "match", string>>> =
  {
    en: {
      complete: "What belongs in the gap in this code?",
      said: "The course says:",
      prints: "Its output:",
      match: "Match each with what the course says about it:",
      code: "Which code has this output?",
      table: "Which code gives this table?",
      output: "What is the output of this code?",
      gives: "This has another output:",
    },
    de: {
      complete: "Was gehört in die Lücke in diesem Code?",
      said: "Im Kurs steht:",
      prints: "Seine Ausgabe:",
      match: "Ordnen Sie zu, was der Kurs darüber sagt:",
      code: "Welcher Code hat diese Ausgabe?",
      table: "Welcher Code ergibt diese Tabelle?",
      output: "Was gibt dieser Code aus?",
      gives: "Dies hat eine andere Ausgabe:",
    },
    ar: {
      complete: "ما الذي يملأ الفراغ في هذه الشيفرة؟",
      said: "يقول المقرر:",
      prints: "ناتجها:",
      match: "صِل كل عنصر بما يقوله المقرر عنه:",
      code: "أي شيفرة تعطي هذا الناتج؟",
      table: "أي شيفرة تعطي هذا الجدول؟",
      output: "ما ناتج هذه الشيفرة؟",
      gives: "لهذه ناتج آخر:",
    },
  };

type Words = NonNullable<(typeof prompts)[string]>;

/**
 * The questions that a page's blocks give: the name left out of a key point, a definition or code, code with its output, and names with
 * what a list or table says of each. None about code or lists in a language that the application has no words for.
 * @param blocks all of the page, null for one that learners may not read: what stands beside it is not next to each other
 * @param objectives what the page is to teach
 */
export function derivedQuestions(
  blocks: readonly (ParsedBlock | null)[],
  language: string,
  objectives: readonly string[] = [],
): DerivedQuestion[] {
  const words = prompts[language.split("-", 1)[0]?.toLowerCase() ?? ""];
  const readable = blocks.filter((block) => block !== null);
  if (!words) return namedQuestions(readable);
  const codes = shownCodes(blocks);
  return [
    ...gapQuestions(codes, taughtOn(readable, objectives), words),
    ...outputQuestions(codes.filter(hasOutput), words),
    ...namedQuestions(readable),
    ...pairQuestions(readable, words),
  ];
}

/** Whether a prompt asks about code, a list or an output that stands behind it, whose own words say what it is about. */
export const asksOfWhatFollows = (prompt: string): boolean =>
  Object.values(prompts).some(({ complete, code, table, output, match }) =>
    [complete, code, table, output, match].some((words) => prompt.startsWith(words)),
  );

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

function outputQuestions(shown: readonly ShownOutput[], words: Words): DerivedQuestion[] {
  const isAmbiguous = (of: ShownOutput): boolean => shown.some((one) => one.code === of.code && one.given.text !== of.given.text);
  const worked = shown.filter((one) => canBeWorkedOut(one) && !isAmbiguous(one));
  const context = ({ before, code }: ShownOutput): string => `${before}\n${code}`;
  const typed = distinctBy(worked, ({ code }) => code).map((one): DerivedQuestion => {
    const markdown = `${words.output}\n\n${fenced(one.code, one.language)}`;
    const output = one.given.text.trim();
    const asked = { markdown, ...common([one.blockId, one.given.blockId], "application") };
    const isNumber = /^-?\d{1,6}(?:\.\d{1,4})?$/.test(output);
    const question: MechanicalQuestion = isNumber
      ? { kind: "number", value: Number(output), tolerance: 0, ...asked }
      : { kind: "text", accepted: [output], ...asked };
    return { question, context: context(one) };
  });
  const chosen = outputChoices(shown.filter((one) => !worked.includes(one))).map(({ right, wrong }): DerivedQuestion => {
    const markdown = `${right.given.isTable ? words.table : words.code}\n\n${outputText(right)}`;
    const choices = [
      { markdown: codeText(right), correct: true },
      ...wrong.map((one) => ({
        markdown: codeText(one),
        correct: false,
        feedback: `${words.gives}\n\n${outputText(one)}`,
      })),
    ];
    return {
      question: { kind: "single", markdown, choices, ...common([right.blockId, right.given.blockId], "application") },
      context: context(right),
    };
  });
  return [...typed, ...chosen];
}

function taughtOn(blocks: readonly ParsedBlock[], objectives: readonly string[]): Taught {
  const prose = blocks.flatMap((block) => (block.type === "core.theory" ? block.data.markdown : []));
  const points = blocks.flatMap((block) => (block.type === "core.key-points" ? block.data.points : []));
  return taughtNames({ prose: prose.join("\n"), points: points.join("\n"), objectives: objectives.join("\n") });
}

function gapQuestions(codes: readonly ShownCode[], taught: Taught, words: Words): DerivedQuestion[] {
  return codeGaps(codes, taught).map(({ of, code, accepted, sentence }) => {
    const parts = [words.complete, sentence === null ? "" : withoutGaps(`${words.said} “${sentence}”`), fenced(code, of.language)];
    const isShown = hasOutput(of) && outputFits(of);
    const markdown = [...parts, ...(isShown ? [words.prints, withoutGaps(outputText(of))] : [])].filter(Boolean).join("\n\n");
    const about = [of.blockId, ...(isShown ? [of.given.blockId] : [])];
    return {
      question: { kind: "gap", markdown, gaps: [accepted], ...common(about, "application") },
      context: `${of.before}\n${accepted[0]}`,
    };
  });
}

/** Text whose brackets are no gaps, as R prints them. */
const withoutGaps = (text: string): string => text.replaceAll("[[", "\\[[");

function pairQuestions(blocks: readonly ParsedBlock[], words: Words): DerivedQuestion[] {
  return describedNames(blocks).map((described): DerivedQuestion => {
    const pairs = described.map(({ left, right }) => ({ left, right }));
    const about = [...new Set(described.map(({ blockId }) => blockId))];
    const context = pairs.map(({ left, right }) => `${left} ${right}`).join("\n");
    // Questions are told apart by their prompts.
    const markdown = `${words.match} ${pairs.map(({ left }) => left).join(", ")}`;
    return { question: { kind: "match", markdown, pairs, extra: [], ...common(about, "recall") }, context };
  });
}

const outputText = ({ given: { text, isTable } }: ShownOutput): string => (isTable ? text : fenced(text, "text"));

/** One line stands in the text, more in a block. */
const codeText = ({ code, language }: ShownCode): string => (/^[^`\n]+\n*$/.test(code) ? `\`${code.trim()}\`` : fenced(code, language));

const fenced = (code: string, language: string): string => writeFence(code.replace(/\n+$/, ""), language);

const distinctBy = <One>(all: readonly One[], key: (one: One) => string): One[] => [...new Map(all.map((one) => [key(one), one])).values()];
