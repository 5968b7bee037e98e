import { type ContainerRule, createBuilder } from "./builder.ts";
import { readContainers } from "./containers.ts";
import type { DraftTopic } from "./draft.ts";
import { createCodeWatch, type SourceLine, textOf, trimLines } from "./lines.ts";
import type { Page } from "./page.ts";
import { plainText } from "./plain-text.ts";
import { referencesOf } from "./scan.ts";

/** Reads a page's lines into a topic. Its first heading is left out when it only repeats the title. */
export function readTopic(
  page: Page,
  lines: readonly SourceLine[],
  options: { slug: string; title: string | undefined; fallbackTitle: string; rule: ContainerRule; definitions?: string },
): DraftTopic {
  const { lines: text, footnotes } = takeFootnotes(withoutControls(lines, page));
  for (const [label, note] of footnotes) page.footnotes.set(label, note);
  page.references = { ...referencesOf(definitionLines(options.definitions ?? "")), ...referencesOf(definitionLines(textOf(text))) };
  const first = firstHeading(text);
  const title = options.title ?? first?.title ?? options.fallbackTitle;
  const repeats = first !== null && first.title.toLowerCase() === title.toLowerCase();
  if (first && repeats) page.addTitle(first.title, first.id, { kind: "top" });
  const builder = createBuilder(page, options.rule);
  builder.addNodes(readContainers(repeats ? text.slice(first.after) : text, page));
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

/** The heading a page begins with. */
function firstHeading(lines: readonly SourceLine[]): { title: string; id?: string; after: number } | null {
  const start = lines.findIndex((line) => line.text.trim());
  const line = lines[start]?.text ?? "";
  const atx = /^ {0,3}#{1,2}\s+(.*?)(?:\s+#+)?\s*$/.exec(line);
  const underlined = !atx && /^ {0,3}(?:=+|-+)\s*$/.test(lines[start + 1]?.text ?? "") && /^ {0,3}[^\s#>|:-]/.test(line);
  const written = atx ? (atx[1] ?? "") : underlined ? line.trim() : "";
  const given = /\s*\{#([^\s}]+)[^{}]*\}$/.exec(written);
  const title = plainText(given ? written.slice(0, given.index) : written);
  return title ? { title, ...(given?.[1] && { id: given[1] }), after: start + (atx ? 1 : 2) } : null;
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
