import type { RankedPassage } from "@colloquy/projections/passages/queries.ts";
import type { PageItem, PageSection, PageText } from "./page-text.ts";
import type { TurnPassage } from "./retrieve.ts";
import { attribute, escapeUntrusted } from "./untrusted-text.ts";

/** A page of a brief, and what of it is read. */
export interface BriefPage {
  page: PageText;
  /** Whether the learner attached it or a part of it. */
  attached: boolean;
  /** The titles of its sections, if not all of them are read. */
  outline: readonly string[] | null;
  items: ReadonlySet<PageItem>;
  /** What the learner selected. */
  selected: ReadonlySet<PageItem>;
}

/** A passage of a brief: an item of a page, with the ids of all passages in it. */
export interface BriefPassage extends TurnPassage {
  passageIds: readonly string[];
  markdown: string;
}

/** What a model reads of the courses in one turn. */
export interface Brief {
  /** What it can cite, in the order of the text. */
  passages: readonly BriefPassage[];
  pages: number;
  sections: number;
  /** Of `text`, counted. */
  tokens: number;
  /** What the learner attached, by the names of the course, and the keys of what was selected there. */
  looksAt: readonly { title: string; trail: readonly string[]; keys: readonly string[] }[];
  /** Keys of the passages that the search found for the question, best first. */
  found: readonly string[];
  /** Of these, the keys of those that are close to the question in meaning. */
  close: readonly string[];
  /** For a prompt: pages with their sections, each citable passage in a tag with its key; empty if nothing was found. */
  text: string;
}

/** The brief of these pages, in reading order. Course text can neither close its tag nor open another. */
export function renderBrief(pages: readonly BriefPage[]): Omit<Brief, "tokens" | "looksAt" | "found" | "close"> {
  const passages: BriefPassage[] = [];
  let sections = 0;
  const texts = pages.map(({ page, attached, outline, items, selected }) => {
    const parts: string[] = [];
    const placed = page.sections
      .flatMap((section) => section.items.map((item) => ({ section, item })))
      .sort((a, b) => a.item.order - b.item.order);
    const begun = new Set<PageSection>();
    let next = 0;
    for (const { section, item } of placed) {
      const passage = items.has(item) ? passageOf(item, `s${passages.length + 1}`) : null;
      if (!passage) continue;
      passages.push(passage);
      if (item.order > next) parts.push(gap);
      // A part of a section does not begin with its heading.
      if (!begun.has(section) && item !== section.items[0]) parts.push(headingOf(section));
      begun.add(section);
      next = item.order + 1;
      const kind = passage.role === "prose" ? "" : ` kind="${passage.role}"`;
      const mark = selected.has(item) ? ' selected="yes"' : "";
      parts.push(`<passage id="${passage.key}"${kind}${mark}>\n${escapeUntrusted(item.markdown)}\n</passage>`);
    }
    sections += begun.size;
    if (next < placed.length) parts.push(gap);
    const { title, trail } = page.source;
    const mark = attached ? ' attached="yes"' : "";
    const head = `<page title="${attribute(title)}" trail="${attribute(trail.join(" › "))}"${mark}>`;
    const contents = outline ? [`Sections of this page: ${escapeUntrusted(outline.join("; "))}`] : [];
    return [head, ...contents, ...parts, "</page>"].join("\n");
  });
  return { passages, pages: pages.length, sections, text: texts.join("\n\n") };
}

const headingOf = ({ title, level }: PageSection): string => `${"#".repeat(Math.max(level, 2))} ${escapeUntrusted(title)}`;

/** Stands for what is left out. */
export const gap = "[…]";

function passageOf({ passages, heading, markdown }: PageItem, key: string): BriefPassage | null {
  const [first] = passages;
  if (!first) return null;
  const text = passages.map((passage) => passage.text).join("\n");
  return { ...first, key, heading, text, markdown, passageIds: passages.map(({ passageId }: RankedPassage) => passageId) };
}
