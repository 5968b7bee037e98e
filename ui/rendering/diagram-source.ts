import { withoutLoading } from "./loading-functions.ts";

/*
 * Prepares Mermaid source for drawing. Mermaid inserts what it draws into the page before it can be sanitised, so whatever would ask another
 * host for something is taken out of the source.
 */

const zeroWidth = "\u200b";

/** The source to draw: labels of several lines as Mermaid's text renderer can take them, and nothing that loads a resource. */
export function drawableSource(source: string): string {
  return withoutRequests(multilineLabels(source.replace(clicks, "")));
}

/** Links and scripts of boxes: what is drawn has neither, and Mermaid places a linked box by the link. */
const clicks = /^[ \t]*click[ \t]+[\w-]+[ \t]+(?:href\b|call\b|"|[A-Za-z_]).*$/gm;

/** Markdown labels (`` "`…`" ``): their words, without what Mermaid's text renderer cannot draw. */
function multilineLabels(source: string): string {
  const labelled = withShapeData(textsAsWords(source), labelledItem);
  return labelled.replace(/"`([^"]*)`"/g, (_whole, label: string) => `"\`${paragraph(escapesAsEntities(label), "\n")}\`"`);
}

/** Kinds of diagrams whose texts are all Markdown to Mermaid. */
const markdownEverywhere = /^\s*(classDiagram|stateDiagram|erDiagram|requirementDiagram|architecture|mindmap|kanban)/m;

/** The texts of these diagrams. Where names may stand in backticks and generics between tildes, only addresses are changed. */
function textsAsWords(source: string): string {
  const kind = markdownEverywhere.exec(source)?.[1];
  if (!kind) return source;
  if (/^(?:class|arch)/.test(kind)) return source.replace(addresses, `$&${zeroWidth}`);
  // The text of a mind map or a board needs no sign before it.
  return source.replace(
    /^(?:mind|kan)/.test(kind) ? /(^)(.*)/gm : /(:|")(.*)/g,
    (_whole, sign: string, text: string) => sign + wordsOnly(text),
  );
}

/** Labels of `A@{ … }` are always Markdown. YAML would fold their lines into one. */
function labelledItem(item: string): string {
  const [, key = "", quote = "", label] = /^(\s*label\s*:\s*)(["'])`([\s\S]*)`\2\s*$/.exec(item) ?? [];
  if (label !== undefined) return `${key}${quote}${paragraph(label, "<br/>")}${quote}`;
  return /^\s*label\s*:/.test(item) ? wordsOnly(item) : item;
}

/** Lines that look like lists, headings or rules would fail: only paragraphs can be drawn. */
const paragraph = (label: string, lineBreak: string): string =>
  wordsOnly(label)
    .split("\n")
    .map((line) => asParagraph(line.trim()))
    .filter(Boolean)
    .join(lineBreak);

const asParagraph = (line: string): string =>
  /^(?:[-*+]|\d{1,9}[.)]|#{1,6})(?=\s|$)|^(?:>|`{3}|~{3}|[-=*_|<[])/.test(line) ? zeroWidth + line : line;

/** Mermaid leaves out the words of links, pictures, code, deleted text and addresses. */
const wordsOnly = (label: string): string =>
  label
    .replace(/!?\[([^[\]\n]*)\]\([^()\n]*\)/g, "$1")
    .replace(/(?<!")`(?!")/g, "")
    .replace(/(?<![\w~])(~{1,2})(?=\S)([^~\n]*)\1(?![\w~])/g, "$2")
    .replace(addresses, `$&${zeroWidth}`);

/** Where a zero-width space makes an address plain words. */
const addresses = /\b(?:https?|ftp)(?=:\/\/)|\bwww(?=\.)|(?<=\w)(?=@\w)/gi;

/** An escaped sign as itself. */
const escapesAsEntities = (label: string): string =>
  label.replace(/\\(?=\n|$)/g, "").replace(/\\([!-/:-@[-`{-~])/g, (_whole, sign: string) => `#${sign.charCodeAt(0)};`);

/** Elements of HTML that load something, or carry a style that could. */
const loadingTags =
  /<(?=\/?\s*(?:img|image|svg|picture|source|video|audio|track|iframe|frame|object|embed|link|style|meta|base|script|input|use|feimage|body|math|portal)\b)/gi;
/** Tags that labels use, for their attributes. */
const plainTags = /<(b|i|u|s|em|strong|small|sub|sup|code|p|span|div|br|ul|ol|li|font|center|table|tr|td|th|a|h[1-6])\s[^<>]*?(\/?)>/gi;

/** Icons and links of participants, of which Mermaid loads the icons. A statement also begins after a semicolon or beside the header. */
const participantData = /(^|;|sequenceDiagram\b)[^\S\n]*(?:properties|details)\s.*$/gim;

/**
 * A source from which nothing is loaded; the same when it is prepared twice. Mermaid joins what stands before and after a directive, so
 * spaces keep the two apart; one alone would belong to an escape before it.
 */
export function withoutRequests(given: string): string {
  const text = given.replace(/\r\n?/g, "\n").replace(/(?<=\S[^\S\n]?)%%\{/g, "  %%{");
  const source = /sequenceDiagram/i.test(text) ? text.replace(participantData, "$1") : text;
  const hasSettings = /%%\{|^\s*---/.test(source);
  return withShapeData(source, (item) => (isHarmless(item) ? item : ""))
    .replace(/%%\{[\s\S]*?(?:\}%%|$)/g, (directive) => directive.replaceAll("\\", ""))
    .replace(/^\s*---[^\S\n]*\n[\s\S]*\n\s*---(?=\s*\n)/, (front) => front.replaceAll("\\", ""))
    .split("\n")
    .map((line) => withoutLoading(line, hasSettings || styleWords.test(line) ? () => false : isShape))
    .join("\n")
    .replace(loadingTags, "#lt;")
    .replace(plainTags, "<$1$2>");
}

/** What begins or fills a style, anywhere in a line. */
const styleWords =
  /\b(?:classDef|class|style|linkStyle|rect|box|UpdateElementStyle|UpdateRelStyle|fill|stroke|color|background|mask|filter|cursor|theme\w*)\b/i;

/** Where no style can stand, `image(Picture)` is a shape with a plain label. */
const isShape = (name: string, label: string): boolean => !name.includes("\\") && /^[\p{L}\p{N} ,.!?-]*$/u.test(label);

/** A source with its items of `A@{ shape: rect, label: "…" }` changed. Empty text takes an item out. */
function withShapeData(source: string, change: (item: string) => string): string {
  let result = "";
  let at = 0;
  for (let start = source.indexOf("@{"); start >= 0; start = source.indexOf("@{", at)) {
    const end = shapeEnd(source, start + 2);
    result += `${source.slice(at, start)}@{${shapeItems(source.slice(start + 2, end), change)}`;
    at = end;
  }
  return result + source.slice(at);
}

/** Where the data of a shape ends: at the first brace outside double quotes, as Mermaid reads it. */
function shapeEnd(source: string, from: number): number {
  let quoted = false;
  for (let at = from; at < source.length; at++) {
    if (source[at] === '"') quoted = !quoted;
    else if (source[at] === "}" && !quoted) return at;
  }
  return source.length;
}

function shapeItems(data: string, change: (item: string) => string): string {
  // Mermaid takes a line break in quotes as part of the label.
  const separator = data.replace(/"[^"]*"/g, "").includes("\n") ? "\n" : ",";
  let quoted = false;
  let item = "";
  const items: string[] = [];
  for (const letter of data) {
    if (letter === '"') quoted = !quoted;
    if (letter === separator && !quoted) {
      items.push(item);
      item = "";
    } else item += letter;
  }
  return [...items, item]
    .map((one) => ({ one, changed: one.trim() && change(one) }))
    .filter(({ one, changed }) => changed || !one.trim())
    .map(({ one, changed }) => changed || one)
    .join(separator);
}

/** A key that is a plain word other than `img`, which loads a picture. YAML knows many ways to write a key; only the plain one is kept. */
const isHarmless = (item: string): boolean => /^\s*(?!img\b)[A-Za-z]\w*\s*:/i.test(item);

/** The most lines that a title of a subgraph has. */
export function subgraphTitleLines(source: string): number {
  const titles = [...source.matchAll(/^[ \t]*subgraph\b[^\n"[]*\[?[ \t]*(?:"([^"]*)"|([^\n]*))/gm)].map(
    ([, quoted, plain = ""]) => (quoted ?? plain).split(/\n|<br\s*\/?>/i).filter((line) => /[^\s`]/.test(line)).length,
  );
  return Math.max(1, ...titles);
}

/** What Mermaid takes out before it parses, in this order: front matter, directives, comments, and empty lines at the beginning. */
const unparsed = [/^\s*---\s*\n[\s\S]*?\n\s*---[ \t]*\n+/g, /%%\{[\s\S]*?\}%%/g, /^\s*%%(?!\{)[^\n]+\n?/gm, /^\s+/g];

/** The line of a source that Mermaid's parser means by a line: it does not count what was taken out before. */
export function lineOfError(source: string, line: number): number {
  let text = source;
  let lineOf = source.split("\n").flatMap((part, index) => Array<number>(part.length + 1).fill(index + 1));
  for (const pattern of unparsed) {
    const removed = [...text.matchAll(pattern)].map(({ index, 0: part }) => ({ from: index, to: index + part.length }));
    const stays = (at: number): boolean => !removed.some(({ from, to }) => at >= from && at < to);
    lineOf = lineOf.filter((_, at) => stays(at));
    text = text.replace(pattern, "");
  }
  const before = text.split("\n").slice(0, line - 1);
  const last = source.trimEnd().split("\n").length;
  return Math.min(lineOf[before.join("\n").length + Math.min(1, before.length)] ?? last, last);
}
