import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ParsedBlock } from "@colloquy/schemas/courses/blocks.ts";
import type { Passage } from "@colloquy/schemas/courses/revision.ts";
import { selfCheckTexts } from "@colloquy/schemas/questions/self-check-texts.ts";
import { type PlainPiece, plainLine, plainPieces } from "./plain-text.ts";

/** A stretch of a block's words, before it gets its ids. */
export interface Stretch {
  heading: string;
  text: string;
  role: Passage["role"];
}

/** A passage grows to about this length before the next begins; the bound is higher so that a paragraph is seldom cut. */
const comfortableLength = 1_000;

/**
 * A block's words as passages: what stands under one heading together, as far as the bound allows, cut between paragraphs,
 * then sentences, then words.
 * @param above the nearest heading above the block, or the topic's title.
 */
export function stretchesOf(block: ParsedBlock, above: string): Stretch[] {
  switch (block.type) {
    case "core.theory":
      return fromMarkdown(block.data.markdown, above, "prose");
    case "core.key-points":
      return pack(block.data.points.map(plainLine).map(line), block.data.title ?? above, "key-points");
    case "core.callout":
      return fromMarkdown(block.data.markdown, block.data.title ? plainLine(block.data.title) : above, "callout");
    case "core.code":
      return pack([line(block.data.title ?? ""), code(block.data.code)], block.data.title ?? above, "code");
    case "core.figure":
      return pack([line(block.data.alt), line(plainLine(block.data.caption ?? ""))], above, "figure");
    case "core.diagram":
      return pack([line(block.data.description), line(plainLine(block.data.caption ?? ""))], above, "figure");
    case "core.math":
      return pack([line(plainLine(block.data.caption ?? "")), code(`\\[\n${block.data.tex}\n\\]`)], block.data.label ?? above, "math");
    case "core.table":
      return pack(
        [
          line(plainLine(block.data.caption ?? "")),
          ...[block.data.header, ...block.data.rows].map((row) => line(row.map(plainLine).join("\t"))),
        ],
        block.data.caption ? plainLine(block.data.caption) : above,
        "table",
      );
    case "core.exercise": {
      const heading = block.data.title ? plainLine(block.data.title) : above;
      return [
        ...fromMarkdown(block.data.markdown, heading, "exercise"),
        ...block.data.hints.flatMap((hint) => fromMarkdown(hint, heading, "solution")),
        ...block.data.solutions.flatMap((solution) =>
          fromMarkdown(solution.markdown, solution.title ? plainLine(solution.title) : heading, "solution"),
        ),
      ];
    }
    // What may be asked is not what the course says.
    case "core.question": {
      const texts = selfCheckTexts(block.data);
      return texts ? [...fromMarkdown(texts.prompt, above, "exercise"), ...fromMarkdown(texts.solution, above, "solution")] : [];
    }
  }
}

/** The last heading within a block: it stands above what follows. Headings of callouts and exercises end with them. */
export function lastHeading(block: ParsedBlock): string | null {
  if (block.type !== "core.theory") return null;
  return plainPieces(`${block.data.markdown}\n\nx`).at(-1)?.heading ?? null;
}

/** The first heading within a block that has any. */
export function firstHeading(block: ParsedBlock): string | null {
  if (block.type !== "core.theory") return null;
  return plainPieces(`${block.data.markdown}\n\nx`).find((piece) => piece.heading !== null)?.heading ?? null;
}

interface Part {
  text: string;
  verbatim: boolean;
}
const line = (text: string): Part => ({ text, verbatim: false });
const code = (text: string): Part => ({ text: text.replace(/\s+$/, ""), verbatim: true });

function fromMarkdown(markdown: string, above: string, role: Passage["role"]): Stretch[] {
  const sections: { heading: string; pieces: PlainPiece[] }[] = [];
  for (const piece of plainPieces(markdown)) {
    const heading = piece.heading ?? above;
    const last = sections.at(-1);
    if (last?.heading === heading) last.pieces.push(piece);
    else sections.push({ heading, pieces: [piece] });
  }
  return sections.flatMap(({ heading, pieces }) => pack(pieces, heading, role));
}

/** Puts parts together, each on a line of its own, until a passage is of comfortable length. */
function pack(parts: Part[], heading: string, role: Passage["role"]): Stretch[] {
  const texts: string[] = [];
  let text = "";
  for (const part of parts.flatMap(cut)) {
    if (part === "") continue;
    const joined = text ? `${text}\n${part}` : part;
    if (text && (joined.length > bounds.course.passageLength || text.length >= comfortableLength)) {
      texts.push(text);
      text = part;
    } else text = joined;
  }
  if (text) texts.push(text);
  return texts.map((passage) => ({ heading: heading.slice(0, bounds.course.titleLength), text: passage, role }));
}

const sentenceEnd = /[.!?…]["')\]]?\s+/g;

/** Cuts a text that is longer than a passage may be: code between lines, prose between sentences, anything else between words. */
function cut({ text, verbatim }: Part): string[] {
  if (text.length <= bounds.course.passageLength) return [text];
  const parts: string[] = [];
  let rest = text;
  while (rest.length > bounds.course.passageLength) {
    const reach = rest.slice(0, bounds.course.passageLength);
    const end = (verbatim ? reach.lastIndexOf("\n") : lastSentenceEnd(reach)) + 1 || reach.lastIndexOf(" ") + 1 || wholeCharacters(reach);
    parts.push(rest.slice(0, end).trimEnd());
    rest = verbatim ? rest.slice(end) : rest.slice(end).trimStart();
  }
  return [...parts, rest];
}

function lastSentenceEnd(text: string): number {
  let last = -1;
  for (const match of text.matchAll(sentenceEnd)) last = match.index + match[0].length - 1;
  return last;
}

/** The whole length, less half a character that would be cut through. */
const wholeCharacters = (text: string): number => (/[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length);
