import { withoutPrompt } from "@colloquy/schemas/explainers/trace.ts";
import { z } from "zod";
import { type Prompt, taggedJson } from "../prompt.ts";
import type { Passage } from "../segments.ts";
import type { Line } from "./lines.ts";

const codeTag = z.object({ languages: z.record(z.string(), z.array(z.string())), printed: z.array(z.string()) });

/** The passages of a prompt, with what it says of those that are code. */
export function withCodeFacts(prompt: Prompt): Passage[] {
  const told = codeTag.safeParse(taggedJson(prompt, "code"));
  if (!told.success) return prompt.passages;
  const { languages, printed } = told.data;
  const languageOf = new Map(Object.entries(languages).flatMap(([language, ids]) => ids.map((id) => [id, language] as const)));
  return prompt.passages.map((passage) =>
    passage.kind === "code"
      ? { ...passage, code: { language: languageOf.get(passage.id) ?? "", isPrinted: printed.includes(passage.id) } }
      : passage,
  );
}

export const isCode = (passage: Passage): boolean => passage.kind === "code";
/** The prompt of a shell, with something typed. */
export const prompt = /^\s*\$ \S/;

/** Names in code: of programs, options, functions and theorems. */
export const namesIn = (text: string): Set<string> =>
  new Set(text.match(/(?<![\w-])-{1,2}[A-Za-z][\w-]*|[\p{L}_][\p{L}\p{N}_.₁₂]{1,}|[|>]{1,2}/gu) ?? []);

/** The programs a line of a shell runs. */
export const programsIn = (line: string): string[] =>
  line
    .replace(/^\s*\$ /, "")
    .split("|")
    .flatMap((part) => part.trim().split(/\s+/)[0] ?? []);

/** The programs that the shell runs in the code of some passages. */
export const knownPrograms = (passages: readonly Passage[]): Set<string> =>
  new Set(
    passages.flatMap((one) =>
      isCode(one)
        ? one.text
            .split("\n")
            .filter((line) => prompt.test(line))
            .flatMap(programsIn)
        : [],
    ),
  );

/** Words that say of their neighbour that it is code: "the open command", "the keyword structure". */
export const kindOfCode =
  "commands?|keywords?|tactics?|statements?|combinators?|functions?|methods?|operators?|constructors?|declarations?|options?|flags?|notations?|modules?|attributes?";
const keywordIn = new RegExp(
  `\\b([\\p{Ll}#][\\p{L}\\p{N}_']*) (?:${kindOfCode})\\b|\\b(?:${kindOfCode}) ([\\p{Ll}#][\\p{L}\\p{N}_']*)`,
  "gu",
);

/** Programs with their commands, as they are typed: “git add”. */
export const typedCommands = (passages: readonly Passage[]): Set<string> =>
  new Set(
    passages.flatMap((one) =>
      isCode(one)
        ? one.text.split("\n").flatMap((line) => (prompt.test(line) ? (/^\s*\$ (\S+ \p{Ll}{2,})(?=\s|$)/u.exec(line)?.[1] ?? []) : []))
        : [],
    ),
  );

/** Names of code in a sentence: those no word of prose is spelled like, and those it calls a command or a keyword. */
export function codeNamesIn(sentence: string, inCode: ReadonlySet<string>): string[] {
  const spelled =
    sentence.match(
      /#?[\p{L}_][\p{L}\p{N}]*(?:[._][\p{L}\p{N}₁₂]+)+|\p{L}+[\d₁₂]+|\b\p{Ll}+\p{Lu}\w*|#\p{Ll}+|(?<![\w-])-{1,2}[A-Za-z][\w-]*/gu,
    ) ?? [];
  const called = [...sentence.matchAll(keywordIn)].flatMap(([, before, after]) => [before ?? "", after ?? ""]);
  const used = [...sentence.matchAll(/\b(?:use|using) (?!parenthes|brackets|quot)([\p{Ll}#][\p{L}\p{N}_']*)(?= to\b|[.,;:]|$)/gu)].flatMap(
    ([, name]) => name ?? [],
  );
  return [...new Set([...spelled, ...used, ...called.filter((name) => inCode.has(name))])];
}

/** Names of code that sentences of the passages speak of, and the programs that their code runs. */
export function namesTold(lines: readonly Line[], passages: readonly Passage[]): string[] {
  const inCode = new Set(passages.flatMap((one) => (isCode(one) ? [...namesIn(one.text)] : [])));
  const programs = knownPrograms(passages);
  const told = lines.flatMap(({ quote }) => [...codeNamesIn(quote, inCode), ...[...namesIn(quote)].filter((name) => programs.has(name))]);
  return [...new Set(told)];
}

/** Code as one line, and the lines that it prints. */
export interface Printed {
  passage: Passage;
  command: string;
  output: readonly string[];
}

/** Code that can stand in one line with what it prints, as the page has them one after the other. */
export const printedIn = (passages: readonly Passage[]): Printed[] =>
  passages.flatMap((passage, index): Printed[] => {
    const line = inOneLine(passage);
    const next = passages[index + 1];
    if (line === null || passage.code?.isPrinted || !next) return [];
    const isTable = passage.code !== undefined && next.kind === "table";
    if (!isTable && (!isCode(next) || (next.code ? !next.code.isPrinted : !prompt.test(line) || prompt.test(next.text)))) return [];
    const output = next.text
      .trimEnd()
      .split("\n")
      .map((text) => text.trim().replace(/\s+/g, " "));
    return [{ passage, command: withoutPrompt(line).trim(), output: output.filter(Boolean) }];
  });

/** Code as one line: what is one, and a query, whose lines may be joined. */
export function inOneLine(passage: Passage): string | null {
  const lines = passage.text.trimEnd().split("\n");
  if (!isCode(passage)) return null;
  if (lines.length === 1) return lines[0] ?? "";
  return passage.code?.language === "sql" && !/--/.test(passage.text) ? lines.map((line) => line.trim()).join(" ") : null;
}
