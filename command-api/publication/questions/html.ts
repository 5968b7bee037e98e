import { writeFence } from "@colloquy/schemas/courses/parsers/source.ts";
import { createBuilder } from "../import/markdown/builder.ts";
import { decodeEntities } from "../import/markdown/html-tags.ts";
import { toLines } from "../import/markdown/lines.ts";
import { fillMarks } from "../import/markdown/marks.ts";
import { createPage } from "../import/markdown/page.ts";
import { gitHubId } from "../import/markdown/slugs.ts";

/** A question that cannot be taken; the message says why. */
export class QuestionRefused extends Error {
  override name = "QuestionRefused";
}

/** Stand for gaps while a text is read. */
export const gapMark = (gap: number): string => `\uE010${gap}\uE011`;
const gapMarks = /\uE010(\d+)\uE011/g;

/** The gaps' marks as questions have them, `[[1]]`. */
export const withGaps = (markdown: string): string => markdown.replaceAll(gapMarks, "[[$1]]");

const pictures = /<(?:img|object|svg|video|audio|iframe|embed|canvas|math|m:math)\b|@@PLUGINFILE@@/i;
const parts = /(<table\b[\s\S]*?<\/table>|<pre\b[\s\S]*?<\/pre>)/i;
const formulas = /\\\([\s\S]*?\\\)|\\\[[\s\S]*?\\\]|\$\$[\s\S]*?\$\$/g;

/** HTML of a question bank as the course's Markdown. @throws {QuestionRefused} for pictures, media and MathML */
export function htmlToMarkdown(html: string): string {
  if (pictures.test(html)) throw new QuestionRefused("it shows a picture, a medium or MathML");
  return html.split(parts).map(partToMarkdown).filter(Boolean).join("\n\n");
}

function partToMarkdown(html: string): string {
  if (!html.trim()) return "";
  const pre = /^<pre\b[^>]*>(?:\s*<code\b([^>]*)>)?([\s\S]*?)(?:<\/code>\s*)?<\/pre>$/i.exec(html);
  if (pre) {
    const language = /\blanguage-([\w+#-]{1,30})/.exec(pre[1] ?? "")?.[1] ?? "text";
    const code = decodeEntities((pre[2] ?? "").replaceAll(/<[^<>]*>/g, "")).replace(/^\n|\s+$/g, "");
    return writeFence(code, language);
  }
  const formulasRead: string[] = [];
  const isTable = /^<table\b/i.test(html);
  const escaped = html
    .replaceAll(formulas, (formula: string) => {
      const display = !formula.startsWith("\\(");
      const tex = decodeEntities(formula.slice(2, -2).replaceAll(/<br\s*\/?>/gi, " ")).trim();
      formulasRead.push(tex.includes("$") ? formula : display ? `$$${tex}$$` : `$${tex}$`);
      return `\uE012${formulasRead.length}\uE013`;
    })
    .split(/(<!--[\s\S]*?-->|<[^<>]*>)/)
    .map((piece, index) => (index % 2 === 1 ? piece : escapedText(piece, isTable)))
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();
  const markdown = read(isTable ? escaped : `<div>${numbered(inlineItems(escaped))}</div>`);
  return withoutGaps(markdown.replaceAll(/^- \uE014(\d+)\uE015 ?/gm, "$1. ")).replaceAll(
    /\uE012(\d+)\uE013/g,
    (_whole, formula: string) => formulasRead[Number(formula) - 1] ?? "",
  );
}

/** Items of a list whose paragraphs are lines: the mark of an item stands before its text. */
const inlineItems = (html: string): string =>
  html.replaceAll(
    /(<li\b[^<>]*>)((?: ?<p\b[^<>]*>(?:(?!<\/?(?:p|li)\b)[\s\S])*<\/p>)+)/gi,
    (_whole, item: string, paragraphs: string) =>
      `${item}${paragraphs
        .split(/<p\b[^<>]*>|<\/p>/i)
        .filter((paragraph) => paragraph.trim())
        .join("<br>")}`,
  );

/** Ordered lists without lists in them, their items marked by their numbers: questions refer to these. */
const numbered = (html: string): string =>
  html.replaceAll(/<ol\b([^<>]*)>((?:(?!<[ou]l\b)[\s\S])*?)<\/ol>/gi, (_whole, attributes: string, inner: string) => {
    let number = Number(/\bstart="(\d{1,6})"/.exec(attributes)?.[1] ?? 1);
    return `<ol>${inner.replaceAll(/<li\b[^<>]*>\s*/gi, () => `<li>\uE014${number++}\uE015`)}</ol>`;
  });

/** Items of a list stand in lines one after the other. */
const withoutGaps = (markdown: string): string => markdown.replaceAll(/^((?:-|\d+\.) .*)\n\n(?=(?:-|\d+\.) )/gm, "$1\n");

/** Text whose signs mean nothing in Markdown. */
function escapedText(text: string, isTable: boolean): string {
  const escaped = text
    .replaceAll(/[\\`$]/g, "\\$&")
    .replaceAll(/(?<! )\*|\*(?! )/g, "\\*")
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replaceAll("~~", "\\~~")
    .replaceAll(
      /^(\s*)([#*+-]|\d{1,9}[.)])(?=\s)/gm,
      (_whole, space: string, mark: string) => `${space}${mark.slice(0, -1)}\\${mark.slice(-1)}`,
    );
  const brackets = /\]\s*[([:]|\[\[|\[\^/.test(text) ? escaped.replaceAll(/[[\]]/g, "\\$&") : escaped;
  return isTable ? brackets.replaceAll("|", "\\|") : brackets;
}

/** Entities as the signs they stand for, where these cannot begin a tag or a quotation. */
const withSigns = (markdown: string): string =>
  markdown
    .split(/(`[^`]*`)/)
    .map((piece, index) =>
      index % 2 === 1
        ? piece
        : piece
            .replaceAll("&quot;", '"')
            .replaceAll(/&lt;(?=[\s\d=(-])/g, "<")
            .replaceAll(/(?<=\S ?)&gt;/g, ">")
            .replaceAll(/&amp;(?=\s)/g, "&"),
    )
    .join("");

const read = (text: string): string => {
  const page = createPage({
    file: "",
    dialect: { headingId: gitHubId, math: "dollars", dashes: "none" },
    report: [],
    image: () => null,
  });
  const markdown = createBuilder(page, () => false).markdownOf([{ kind: "lines", lines: toLines(text) }], { id: "" });
  const href = (link: number): string | null => {
    const address = page.links[link]?.href ?? "";
    return /^https?:\/\/[^\s<>()]+$/.test(address) ? address : null;
  };
  return withSigns(fillMarks(markdown, { link: href, heading: () => null })).trim();
};

/** What a reader sees of HTML, in one line: for answers that are compared. */
export const htmlToText = (html: string): string =>
  decodeEntities(html.replaceAll(/<[^<>]*>/g, " "))
    .replaceAll(/\s+/g, " ")
    .trim();
