import { readAttributes } from "./attributes.ts";
import { createCodeWatch, type SourceLine, trimLines } from "./lines.ts";

export interface DefinitionEntry {
  /** Inline Markdown, without the brackets and the id of `[term]{#id}`. */
  term: string;
  id?: string;
  line: number;
  definitions: SourceLine[][];
}

type TextOrDefinitions = { kind: "lines"; lines: SourceLine[] } | { kind: "definitions"; entries: DefinitionEntry[] };

const marker = /^ {0,2}[:~] {1,3}(?=\S)/;
/** Lines that cannot be a term, because they begin something else. */
const notTerm = /^\s*(?:[-*+>|#]|\d{1,9}[.)]\s|:|<|$)|^ {4}/;

/** Finds Pandoc's definition lists: a line with the term, then lines that begin with a colon. */
export function splitDefinitions(lines: readonly SourceLine[]): TextOrDefinitions[] {
  const parts: TextOrDefinitions[] = [];
  const isCode = createCodeWatch();
  const code = lines.map((line) => isCode(line.text));
  let text: SourceLine[] = [];
  let entries: DefinitionEntry[] = [];
  const flush = (): void => {
    if (trimLines(text).length) parts.push({ kind: "lines", lines: text });
    text = [];
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (!line) break;
    const begins = definitionAfter(lines, code, at);
    if (begins === null) {
      if (entries.length && line.text.trim()) {
        parts.push({ kind: "definitions", entries });
        entries = [];
      }
      text.push(line);
      at += 1;
      continue;
    }
    if (entries.length === 0) flush();
    text = [];
    const entry: DefinitionEntry = { ...readTerm(line.text), line: line.number, definitions: [] };
    at = readDefinitions(lines, code, begins, entry);
    entries.push(entry);
  }
  if (entries.length) parts.push({ kind: "definitions", entries });
  flush();
  return parts;
}

/** The index of the line with the colon when the line at `at` is a term, else null. */
function definitionAfter(lines: readonly SourceLine[], code: readonly boolean[], at: number): number | null {
  const line = lines[at];
  if (!line || code[at] || notTerm.test(line.text)) return null;
  if (at > 0 && lines[at - 1]?.text.trim()) return null;
  const next = lines[at + 1]?.text.trim() ? at + 1 : at + 2;
  return !code[next] && marker.test(lines[next]?.text ?? "") ? next : null;
}

/** Reads the definitions of one term; returns the index after them. */
function readDefinitions(lines: readonly SourceLine[], code: readonly boolean[], from: number, entry: DefinitionEntry): number {
  let at = from;
  let end = from;
  let definition: SourceLine[] = [];
  for (; at < lines.length; at += 1) {
    const line = lines[at];
    if (!line) break;
    const begins = !code[at] && marker.test(line.text);
    if (begins) {
      definition = [{ text: line.text.replace(/^ {0,2}[:~] {1,3}/, ""), number: line.number }];
      entry.definitions.push(definition);
    } else if (!line.text.trim()) definition.push(line);
    else {
      const afterBlank = !lines[at - 1]?.text.trim();
      if (afterBlank && !/^ {2,}/.test(line.text) && !code[at]) break;
      definition.push({ text: line.text.replace(/^ {1,4}/, ""), number: line.number });
    }
    if (line.text.trim()) end = at + 1;
  }
  entry.definitions = entry.definitions.map((found) => trimLines(found));
  return end;
}

function readTerm(text: string): { term: string; id?: string } {
  const bracketed = /^\s*\[(.+)\](?=\{)/.exec(text);
  if (bracketed) {
    const attributes = readAttributes(text, bracketed[0].length);
    if (attributes?.attributes.id)
      return { term: `${bracketed[1] ?? ""}${text.slice(attributes.end)}`.trim(), id: attributes.attributes.id };
  }
  return { term: text.trim() };
}
