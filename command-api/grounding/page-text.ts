import { setImmediate } from "node:timers/promises";
import type { RankedPassage } from "@colloquy/projections/passages/queries.ts";
import type { Topic } from "@colloquy/schemas/courses/authored.ts";
import type { ParsedBlock } from "@colloquy/schemas/courses/blocks.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { writeFence } from "@colloquy/schemas/courses/parsers/source.ts";
import { writeTable } from "@colloquy/schemas/courses/parsers/table.ts";
import type { Source } from "@colloquy/schemas/courses/revision.ts";
import { selfCheckTexts } from "@colloquy/schemas/questions/self-check-texts.ts";
import { type LocatedPiece, locatedPieces, plainLine } from "../publication/plain-text.ts";
import { countTokens } from "../tokens.ts";

/** The smallest part of a page that a model can cite: one or more passages of a block with the Markdown that they were made from. */
export interface PageItem {
  /** Position on the page. */
  order: number;
  /** Of the passages together, as a reader sees it. */
  passages: readonly RankedPassage[];
  heading: string;
  markdown: string;
  /** The Markdown of each passage, where none begins within a paragraph. */
  parts: readonly string[] | null;
  /** Of the item in a prompt. */
  tokens: number;
}

/** What a model reads around an item: the text under one heading, or an exercise, the key points or the objectives of a page. */
export interface PageSection {
  kind: "text" | "key-points" | "exercise" | "objectives";
  title: string;
  /** Of its heading, from 1; 0 before the first heading. */
  level: number;
  items: PageItem[];
  tokens: number;
  /** The section that an exercise belongs to. */
  within: PageSection | null;
}

/** A page of a course as a model reads it. */
export interface PageText {
  source: Source;
  courseId: string;
  revisionId: string;
  sections: readonly PageSection[];
  tokens: number;
}

/** Tokens of the tags around an item. */
const itemTags = 16;
/** Tokens counted before the event loop gets a turn: some 5 ms. */
export const countedAtOnce = 1_500;

/**
 * The sections of a page in reading order, from its authored blocks and its passages. Only blocks that have passages are part of it.
 * @param topic null if the authored text cannot be read: then the plain text of the passages takes its place
 */
export async function pageText(source: Source, topic: Topic | null, passages: readonly RankedPassage[]): Promise<PageText> {
  const [first] = passages;
  const sections: PageSection[] = [];
  let order = 0;
  // A turn before the first block, too: short pages follow each other.
  let counted = countedAtOnce;
  let current = begin("text", source.title, 0, null);

  function begin(kind: PageSection["kind"], title: string, level: number, within: PageSection | null): PageSection {
    const section: PageSection = { kind, title, level, items: [], tokens: 0, within };
    sections.push(section);
    return section;
  }
  function add(
    section: PageSection,
    { passages, markdown, parts = null, heading }: Pick<PageItem, "passages" | "markdown"> & Partial<Pick<PageItem, "parts" | "heading">>,
  ): void {
    const tokens = countTokens(markdown) + itemTags;
    section.items.push({ order, passages, markdown, parts, heading: heading ?? section.title, tokens });
    section.tokens += tokens;
    order += 1;
    counted += tokens;
  }

  const bySource = Map.groupBy(passages, ({ sourceId }) => sourceId);
  const blocks = new Map(topic?.blocks.map((block) => [block.id, block]));
  for (const own of bySource.values()) {
    const [one] = own;
    if (!one) continue;
    if (counted >= countedAtOnce) {
      counted = 0;
      await setImmediate();
    }
    const block = blocks.get(one.source.entityId);
    const parsed = block && parseBlock(block);
    const kind = sectionKindOf(one);
    if (kind === "objectives" || one.source.kind !== "block") {
      for (const passage of own) {
        const isObjectives = passage.role === "objectives";
        const section = isObjectives ? begin("objectives", source.title, 1, null) : current;
        add(section, { passages: [passage], markdown: isObjectives ? listed(passage.text) : passage.text });
      }
      continue;
    }
    if (!parsed?.ok) {
      for (const passage of own) {
        if (kind === "text" && passage.heading !== current.title) current = begin("text", passage.heading, 1, null);
        const section = kind === "text" ? current : begin(kind, passage.heading, 1, current);
        add(section, { passages: [passage], markdown: plainMarkdown(passage) });
      }
      continue;
    }
    if (kind !== "text") {
      const title = kind === "key-points" ? titleOf(parsed.block, source.title) : titleOf(parsed.block, current.title);
      const section = begin(kind, title, current.level, kind === "exercise" ? current : null);
      for (const item of itemsOf(parsed.block, own)) add(section, { ...item, heading: title });
      continue;
    }
    for (const { level, title, ...item } of itemsOf(parsed.block, own)) {
      if (level !== null && title !== null) current = begin("text", title, level, null);
      const heading = parsed.block.type === "core.callout" ? titleOf(parsed.block, current.title) : current.title;
      add(current, { ...item, heading });
    }
  }
  const filled = sections.filter(({ items }) => items.length > 0);
  return {
    source,
    courseId: first?.courseId ?? "",
    revisionId: first?.revisionId ?? "",
    sections: filled,
    tokens: filled.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

function sectionKindOf({ role }: RankedPassage): PageSection["kind"] {
  if (role === "key-points" || role === "objectives") return role;
  return role === "exercise" || role === "solution" ? "exercise" : "text";
}

interface Item {
  passages: readonly RankedPassage[];
  markdown: string;
  parts?: readonly string[] | null;
  level: number | null;
  title: string | null;
}

/** The items of a block. */
function itemsOf(block: ParsedBlock, passages: readonly RankedPassage[]): Item[] {
  const documents = documentsOf(block);
  if (!documents) return [{ passages, markdown: asRead(markdownOf(block)), level: null, title: null }];
  return (
    aligned(documents, passages) ?? passages.map((passage) => ({ passages: [passage], markdown: passage.text, level: null, title: null }))
  );
}

/** A Markdown text of a block, and what stands above it. */
interface MarkdownDocument {
  markdown: string;
  lead: string;
}

function documentsOf({ type, data }: ParsedBlock): MarkdownDocument[] | null {
  switch (type) {
    case "core.theory":
      return [{ markdown: data.markdown, lead: "" }];
    case "core.callout":
      return [{ markdown: data.markdown, lead: bold(data.title) }];
    case "core.exercise":
      return [
        { markdown: data.markdown, lead: bold(data.title ?? "Exercise") },
        ...data.hints.map((markdown) => ({ markdown, lead: bold("Hint") })),
        ...data.solutions.map(({ title, markdown }) => ({ markdown, lead: bold(title ?? "Solution") })),
      ];
    case "core.question": {
      const texts = selfCheckTexts(data);
      if (!texts) return null;
      return [
        { markdown: texts.prompt, lead: bold("Question") },
        { markdown: texts.solution, lead: bold("Answer") },
      ];
    }
    default:
      return null;
  }
}

function titleOf({ data }: ParsedBlock, otherwise: string): string {
  return "title" in data && data.title !== undefined ? plainLine(data.title) : otherwise;
}

const bold = (title: string | undefined): string => (title ? `**${title}**\n\n` : "");

/** A block that is not Markdown, as Markdown. */
function markdownOf({ type, data }: ParsedBlock): string {
  switch (type) {
    case "core.key-points":
      return `${bold(data.title ?? "Key points")}${data.points.map((point) => `- ${point}`).join("\n")}`;
    case "core.code":
      return `${codeLead(data)}${fenced(data.code, data.language)}`;
    case "core.figure":
      return [`Figure: ${data.alt}`, data.caption].filter(Boolean).join("\n\n");
    case "core.diagram":
      return [data.caption, `Diagram: ${data.description}`, fenced(data.code, data.language)].filter(Boolean).join("\n\n");
    case "core.math":
      return [bold(data.label).trim(), data.caption, `\\[\n${data.tex}\n\\]`].filter(Boolean).join("\n\n");
    case "core.table":
      return [data.caption, writeTable({ header: data.header, rows: data.rows })].filter(Boolean).join("\n\n");
    default:
      return "";
  }
}

function codeLead({ role, title }: { role: "input" | "output" | "error"; title?: string }): string {
  if (title) return bold(title);
  return role === "input" ? "" : role === "output" ? "Output:\n\n" : "Error message:\n\n";
}

const fenced = (code: string, language: string): string => writeFence(code.trimEnd(), language);

const listed = (lines: string): string => lines.replaceAll(/^/gm, "- ");

function plainMarkdown({ role, text }: RankedPassage): string {
  if (role === "key-points") return listed(text);
  return role === "code" ? fenced(text, "") : text;
}

/**
 * Markdown without what a reader does not see: comments, definitions of links, and addresses of topics, which lead nowhere in an answer.
 * Code stays as it is.
 */
const asRead = (markdown: string): string =>
  markdown.replaceAll(unseen, (_found, code?: string, _fence?: string, words?: string) => code ?? words ?? "");
const unseen =
  /((?:^|\n) {0,3}(`{3,}|~{3,})[\s\S]*?(?:\n {0,3}\2[`~]*[ \t]*(?=\n|$)|$)|`[^`\n]+`)|(?<!!)\[([^\]\n]*)\]\(topic:[^)\s]*\)|<!--[\s\S]*?(?:-->|$)|(?<=^|\n) {0,3}\[(?!\^)[^\]\n]+\]:[^\n]*/g;

/**
 * Matches the passages of a block with its Markdown. An item ends only between blocks at the top level (paragraphs, lists, code), so a
 * paragraph that was cut into several passages is one item. Null if the passages were made of other text.
 */
function aligned(documents: readonly MarkdownDocument[], passages: readonly RankedPassage[]): Item[] | null {
  const pieces = documents.flatMap(({ markdown }, document) => locatedPieces(markdown).map((piece) => ({ ...piece, document })));
  const items: { passages: RankedPassage[]; first: (typeof pieces)[number]; starts: (number | null)[] }[] = [];
  let at = 0;
  /** The rest of a piece that goes on in the next passage. */
  let rest: string | null = null;
  for (const passage of passages) {
    const first = pieces[at];
    if (!first) return null;
    const previous = items.at(-1);
    const start = rest === null ? first.line : null;
    if (previous && (rest !== null || !first.beginsBlock || goesBack(previous.first, first))) {
      previous.passages.push(passage);
      previous.starts.push(start);
    } else items.push({ passages: [passage], first, starts: [start] });
    let text = passage.text;
    while (text !== "") {
      const piece = pieces[at];
      if (!piece) return null;
      const open: string = (rest ?? piece.text).trimStart();
      const wanted = text.trimStart();
      if (wanted === open || wanted.startsWith(`${open}\n`)) {
        text = wanted.slice(open.length + 1);
        rest = null;
        at += 1;
      } else if (open.startsWith(wanted)) {
        rest = open.slice(wanted.length);
        text = "";
      } else return null;
    }
    if (rest?.trim() === "") {
      rest = null;
      at += 1;
    }
  }
  if (at < pieces.length) return null;
  return items.map(({ passages: own, first, starts }, index) => {
    const { markdown, lead } = documents[first.document] ?? { markdown: "", lead: "" };
    const previous = items[index - 1]?.first;
    const next = items[index + 1]?.first;
    const begins = previous?.document !== first.document;
    const from = begins ? 0 : first.line;
    const lines = markdown.split("\n").slice(from, next?.document === first.document ? next.line : undefined);
    const cut = partsOf(
      lines,
      starts.map((start) => (start === null ? null : start - from)),
    );
    const parts = cut?.map((part, at) => (at === 0 && begins ? lead : "") + asRead(part)) ?? null;
    return {
      passages: own,
      markdown: `${begins ? lead : ""}${asRead(lines.join("\n").trim())}`,
      parts,
      level: first.level,
      title: first.level === null ? null : first.heading,
    };
  });
}

/** Lines cut where each passage begins; null where one does not begin with a line of its own, as within a paragraph. */
function partsOf(lines: readonly string[], [, ...starts]: readonly (number | null)[]): string[] | null {
  const cuts = [0];
  for (const start of starts) {
    if (start === null || start <= (cuts.at(-1) ?? 0)) return null;
    cuts.push(start);
  }
  return cuts.map((cut, at) =>
    outdented(
      lines
        .slice(cut, cuts[at + 1])
        .join("\n")
        .replace(/^\n+/, "")
        .trimEnd(),
    ),
  );
}

/** An entry of a list within another, where it stands alone: indented, it would be code. */
function outdented(text: string): string {
  const [indent = ""] = /^[ \t]*/.exec(text) ?? [];
  const lines = text.split("\n");
  return lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart())).join("\n");
}

/** The text of footnotes stands elsewhere in the Markdown than on the page. */
const goesBack = (previous: LocatedPiece & { document: number }, next: LocatedPiece & { document: number }): boolean =>
  next.document === previous.document && next.line <= previous.line;
