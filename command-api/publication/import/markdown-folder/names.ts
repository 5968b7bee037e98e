import path from "node:path";
import type { ImportNote } from "../importer.ts";
import type { Folder } from "../markdown/folder.ts";
import { asText } from "../markdown/front-matter.ts";
import { isPage, type OutlineEntry } from "./entries.ts";
import { readSettings } from "./settings.ts";

const isIndex = (name: string): boolean => /^(?:_?index|readme)\.\w+$/i.test(name);
/** Files for those who work on a repository. */
const forContributors =
  /^(?:license|licence|copying|contributing|code[_-]of[_-]conduct|security|changelog|history|pull_request_template|issue_template|authors|contributors|maintainers|codeowners)\b/i;
/** Folders that hold what was built, or parts of pages. */
const builtFolders = new Set(["_build", "_site", "_book", "site", "dist", "build", "vendor", "_includes", "_layouts", "_templates"]);

/** Orders the pages under a folder by their names: its index first, then files and folders together, `2-b` before `10-a`. */
export function namesOutline(folder: Folder, under: string, report: ImportNote[]): OutlineEntry[] {
  const prefix = under ? `${under}/` : "";
  const names = new Set<string>();
  for (const file of folder.files) if (file.startsWith(prefix) && isPage(file)) names.add(file.slice(prefix.length).split("/")[0] ?? "");
  const placed: { name: string; order: number; entries: OutlineEntry[] }[] = [];
  for (const name of names) {
    const file = prefix + name;
    if (folder.files.has(file)) {
      if (under === "" && forContributors.test(name)) report.push({ file, what: "a file about the repository", done: "left out" });
      else if (isIndex(name) || !name.startsWith("_"))
        placed.push({ name, order: isIndex(name) ? Number.NEGATIVE_INFINITY : orderOf(folder, file), entries: [{ file, children: [] }] });
    } else if (!builtFolders.has(name)) placed.push(folderEntries(folder, name, file, report));
  }
  placed.sort((a, b) => a.order - b.order || a.name.localeCompare(b.name, "en", { numeric: true, sensitivity: "base" }));
  return placed.flatMap(({ entries }) => entries);
}

function folderEntries(folder: Folder, name: string, file: string, report: ImportNote[]) {
  const within = namesOutline(folder, file, report);
  const category = categoryOf(folder, file, report);
  const index = within.find((entry) => entry.file && path.posix.dirname(entry.file) === file && isIndex(path.posix.basename(entry.file)));
  const order = category.order ?? (index?.file ? orderOf(folder, index.file) : Number.POSITIVE_INFINITY);
  if (within.length === 0) return { name, order, entries: [] };
  const title = category.title ?? titleFromName(name);
  const children = within.filter((entry) => entry !== index);
  const [only] = within;
  const entry = within.length === 1 && index && only ? only : { title, ...(index?.file && { file: index.file }), children };
  return { name, order, entries: [entry] };
}

/** The place that Docusaurus, Hugo or Jekyll give a page in its front matter. Pages without one come after those with one. */
function orderOf(folder: Folder, file: string): number {
  if (/\.ipynb$/i.test(file)) return Number.POSITIVE_INFINITY;
  const front = /^---\n([\s\S]{0,4000}?)\n---/.exec(
    new TextDecoder().decode(folder.bytes(file).subarray(0, 5_000)).replaceAll("\r\n", "\n"),
  );
  const found = /^(?:sidebar_position|nav_order|weight|order|position)\s*:\s*(-?\d+(?:\.\d+)?)\s*$/m.exec(front?.[1] ?? "");
  return found ? Number(found[1]) : Number.POSITIVE_INFINITY;
}

/** Docusaurus' `_category_.json` or `_category_.yml`. */
function categoryOf(folder: Folder, under: string, report: ImportNote[]): { title?: string | undefined; order?: number } {
  const file = ["json", "yml", "yaml"].map((ending) => `${under}/_category_.${ending}`).find((name) => folder.files.has(name));
  const { label, position } = file ? readSettings(folder, file, report) : {};
  return { title: asText(label), ...(typeof position === "number" && { order: position }) };
}

/** A readable title from a file's or a folder's name: `02-first_steps.md` is "First steps". */
export function titleFromName(name: string): string {
  const bare = name.replace(/\.\w+$/, "").replace(/^\d+(?:[.-]\d+)*[-_. ]+(?=\S)/, "");
  if (/^(?:instructors?|teachers?|trainers?)$/i.test(bare)) return "For instructors";
  const words = bare.replaceAll(/[-_]+/g, " ").trim();
  return words ? words.charAt(0).toUpperCase() + words.slice(1) : name;
}
