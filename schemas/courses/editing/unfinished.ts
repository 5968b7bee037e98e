import type { AuthoredCourse, Block } from "../authored.ts";
import { hasInstruction } from "./question-templates.ts";
import { starterSource } from "./starters.ts";

/** A part of a draft that looks unfinished: a page without content or with its first title, or a block with text of its starter. */
export interface UnfinishedPart {
  why: "empty" | "untitled" | "starter";
  /** The page; null for the course itself. */
  pageId: string | null;
  blockId: string | null;
}

/**
 * The unfinished parts that a draft would publish; those that are published already are left out.
 * @param firstTitles titles that new pages and parts get, in lower case
 */
export function unfinishedParts(base: AuthoredCourse, draft: AuthoredCourse, firstTitles: ReadonlySet<string>): UnfinishedPart[] {
  const published = new Set(partsOf(base, firstTitles).map(keyOf));
  return partsOf(draft, firstTitles).filter((part) => !published.has(keyOf(part)));
}

const keyOf = ({ why, pageId, blockId }: UnfinishedPart): string => `${why} ${blockId ?? pageId}`;

function partsOf({ manifest, collections, topics }: AuthoredCourse, firstTitles: ReadonlySet<string>): UnfinishedPart[] {
  const page = (pageId: string, title: string, isEmpty: boolean): UnfinishedPart[] => [
    ...(firstTitles.has(title.trim().toLowerCase()) ? [{ why: "untitled", pageId, blockId: null } as const] : []),
    ...(isEmpty ? [{ why: "empty", pageId, blockId: null } as const] : []),
  ];
  const course = manifest.root.length === 0 ? [{ why: "empty", pageId: null, blockId: null } as const] : [];
  return [
    ...course,
    ...collections.flatMap(({ id, title, children }) => page(id, title, children.length === 0)),
    ...topics.flatMap(({ id, title, blocks }) => [
      ...page(id, title, blocks.length === 0),
      ...blocks.filter(hasStarterText).map((block) => ({ why: "starter", pageId: id, blockId: block.id }) as const),
    ]),
  ];
}

/** Types whose starter is an instruction to its author; formulas and diagrams may well be meant as they are, unless nothing was changed. */
const instructing: ReadonlySet<Block["type"]> = new Set([
  "core.theory",
  "core.key-points",
  "core.callout",
  "core.code",
  "core.table",
  "core.exercise",
]);

function hasStarterText({ type, source }: Block): boolean {
  if (type === "core.figure") return false;
  if (type === "core.question") return hasInstruction(source);
  const starter = starterSource(type);
  if (source.trim() === starter) return true;
  if (!instructing.has(type)) return false;
  const lines = new Set(source.split(/\r?\n/).map((line) => line.trim()));
  return wordsOf(starter).some((line) => lines.has(line));
}

/** The lines of a starter that its author has to replace: sentences of three words or more, not the signs of its form. */
const wordsOf = (starter: string): string[] =>
  starter.split("\n").filter((line) => (line.match(/\p{L}+/gu) ?? []).length >= 3 && !/^(?::::|---|```|\w+: )/.test(line));
