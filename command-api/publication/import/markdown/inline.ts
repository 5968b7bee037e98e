import { unescapeMarkdown } from "./attributes.ts";
import { applyEdits, type Edit } from "./edits.ts";
import { htmlEdits } from "./inline-html.ts";
import { markLinkEnd, markLinkStart } from "./marks.ts";
import type { Page } from "./page.ts";
import { plainText } from "./plain-text.ts";
import { type InlineEvent, scanInline } from "./scan.ts";

/** One run of inline Markdown in our own dialect. Links stand as marks until the whole course is read. */
export function mapInline(text: string, line: number, page: Page): string {
  return applyEdits(text, inlineEdits(text, scanInline(text, page.references, page.dialect.math), line, page));
}

/** The edits that turn a run of inline Markdown into our dialect. */
export function inlineEdits(content: string, events: readonly InlineEvent[], line: number, page: Page): Edit[] {
  const lineOf = createLineOf(content, line);
  const edits: Edit[] = htmlEdits(content, events, page, lineOf);
  const kept: { start: number; end: number }[] = [];
  for (const event of events) {
    const { start, end } = event;
    switch (event.kind) {
      case "link": {
        const link = page.addLink(event.href, lineOf(start));
        // A link without words shows its address, or nobody could see it.
        const empty = content.slice(start + 1, event.labelEnd).trim() === "";
        const words = empty ? event.href.replaceAll(/[[\]\\`*_<>]/g, "\\$&") : "";
        edits.push(
          { start, end: start + 1, text: markLinkStart(link) },
          { start: event.labelEnd, end, text: `${words}${markLinkEnd(link)}` },
        );
        kept.push({ start: event.labelEnd, end });
        break;
      }
      case "span":
        if (event.attributes.id) page.foundAnchor(event.attributes.id);
        edits.push({ start, end: start + 1, text: "" }, { start: event.labelEnd, end, text: "" });
        kept.push({ start: event.labelEnd, end });
        break;
      case "note": {
        const label = `note-${lineOf(start)}-${start}`;
        page.footnotes.set(label, [{ text: content.slice(start + 2, event.labelEnd), number: lineOf(start) }]);
        edits.push({ start, end, text: `[^${label}]` });
        break;
      }
      case "image":
        edits.push({ start, end, text: inlineImage(event, lineOf(start), page) });
        break;
      case "math":
        if (content[start] === "\\" && content[start + 1] !== "\\") noteBrackets(page, lineOf(start));
        if (content[start] !== "$" || /\s\$$/.test(content.slice(start, end)))
          edits.push({ start, end, text: event.display ? `$$${event.tex}$$` : `$${event.tex}$` });
        break;
      case "attributes":
        edits.push({ start, end, text: "" });
        break;
      case "escape": {
        // In our Markdown `\(` and `\[` open mathematics.
        const letter = content[start + 1] ?? "";
        if ("()[]".includes(letter)) edits.push({ start, end, text: `&#${letter.charCodeAt(0)};` });
        break;
      }
      case "code":
        edits.push(...restRole(content, event, page, lineOf(start)));
        break;
    }
    if (event.kind !== "link" && event.kind !== "span") kept.push({ start, end });
  }
  edits.push(...textEdits(content, kept, page));
  return edits;
}

/** Escaped brackets look the same, so the report names each formula that was found in them. */
export function noteBrackets(page: Page, line: number | undefined): void {
  page.note(line, "a formula in escaped brackets, \\( \\) or \\[ \\]", "taken as a formula, because it reads as TeX");
}

function createLineOf(content: string, first: number): (at: number) => number {
  const ends = [...content.matchAll(/\n/g)].map((match) => match.index);
  return (at) => {
    const index = ends.findIndex((end) => end >= at);
    return first + (index < 0 ? ends.length : index);
  };
}

/** What must change in plain text: dollars that would begin mathematics, dashes written as hyphens, and what only looks like a link. */
function textEdits(content: string, kept: { start: number; end: number }[], page: Page): Edit[] {
  const edits: Edit[] = [];
  const ranges = kept.sort((a, b) => a.start - b.start);
  let next = 0;
  let keptUntil = 0;
  const isKept = (at: number): boolean => {
    for (let range = ranges[next]; range && range.start <= at; range = ranges[++next]) keptUntil = Math.max(keptUntil, range.end);
    return at < keptUntil;
  };
  const dollars = content.split("$").length - 1;
  for (const match of content.matchAll(/\$|\]\(|(?<!-)-{2,3}(?!-)/g)) {
    const at = match.index;
    if (isKept(at)) continue;
    if (match[0] === "$") {
      if (dollars > 1) edits.push({ start: at, end: at + 1, text: "\\$" });
    } else if (match[0] === "](") edits.push({ start: at, end: at + 1, text: "\\]" });
    else if (page.dialect.dashes === "none") continue;
    else if (match[0] === "---") edits.push({ start: at, end: at + 3, text: "—" });
    else if (page.dialect.dashes === "both" && !/\s-{2}\w/.test(content.slice(Math.max(at - 1, 0), at + 3)))
      edits.push({ start: at, end: at + 2, text: "–" });
  }
  return edits;
}

function inlineImage(event: Extract<InlineEvent, { kind: "image" }>, line: number, page: Page): string {
  const { alt } = imageTexts(event);
  const path = page.image(event.source, line);
  if (path === null) return alt;
  return `![${alt.replaceAll(/[[\]\\]/g, "\\$&")}](${path.includes(" ") ? `<${path}>` : path})`;
}

/** An image's alternative text, and its caption: with an `alt` attribute the text in brackets is a caption, as Pandoc has it. */
export function imageTexts(event: Extract<InlineEvent, { kind: "image" }>): { alt: string; caption: string } {
  const values = event.attributes?.values ?? {};
  const given = values.alt ?? values["fig-alt"];
  return given === undefined
    ? { alt: plainText(event.label), caption: event.title }
    : { alt: unescapeMarkdown(given), caption: event.label.trim() || event.title };
}

/** reStructuredText left in a page: `:numref:` and `:ref:` before a name in backticks become links to that name. */
function restRole(content: string, event: { start: number; end: number }, page: Page, line: number): Edit[] {
  const role = /:(?:num)?ref:$/.exec(content.slice(Math.max(0, event.start - 8), event.start));
  if (!role) return [];
  const name = content.slice(event.start, event.end).replaceAll("`", "").trim();
  const [, words, label] = /^(.*?)\s*<([^<>]+)>$/.exec(name) ?? [undefined, name, name];
  const anchor = (label ?? name).trim().replaceAll("_", "-").toLowerCase();
  const link = page.addLink(`#${anchor}`, line);
  page.note(line, `a reStructuredText reference, ${role[0]}\`${name}\``, `written as a link to #${anchor}`);
  const shown = (words ?? name).replaceAll(/%s|_/g, " ").trim() || anchor;
  return [{ start: event.start - role[0].length, end: event.end, text: `${markLinkStart(link)}${shown}${markLinkEnd(link)}` }];
}
