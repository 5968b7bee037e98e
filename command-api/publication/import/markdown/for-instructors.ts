import { createCodeWatch, type SourceLine } from "./lines.ts";
import type { Page } from "./page.ts";

const people = ["instructor", "instructors", "teacher", "teachers", "trainer", "trainers"];
/** Names of containers, directives and classes whose text only instructors read, in every format. */
const names = new Set([
  ...people.flatMap((name) => [name, `${name}-note`, `${name}-notes`, `${name}-only`, `for-${name}`]),
  "speaker-note",
  "speaker-notes",
]);

/** Whether a name, or one of several classes, says that only instructors read what it marks. */
export const namesInstructors = (words: string | undefined): boolean =>
  (words?.match(/[\w-]+/g) ?? []).some((word) => names.has(word.toLowerCase().replaceAll("_", "-")));

/** Titles that say the same, whatever kind of part they stand over; not "Instructors", which may list who teaches. */
export const noteTitle =
  /^(?:(?:instructor|teacher|trainer|speaker)s?(?:['’]s?)?[ -](?:notes?|only)|(?:notes?|only) (?:for|to) (?:the )?(?:instructor|teacher|trainer)s?|for (?:instructor|teacher|trainer)s(?: only)?):?$/i;

type Mark = { kind: "colons" | "fence" | "slashes" | "indented" | "label"; title: string } | { kind: "tag"; name: string; title: "" };

/** How a line, without what marks it as part of a list or a quotation, opens a note for instructors; `next` are the lines below it. */
export function opensNote(text: string, next: readonly SourceLine[]): Mark | null {
  const [, admonition, rest = ""] = /^(!!!|\?\?\?\+?)\s*(.*)$/.exec(text) ?? [];
  if (admonition) {
    const [classes = ""] = rest.split(/["'“]/);
    return namesInstructors(classes) ? { kind: "indented", title: unquoted(rest.slice(classes.length)) } : null;
  }
  const [, mark = "", head = "", after = ""] =
    /^(:{3,}|`{3,}|~{3,}|\/{3,})\s*(\{[^{}]{0,500}\}|admonish\s+[\w-]{1,100}|[\w-]{1,100})(.*)$/.exec(text) ?? [];
  if (mark) {
    const title = after
      .slice(0, 1_000)
      .replace(/^\s*\|/, "")
      .replace(/\s:{3,}\s*$/, "")
      .trim();
    const isFence = /^[`~]/.test(mark);
    const classes = /\{([^{}]*)\}$/.exec(title)?.[1];
    const named = isFence
      ? /^(?:\{|admonish)/.test(head) && namesInstructors(nameIn(head))
      : namesInstructors(`${nameIn(head)} ${classes}`);
    const withOptions = mark.startsWith("/") || head.startsWith("{");
    if (!named && !(withOptions && optionsBelow(next).some(namesInstructors))) return null;
    return { kind: isFence ? "fence" : mark.startsWith("/") ? "slashes" : "colons", title: classes === undefined ? title : "" };
  }
  const [, label, labelTitle = ""] = /^\[!([\w-]+)\][+-]?\s*(.*)$/.exec(text) ?? [];
  if (label) return namesInstructors(label) ? { kind: "label", title: labelTitle } : null;
  const tag = noteTag.exec(text);
  return tag?.index === 0 && namesInstructors(classOf(tag[0])) ? { kind: "tag", name: (tag[1] ?? "").toLowerCase(), title: "" } : null;
}

const unquoted = (text: string): string => text.trim().replace(/^["'“]\s*|\s*["'”]$/g, "");
/** The name and the classes in `{name .class #id key=value}`. */
const nameIn = (head: string): string =>
  head
    .replaceAll(/#[\w:.-]+|[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s}]*)/g, (part) => (/^class\s*=/.test(part) ? part.slice(6) : ""))
    .replace(/^admonish\s+/, "");

/** The options below a directive that give it classes: `:class: name`, `class: name`, `type: name`. */
function optionsBelow(next: readonly SourceLine[]): string[] {
  const options: string[] = [];
  for (const { text } of next) {
    const bare = text.replace(/^[\s>]+/, "");
    const [, key = "", value = ""] = /^:?([\w-]+):(?:\s+(.*))?$/.exec(bare) ?? [];
    if (!key && bare !== "---") break;
    if (/^(?:class|type|tags)$/i.test(key)) options.push(value);
  }
  return options;
}

const noteTag = /<([a-z][a-z0-9]*)\b[^<>]*>/i;
/** Whether HTML elements of a name hold no text. */
export const isVoid = (name: string | undefined): boolean => /^(?:img|br|hr|input|source|embed|wbr)$/i.test(name ?? "");
/** The classes of an HTML tag. */
export const classOf = (tag: string): string =>
  /\bclass\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/i.exec(tag)?.slice(1).find(Boolean) ?? "";

/** Makes a section below a heading such as "Notes for instructors" a part of its own, up to the next heading that is not below it. */
export function withNoteSections(lines: readonly SourceLine[]): SourceLine[] {
  const result: SourceLine[] = [];
  const isCode = createCodeWatch();
  let level = 0;
  let depth = 0;
  for (const line of lines) {
    if (isCode(line.text)) {
      result.push(line);
      continue;
    }
    if (/^ {0,3}:{3,}/.test(line.text)) depth += /^ {0,3}:{3,}\s*$/.test(line.text) ? -1 : 1;
    const [, marks = "", title = ""] = /^ {0,3}(#{1,6})\s+(.*?)\s*(?:\{[^{}]*\})?\s*#*\s*$/.exec(line.text) ?? [];
    if (marks && level > 0 && marks.length <= level && depth <= 0) {
      result.push({ text: ":::", number: line.number });
      level = 0;
    }
    const opens = marks.length > 1 && level === 0 && depth <= 0 && noteTitle.test(title.replaceAll(/[*_]/g, ""));
    if (opens) level = marks.length;
    result.push(opens ? { text: "::: instructor", number: line.number } : line);
  }
  return level > 0 ? [...result, { text: ":::", number: lines.at(-1)?.number ?? 1 }] : result;
}

/** What stands before a text that belongs to lists and quotations. */
const prefix = /^(?:[ >]|(?:[-*+]|\d{1,9}[.)])(?=\s)|\[[ xX]\](?=\s))*/;
const depthOf = (text: string): number => (/^[\s>]*/.exec(text)?.[0].match(/>/g) ?? []).length;
const columnOf = (text: string): number => /^[\s>]*/.exec(text)?.[0].length ?? 0;
const isBlank = (text: string): boolean => /^[\s>]*$/.test(text);

/**
 * Takes the notes for instructors out of lists and quotations, from where they cannot be moved to a part of their own: learners would read
 * them. Each is reported. A quotation that is such a note as a whole stays.
 */
export function withoutNestedNotes(lines: readonly SourceLine[], page: Page): SourceLine[] {
  const result: SourceLine[] = [];
  let fence = "";
  let inComment = false;
  let labelled = false;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (!line) break;
    const before = prefix.exec(line.text)?.[0] ?? "";
    const bare = line.text.slice(before.length);
    const top = /^> ?$/.test(before) && depthOf(lines[at - 1]?.text ?? "") === 0;
    labelled = top ? bare.startsWith("[!") : labelled && depthOf(line.text) > 0;
    const note = fence || inComment || labelled ? null : opensNote(bare, lines.slice(at + 1, at + 13));
    if (note && (note.kind !== "label" || depthOf(before) > 0)) {
      reportNote(page, line.number);
      const marker = before.search(/[-*+\d][.)]?\s[\s[\]xX]*$/);
      if (marker >= 0) result.push({ text: before.trimEnd(), number: line.number });
      at = endOfNote(lines, at, note, before, marker);
      continue;
    }
    if (
      !fence &&
      /^\{:[^{}]*\}\s*$/.test(bare) &&
      namesInstructors(bare) &&
      !(before.trim() === "" && depthOf(lines[at - 1]?.text ?? "") > 0)
    ) {
      reportNote(page, line.number);
      while (result.length > 0 && !isBlank(result.at(-1)?.text ?? "")) result.pop();
      at += 1;
      continue;
    }
    if (fence) fence = closesFence(bare, fence) ? "" : fence;
    else if (inComment) inComment = !line.text.includes("-->");
    else {
      fence = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(bare)?.[1] ?? "";
      const comment = line.text.lastIndexOf("<!--");
      inComment = comment >= 0 && !line.text.slice(0, comment).includes("`") && !line.text.includes("-->", comment);
    }
    result.push(line);
    at += 1;
  }
  return result;
}

/** Whether any of the lines opens a note for instructors, whatever it stands in. */
export const holdNotes = (lines: readonly SourceLine[]): boolean =>
  lines.some(({ text }, at) => opensNote(text.replace(prefix, ""), lines.slice(at + 1, at + 13)) !== null || noteTags(text).length > 0);

/** Reports a note for instructors that cannot stand apart from what learners read. */
export const reportNote = (page: Page, line: number): void =>
  page.note(line, "a note for instructors inside a list, a quotation or a line", "left out, or learners would read it");

const closesFence = (text: string, fence: string): boolean => {
  const bare = text.replace(/^[\s>]+/, "").trimEnd();
  return bare.length >= fence.length && bare === (fence[0] ?? "`").repeat(bare.length);
};

/** The index after a note's last line. What is never closed ends with the list or the quotation it stands in. */
function endOfNote(lines: readonly SourceLine[], from: number, note: Mark, before: string, marker: number): number {
  const column = marker >= 0 ? marker : before.length;
  const depth = depthOf(before);
  const first = lines[from]?.text.slice(before.length) ?? "";
  const mark = /^(?::{3,}|`{3,}|~{3,}|\/{3,})/.exec(first)?.[0] ?? "";
  let open = note.kind === "tag" ? openTags(first, note.name) : 1;
  if (open <= 0 || (note.kind === "tag" && isVoid(note.name))) return from + 1;
  for (let at = from + 1; at < lines.length; at += 1) {
    const text = lines[at]?.text ?? "";
    const bare = text.slice(columnOf(text)).trimEnd();
    const afterBlank = isBlank(lines[at - 1]?.text ?? "");
    if (depthOf(text) < depth && (bare === "" || afterBlank)) return at;
    if (bare === "") continue;
    if (note.kind === "label") continue;
    if (note.kind === "indented") {
      if (columnOf(text) <= column) return at;
      continue;
    }
    if (marker >= 0 ? columnOf(text) <= marker : column > 0 && depth === 0 && afterBlank && columnOf(text) === 0) return at;
    if (note.kind === "tag") open += openTags(bare, note.name);
    else if (note.kind === "colons") open += /^:{3,}$/.test(bare) ? -1 : /^:{3,}\s*[\w{]/.test(bare) ? 1 : 0;
    else if (note.kind === "slashes" ? bare === mark : closesFence(bare, mark)) open = 0;
    if (open <= 0) return at + 1;
  }
  return lines.length;
}

/** How many elements of a name a text opens more than it closes. */
const openTags = (text: string, name: string): number =>
  (text.match(new RegExp(`<${name}\\b`, "gi")) ?? []).length - (text.match(new RegExp(`</${name}\\s*>`, "gi")) ?? []).length;

/** HTML elements that stand between paragraphs. `<details>` are containers already. */
const block = /^(?:div|section|article|aside|p|blockquote)$/i;
/** The tags in a text with a class for instructors. */
const noteTags = (text: string): RegExpExecArray[] =>
  [...text.matchAll(new RegExp(noteTag, "gi"))].filter(([tag]) => namesInstructors(classOf(tag)));

/** Tags over several lines, each in one. */
function withWholeTags(lines: readonly SourceLine[]): SourceLine[] {
  const result: SourceLine[] = [];
  const isCode = createCodeWatch();
  for (const line of lines) {
    const last = result.at(-1);
    const code = isCode(line.text);
    if (
      !code &&
      last &&
      last.text.length < 1_000 &&
      line.text.trim() &&
      /^ {0,3}<(?:div|section|article|aside|p|blockquote|details)\b[^<>]*$/i.test(last.text)
    )
      result[result.length - 1] = { ...last, text: `${last.text.trimEnd()} ${line.text.trim()}` };
    else result.push(line);
  }
  return result;
}

/** Writes HTML elements with a class for instructors, between paragraphs, as containers. */
export function withoutNoteTags(lines: readonly SourceLine[]): SourceLine[] {
  const result: SourceLine[] = [];
  const isCode = createCodeWatch();
  let tag: { name: string; open: number } | null = null;
  for (const line of withWholeTags(lines)) {
    const { number } = line;
    if (isCode(line.text)) {
      result.push(line);
      continue;
    }
    let { text } = line;
    const opening: RegExpExecArray | undefined =
      tag || !/^ {0,3}</.test(text) ? undefined : noteTags(text).find(([, name = ""]) => block.test(name));
    if (opening) {
      tag = { name: opening[1] ?? "", open: 1 };
      result.push({ text: text.slice(0, opening.index), number }, { text: "", number }, { text: "::: instructor", number });
      text = text.slice(opening.index + opening[0].length);
    }
    if (!tag) {
      result.push(line);
      continue;
    }
    let at = 0;
    for (const match of text.matchAll(new RegExp(`<(/?)${tag.name}\\b[^<>]*>`, "gi"))) {
      tag.open += match[1] ? -1 : 1;
      if (tag.open > 0) continue;
      result.push({ text: text.slice(0, match.index), number }, { text: ":::", number });
      at = match.index + match[0].length;
      tag = null;
      break;
    }
    if (tag || text.slice(at).trim()) result.push({ text: text.slice(at), number });
  }
  return result;
}

/** A block of HTML without the elements in it that have a class for instructors; one that is never closed takes the rest along. */
export function withoutHtmlNotes(html: string, line: number, page: Page): string {
  for (const found of noteTags(html)) {
    reportNote(page, line);
    let open = 0;
    let end = isVoid(found[1]) ? found.index + found[0].length : html.length;
    for (const tag of html.slice(found.index).matchAll(new RegExp(`<(/?)${found[1]}\\b[^<>]*>`, "gi"))) {
      open += tag[1] ? -1 : 1;
      if (open > 0 || isVoid(found[1])) continue;
      end = found.index + tag.index + tag[0].length;
      break;
    }
    // A table keeps its other cells in their places.
    const cell = /^t[dh]$/i.test(found[1] ?? "") ? `<${found[1]}></${found[1]}>` : "";
    return withoutHtmlNotes(html.slice(0, found.index) + cell + html.slice(end), line, page);
  }
  return html;
}
