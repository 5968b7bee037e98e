import { terms } from "./terms.ts";

/** A passage as it stands in a prompt. */
export interface Passage {
  id: string;
  title: string;
  /** From the course down to the place itself. */
  trail: string[];
  text: string;
}

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
  terms: string[];
  /** For code: the language its fence names. */
  language?: string;
}

/** Cuts a passage into segments, in reading order. */
export function segmentsOf(passage: Passage): Segment[] {
  const segments: Segment[] = [];
  let paragraph = 0;
  const add = (kind: SegmentKind, raw: string, text: string, language?: string) => {
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
    });
  };
  for (const block of blocksOf(passage.text)) {
    paragraph += 1;
    if (block.kind === "text") for (const raw of sentencesOf(block.raw)) add("sentence", raw, plain(raw));
    else if (block.kind === "item") {
      const [first = "", ...rest] = sentencesOf(block.raw);
      // An entry of several sentences stays one thing as long as it is short.
      if (block.raw.length <= 280) add("item", block.raw, plain(withoutBullet(block.raw)));
      else {
        add("item", first, plain(withoutBullet(first)));
        for (const raw of rest) add("sentence", raw, plain(raw));
      }
      paragraph -= 1;
    } else add(block.kind, block.raw, block.text, block.language);
  }
  return segments;
}

interface Block {
  kind: "text" | "item" | "code" | "formula" | "table";
  raw: string;
  text: string;
  language?: string;
}

const bullet = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/;
const withoutBullet = (text: string): string => text.replace(bullet, "");

/** Paragraphs, list entries, fenced or indented code, displayed formulas and tables, in order. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  let open: string[] = [];
  let openKind: "text" | "item" = "text";
  const close = () => {
    const raw = open.join("\n");
    open = [];
    if (!raw.trim()) return;
    if (openKind === "text" && looksLikeCode(raw)) blocks.push({ kind: "code", raw, text: raw.replace(/\s+$/, ""), language: "" });
    else blocks.push({ kind: openKind, raw, text: raw });
  };
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (/^\s*!\[[^\]]*\]\(/.test(line)) {
      close();
      continue;
    }
    const fence = /^\s*(`{3,}|~{3,})\s*([\w+-]*)/.exec(line);
    const display = /^\s*(\$\$|\\\[)/.exec(line);
    if (fence || display) {
      close();
      const closing = fence ? new RegExp(`^\\s*${fence[1]}\\s*$`) : display?.[1] === "$$" ? /\$\$\s*$/ : /\\\]\s*$/;
      const from = index;
      const oneLine = display && closing.test(line.replace(/^\s*(\$\$|\\\[)/, ""));
      if (!oneLine) while (++index < lines.length && !closing.test(lines[index] ?? "")) {}
      const raw = lines.slice(from, index + 1).join("\n");
      if (display) blocks.push({ kind: "formula", raw, text: raw.trim() });
      else {
        const body = lines
          .slice(from + 1, index)
          .join("\n")
          .replace(/\s+$/, "");
        blocks.push({ kind: "code", raw, text: body, language: fence?.[2] ?? "" });
      }
    } else if (/^\s*\|.*\|\s*$/.test(line)) {
      close();
      const from = index;
      while (/^\s*\|.*\|\s*$/.test(lines[index + 1] ?? "")) index++;
      const raw = lines.slice(from, index + 1).join("\n");
      blocks.push({ kind: "table", raw, text: raw });
    } else if (!line.trim() || /^\s*(?:#{1,6}\s|[-=]{3,}\s*$)/.test(line)) close();
    else if (bullet.test(line)) {
      close();
      openKind = "item";
      open.push(line);
    } else {
      if (!open.length) openKind = "text";
      open.push(line);
    }
  }
  close();
  return blocks;
}

/** Whether lines without a fence are code: prompts, assignments, operators at the ends, and no sentences. */
export function looksLikeCode(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim());
  if (!lines.length) return false;
  const codeLike = lines.filter(
    (line) =>
      /^\s*(?:[$>%]\s+\S|#(?:check|eval|print|reduce)\b|(?:example|theorem|def|inductive|structure|import|open|variable|namespace|for|do|done|echo|return)\b[^.]*$|\w+\s*:?=\s)|[;{}]\s*$|:=\s*(?:by)?\s*$/.test(
        line,
      ) && !/[a-z]{2,}[.!?]$/.test(line.trim()),
  ).length;
  return codeLike / lines.length >= 0.5;
}

const abbreviation = /(?:\b(?:e\.g|i\.e|etc|vs|cf|resp|Fig|Eq|Sec|Ch|No|Dr|Mr|Mrs|Ms|Prof|St|al|approx|viz|ca|pp?|vol)|\b[A-Z])\.$/;

/** Sentences of a paragraph, each as it stands there. Code spans, mathematics and brackets are never cut. */
export function sentencesOf(paragraph: string): string[] {
  const masked = paragraph.replace(/(`+)[\s\S]+?\1|\$[^$\n]+\$|\\\([\s\S]+?\\\)|\[[^\]]*\]\([^)]*\)/g, (span) => "x".repeat(span.length));
  const sentences: string[] = [];
  let from = 0;
  for (const match of masked.matchAll(/[.!?…]+["'”’)\]*_]*(?=\s)/g)) {
    const end = match.index + match[0].length;
    const next = /^\s+(.)/s.exec(masked.slice(end));
    // A lower-case letter goes on with the sentence; "x" may stand for masked code, which may begin one.
    const goesOn = next?.[1] !== undefined && /\p{Ll}/u.test(next[1]) && !/^\s+xx/.test(masked.slice(end));
    if (goesOn || abbreviation.test(masked.slice(from, end))) continue;
    sentences.push(paragraph.slice(from, end));
    from = end;
  }
  sentences.push(paragraph.slice(from));
  return sentences.filter((sentence) => sentence.trim());
}

/** A stretch of text in one line, without links' addresses, images, comments and marks that could pose as citations. */
function plain(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, " ")
    .replace(/!\[[^\]]*\]\([^)]*\)(?:\{[^}]*\})?/g, " ")
    .replace(/\[([^\]]+)\]\((?:[^()]|\([^)]*\))*\)/g, "$1")
    .replace(/\[\^?s?\d+\]/g, "")
    .replace(/(?<!`)``([^`\n]+)``(?!`)/g, "`$1`")
    .replace(/^\s*>\s?/gm, "")
    .replace(/\s+/g, " ")
    .trim();
}
