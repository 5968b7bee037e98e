import { blocksOf } from "./blocks.ts";
import { terms } from "./terms.ts";

/** A passage as it stands in a prompt. */
export interface Passage {
  id: string;
  title: string;
  /** From the course down to the place itself. */
  trail: string[];
  text: string;
  /** What the prompt says the passage is ("prose", "exercise", …); empty or absent when it does not say. */
  kind?: string;
  /** Of code, where the prompt says it: its language, and whether it is what the code before it prints. */
  code?: { language: string; isPrinted: boolean };
  /** Whether the text is Markdown as its authors wrote it; otherwise it is plain words. */
  isMarkdown?: boolean;
  /** Whether the learner attached its page, or selected the passage itself. */
  isAttached?: boolean;
  isSelected?: boolean;
  /** Id of the passage that it stands right behind on its page. */
  follows?: string;
  /** Its place among those that the application's search found for the question, from 0, the best first. */
  foundAt?: number;
  /** Whether the search found it close to the question in meaning. */
  isClose?: boolean;
}

/** A course on teaching speaks of instructors and learners as its subject. */
const onTeaching = /\b(?:instructors?|instruction|teach(?:ing|ers?)?|trainers?|pedagog\w*|educat\w*|coaching|mentor\w*)\b/i;
export const isOnTeaching = ({ trail: [course = ""] }: Passage): boolean => onTeaching.test(course);

export type SegmentKind = "sentence" | "item" | "code" | "formula" | "table";

/** The smallest thing an answer is made of: a sentence, an entry of a list, a block of code, a displayed formula, a table. */
export interface Segment {
  kind: SegmentKind;
  passage: Passage;
  /** Position among the segments of its passage. */
  order: number;
  /** Number of the paragraph (list, block) within the passage. */
  paragraph: number;
  /** Exactly as it stands in the passage. */
  raw: string;
  /** In one line (code, formulas and tables: as they are), without links and images. */
  text: string;
  terms: readonly string[];
  /** For code: the language its fence names. */
  language?: string;
  /** For an entry: whether its list stands within another. */
  isNested?: boolean;
}

const known = new WeakMap<Passage, Segment[]>();

/** Cuts a passage into segments, in reading order. */
export function segmentsOf(passage: Passage): Segment[] {
  const before = known.get(passage);
  if (before) return before;
  const segments: Segment[] = [];
  let paragraph = 0;
  const add = (kind: SegmentKind, raw: string, text: string, { language, isNested }: Pick<Segment, "language" | "isNested"> = {}) => {
    if (!text.trim()) return;
    segments.push({
      kind,
      passage,
      order: segments.length,
      paragraph,
      raw: raw.trim(),
      text,
      terms: terms(text),
      ...(language !== undefined && { language }),
      ...(isNested && { isNested }),
    });
  };
  if (passage.kind === "code" && !passage.isMarkdown) {
    const code = withoutCaption(passage);
    add("code", code, code, { language: "" });
    known.set(passage, segments);
    return segments;
  }
  let list: string | undefined;
  for (const block of blocksOf(passage.text, passage.isMarkdown)) {
    // The entries of a list are one paragraph; other marks begin another list.
    const marks = block.kind === "item" ? marksOf(block.raw) : undefined;
    const isNested = passage.isMarkdown === true && list !== undefined && marks !== undefined && /^\s{2,}/.test(block.raw);
    if (!isNested) {
      if (marks === undefined || marks !== list) paragraph += 1;
      list = marks;
    }
    if (block.kind === "text") for (const raw of sentencesOf(block.raw)) add("sentence", raw, plain(raw));
    else if (block.kind === "item") {
      const [first = "", ...rest] = sentencesOf(block.raw);
      // An entry of several sentences stays one thing as long as it is short.
      if (block.raw.length <= 280) add("item", block.raw, plain(block.bare ?? block.raw), { isNested });
      else {
        add("item", first, plain(block.bare === undefined ? first : first.replace(/^\s*\S+\s+/, "")), { isNested });
        for (const raw of rest) add("sentence", raw, plain(raw));
      }
    } else add(block.kind, block.raw, block.text, block.language === undefined ? {} : { language: block.language });
  }
  known.set(passage, segments);
  return segments;
}

/** What marks the entries of a list: a sign, or the sign behind a number; nothing for plain lines. */
const marksOf = (raw: string): string => /^\s*(?:\d{1,2}([.)])|([-+•*]))\s/.exec(raw)?.slice(1).join("") ?? "";

/** A passage of code is all code, but for its caption, which stands above it and is its title too. */
function withoutCaption({ title, text }: Passage): string {
  const [first = "", ...code] = text.split("\n");
  return first.trim() === title.trim() && code.length ? code.join("\n") : text;
}

const abbreviation = /(?:\b(?:e\.g|i\.e|etc|vs|cfr?|resp|Fig|Eq|Sec|Ch|No|Dr|Mr|Mrs|Ms|Prof|St|al|approx|viz|ca|pp?|vol)|\b[A-Z])\.$/;

/** The number of a list's entry is no sentence. */
const numberOfEntry = /^\s*\d{1,2}\.$/;

/** Sentences of a paragraph, each as it stands there. Code spans, mathematics and brackets are never cut. */
export function sentencesOf(paragraph: string): string[] {
  const masked = paragraph.replace(/(`+)[^`]+?\1|\$[^$\n]+\$|\\\([^\n]+?\\\)|\[[^\]\n]*\]\([^)\n]*\)/g, (span) => "x".repeat(span.length));
  const sentences: string[] = [];
  let from = 0;
  for (const match of masked.matchAll(/[.!?…]+["'”’)\]*_]*(?=\s)/g)) {
    const end = match.index + match[0].length;
    const next = /^\s+(.)/s.exec(masked.slice(end, end + 12));
    // A lower-case letter goes on with the sentence; "x" may stand for masked code, which may begin one.
    const goesOn =
      next?.[1] !== undefined &&
      /\p{Ll}/u.test(next[1]) &&
      !/^\s+xx/.test(masked.slice(end, end + 12)) &&
      !/[a-z)]{3,}\.$/.test(masked.slice(from, end));
    const sentence = masked.slice(from, end);
    if (goesOn || numberOfEntry.test(sentence) || (abbreviation.test(sentence) && !/^No\.$/.test(sentence.trim()))) continue;
    sentences.push(paragraph.slice(from, end));
    from = end;
  }
  sentences.push(paragraph.slice(from));
  return joinRunIn(sentences.filter((sentence) => sentence.trim()));
}

/** An emphasised run-in heading, such as "**Scaling.**" or "- *Note:*", at the beginning of a paragraph or an entry. */
const runIn = /^\s*(?:(?:[-*+]|\d+[.)])\s+)?(\*\*|__|\*|_)(?=\S)[^*_\n]{1,60}[.:!?]\1$/;

/** Joins a run-in heading to its sentence: alone it says nothing. */
function joinRunIn([first = "", second, ...rest]: string[]): string[] {
  if (second === undefined) return first ? [first] : [];
  return runIn.test(first.trimEnd()) ? [first + second, ...rest] : [first, second, ...rest];
}

/** A stretch of text in one line, without links' addresses, images, comments and marks that could pose as citations. */
function plain(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, " ")
    .replace(/!\[[^\]]*\]\([^)]*\)(?:\{[^}]*\})?/g, " ")
    .replace(/\[([^\]]+)\]\((?:[^()]|\([^)]*\))*\)/g, "$1")
    .replace(/(?<!`)(`+)(?!`)[^`]+(?<!`)\1(?!`)|\[(?:\^s?|s)\d+\]|(?<![\p{L}\p{N}_)\]])\[\d+\]/gu, (found) =>
      found.startsWith("`") ? found : "",
    )
    .replace(/(?<!`)``([^`]+)``(?!`)/g, "`$1`")
    .replace(/^\s*>\s(?=\S)/gm, "")
    .replace(/\s+/g, " ")
    .trim();
}
