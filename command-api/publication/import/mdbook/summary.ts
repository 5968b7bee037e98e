import type { ImportNote } from "../importer.ts";
import { decoded } from "../markdown/folder.ts";
import { toLines } from "../markdown/lines.ts";
import { plainText } from "../markdown/plain-text.ts";
import { scanInline } from "../markdown/scan.ts";

/** A chapter of SUMMARY.md; `file` is relative to SUMMARY.md, null for a draft. */
export interface Chapter {
  kind: "chapter";
  title: string;
  file: string | null;
  line: number;
  children: Chapter[];
}

export type SummaryEntry = Chapter | { kind: "part"; title: string; line: number; children: Chapter[] };

/**
 * Reads a book's SUMMARY.md: chapters before and after the numbered ones, numbered ones nested by their indentation,
 * part titles (a heading; what follows belongs to it), drafts (a link without an address). Separators say nothing here.
 * @param plainItems whether items of the list without a link are parts, as in docsify's `_sidebar.md`
 */
export function readSummary(
  text: string,
  report: ImportNote[],
  file = "SUMMARY.md",
  { plainItems = false } = {},
): { title: string | null; entries: SummaryEntry[] } {
  const entries: SummaryEntry[] = [];
  const nested: { indent: number; chapter: Chapter }[] = [];
  let title: string | null = null;
  let part: Extract<SummaryEntry, { kind: "part" }> | null = null;
  for (const { text: line, number } of toLines(withoutComments(text))) {
    const heading = /^#{1,6}\s+(.*?)(?:\s+#+)?\s*$/.exec(line)?.[1];
    if (heading !== undefined) {
      nested.length = 0;
      if (title === null && entries.length === 0) title = plainText(heading);
      else {
        part = { kind: "part", title: plainText(heading), line: number, children: [] };
        entries.push(part);
      }
      continue;
    }
    const item = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line);
    const linked = readChapter(item?.[2] ?? line.trim(), number);
    const plain = plainItems && item?.[2]?.trim() ? plainText(item[2]) : "";
    const chapter = linked ?? (plain ? { kind: "chapter" as const, title: plain, file: null, line: number, children: [] } : null);
    if (!chapter) {
      if (line.trim() && !/^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line))
        report.push({ file, line: number, what: `a line that names no chapter: ${line.trim().slice(0, 100)}`, done: "left out" });
      continue;
    }
    if (!item) {
      // A chapter without a list mark stands before or after the numbered ones, outside of any part.
      nested.length = 0;
      part = null;
      entries.push(chapter);
      continue;
    }
    const indent = item[1]?.length ?? 0;
    while (nested.length && (nested.at(-1)?.indent ?? 0) >= indent) nested.pop();
    const siblings: SummaryEntry[] = nested.at(-1)?.chapter.children ?? part?.children ?? entries;
    siblings.push(chapter);
    nested.push({ indent, chapter });
  }
  return { title, entries };
}

function readChapter(text: string, line: number): Chapter | null {
  const link = scanInline(text, {}, "none").find((event) => event.kind === "link" && event.start === 0);
  if (link?.kind !== "link") return null;
  const file = decoded(link.href).replace(/#.*$/, "").replace(/^\.\//, "");
  return { kind: "chapter", title: plainText(text.slice(1, link.labelEnd)), file: file || null, line, children: [] };
}

/** Comments are blanked, so that line numbers stay. */
const withoutComments = (text: string): string => text.replaceAll(/<!--[\s\S]*?-->/g, (comment) => comment.replaceAll(/[^\n]/g, ""));
