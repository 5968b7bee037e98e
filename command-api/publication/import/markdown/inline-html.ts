import { loweredSigns, raisedSigns, shifted } from "@colloquy/schemas/text/superscripts.ts";
import type { Edit } from "./edits.ts";
import { isVoid, namesInstructors, reportNote } from "./for-instructors.ts";
import { codeSpan, decodeEntities, readTag, type Tag } from "./html-tags.ts";
import { markLinkEnd, markLinkStart } from "./marks.ts";
import type { Page } from "./page.ts";
import type { InlineEvent } from "./scan.ts";

type HtmlEvent = Extract<InlineEvent, { kind: "html" }>;

/** Tags whose text is shown as code: keys, commands, what a program prints. */
const asCode = new Set(["kbd", "code", "tt", "samp", "var"]);
const pairs: Record<string, [string, string]> = {
  strong: ["**", "**"],
  b: ["**", "**"],
  em: ["*", "*"],
  i: ["*", "*"],
  cite: ["*", "*"],
  dfn: ["*", "*"],
  del: ["~~", "~~"],
  s: ["~~", "~~"],
  strike: ["~~", "~~"],
  q: ["“", "”"],
};
/** Tags that carry no text of their own and no meaning our Markdown has. */
const unwrapped = new Set([
  "span",
  "u",
  "mark",
  "small",
  "font",
  "ins",
  "div",
  "p",
  "center",
  "section",
  "article",
  "big",
  "bdi",
  "wbr",
  "nobr",
  "abbr",
]);

/** Turns the HTML tags of a run of inline Markdown into Markdown: our pages show no raw HTML. */
export function htmlEdits(content: string, events: readonly InlineEvent[], page: Page, lineOf: (at: number) => number): Edit[] {
  const tags = events.filter((event): event is HtmlEvent => event.kind === "html");
  if (tags.length === 0) return [];
  const names = tags.map((event) => readTag(event.html));
  const edits: Edit[] = [];
  const used = new Set<HtmlEvent>();
  for (const [index, event] of tags.entries()) {
    if (used.has(event)) continue;
    used.add(event);
    const line = lineOf(event.start);
    const replace = (text: string, end = event.end): void => {
      edits.push({ start: event.start, end, text });
    };
    if (event.html.startsWith("<!")) {
      if (event.html.startsWith("<!--")) page.note(line, "an HTML comment", "left out, it is not shown to readers");
      replace("");
      continue;
    }
    const tag = names[index];
    if (!tag || tag.closing) {
      replace("");
      continue;
    }
    const anchor = tag.attributes.id ?? (tag.name === "a" ? tag.attributes.name : undefined);
    if (anchor) page.foundAnchor(anchor);
    const closing = closingTag(tags, names, index, used);
    if (namesInstructors(tag.attributes.class)) {
      reportNote(page, line);
      const end = isVoid(tag.name) ? event.end : (closing?.end ?? content.length);
      replace("", end);
      for (const other of tags) if (other.start >= event.start && other.end <= end) used.add(other);
      continue;
    }
    const inner = content.slice(event.end, closing?.start ?? event.end);
    if (tag.name === "br") replace(content[event.end] === "\n" ? "\\" : isLast(content, event.end) ? "" : "\\\n");
    else if (tag.name === "img") {
      const path = page.image(tag.attributes.src ?? "", line);
      const alt = (tag.attributes.alt ?? "").replaceAll(/[[\]]/g, "\\$&");
      replace(path === null ? alt : `![${alt}](${path.includes(" ") ? `<${path}>` : path})`);
    } else if (!closing) {
      if (!unwrapped.has(tag.name) && tag.name !== "a") page.note(line, `the HTML tag <${tag.name}>`, "left out, its text is kept");
      replace("");
    } else {
      used.add(closing);
      const whole = asCode.has(tag.name)
        ? codeSpan(decodeEntities(inner.replaceAll(/<[^<>]*>/g, "")).replaceAll(/\\([!-/:-@[-`{-~])/g, "$1"))
        : tag.name === "sup"
          ? shiftedOr(inner, raisedSigns, "^")
          : tag.name === "sub"
            ? shiftedOr(inner, loweredSigns, "_")
            : null;
      if (whole !== null) {
        replace(inner.trim() ? whole : "", closing.end);
        continue;
      }
      const [open, close] = wrapping(tag.name, tag.attributes, page, line);
      replace(open);
      edits.push({ start: closing.start, end: closing.end, text: close });
    }
  }
  return edits;
}

function wrapping(name: string, attributes: Record<string, string>, page: Page, line: number): [string, string] {
  if (name === "a" && attributes.href) {
    const link = page.addLink(attributes.href, line);
    return [markLinkStart(link), markLinkEnd(link)];
  }
  const pair = pairs[name];
  if (pair) return pair;
  if (name === "abbr" && attributes.title) return ["", ` (${attributes.title})`];
  if (!unwrapped.has(name) && name !== "a") page.note(line, `the HTML tag <${name}>`, "left out, its text is kept");
  return ["", ""];
}

function closingTag(tags: readonly HtmlEvent[], names: readonly (Tag | null)[], from: number, used: Set<HtmlEvent>): HtmlEvent | null {
  const name = names[from]?.name;
  let depth = 0;
  for (let index = from + 1; index < tags.length; index += 1) {
    const event = tags[index];
    const tag = names[index];
    if (!event || tag?.name !== name || used.has(event)) continue;
    depth += tag?.closing ? -1 : 1;
    if (depth < 0) return event;
  }
  return null;
}

/** Raised or lowered text in Unicode where that has the letters, else marked the usual way in plain text. */
function shiftedOr(text: string, signs: typeof raisedSigns, mark: string): string {
  const plain = text.trim();
  return shifted(plain, signs) ?? `${mark}${/^[\p{L}\p{N}]+$/u.test(plain) ? plain : `(${plain})`}`;
}

const isLast = (content: string, at: number): boolean => content.slice(at).trim() === "";
