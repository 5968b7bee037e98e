import { readTag } from "../markdown/html-tags.ts";
import type { SourceLine } from "../markdown/lines.ts";
import type { Page } from "../markdown/page.ts";
import { plainText } from "../markdown/plain-text.ts";

const opening = /^([\s>]*)(<Listing\b(?:[^>"']|"[^"]*"|'[^']*')*>)\s*$/i;
const closing = /^[\s>]*<\/Listing>\s*$/i;
const fence = /^([\s>]*(?:`{3,}|~{3,}))([^`]*)$/;

/**
 * Reads the listings of the preprocessor of "The Rust Programming Language", `<Listing number="2-1" file-name="main.rs" caption="…">` around
 * code: number, caption and file name become the title of the code. Other attributes are reported.
 */
export function withListings(lines: readonly SourceLine[], page: Page): SourceLine[] {
  const result: SourceLine[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (!line) break;
    const opened = opening.exec(line.text);
    const end = opened ? lines.findIndex(({ text }, index) => index > at && closing.test(text)) : -1;
    if (!opened || end < 0) {
      result.push(line);
      continue;
    }
    const { title, id } = readListing(opened[2] ?? "", line.number, page);
    const inner = lines.slice(at + 1, end);
    const code = inner.findIndex(({ text }) => fence.test(text));
    const indent = opened[1] ?? "";
    if (id && !indent) result.push({ text: `<a id="${id}"></a>`, number: line.number }, { text: "", number: line.number });
    if (code < 0 && title) result.push({ text: `${indent}**${title}**`, number: line.number });
    result.push(...inner.map((one, index) => (index === code && title ? { ...one, text: titled(one.text, title) } : one)));
    at = end;
  }
  return result;
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
