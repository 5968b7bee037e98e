import { createCodeWatch, type SourceLine } from "../markdown/lines.ts";
import type { Page } from "../markdown/page.ts";

/** Variables of the older lesson template that name the site's root. */
const roots = /\{\{\s*(?:page\.root|site\.baseurl|site\.root|relative_root_path)\s*\}\}\/?/g;

/** Takes out what is left of Liquid and Jekyll from older lessons; everything taken or left is reported. */
export function withoutLiquid(lines: readonly SourceLine[], page: Page): SourceLine[] {
  const isCode = createCodeWatch();
  return lines.map((line) => {
    if (isCode(line.text) || !/\{[{%]/.test(line.text)) return line;
    const parts = line.text.split(/(`+[^`]*`+)/);
    const text = parts.map((part, index) => (index % 2 ? part : clean(part, line.number, page))).join("");
    return { text, number: line.number };
  });
}

function clean(text: string, line: number, page: Page): string {
  return text
    .replaceAll(/\{%-?\s*([a-z_]*)\s*([\s\S]*?)-?%\}/g, (whole: string, tag: string, rest: string) => {
      const inner = rest.trim();
      if (tag === "link") return inner.replace(/^_(episodes|extras)\//, "$1/").replace(/^_/, "");
      const figure = tag === "include" && /^figure\.html\b/.test(inner) ? figureOf(inner) : null;
      page.note(line, `Liquid, ${whole.slice(0, 120)}`, figure ? "written as a picture" : "left out");
      return figure ?? "";
    })
    .replaceAll(roots, "/")
    .replaceAll(/\{\{[^{}]*\}\}/g, (whole) => {
      page.note(line, `Liquid, ${whole.slice(0, 120)}`, "kept as text");
      return whole;
    });
}

function figureOf(include: string): string | null {
  const value = (key: string): string =>
    new RegExp(`\\b${key}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(include)?.slice(1).find(Boolean) ?? "";
  const source = value("url") || value("src") || value("file");
  return source ? `![${value("caption")}](${source}){alt="${value("alt").replaceAll('"', "'")}"}` : null;
}
