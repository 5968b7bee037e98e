import type { ImportNote } from "../importer.ts";
import type { SourceLine } from "./lines.ts";
import { plainText } from "./plain-text.ts";
import { gitHubId, mdBookId, pandocId, plainAnchor } from "./slugs.ts";

/** What tells one Markdown generator from another. */
export interface Dialect {
  /** The id the generator gives a heading, before it is numbered. */
  headingId(plain: string): string;
  /**
   * How mathematics is written: between dollars (Pandoc), after doubled backslashes (mdBook with MathJax), not at all, or either between
   * dollars or in TeX's brackets where what they hold reads as a formula (pages of unknown origin).
   */
  math: "dollars" | "backslashes" | "dollars-or-brackets" | "none";
  /** Whether `--` and `---` are dashes, `---` only, or neither. */
  dashes: "both" | "long" | "none";
  /** Takes hidden lines out of a code block. */
  visibleCode?(code: string, language: string, info: string): { code: string; hidden: number };
}

/** What an anchor of a page leads to. A block's id is known when the whole course is put together. */
export type AnchorTarget = { kind: "top" } | { kind: "heading"; heading: number } | { kind: "block"; block: AnchoredBlock };

/** The part of a draft block that anchors need. */
export interface AnchoredBlock {
  id: string;
}

interface HeadingRecord {
  plain: string;
  /** The id in the imported source, should anything link to it. */
  id: string;
  /** Written into the source in any case, because the author wrote it. */
  given: boolean;
}

/** A page while it is being read: collects its links, headings, anchors and footnotes, and what there is to report. */
export interface Page {
  /** Path within the imported folder, with `/`. */
  file: string;
  dialect: Dialect;
  references: Record<string, { href: string; title: string }>;
  footnotes: Map<string, SourceLine[]>;
  links: { href: string; line: number }[];
  headings: HeadingRecord[];
  /** By every id some generator would have given, the generator's own first. */
  anchors: Map<string, AnchorTarget>;
  note(line: number | undefined, what: string, done: string): void;
  /** The course's path of an image, or null when there is no such file; the reason is reported. */
  image(source: string, line: number): string | null;
  /** Registers a heading; returns the number its mark carries. */
  addHeading(text: string, given: string | undefined): number;
  /** Registers the ids of a heading that becomes a block's title, or the page's. */
  addTitle(text: string, given: string | undefined, target: AnchorTarget): void;
  addAnchor(id: string, target: AnchorTarget): void;
  addLink(href: string, line: number): number;
  /** Anchors found in running text since it was last asked; they go to the block the text ends up in. */
  takeAnchors(): string[];
  foundAnchor(id: string): void;
}

export function createPage(options: {
  file: string;
  dialect: Dialect;
  report: ImportNote[];
  image: (page: Page, source: string, line: number) => string | null;
}): Page {
  const { file, dialect, report } = options;
  const counts = new Map<string, number>();
  let found: string[] = [];
  const idsOf = (text: string, given: string | undefined): string[] => {
    const plain = plainText(text);
    const own = dialect.headingId(plain) || "section";
    const count = counts.get(own) ?? 0;
    if (!given) counts.set(own, count + 1);
    const numbered = (id: string): string => (count && !given ? `${id}-${count}` : id);
    return [...new Set([...(given ? [given] : []), ...[own, gitHubId(plain), mdBookId(plain), pandocId(plain)].map(numbered)])];
  };
  const page: Page = {
    file,
    dialect,
    references: {},
    footnotes: new Map(),
    links: [],
    headings: [],
    anchors: new Map(),
    note: (line, what, done) => {
      report.push({ file, ...(line !== undefined && { line }), what, done });
    },
    image: (source, line) => options.image(page, source, line),
    addHeading: (text, given) => {
      const ids = idsOf(text, given);
      const heading = page.headings.length;
      page.headings.push({ plain: plainText(text), id: plainAnchor(ids[0] ?? "section"), given: given !== undefined });
      for (const id of ids) page.addAnchor(id, { kind: "heading", heading });
      return heading;
    },
    addTitle: (text, given, target) => {
      for (const id of idsOf(text, given)) page.addAnchor(id, target);
    },
    addAnchor: (id, target) => {
      if (id && !page.anchors.has(id)) page.anchors.set(id, target);
    },
    addLink: (href, line) => page.links.push({ href, line }) - 1,
    takeAnchors: () => {
      const taken = found;
      found = [];
      return taken;
    },
    foundAnchor: (id) => {
      found.push(id);
    },
  };
  return page;
}
