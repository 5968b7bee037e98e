import path from "node:path";
import { NotText } from "../markdown/decode.ts";
import type { Folder } from "../markdown/folder.ts";
import { joinPath } from "../markdown/folder.ts";
import { type SourceLine, toLines } from "../markdown/lines.ts";
import type { Page } from "../markdown/page.ts";

const directive = /(\\?)\{\{\s*#([a-z_]+)\s*([^{}]*?)\s*\}\}/g;
const deepest = 10;

/** Resolves mdBook's `{{#include}}`, `{{#playground}}` and their kin in a page's lines; what cannot be resolved is reported. */
export function withIncludes(lines: readonly SourceLine[], folder: Folder, page: Page, depth = 0, from = page.file): SourceLine[] {
  return lines.flatMap((line) => {
    if (!line.text.includes("{{")) return [line];
    const text = line.text.replaceAll(directive, (whole: string, escaped: string, name: string, rest: string) =>
      escaped ? whole.slice(1) : resolve(name, rest, whole),
    );
    if (text === line.text) return [line];
    return text.split("\n").map((part) => ({ text: part, number: line.number }));

    function resolve(name: string, rest: string, whole: string): string {
      if (name === "title") return "";
      if (!["include", "rustdoc_include", "playground", "playpen"].includes(name)) {
        page.note(line.number, `an mdBook directive, ${whole.slice(0, 100)}`, "left out");
        return "";
      }
      const [written = "", ...classes] = rest.split(/\s+/);
      const [file = "", ...range] = written.split(":");
      const target = joinPath(from, file);
      if (target === null || !folder.holds(target)) {
        page.note(line.number, `the included file ${file} is not in the folder`, "left out");
        return "";
      }
      const taken = included(target, written, range);
      if (taken === null) return "";
      if (name.startsWith("play")) return `\`\`\`${[languageOf(target), ...classes].join(",")}\n${taken}\n\`\`\``;
      if (depth >= deepest) {
        page.note(line.number, `${written} is included more than ${deepest} files deep`, "left out");
        return "";
      }
      const inner = withIncludes(toLines(taken, line.number), folder, page, depth + 1, target);
      return inner.map((one) => one.text).join("\n");
    }

    function included(target: string, written: string, range: readonly string[]): string | null {
      try {
        const taken = selected(folder.text(target), range);
        if (taken === null) page.note(line.number, `${written} names a part that is not in the file`, "left out");
        return taken;
      } catch (error) {
        if (!(error instanceof NotText)) throw error;
        page.note(line.number, `the included file ${target} is not a text file`, "left out");
        return null;
      }
    }
  });
}

/** A part of a file: `:2`, `:2:10`, `::10`, or what stands between `ANCHOR: name` and `ANCHOR_END: name`. */
function selected(text: string, range: readonly string[]): string | null {
  const lines = text.replaceAll(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
  const anchors = /\bANCHOR(?:_END)?:\s*[\w-]+/;
  const [first = "", second] = range;
  if (range.length === 0) return lines.filter((line) => !anchors.test(line)).join("\n");
  if (/^\d*$/.test(first) && (second === undefined || /^\d*$/.test(second))) {
    const from = first ? Number(first) - 1 : 0;
    const to = second === undefined ? (first ? from + 1 : lines.length) : second ? Number(second) : lines.length;
    return lines
      .slice(from, to)
      .filter((line) => !anchors.test(line))
      .join("\n");
  }
  const begin = lines.findIndex((line) => new RegExp(`\\bANCHOR:\\s*${escaped(first)}\\b`).test(line));
  if (begin < 0) return null;
  const end = lines.findIndex((line, index) => index > begin && new RegExp(`\\bANCHOR_END:\\s*${escaped(first)}\\b`).test(line));
  return lines
    .slice(begin + 1, end < 0 ? undefined : end)
    .filter((line) => !anchors.test(line))
    .join("\n");
}

const escaped = (text: string): string => text.replaceAll(/[^\w-]/g, "\\$&");

const languages: Record<string, string> = {
  rs: "rust",
  py: "python",
  js: "javascript",
  ts: "typescript",
  sh: "bash",
  toml: "toml",
  lean: "lean",
};

const languageOf = (file: string): string => languages[path.posix.extname(file).slice(1)] ?? "text";
