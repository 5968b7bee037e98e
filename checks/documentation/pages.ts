import { existsSync, globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("../..", import.meta.url));

/** Hand-written words allowed in all: root pages and docs/ without docs/reports/. */
export const mostWords = 30_000;

/** Every documentation page of the project, by its path from the top. */
export const pages: readonly string[] = globSync(["*.md", "docs/**/*.md", "client/*.md"], { cwd: home }).toSorted();

/** The text of a page. */
export const readPage = (page: string): string => readFileSync(`${home}/${page}`, "utf8");

/** Words by page, as `wc -w` counts them. Pages of docs/reports/ are written by commands and do not count, nor does the client package's own page. */
export function wordsByPage(): Map<string, number> {
  const written = pages.filter((page) => !page.startsWith("docs/reports/") && !page.startsWith("client/"));
  return new Map(written.map((page) => [page, readPage(page).trim().split(/\s+/).length]));
}

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "code");

/** The anchors that a page has, as GitHub makes them from headings. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The relative targets of a page's links and pictures: a path from the top, and an anchor or "". */
export function linksOf(page: string, text = readPage(page)): { link: string; path: string; anchor: string }[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^(?:[a-z]+:|\/)/.test(link))
    .map((link) => {
      const [file = "", anchor = ""] = link.split("#");
      return { link, path: file === "" ? page : posix.join(posix.dirname(page), file), anchor };
    });
}

/** Links of a page that lead to a missing file or heading. */
export function deadLinks(page: string, text = readPage(page)): string[] {
  return linksOf(page, text)
    .filter(({ path, anchor }) => {
      if (!existsSync(`${home}/${path}`)) return true;
      return anchor !== "" && path.endsWith(".md") && !anchorsOf(path === page ? text : readPage(path)).has(anchor);
    })
    .map(({ link }) => `${page}: ${link}`);
}

if (import.meta.main) {
  const words = wordsByPage();
  const total = [...words.values()].reduce((sum, count) => sum + count, 0);
  for (const [page, count] of words) console.log(`${String(count).padStart(7)} ${page}`);
  console.log(`${String(total).padStart(7)} of ${mostWords.toLocaleString("en")} hand-written words`);
  process.exitCode = total > mostWords ? 1 : 0;
}
