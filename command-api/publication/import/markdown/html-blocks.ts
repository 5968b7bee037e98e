import { withoutHtmlNotes } from "./for-instructors.ts";
import { decodeEntities, readTag } from "./html-tags.ts";
import { mapInline } from "./inline.ts";
import type { Page } from "./page.ts";

/** What a block of HTML between paragraphs becomes. */
type HtmlResult =
  | { kind: "nothing" }
  | { kind: "markdown"; markdown: string }
  | { kind: "figure"; path: string; alt: string; caption?: string }
  | { kind: "table"; header: string[]; rows: string[][]; caption?: string };

const embedded: Record<string, string> = {
  iframe: "an embedded page",
  video: "a video",
  audio: "a sound",
  embed: "an embedded file",
  object: "an embedded file",
};

/** Maps a block of HTML: comments go, pictures, tables and rules become ours, of anything else the text is kept. */
export function mapHtmlBlock(html: string, line: number, page: Page): HtmlResult {
  const comments = html.match(/<!--[\s\S]*?(?:-->|$)/g) ?? [];
  const text = withoutHtmlNotes(html.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "").trim(), line, page);
  for (const _ of comments) page.note(line, "an HTML comment", "left out, it is not shown to readers");
  if (!text) return { kind: "nothing" };
  if (/^<(script|style|link|meta)\b/i.test(text)) {
    page.note(line, `HTML of the page itself: <${/^<(\w+)/.exec(text)?.[1] ?? ""}>`, "left out");
    return { kind: "nothing" };
  }
  if (/^<hr\s*\/?>$/i.test(text)) return { kind: "markdown", markdown: "***" };
  const picture = figureOf(text, line, page);
  if (picture) return picture;
  if (/^<table\b/i.test(text)) return tableOf(text, line, page);
  const [, name = ""] = /^<([a-z]+)\b/i.exec(text) ?? [];
  const what = embedded[name.toLowerCase()];
  if (what) {
    const tag = readTag(/^<[^>]*>/.exec(text)?.[0] ?? "");
    const source = tag?.attributes.src ?? tag?.attributes.data ?? /<source\b[^>]*\bsrc="([^"]+)"/i.exec(text)?.[1];
    if (source) {
      page.note(line, `${what}, ${source}`, "written as a link");
      return { kind: "markdown", markdown: mapInline(`[${tag?.attributes.title ?? source}](<${source}>)`, line, page) };
    }
  }
  const code = /^<pre\b[^>]*>(?:\s*<code[^>]*>)?([\s\S]*?)(?:<\/code>\s*)?<\/pre>$/i.exec(text);
  if (code)
    return { kind: "markdown", markdown: `\`\`\`text\n${decodeEntities((code[1] ?? "").replaceAll(/<[^<>]*>/g, "")).trim()}\n\`\`\`` };
  const lined = text
    .replaceAll(/<li\b[^>]*>\s*/gi, "\n- ")
    .replaceAll(/<(h[1-6])\b[^>]*>([\s\S]*?)<\/\1>/gi, "\n\n**$2**\n\n")
    .replaceAll(/<\/?(?:ul|ol|li|p|div|section|article|center|dl|dt|dd|blockquote|header|footer|nav|aside|main)\b[^>]*>/gi, (tag) => {
      const id = readTag(tag)?.attributes.id;
      if (id) page.foundAnchor(id);
      return "\n";
    })
    .replaceAll(/^[ \t]+/gm, "")
    .replaceAll(/\n{2,}/g, "\n\n")
    .trim();
  return lined ? { kind: "markdown", markdown: mapInline(lined, line, page) } : { kind: "nothing" };
}

function figureOf(text: string, line: number, page: Page): HtmlResult | null {
  const tag =
    /^(?:<(?:figure|p|div|center)\b[^>]*>\s*)*(?:<a\b[^>]*>\s*)?(<img\b[^>]*>)\s*(?:<\/a>\s*)?(?:<figcaption\b[^>]*>([\s\S]*?)<\/figcaption>\s*)?(?:<\/(?:figure|p|div|center)>\s*)*$/i.exec(
      text,
    );
  const image = tag && readTag(tag[1] ?? "");
  if (!image) return null;
  const path = page.image(image.attributes.src ?? "", line);
  const caption = (tag[2] ?? image.attributes.title ?? "").trim();
  const alt = image.attributes.alt ?? "";
  if (path === null) return { kind: "markdown", markdown: mapInline([alt, caption].filter(Boolean).join(" "), line, page) };
  return { kind: "figure", path, alt, ...(caption && { caption: mapInline(caption, line, page) }) };
}

function tableOf(text: string, line: number, page: Page): HtmlResult {
  const cell = (html: string): string =>
    mapInline(
      html
        .replaceAll(/\s*<br\s*\/?>\s*/gi, " ")
        .replaceAll(/<\/?p\b[^>]*>/gi, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
      line,
      page,
    );
  const rows = [...text.matchAll(/<tr\b[^>]*>([\s\S]*?)(?:<\/tr>|(?=<tr\b)|$)/gi)].map((row) =>
    [...(row[1] ?? "").matchAll(/<t[hd]\b[^>]*>([\s\S]*?)(?:<\/t[hd]>|(?=<t[hd]\b)|$)/gi)].map((found) => cell(found[1] ?? "")),
  );
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return { kind: "nothing" };
  if (/\b(?:row|col)span=/i.test(text)) page.note(line, "an HTML table with cells that span others", "its cells are kept, one to a place");
  const [header = [], ...body] = rows.map((row) => [...row, ...Array<string>(width - row.length).fill("")]);
  const caption = /<caption\b[^>]*>([\s\S]*?)<\/caption>/i.exec(text)?.[1]?.trim();
  return { kind: "table", header, rows: body, ...(caption && { caption: mapInline(caption, line, page) }) };
}
