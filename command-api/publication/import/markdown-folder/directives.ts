import { opensNote, reportNote } from "../markdown/for-instructors.ts";
import { type SourceLine, trimLines } from "../markdown/lines.ts";
import type { Page } from "../markdown/page.ts";

/**
 * Writes the directives of MkDocs (`!!! note`), docsify (`!> text`), MyST and Jupyter Book (```` ```{note} ````, `(label)=`, `` {math}`x` ``)
 * as the Markdown and the containers that importers read. What has no meaning here is reported.
 */
export function withoutDirectives(lines: readonly SourceLine[], page: Page, labels: Labels = new Map()): SourceLine[] {
  const result: SourceLine[] = [];
  let fence = "";
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (!line) break;
    if (fence) {
      if (closes(line.text, fence)) fence = "";
      result.push(line);
      at += 1;
      continue;
    }
    const generated = /^::: +(?:\w+(?:\.\w+)+|mkdocs-click)\s*$/.test(line.text);
    if (generated) {
      page.note(line.number, `reference documentation made from code, ${line.text.trim()}`, "left out");
      at += 1;
      while (
        at < lines.length &&
        (indented(lines[at]?.text ?? "") >= 4 || (!lines[at]?.text.trim() && indented(lines[at + 1]?.text ?? "") >= 4))
      )
        at += 1;
      continue;
    }
    const directive = readDirective(lines, at);
    const block = directive ?? readAdmonition(lines, at) ?? readSlashes(lines, at);
    if (block) {
      result.push(...(directive ? written(directive, page, labels) : writtenAdmonition(block as Admonition, page, labels)));
      at = block.next;
      continue;
    }
    const label = target.exec(line.text)?.[1];
    const next = lines.slice(at + 1, at + 4).find(({ text }) => text.trim());
    if (label && next && /^#{1,6}\s/.test(next.text)) {
      result.push({ text: `${withoutRoles(next.text, page, labels).replace(/\s+#+\s*$/, "")} {#${label}}`, number: next.number });
      at = lines.indexOf(next) + 1;
      continue;
    }
    fence = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})/.exec(line.text)?.[1] ?? "";
    result.push(...(fence ? [line] : plainLine(line, page, labels)));
    at += 1;
  }
  return result;
}

const closes = (text: string, fence: string): boolean => {
  const bare = text.replace(/^[\s>]+/, "").trimEnd();
  return bare.length >= fence.length && bare === (fence[0] ?? "`").repeat(bare.length);
};

/** The pages on which labels (`(label)=`) stand, with the heading below each. */
export type Labels = ReadonlyMap<string, { file: string; title: string | undefined }>;

/** Finds the labels of a page. */
export function labelsOf(lines: readonly SourceLine[]): { label: string; title: string | undefined }[] {
  return lines.flatMap(({ text }, index) => {
    const label = target.exec(text)?.[1];
    const given = quartoLabel.exec(text);
    if (given) return [{ label: given[3] ?? "", title: (given[1] ?? given[2])?.trim() || undefined }];
    const named = (/^\s*:(?:name|label):\s*([\w:.-]+)\s*$/.exec(text) ?? formulaEnd.exec(text))?.[1];
    if (named !== undefined) return [{ label: named, title: undefined }];
    if (label === undefined) return [];
    const heading = lines.slice(index + 1, index + 4).find((line) => line.text.trim())?.text;
    return [{ label, title: /^#{1,6}\s+(.*?)\s*#*$/.exec(heading ?? "")?.[1] }];
  });
}

/** A heading or a picture with a label of Quarto: `## Means {#sec-means}`, `![A plot](plot.png){#fig-plot}`. */
const quartoLabel = /^(?:#{1,6}\s+(.*?)|!\[([^\]]*)\]\([^)]*\))\s*\{[^{}]*#((?:sec|fig|tbl|lst|thm|lem|def|exm|exr)-[\w-]+)[^{}]*\}\s*$/;
/** A reference of Quarto: `@sec-means`, `[@sec-means]`, `[-@sec-means]`. */
const quartoReference =
  /\[-?@((?:sec|fig|tbl|lst|thm|lem|def|exm|exr)-[\w-]+)\]|(?<![\w@[])-?@((?:sec|fig|tbl|lst|thm|lem|def|exm|exr)-[\w-]*\w)/g;
/** The end of a formula with a label: `$$ (label)`. */
const formulaEnd = /^\s*\$\$\s*\(([\w:.-]+)\)\s*$/;
const target = /^\(([\w:.-]+)\)=\s*$/;
const indented = (text: string): number => text.length - text.trimStart().length;
const at = (text: string, { number }: SourceLine): SourceLine => ({ text, number });
const dedented = (lines: readonly SourceLine[], width: number): SourceLine[] =>
  lines.map(({ text, number }) => ({ text: text.slice(Math.min(width, indented(text))), number }));

/** A line of text outside of code. */
function plainLine(line: SourceLine, page: Page, labels: Labels): SourceLine[] {
  const label = target.exec(line.text)?.[1];
  if (label !== undefined) return [at(`<a id="${label}"></a>`, line), at("", line)];
  const formula = formulaEnd.exec(line.text)?.[1];
  if (formula !== undefined) return [at("$$", line), at("", line), at(`<a id="${formula}"></a>`, line), at("", line)];
  const hint = /^([!?])>\s+(.*)$/.exec(line.text);
  if (hint) return [at(`> [!${hint[1] === "!" ? "WARNING" : "TIP"}]`, line), at(`> ${hint[2]}`, line)];
  if (/^\s*(?:;?-+8<-+)/.test(line.text)) {
    page.note(line.number, `text of another file, ${line.text.trim().slice(0, 100)}`, "left out");
    return [];
  }
  return [at(withoutIcons(withoutRoles(line.text, page, labels)), line)];
}

/** Icons of Material for MkDocs, with their attributes: `:material-lock:{ .big }`. */
const withoutIcons = (text: string): string =>
  text.replaceAll(/:(?:material|octicons|fontawesome|simple)-[a-z0-9-]+:(?:\{[^{}]*\})?\s?/g, "");

/** Roles of MyST: `` {math}`x` ``, `` {ref}`text <label>` ``. Those without a meaning here keep their text. */
function withoutRoles(text: string, page: Page, labels: Labels): string {
  const addressOf = (label: string): string => {
    const file = labels.get(label)?.file;
    return `${file === undefined || file === page.file ? "" : `/${file}`}#${label}`;
  };
  const linked =
    labels.size === 0
      ? text
      : text
          .replaceAll(/\[([^[\]]*)\]\(#?([\w:.-]+)\)/g, (whole: string, words: string, label: string) =>
            labels.has(label) ? `[${words || labels.get(label)?.title || label}](${addressOf(label)})` : whole,
          )
          .replaceAll(quartoReference, (whole: string, inBrackets?: string, bare?: string) => {
            const label = inBrackets ?? bare ?? "";
            return labels.has(label) ? `[${labels.get(label)?.title ?? label}](${addressOf(label)})` : whole;
          });
  if (!linked.includes("}`")) return linked;
  return linked.replaceAll(/\{([a-z][\w:.-]*)\}`([^`]+)`/gi, (_whole, role: string, content: string) => {
    const [, words, address = content] = /^([\s\S]*?)\s*<([^<>]+)>$/.exec(content) ?? [];
    const name = role.toLowerCase();
    if (name === "math") return `$${content}$`;
    if (/^(?:doc|download|any)$/.test(name)) return `[${words ?? address}](${address})`;
    if (/(?:^|:)(?:ref|numref|eq)$/.test(name)) {
      const known = labels.get(address);
      const shown = (words ?? known?.title ?? address).replaceAll(/%s|\{name\}|\{number\}/g, "").trim();
      return known ? `[${shown}](${addressOf(address)})` : shown;
    }
    if (/^(?:cite|footcite)/.test(name)) return `(${content.split(/\s*,\s*/).join(", ")})`;
    return /^(?:kbd|code|command|file|samp|guilabel|func|class|meth|mod|attr|envvar|option)$|:/.test(name)
      ? `\`${content}\``
      : (words ?? content);
  });
}

interface Admonition {
  indent: number;
  name: string;
  folded: boolean;
  title: string | undefined;
  tab: boolean;
  line: SourceLine;
  body: SourceLine[];
  next: number;
}

/** MkDocs: `!!! note "Title"`, `??? note` (folded) and `=== "Tab"`, with four more spaces before what belongs to them. */
function readAdmonition(lines: readonly SourceLine[], from: number): Admonition | null {
  const line = lines[from];
  if (!line) return null;
  const note = /^ *[!?]{3}/.test(line.text) ? opensNote(line.text.trim(), []) : null;
  const found = note ? null : /^( *)(!!!|\?\?\?\+?|===[!+]?)\s+(?:([\w-]+)(?:[ \t]+[\w -]+?)?)?(?:[ \t]*"(.*)")?\s*$/.exec(line.text);
  if (!note && found?.[3] === undefined && found?.[4] === undefined) return null;
  const indent = indented(line.text);
  let next = from + 1;
  while (next < lines.length && (!lines[next]?.text.trim() || indented(lines[next]?.text ?? "") >= indent + 4)) next += 1;
  const tab = found?.[2]?.startsWith("===") === true;
  if (tab && found?.[4] === undefined) return null;
  return {
    indent,
    name: note ? "instructor" : (found?.[3] ?? "note").toLowerCase(),
    folded: !note && found?.[2]?.startsWith("???") === true,
    title: note ? note.title || undefined : found?.[4]?.trim(),
    tab,
    line,
    body: dedented(trimLines(lines.slice(from + 1, next)), indent + 4),
    next,
  };
}

/** A note for instructors in PyMdown's blocks: `/// instructor | Title`, text, `///`. */
function readSlashes(lines: readonly SourceLine[], from: number): Admonition | null {
  const line = lines[from];
  const note = line && opensNote(line.text.trim(), lines.slice(from + 1, from + 13));
  if (!line || note?.kind !== "slashes") return null;
  const mark = /^\/+/.exec(line.text.trim())?.[0];
  const close = lines.findIndex(({ text }, index) => index > from && text.trim() === mark);
  const end = close < 0 ? lines.length : close;
  const indent = indented(line.text);
  const body = dedented(lines.slice(from + 1, end), indent);
  const options = body.findIndex(({ text }) => !/^ {4}[\w-]+:/.test(text));
  const text = trimLines(body.slice(Math.max(0, options)));
  return { indent, name: "instructor", folded: false, title: note.title || undefined, tab: false, line, body: text, next: end + 1 };
}

function writtenAdmonition(block: Admonition, page: Page, labels: Labels): SourceLine[] {
  const { indent, name, folded, line, tab } = block;
  if (indent > 0 && name === "instructor") {
    reportNote(page, line.number);
    return [];
  }
  const title = block.title ?? (folded ? name.charAt(0).toUpperCase() + name.slice(1) : undefined);
  const body = withoutDirectives(block.body, page, labels);
  const end = body.at(-1) ?? line;
  const inside = (text: SourceLine): SourceLine => ({ ...text, text: text.text ? `${" ".repeat(indent)}${text.text}` : "" });
  if (tab) return [at(`**${block.title}**`, line), at("", line), ...body, at("", end)].map(inside);
  if (indent > 0) {
    // Inside a list a container cannot stand.
    const quoted = [at(`[!${quotationLabels[name] ?? "NOTE"}]`, line), ...(title ? [at(`**${title}**`, line), at("", line)] : []), ...body];
    return [...quoted.map((one) => inside({ ...one, text: `> ${one.text}`.trimEnd() })), at("", end)];
  }
  return [at(`::: ${folded ? "details" : name}${title ? ` ${title}` : ""}`, line), ...body, at(":::", end), at("", end)];
}

const quotationLabels: Record<string, string> = {
  tip: "TIP",
  hint: "TIP",
  warning: "WARNING",
  danger: "CAUTION",
  caution: "CAUTION",
  important: "IMPORTANT",
};

interface Directive {
  name: string;
  /** Whether only instructors read it. */
  note: boolean;
  argument: string;
  options: Map<string, string>;
  indent: number;
  line: SourceLine;
  body: SourceLine[];
  next: number;
}

const codeDirectives = /^(?:code|code-block|code-cell|sourcecode|ipython)$/;
const ignoredDirectives =
  /^(?:tableofcontents|toctree|contents|bibliography|footbibliography|index|raw|only|include|literalinclude|glue|glue:\w+|iframe|youtube)$/;
const groupingDirectives =
  /^(?:tab-set|tabs|grid|grid-item|grid-item-card|card|card-carousel|margin|sidebar|container|div|aside|sphinx-.*)$/;
const knownDirectives =
  /^(?:note|tip|hint|important|warning|caution|danger|error|attention|seealso|admonition|dropdown|topic|epigraph|exercise|solution|tab-item|tab|figure|image|math|table|list-table|mermaid|prf:[\w-]+|proof:[\w-]+|definition|theorem|lemma|example|versionadded|versionchanged|deprecated|todo|exercise-start|exercise-end|solution-start|solution-end)$/;

/** A fence or colons with a name in braces: ```` ```{name} argument ````, options, text. Names that are languages are code, not directives. */
function readDirective(lines: readonly SourceLine[], from: number): Directive | null {
  const line = lines[from];
  const opened = line && /^(\s*)(`{3,}|~{3,}|:{3,})\s*\{([\w:.-]+)((?:\s[^{}]*)?)\}[ \t]*(.*)$/.exec(line.text);
  if (!line || !opened) return null;
  const [, space = "", mark = "", written = "", more = "", argument = ""] = opened;
  const note = opensNote(line.text.trim(), lines.slice(from + 1, from + 13)) !== null;
  const name = written.toLowerCase();
  const isDirective =
    more === "" && [codeDirectives, ignoredDirectives, groupingDirectives, knownDirectives].some((names) => names.test(name));
  if (!isDirective && !note) return null;
  const closing = new RegExp(`^\\s*\\${mark[0]}{${mark.length},}\\s*$`);
  let end = from + 1;
  while (end < lines.length && !closing.test(lines[end]?.text ?? "")) end += 1;
  const options = new Map<string, string>();
  let body = dedented(lines.slice(from + 1, end), space.length);
  if (body[0]?.text.trim() === "---") {
    const close = body.findIndex(({ text }, index) => index > 0 && text.trim() === "---");
    for (const { text } of body.slice(1, Math.max(close, 1))) {
      const [, key, value = ""] = /^\s*([\w-]+)\s*:\s*(.*)$/.exec(text) ?? [];
      if (key) options.set(key.toLowerCase(), value);
    }
    if (close > 0) body = body.slice(close + 1);
  }
  while (/^:[\w-]+:/.test(body[0]?.text ?? "")) {
    const [, key = "", value = ""] = /^:([\w-]+):\s*(.*)$/.exec(body[0]?.text ?? "") ?? [];
    options.set(key.toLowerCase(), value.trim());
    body = body.slice(1);
  }
  return { name, note, argument: argument.trim(), options, indent: space.length, line, body: trimLines(body), next: end + 1 };
}

function written(directive: Directive, page: Page, labels: Labels): SourceLine[] {
  const { indent, line, options } = directive;
  const label = options.get("name") ?? options.get("label");
  const anchor = label ? [at(`<a id="${label.replaceAll(/[^\w:.-]/g, "")}"></a>`, line), at("", line)] : [];
  const lines = [...anchor, ...writtenBody(directive, page, labels), at("", directive.body.at(-1) ?? line)];
  return lines.map(({ text, number }) => ({ text: text ? `${" ".repeat(indent)}${text}` : "", number }));
}

function writtenBody(directive: Directive, page: Page, labels: Labels): SourceLine[] {
  const { name, argument, options, line, body } = directive;
  const end = body.at(-1) ?? line;
  const inner = (): SourceLine[] => withoutDirectives(body, page, labels);
  if (directive.note) {
    const isMore = [codeDirectives, ignoredDirectives].some((names) => names.test(name)) || /^(?:figure|image|math|mermaid)$/.test(name);
    const title = argument.replaceAll(/[{}]/g, "");
    if (/-start$/.test(name)) return [at("::: instructor", line)];
    if (isMore) return [at("::: instructor", line), ...writtenBody({ ...directive, note: false }, page, labels), at(":::", end)];
    return [at(`::: instructor${title ? ` ${title}` : ""}`, line), ...inner(), at(":::", end)];
  }
  if (ignoredDirectives.test(name)) {
    page.note(line.number, `a directive, {${name}}`, "left out");
    return [];
  }
  if (codeDirectives.test(name)) {
    const language = (argument.split(/\s/)[0] ?? "").replace(/^i?python3?$/i, "python") || "python";
    const caption = options.get("caption");
    const fence = "`".repeat(Math.max(3, ...body.map(({ text }) => (/^\s*(`{3,})/.exec(text)?.[1]?.length ?? 0) + 1)));
    return [at(`${fence}${language}${caption ? ` title="${caption.replaceAll('"', '\\"')}"` : ""}`, line), ...body, at(fence, end)];
  }
  if (name === "math")
    return [at("$$", line), ...(argument ? [at(argument, line)] : []), ...body.filter(({ text }) => text.trim()), at("$$", end)];
  if (name === "mermaid") return [at("```mermaid", line), ...body, at("```", end)];
  if (name === "figure" || name === "image") return [picture(directive)];
  if (name === "table" || name === "list-table") return [...inner(), ...(argument ? [at("", end), at(`: ${argument}`, end)] : [])];
  if (name === "tab-item" || name === "tab") return [...(argument ? [at(`**${argument}**`, line), at("", line)] : []), ...inner()];
  const gated = /^(exercise|solution)-(start|end)$/.exec(name);
  if (gated) return [at(gated[2] === "end" ? ":::" : `::: ${gated[1]}${argument ? ` ${argument.replaceAll(/[{}]/g, "")}` : ""}`, line)];
  if (groupingDirectives.test(name) || /-(?:start|end)$/.test(name))
    return [...(argument && groupingDirectives.test(name) ? [at(`**${argument}**`, line), at("", line)] : []), ...inner()];
  const classes = options.get("class") ?? "";
  const kind =
    /\b(?:dropdown|toggle)\b/.test(classes) && !/^(?:exercise|solution)$/.test(name)
      ? "details"
      : name === "admonition"
        ? (/[\w-]+/.exec(classes)?.[0] ?? "note")
        : name.replace(/^(?:prf|proof):/, "");
  return [at(`::: ${kind}${argument ? ` ${argument.replaceAll(/[{}]/g, "")}` : ""}`, line), ...inner(), at(":::", end)];
}

/** A figure: its caption is its text, its alternative text an option. */
function picture({ argument, options, body, line }: Directive): SourceLine {
  const caption = body
    .map(({ text }) => text.trim())
    .join(" ")
    .trim();
  const alt = options.get("alt");
  const path = /\s/.test(argument) ? `<${argument}>` : argument;
  if (alt === undefined || !caption) return at(`![${(alt ?? caption).replaceAll(/[[\]]/g, "\\$&")}](${path})`, line);
  return at(`![${caption}](${path}){alt="${alt.replaceAll('"', "'")}"}`, line);
}
