import { mapProse, outsideSpans, type SourceLine } from "../markdown/lines.ts";
import type { Page } from "../markdown/page.ts";
import { calloutKind, calloutNames } from "./template-tags.ts";

/** A component's tag. Values in braces may hold braces themselves. */
const component =
  /<(\/?)([A-Z][\w.]*|(?=\/?>))((?:\s+[\w:-]+(?:=(?:"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\}))?|\s+\{\.\.\.[^{}]*\})*)\s*(\/?)>/g;
const attribute =
  /([\w:-]+)=(?:"([^"]*)"|'([^']*)'|\{\s*(?:"([^"]*)"|'([^']*)'|`([^`$]*)`|(?:require|useBaseUrl)\(\s*['"]([^'"]+)['"]\s*\)(?:\.default)?)\s*\})/g;
const moduleLine = /^(?:import\s+(?:[\w*{}\s,$]+\s+from\s+)?['"][^'"]+['"]|export\s+(?:default|const|let|function|\{|\*))/;
/** The first line of an import over several lines. */
const moduleStart = /^import\s+(?:[\w*$]+\s*,\s*)?\{[^}]*$/;
/** Lines of a tag, and of an export, at most. */
const longest = 60;

const admonitions = new Set([
  "Admonition",
  "Callout",
  "Aside",
  ...Object.keys(calloutNames).map((name) => name.charAt(0).toUpperCase() + name.slice(1)),
]);
const foldedParts = new Set(["Accordion", "Details", "Expandable", "Collapsible", "Collapse"]);
const titledParts = new Set(["Tab", "TabItem", "Tabs.Tab", "Step", "Card", "LinkCard", "CodeTab"]);
const groups =
  /^(?:|Tabs|TabList|TabPanel|Steps|Cards?|CardGroup|CardGrid|CodeGroup|AccordionGroup|Frame|Columns?|Fragment|React\.Fragment|Grid|Row|Col)$/;

type Values = Record<string, string>;

function valuesOf(written: string): Values {
  const values: Values = {};
  for (const [, name = "", ...forms] of written.matchAll(attribute))
    values[name.toLowerCase()] = forms.find((form) => form !== undefined) ?? "";
  return values;
}

/**
 * Writes a page of MDX as Markdown: leaves out what is program text (imports, exports, comments in braces), and turns components that
 * documentation sites share (tabs, admonitions, folded parts, pictures) into Markdown and containers. Of other components the text stays.
 */
export function withoutJsx(lines: readonly SourceLine[], page: Page): SourceLine[] {
  const reported = new Set<string>();
  /** The spaces before what stands inside the open components; null until its first line. */
  const indents: (number | null)[] = [];
  const depth = (): number => indents.reduce<number>((sum, one) => sum + (one ?? 0), 0);

  function dedented(line: SourceLine): SourceLine {
    const space = line.text.length - line.text.trimStart().length;
    if (line.text.trim() && indents.at(-1) === null) indents[indents.length - 1] = Math.max(0, space - depth());
    return { ...line, text: line.text.slice(Math.min(space, depth())) };
  }

  /** The text for a tag; a part that stands by itself begins and ends with a line break. */
  function written(closes: boolean, name: string, values: Values, isWhole: boolean, line: SourceLine): string {
    const title = values.title ?? values.label ?? values.header ?? values.summary;
    const nests = (): void => {
      if (isWhole) return;
      if (closes) indents.pop();
      else indents.push(null);
    };
    if (admonitions.has(name)) {
      nests();
      const kind = calloutKind(values.type ?? values.variant ?? name) ?? "note";
      return closes ? "\n:::\n\n" : `\n\n::: ${kind}${title ? ` ${title}` : ""}\n`;
    }
    if (foldedParts.has(name)) {
      nests();
      return closes ? "\n:::\n\n" : `\n\n::: details${title ? ` ${title}` : ""}\n`;
    }
    if (titledParts.has(name)) {
      nests();
      const shown = title ?? values.value;
      if (closes || !shown) return "\n\n";
      return `\n\n${values.href ? `[${shown}](<${values.href}>)` : `**${shown}**`}\n\n`;
    }
    if (groups.test(name)) {
      nests();
      return "\n\n";
    }
    if (values.src !== undefined && /\.(?:png|jpe?g|gif|svg|webp|avif)$/i.test(values.src))
      return `![${(values.alt ?? values.caption ?? "").replaceAll(/[[\]]/g, "\\$&")}](<${values.src}>)`;
    if (name === "Kbd" || name === "Key") return "`";
    if (name === "Link" && values.to !== undefined) return `<a href="${values.to.replaceAll('"', "&quot;")}">`;
    if (name === "Link" && closes) return "</a>";
    if (!closes && !reported.has(name)) page.note(line.number, `a component, <${name}>`, "left out, its text is kept");
    reported.add(name);
    return "";
  }

  function prose(line: SourceLine): SourceLine[] {
    const text = outsideSpans(line.text, (part) =>
      part
        .replaceAll(/\{\/\*.*?\*\/\}/g, "")
        .replaceAll(/\{\s*(["'`])([^"'`{}]*)\1\s*\}/g, "$2")
        .replaceAll(/(<[a-z][^<>]*?)\s+style=\{\{[^{}]*\}\}/g, "$1")
        .replaceAll(/(<[a-z][^<>]*?\s)className=/g, "$1class=")
        .replaceAll(/(<img\b[^<>]*?\ssrc=)\{(?:require|useBaseUrl)\(\s*['"]([^'"]+)['"]\s*\)(?:\.default)?\}/g, '$1"$2"')
        .replaceAll(component, (_whole, slash: string, name: string, rest: string, whole: string) =>
          written(slash !== "", name, valuesOf(rest), whole !== "", line),
        ),
    );
    if (text === line.text) return [line];
    return text.split("\n").map((one, index) => ({ text: (index === 0 ? one : one.trimStart()).trimEnd(), number: line.number }));
  }

  return mapProse(
    joined(withoutModules(lines)),
    (line) => prose(dedented(line)),
    (line) => [dedented(line)],
  );
}

/** Leaves out imports, exports and comments in braces that stand on lines of their own. */
function withoutModules(lines: readonly SourceLine[]): SourceLine[] {
  let until: RegExp | null = null;
  let left = 0;
  return mapProse(lines, (line) => {
    const { text } = line;
    if (until && left > 0) {
      left -= 1;
      if (until.test(text)) until = null;
      return [];
    }
    until = null;
    if (/^\s*\{\/\*/.test(text) && !text.includes("*/}")) until = /\*\/\}/;
    else if (moduleStart.test(text)) until = /\bfrom\s+['"]/;
    else if (/^export\s/.test(text) && moduleLine.test(text) && !/[;})\]'"]\s*$/.test(text)) until = /^[})\]]+;?\s*$|^\s*$/;
    else return moduleLine.test(text) ? [] : [line];
    left = longest;
    return [];
  });
}

/** Joins the lines of a tag that goes over several. */
function joined(lines: readonly SourceLine[]): SourceLine[] {
  let open: SourceLine[] = [];
  const result = mapProse(lines, (line) => {
    if (open.length === 0 && !/<[A-Z][\w.]*(?:\s+[^<>]*)?$/.test(line.text)) return [line];
    open.push(line);
    if (!/>/.test(line.text) && open.length < longest) return [];
    const [first] = open;
    const text = open.map((one, index) => (index === 0 ? one.text.trimEnd() : one.text.trim())).join(" ");
    open = [];
    return first ? [{ ...first, text }] : [];
  });
  return [...result, ...open];
}
