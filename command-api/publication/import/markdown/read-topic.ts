import { type ContainerRule, createBuilder } from "./builder.ts";
import { readContainers } from "./containers.ts";
import type { DraftTopic } from "./draft.ts";
import { withNoteSections, withoutNoteTags } from "./for-instructors.ts";
import { createCodeWatch, type SourceLine, textOf, trimLines } from "./lines.ts";
import type { Page } from "./page.ts";
import { plainText } from "./plain-text.ts";
import { referencesOf } from "./scan.ts";
import { withTexEnvironments } from "./tex-environments.ts";

/** Reads a page's lines into a topic. Its first heading is left out when it only repeats the title. */
export function readTopic(
  page: Page,
  lines: readonly SourceLine[],
  options: { slug: string; title: string | undefined; fallbackTitle: string; rule: ContainerRule; definitions?: string },
): DraftTopic {
  const { lines: text, footnotes } = takeFootnotes(
    withTexEnvironments(withNoteSections(withoutNoteTags(withoutControls(lines, page))), page),
  );
  for (const [label, note] of footnotes) page.footnotes.set(label, note);
  page.references = { ...referencesOf(definitionLines(options.definitions ?? "")), ...referencesOf(definitionLines(textOf(text))) };
  const first = firstHeading(text);
  const title = options.title ?? first?.title ?? options.fallbackTitle;
  const repeats = first !== null && first.title.toLowerCase() === title.toLowerCase();
  if (first && repeats) page.addTitle(first.title, first.id, { kind: "top" });
  const builder = createBuilder(page, options.rule);
  builder.addNodes(readContainers(repeats ? [...text.slice(0, first.at), ...text.slice(first.after)] : text, page));
  return { page, slug: options.slug, title, objectives: builder.objectives, blocks: builder.blocks };
}

/** Characters no source may hold, such as those that colour a terminal's output. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

function withoutControls(lines: readonly SourceLine[], page: Page): SourceLine[] {
  const found = lines.find((line) => line.text.search(controls) >= 0);
  if (!found) return [...lines];
  page.note(found.number, "control characters in the text", "left out");
  return lines.map(({ text, number }) => ({ text: text.replaceAll(controls, ""), number }));
}

interface Heading {
  title: string;
  id?: string;
  /** Its first line, and the line behind it. */
  at: number;
  after: number;
}

/**
 * The heading of a page: its first one if that is of level 1, whatever stands before it (a comment, a badge, an introduction), or one of
 * level 2 that the page begins with.
 */
function firstHeading(lines: readonly SourceLine[]): Heading | null {
  const isCode = createCodeWatch();
  let isBegin = true;
  let containers = 0;
  for (const [at, { text }] of lines.entries()) {
    if (isCode(text) || !text.trim()) {
      if (/^\s*(?:`{3}|~{3})/.test(text)) isBegin = false;
      continue;
    }
    if (/^ {0,3}:{3,}/.test(text)) containers += /^ {0,3}:{3,}\s*$/.test(text) ? -1 : 1;
    else if (containers <= 0) {
      const found = headingAt(lines, at);
      if (found?.title && (found.level === 1 || (isBegin && found.level === 2))) return { ...found, at };
      if (found && found.level > 1) return null;
    }
    isBegin = false;
  }
  return null;
}

/** The heading that a line begins; its title is empty where it holds no words, such as a logo. */
function headingAt(lines: readonly SourceLine[], at: number): (Omit<Heading, "at"> & { level: number }) | null {
  const line = lines[at]?.text ?? "";
  const atx = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/.exec(line);
  const underline =
    /^ {0,3}[^\s#>|:<+*-]/.test(line) && !lines[at - 1]?.text.trim() ? /^ {0,3}(=+|-+)\s*$/.exec(lines[at + 1]?.text ?? "") : null;
  const element = /^ {0,3}<h([1-6])\b[^>]*>(.*?)<\/h\1>\s*$/i.exec(line);
  const written = atx?.[2] ?? (underline ? line.trim() : element?.[2]?.replaceAll(/<[^>]*>/g, ""));
  if (written === undefined) return null;
  const level = atx?.[1]?.length ?? (underline ? (underline[1]?.startsWith("=") ? 1 : 2) : Number(element?.[1]));
  const attributes = /\s*\{(?:[#.][^{}]*|-)\}$/.exec(written);
  const title = plainText(attributes ? written.slice(0, attributes.index) : written);
  const given = /#([^\s}]+)/.exec(attributes?.[0] ?? "")?.[1];
  return { title, level, ...(given && { id: given }), after: at + (underline ? 2 : 1) };
}

/** Lines that define links, each by itself, so that what stands around them cannot hide them. */
function definitionLines(text: string): string {
  return text
    .split("\n")
    .filter((line) => /^ {0,3}\[(?!\^)[^\]]+\]:\s*\S/.test(line))
    .join("\n\n");
}

/** Takes the footnotes (`[^label]: text`, further lines indented or directly below) out of a page. */
function takeFootnotes(lines: readonly SourceLine[]): { lines: SourceLine[]; footnotes: Map<string, SourceLine[]> } {
  const footnotes = new Map<string, SourceLine[]>();
  const rest: SourceLine[] = [];
  const isCode = createCodeWatch();
  let current: SourceLine[] | null = null;
  let afterBlank = false;
  for (const line of lines) {
    const code = isCode(line.text);
    const begins = code ? null : /^ {0,3}\[\^([^\]\s]+)\]:\s?(.*)$/.exec(line.text);
    const blank = !line.text.trim();
    if (begins) {
      current = [{ text: begins[2] ?? "", number: line.number }];
      footnotes.set(begins[1] ?? "", current);
    } else if (current && (blank || /^ {2,}/.test(line.text) || !afterBlank) && !/^ {0,3}:{3,}/.test(line.text)) {
      current.push({ text: line.text.replace(/^ {1,4}/, ""), number: line.number });
    } else {
      current = null;
      rest.push(line);
    }
    afterBlank = blank;
  }
  for (const [label, text] of footnotes) footnotes.set(label, trimLines(text));
  return { lines: rest, footnotes };
}
