import path from "node:path";
import { type Folder, joinPath } from "../markdown/folder.ts";
import { mapProse, outsideSpans, type SourceLine } from "../markdown/lines.ts";
import type { Page } from "../markdown/page.ts";
import { plainText } from "../markdown/plain-text.ts";
import { gitHubId } from "../markdown/slugs.ts";
import { isPage } from "./entries.ts";

/** The file that a written name means, seen from a page: a path, or a name anywhere in the folder; null if there is none. */
export type FindFile = (written: string, from: string) => string | null;

/** Files by the names that wikis use (Obsidian, Foam, Logseq): any case, without the ending of a page, the shortest path first. */
export function filesByName(folder: Pick<Folder, "files">): FindFile {
  const named = new Map<string, string>();
  const nameOf = (file: string): string => (isPage(file) ? file.replace(/\.\w+$/, "") : file).toLowerCase();
  for (const file of [...folder.files].sort((a, b) => a.split("/").length - b.split("/").length || a.localeCompare(b, "en")))
    for (const name of [nameOf(file), path.posix.basename(nameOf(file))]) if (!named.has(name)) named.set(name, file);
  return (written, from) => {
    const beside = joinPath(from, written);
    for (const name of [beside, written.replace(/^\.?\//, "")])
      for (const form of name === null ? [] : [name.toLowerCase(), nameOf(name)]) {
        const found = named.get(form);
        if (found) return found;
      }
    return null;
  };
}

const wikiLink = /(?<![\w\]])(!?)\[\[([^[\]|#\n]*)(?:#([^[\]|\n]+))?(?:\|([^[\]\n]*))?\]\]/g;
/** The size of an embedded picture: `200`, `200x100`. */
const size = /^\d+(?:x\d+)?$/;

/** Writes `[[Page]]`, `[[Page#Heading|words]]` and `![[picture.png|200]]` as Markdown. What leads nowhere keeps its words. */
export function withoutWikiLinks(lines: readonly SourceLine[], page: Page, find: FindFile): SourceLine[] {
  const written = (line: SourceLine, whole: string, embeds: boolean, name: string, heading = "", words = ""): string => {
    const target = name.replace(/\\$/, "").trim();
    const shown = words.trim() && !(embeds && size.test(words.trim())) ? words.trim() : target || heading;
    // A part of a page that is named by its id alone is not found here: the page is.
    const anchor = heading && !heading.startsWith("^") ? `#${gitHubId(plainText(heading.split("#").at(-1) ?? ""))}` : "";
    if (!target) return anchor ? `[${shown}](${anchor})` : whole;
    const file = find(target, page.file);
    if (file === null) {
      page.note(
        line.number,
        `a link to [[${target}]], which is not in the folder`,
        embeds ? "left out" : "its text is kept without the link",
      );
      return embeds ? "" : shown;
    }
    if (embeds && !isPage(file)) return `![${size.test(words.trim()) ? "" : words.trim()}](</${file}>)`;
    if (embeds) page.note(line.number, `the text of another page, ${file}`, "a link to it stands here");
    const address = `/${encodeURI(file).replaceAll(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"))}`;
    return `[${shown}](${file === page.file ? anchor || address : address + anchor})`;
  };
  return mapProse(lines, (line) => [
    {
      ...line,
      text: outsideSpans(line.text, (part) =>
        part.replaceAll(wikiLink, (whole: string, embed: string, name: string, heading?: string, words?: string) =>
          written(line, whole, embed === "!", name, heading, words),
        ),
      ),
    },
  ]);
}
