import path from "node:path";
import { type Folder, joinPath } from "../markdown/folder.ts";
import { namesInstructors } from "../markdown/for-instructors.ts";
import { mapProse, outsideSpans, type SourceLine, toLines } from "../markdown/lines.ts";
import type { Page } from "../markdown/page.ts";
import { titleFromName } from "./names.ts";

/** A line that is one tag: `{% hint style="info" %}` (GitBook, Jekyll), `{{< video url >}}` and `{{% notice tip %}}` (Hugo, Quarto). */
const wholeTag = /^(\s*)(?:\{%-?\s*(\/?)([\w-]+)(?:\s+(.*?))?\s*-?%\}|\{\{[<%]\s*(\/?)\s*([\w-]+)(?:\s+(.*?))?\s*\/?\s*[>%]\}\})\s*$/;
const argument = /(?:([\w-]+)\s*=\s*)?(?:"([^"]*)"|'([^']*)'|([^\s"'=]+))/g;

/** Names of parts that stand out, by what they are called in these tools. */
export const calloutNames: Record<string, string> = {
  note: "note",
  info: "note",
  primary: "note",
  secondary: "note",
  aside: "note",
  question: "question",
  tip: "tip",
  success: "tip",
  hint: "tip",
  check: "tip",
  warning: "warning",
  caution: "warning",
  danger: "warning",
  error: "warning",
  alert: "warning",
  important: "important",
};
/** The kind of callout that a name means; undefined for an unknown one. */
export const calloutKind = (name: string): string | undefined => (namesInstructors(name) ? "instructor" : calloutNames[name.toLowerCase()]);

const calloutTags = new Set(["hint", "notice", "alert", "callout", "admonition", ...Object.keys(calloutNames)]);
const folded = new Set(["details", "expand", "accordion", "collapse", "spoiler"]);
const grouping =
  /^(?:tabs|tabpane|steps|stepper|columns?|cards?|cardpane|content-ref|raw|capture|blocks?|pagebreak|endcode|updates?|if|unless|for|else|elsif)$/;
const titled = new Set(["tab", "step", "card", "column", "update"]);
const linked = new Set(["page-ref", "embed", "video", "youtube", "vimeo", "file", "button"]);
/** Text of other files within one another. */
const deepest = 3;

interface Tag {
  indent: string;
  closes: boolean;
  name: string;
  named: Record<string, string>;
  unnamed: string[];
}

function readTag(text: string): Tag | null {
  const found = wholeTag.exec(text);
  if (!found) return null;
  const [, indent = "", slash = "", percentName, percentRest, otherSlash = "", otherName, otherRest] = found;
  const written = (percentName ?? otherName ?? "").toLowerCase();
  const ends = /^end(?=[a-z])/.test(written);
  const named: Record<string, string> = {};
  const unnamed: string[] = [];
  for (const [, key, double, single, bare] of (percentRest ?? otherRest ?? "").matchAll(argument)) {
    const value = double ?? single ?? bare ?? "";
    if (key) named[key.toLowerCase()] = value;
    else unnamed.push(value);
  }
  return { indent, closes: slash + otherSlash !== "" || ends, name: ends ? written.slice(3) : written, named, unnamed };
}

/** Writes the tags of templates (GitBook, Jekyll, Hugo, Quarto) as Markdown and containers; what has no meaning here is reported. */
export function withoutTemplateTags(
  lines: readonly SourceLine[],
  page: Page,
  folder: Pick<Folder, "files" | "text">,
  depth = 0,
): SourceLine[] {
  /** The title that the next block of code gets. */
  let codeTitle = "";
  let inHighlight = false;
  const at = (text: string, { number }: SourceLine): SourceLine => ({ text, number });
  const apart = (text: string, line: SourceLine): SourceLine[] => ["", text, ""].map((one) => at(one, line));

  function included(line: SourceLine, written: string): SourceLine[] {
    const file = joinPath(page.file, written);
    if (file === null || !folder.files.has(file) || depth >= deepest) {
      page.note(line.number, `text of another file, ${written.slice(0, 100)}`, "left out");
      return [];
    }
    const inner = toLines(folder.text(file)).map(({ text }) => at(text, line));
    return ["", ...withoutTemplateTags(inner, page, folder, depth + 1), ""].map((one) => (typeof one === "string" ? at(one, line) : one));
  }

  function written(tag: Tag, line: SourceLine): SourceLine[] {
    const { name, named, unnamed, closes } = tag;
    const first = unnamed[0] ?? "";
    const label = named.title ?? named.label ?? named.header ?? named.name;
    if (calloutTags.has(name)) {
      if (tag.indent.length > 3) return [];
      if (closes) return [at(":::", line), at("", line)];
      const kind = calloutKind(named.style ?? named.type ?? named.color ?? named.context ?? first) ?? calloutNames[name] ?? "note";
      const title = label ?? (calloutNames[first.toLowerCase()] ? unnamed[1] : undefined);
      return [at("", line), at(`::: ${kind}${title ? ` ${title}` : ""}`, line)];
    }
    if (folded.has(name)) {
      if (tag.indent.length > 3) return [];
      return closes ? [at(":::", line), at("", line)] : [at("", line), at(`::: details ${label ?? first}`.trimEnd(), line)];
    }
    if (name === "highlight") {
      inHighlight = !closes;
      return [at(closes ? "```" : `\`\`\`${first}`, line)];
    }
    if (name === "code") {
      codeTitle = closes ? "" : (label ?? "");
      return [];
    }
    if (titled.has(name)) return closes || !(label ?? first) ? apart("", line) : apart(`**${label ?? first}**`, line);
    if (closes || grouping.test(name)) return [at("", line)];
    if (name === "include" && /\.\w+$/.test(first)) return included(line, first);
    if (name === "figure" || name === "image" || name === "img") {
      const source = named.src ?? first;
      const words = (named.caption ?? named.alt ?? named.title ?? "").replaceAll(/[[\]]/g, "\\$&");
      return source ? apart(`![${words}](<${source}>)`, line) : [];
    }
    const address =
      named.page ??
      named.url ??
      named.src ??
      named.href ??
      (name === "youtube" && first ? `https://www.youtube.com/watch?v=${named.id ?? first}` : first);
    const words = label ?? (name === "page-ref" ? titleFromName(path.posix.basename(address)) : address.replace(/^https?:\/\//, ""));
    if (linked.has(name) && address) return apart(`[${words}](<${address}>)`, line);
    page.note(line.number, `a tag of a template, ${line.text.trim().slice(0, 100)}`, "left out");
    return [];
  }

  return mapProse(
    lines,
    (line) => {
      const tag = readTag(line.text);
      if (inHighlight && !(tag?.name === "highlight" && tag.closes)) return [line];
      if (tag) return written(tag, line);
      const text = outsideSpans(line.text, (part) =>
        part
          .replaceAll(/\{%-?\s*link\s+([^%\s]+)\s*-?%\}/g, "/$1")
          .replaceAll(/\{\{[<%]\s*(?:rel)?ref\s+"?([^"\s>%]+)"?\s*[>%]\}\}/g, "$1")
          .replaceAll(/\{\{[<%]\s*kbd\s+([^>%]+?)\s*[>%]\}\}/g, "`$1`")
          .replaceAll(/\{\{\s*site\.(?:baseurl|url)\s*\}\}/g, ""),
      );
      return [{ ...line, text }];
    },
    (line) => {
      const opens = codeTitle && /^\s*(?:`{3,}|~{3,})/.test(line.text);
      if (!opens) return [line];
      const title = ` title="${codeTitle.replaceAll('"', '\\"')}"`;
      codeTitle = "";
      return [{ ...line, text: line.text.trimEnd() + title }];
    },
  );
}
