import { type Attributes, readAttributes } from "./attributes.ts";
import { classOf, namesInstructors, opensNote } from "./for-instructors.ts";
import { readTag } from "./html-tags.ts";
import { createCodeWatch, type SourceLine } from "./lines.ts";
import type { Page } from "./page.ts";

/** A page's text, cut where containers begin and end. */
export type Node = { kind: "lines"; lines: SourceLine[] } | Container;

export interface Container {
  kind: "container";
  /** The first class of a fenced div, `details`, or the kind of a quotation with a label such as `[!NOTE]`. */
  name: string;
  attributes: Attributes;
  /** Given apart from the content, as a `<summary>` is. */
  title?: string;
  line: number;
  children: Node[];
}

/** Pandoc's `::: name` and `::: {.name}`, and with a title `::: name Title` (VitePress) and `:::name[Title]` (Docusaurus). */
const opening =
  /^ {0,3}(:{3,})\s*(?:(\{[^\n]*\})|([^\s:{}[\]][^\s{}[\]]*)(?:\[([^\]]*)\]|[ \t]+([^{}:\s][^{}\n]*?))?)\s*(\{[^\n]*\})?\s*:*\s*$/;
const closing = /^ {0,3}:{3,}\s*$/;
const detailsOpening = /^ {0,3}<details\b[^>]*>/i;
/** Deeper than anybody writes on purpose. */
const deepest = 20;
const detailsClosing = /<\/details>\s*$/i;

/**
 * Cuts lines into text and containers: Pandoc's fenced divs (`::: name` … `:::`, nested as deep as they are) and
 * `<details>`. What is never closed ends with the page, and a closing without an opening is left out; both are reported.
 */
export function readContainers(lines: readonly SourceLine[], page: Page): Node[] {
  const root: Node[] = [];
  const open: { container: Container; details: boolean }[] = [];
  const isCode = createCodeWatch();
  const children = (): Node[] => open.at(-1)?.container.children ?? root;
  const addLine = (line: SourceLine): void => {
    const list = children();
    const last = list.at(-1);
    if (last?.kind === "lines") last.lines.push(line);
    else list.push({ kind: "lines", lines: [line] });
  };
  const begin = (container: Container, details: boolean): void => {
    children().push(container);
    open.push({ container, details });
  };
  for (const line of lines) {
    if (isCode(line.text)) {
      addLine(line);
      continue;
    }
    const { text, number } = line;
    const note = /^ {0,3}:::/.test(text) ? opensNote(text.trimStart(), []) : null;
    const div = text.includes(":::") ? opening.exec(text) : null;
    if (open.length >= deepest && (div || note || detailsOpening.test(text))) {
      page.note(number, `parts more than ${deepest} deep in one another`, "the line that opens one is left out");
    } else if (note) {
      const { attributes } = div ? fencedDiv(div, number) : { attributes: { classes: [], values: {} } };
      begin({ ...noteContainer(number), attributes, ...(note.title && { title: note.title }) }, false);
    } else if (div) {
      begin(fencedDiv(div, number), false);
    } else if (closing.test(text)) {
      const last = open.findLastIndex((entry) => !entry.details);
      if (last < 0) page.note(number, "a line of colons that closes nothing", "left out");
      else open.length = last;
    } else if (detailsOpening.test(text)) {
      const [tag = ""] = detailsOpening.exec(text) ?? [];
      const id = readTag(tag)?.attributes.id;
      begin(
        {
          ...(namesInstructors(classOf(tag)) ? noteContainer(number) : detailsContainer(number)),
          attributes: { classes: [], values: {}, ...(id && { id }) },
        },
        true,
      );
      const rest = text.slice(text.indexOf(tag) + tag.length);
      if (rest.trim()) readDetailsLine({ text: rest, number }, open, addLine);
    } else if (open.at(-1)?.details) readDetailsLine(line, open, addLine);
    else addLine(line);
  }
  for (const { container } of open)
    page.note(container.line, `“${container.name}” is opened and never closed`, "taken to end with the page");
  return root;
}

const detailsContainer = (line: number): Container => ({
  kind: "container",
  name: "details",
  attributes: { classes: [], values: {} },
  line,
  children: [],
});
const noteContainer = (line: number): Container => ({ ...detailsContainer(line), name: "instructor" });

function fencedDiv(match: RegExpExecArray, line: number): Container {
  const written = match[2] ?? match[6];
  const attributes = (written && readAttributes(written, 0)?.attributes) || { classes: [], values: {} };
  const name = match[3] ?? attributes.classes[0] ?? "div";
  const title = (match[4] ?? match[5])?.trim();
  return { kind: "container", name: name.toLowerCase(), attributes, ...(title && { title }), line, children: [] };
}

/** A line inside `<details>`: its summary, text, or its end. */
function readDetailsLine(line: SourceLine, open: { container: Container; details: boolean }[], addLine: (line: SourceLine) => void): void {
  let { text } = line;
  const container = open.at(-1)?.container;
  const summary = /<summary[^>]*>([\s\S]*?)(<\/summary>|$)/i.exec(text);
  if (container && summary) {
    container.title = (summary[1] ?? "").trim();
    text = text.replace(summary[0], "");
    if (!text.trim()) return;
  } else if (container?.title !== undefined && /<\/summary>/i.test(text)) {
    const [before = "", after = ""] = text.split(/<\/summary>/i);
    container.title = `${container.title} ${before.trim()}`.trim();
    text = after;
    if (!text.trim()) return;
  }
  const ends = detailsClosing.test(text);
  const rest = text.replace(detailsClosing, "");
  if (rest.trim() || !ends) addLine({ text: rest, number: line.number });
  if (ends) open.pop();
}

/** What a quotation is when it is not one: labelled in its first line, `> [!NOTE]` (GitHub, mdBook), or below, `{: .callout}` (kramdown). */
export function containerOfQuotation(lines: readonly SourceLine[]): Container | null {
  const [first] = lines;
  if (!first) return null;
  const inner = lines.map(unquoted);
  const label = /^\s*\[!([A-Za-z][\w-]*)\][+-]?\s*(.*)$/.exec(inner[0]?.text ?? "");
  if (label) {
    const title = (label[2] ?? "").trim();
    return {
      kind: "container",
      name: (label[1] ?? "note").toLowerCase(),
      attributes: { classes: [], values: {} },
      ...(title && { title }),
      line: first.number,
      children: [{ kind: "lines", lines: inner.slice(1) }],
    };
  }
  const attributes = kramdownAttributes(lines.at(-1)?.text ?? "");
  const name = attributes?.classes.find(namesInstructors) ?? attributes?.classes[0];
  if (!attributes || !name) return null;
  return { kind: "container", name, attributes, line: first.number, children: splitQuotations(inner.slice(0, -1)) };
}

/** Finds the quotations within a quotation that kramdown makes containers, such as the solution in a challenge. */
function splitQuotations(lines: readonly SourceLine[]): Node[] {
  const nodes: Node[] = [];
  let rest: SourceLine[] = [];
  for (const line of lines) {
    rest.push(line);
    if (!kramdownAttributes(line.text)) continue;
    const start = rest.findLastIndex((_line, index) => index < rest.length - 1 && !rest[index]?.text.startsWith(">")) + 1;
    const container = start < rest.length - 1 ? containerOfQuotation(rest.slice(start)) : null;
    if (!container) continue;
    nodes.push({ kind: "lines", lines: rest.slice(0, start) }, container);
    rest = [];
  }
  if (rest.length) nodes.push({ kind: "lines", lines: rest });
  return nodes;
}

const unquoted = ({ text, number }: SourceLine): SourceLine => ({ text: text.replace(/^ {0,3}> ?/, ""), number });

/** The attributes of a line that holds nothing but kramdown attributes: `{: .class #id}`. */
export function kramdownAttributes(text: string): Attributes | null {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{:")) return null;
  const read = readAttributes(trimmed, 0);
  return read && read.end === trimmed.length ? read.attributes : null;
}
