import type { AuthoredCourse, Block } from "../authored.ts";
import { readQuestionHeader } from "./question-source.ts";
import { hasInstruction } from "./question-templates.ts";
import { type InsertableType, starterSource } from "./starters.ts";

/**
 * A part of a draft that looks unfinished: a page without content or with its first title, a block with text of its starter or with a picture
 * that nobody described.
 */
export interface UnfinishedPart {
  why: "empty" | "untitled" | "starter" | "undescribed";
  /** The page; null for the course itself. */
  pageId: string | null;
  blockId: string | null;
}

/** What editors give to new things, in the languages of their interfaces. */
export interface Placeholders {
  /** Titles of new pages and parts, in lower case. */
  firstTitles: ReadonlySet<string>;
  /** Whether a picture of a block still has the description that it came with. */
  isUndescribed(block: Block): boolean;
}

/** The unfinished parts that a draft would publish; those that are published already are left out. */
export function unfinishedParts(base: AuthoredCourse, draft: AuthoredCourse, placeholders: Placeholders): UnfinishedPart[] {
  const published = new Set(partsOf(base, placeholders).map(keyOf));
  return partsOf(draft, placeholders).filter((part) => !published.has(keyOf(part)));
}

const keyOf = ({ why, pageId, blockId }: UnfinishedPart): string => `${why} ${blockId ?? pageId}`;

function partsOf({ manifest, collections, topics }: AuthoredCourse, { firstTitles, isUndescribed }: Placeholders): UnfinishedPart[] {
  const page = (pageId: string, title: string, isEmpty: boolean): UnfinishedPart[] => [
    ...(firstTitles.has(title.trim().toLowerCase()) ? [{ why: "untitled", pageId, blockId: null } as const] : []),
    ...(isEmpty ? [{ why: "empty", pageId, blockId: null } as const] : []),
  ];
  const course = manifest.root.length === 0 ? [{ why: "empty", pageId: null, blockId: null } as const] : [];
  return [
    ...course,
    ...collections.flatMap(({ id, title, children }) => page(id, title, children.length === 0)),
    ...topics.flatMap(({ id, title, blocks }) => [
      ...page(
        id,
        title,
        blocks.every(({ source }) => source.trim() === ""),
      ),
      ...blocks.filter(hasStarterText).map((block) => ({ why: "starter", pageId: id, blockId: block.id }) as const),
      ...blocks.filter(isUndescribed).map((block) => ({ why: "undescribed", pageId: id, blockId: block.id }) as const),
    ]),
  ];
}

/** Types whose starter is an instruction to its author; formulas may well be meant as they are, unless nothing was changed. */
const instructing: readonly InsertableType[] = [
  "core.theory",
  "core.key-points",
  "core.callout",
  "core.code",
  "core.table",
  "core.exercise",
];
/** Types in which even the short lines of the starter, such as "A heading", have to be replaced. */
const whole: ReadonlySet<Block["type"]> = new Set(["core.theory", "core.key-points"]);

function hasStarterText({ type, source }: Block): boolean {
  if (type === "core.figure") return false;
  // A retired question is shown to nobody.
  if (type === "core.question") return hasInstruction(source) && !readQuestionHeader(source)?.retired;
  const starter = starterSource(type);
  if (source.trim() === starter) return true;
  if (type === "core.diagram") return labelsOf(starter).some((label) => source.includes(label));
  const lines = linesOf(source);
  // A converted block keeps the sentences of its former type's starter.
  return lines.some((line) => sentences.has(line)) || (whole.has(type) && linesOf(starter).some((line) => line && lines.includes(line)));
}

/** The lines of a source without the marks of headings and lists. */
const linesOf = (source: string): string[] =>
  source.split(/\r?\n/).map((line) => line.trim().replace(/^(?:#{1,6}|[-*+]|\d{1,9}[.)])\s+/, ""));

/** The description and the labels of a diagram, with what delimits them. */
const labelsOf = (source: string): string[] => source.match(/^description: .*$|\[[^[\]]+\]/gm) ?? [];

/** The lines of starters that their author has to replace: sentences of three words or more, not the signs of their form. */
const sentences: ReadonlySet<string> = new Set(
  instructing.flatMap((type) =>
    linesOf(starterSource(type)).filter((line) => (line.match(/\p{L}+/gu) ?? []).length >= 3 && !/^(?::::|---|```|\w+: )/.test(line)),
  ),
);
