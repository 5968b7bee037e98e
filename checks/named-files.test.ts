import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";

const home = fileURLToPath(new URL("..", import.meta.url));
const notOurs = new Set(["node_modules", ".git", ".data", "dist"]);

function filesIn(folder: string): string[] {
  return readdirSync(join(home, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return notOurs.has(entry.name) || entry.name.startsWith("dist-") ? [] : filesIn(path);
    return [path];
  });
}

const files = filesIn("");
const rooms = [...new Set(files.filter((file) => file.includes("/")).map((file) => file.split("/")[0]))];
/** Every file and folder, from its own name alone to its whole path. */
const known = new Set(
  files.flatMap((file) => {
    const parts = file.split("/");
    return parts.flatMap((_, end) => parts.slice(0, end + 1).map((_, begin) => parts.slice(begin, end + 1).join("/")));
  }),
);
const read = (file: string): string => readFileSync(join(home, file), "utf8");

/** What a build makes, and files of other projects. */
const elsewhere = /^(?:ui|client)\/dist|^packages\/fsrs\/|(?:^|\/)(?:mkdocs|_toc|myst|_config|_category_|_quarto)\.yml$/;
const fileName = /^[\w.-]+(?:\/[\w.-]+)*\.(?:ts|cjs|css|mjs|yml)$/;
/** Whether words name a file or a folder of ours: a source by its name, anything by its path from the top. */
const namesOurs = (words: string): boolean =>
  fileName.test(words) || (rooms.includes(words.split("/")[0] ?? "") && /^[\w./-]+\/[\w./-]*$/.test(words));
const isMissing = (name: string): boolean => namesOurs(name) && !elsewhere.test(name) && !known.has(name.replace(/\/$/, ""));

const withoutFences = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "");
const pages = files.filter(
  (file) => file.endsWith(".md") && (file.startsWith("docs/") || dirname(file) === "." || file.startsWith("client/")),
);

describe("the files that are named", () => {
  it("are there where a page names them", () => {
    const missing = pages.flatMap((page) => {
      const text = withoutFences(read(page));
      const spans = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, span = ""]) => span.split(/[\s,;:()"']+/));
      return spans.filter(isMissing).map((name) => `${page}: ${name}`);
    });
    expect(pages).to.include.members(["README.md", "docs/build/architecture.md", "docs/build/decisions/0001-embedded-event-store.md"]);
    expect(missing).to.deep.equal([]);
  });

  it("are there where a comment names them", () => {
    const missing = files
      .filter((file) => /\.(?:ts|cjs|css|js)$/.test(file) && !file.includes("/demo/courses/"))
      .flatMap((file) => {
        const comments = read(file)
          .split("\n")
          .flatMap((line) => /(?:^\s*(?:\/\*\*?|\*|\/\/)|\s\/\/ |\/\*\* )(.*)/.exec(line)?.[1] ?? []);
        const named = comments.flatMap((comment) => comment.replace(/https?:\/\/\S+/g, "").match(/[\w-][\w.-]*(?:\/[\w.-]+)*/g) ?? []);
        return named.filter((name) => name !== basename(file) && isMissing(name.replace(/\.$/, ""))).map((name) => `${file}: ${name}`);
      });
    expect(missing).to.deep.equal([]);
  });

  it("are commands of ours where a page says `npm run`", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const missing = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].flatMap(([, name = ""]) => (name in scripts ? [] : `${page}: ${name}`)),
    );
    expect(missing).to.deep.equal([]);
  });
});
