import { readCodeInfo } from "../markdown/code-info.ts";
import { readTag } from "../markdown/html-tags.ts";
import type { SourceLine } from "../markdown/lines.ts";
import type { Page } from "../markdown/page.ts";
import { plainText } from "../markdown/plain-text.ts";

/** It may be the first in an item of a list. */
const opening = /^([\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*)(<Listing\b(?:[^>"']|"[^"]*"|'[^']*')*>)\s*$/i;
/** An opening tag that goes on in further lines. */
const begun = /^([\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*)(<Listing\b[^>]*)$/i;
const mostTagLines = 12;
const closing = /^[\s>]*<\/Listing>\s*$/i;
const fence = /^([\s>]*(?:`{3,}|~{3,}))([^`]*)$/;
const isBlank = /^[\s>]*$/;

/** The file that the code below it is in, as the same book writes it where it numbers no listing. */
const fileName = /^[\s>]*<span class="filename">(?:Filename: )?([^<]+)<\/span>\s*$/i;

/**
 * Reads the listings of the preprocessor of "The Rust Programming Language", `<Listing number="2-1" file-name="main.rs" caption="…">` around
 * code: number, caption and file name become the title of the code, as does the name of a file above it. Other attributes are reported.
 */
export function withListings(lines: readonly SourceLine[], page: Page): SourceLine[] {
  const result: SourceLine[] = [];
  let open: string | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (!line) break;
    // Inside a fence, a listing is an example.
    const mark: string | undefined = /^[\s>]*(`{3,}|~{3,})/.exec(line.text)?.[1];
    const isFence: boolean = mark !== undefined && (open === null || mark.startsWith(open));
    if (isFence) open = open === null ? (mark ?? null) : null;
    if (isFence || open !== null) {
      result.push(line);
      continue;
    }
    const file = fileName.exec(line.text)?.[1];
    const below = file === undefined ? -1 : lines.findIndex(({ text }, index) => index > at && !isBlank.test(text));
    const start = lines[below];
    const info = fence.exec(start?.text ?? "")?.[2];
    // Beside a title of its own, the name of the file stays as text.
    if (file !== undefined && start && info !== undefined && !readCodeInfo(info).title) {
      result.push({ ...start, text: titled(start.text, plainText(file)) });
      open = /^[\s>]*(`{3,}|~{3,})/.exec(start.text)?.[1] ?? null;
      at = below;
      continue;
    }
    const { text: tag, last } = wholeTag(lines, at);
    const opened = opening.exec(tag);
    const end = opened ? lines.findIndex(({ text }, index) => index > last && closing.test(text)) : -1;
    if (!opened || end < 0) {
      result.push(line);
      continue;
    }
    const { title, id } = readListing(opened[2] ?? "", line.number, page);
    const inner = lines.slice(last + 1, end);
    const isItem = /[^\s>]/.test(opened[1] ?? "");
    while (isItem && inner[0] && isBlank.test(inner[0].text)) inner.shift();
    const code = inner.findIndex(({ text }) => fence.test(text));
    const indent = opened[1] ?? "";
    if (id && !indent) result.push({ text: `<a id="${id}"></a>`, number: line.number }, { text: "", number: line.number });
    if (code < 0 && title) result.push({ text: `${indent}**${title}**`, number: line.number });
    if (code < 0 && title && isItem) result.push({ text: "", number: line.number });
    const written = inner.map((one, index) => (index === code && title ? { ...one, text: titled(one.text, title) } : one));
    // An item's mark goes before its first line.
    const [head] = written;
    if (isItem && head && (code >= 0 || !title)) written[0] = { ...head, text: `${indent}${head.text.replace(/^[\s>]+/, "")}` };
    result.push(...written);
    at = end;
  }
  return result;
}

/** A line, or the lines that an opening tag is written on as one. */
function wholeTag(lines: readonly SourceLine[], at: number): { text: string; last: number } {
  const first = lines[at]?.text ?? "";
  if (begun.test(first))
    for (let last = at + 1; last < lines.length && last <= at + mostTagLines; last += 1) {
      const text = [first, ...lines.slice(at + 1, last + 1).map((line) => line.text.trim())].join(" ");
      if (opening.test(text)) return { text, last };
    }
  return { text: first, last: at };
}

const titled = (text: string, title: string): string =>
  text.replace(
    fence,
    (_whole, mark: string, info: string) => `${mark}${info.trim() || "text"} title="${title.replaceAll(/["\\]/g, "\\$&")}"`,
  );

function readListing(tag: string, line: number, page: Page): { title: string; id: string | null } {
  const { number, caption, "file-name": file, ...others } = readTag(tag)?.attributes ?? {};
  for (const name of Object.keys(others)) page.note(line, `the attribute ${name} of a listing`, "left out");
  const words = plainText(caption ?? "").replaceAll("`", "'");
  const first = [number && `Listing ${number}`, words].filter(Boolean).join(": ");
  const name = file ? plainText(file) : "";
  const title = first && name ? `${first} (${name})` : first || name;
  return { title, id: number && /^[\w.-]+$/.test(number) ? `listing-${number}` : null };
}
