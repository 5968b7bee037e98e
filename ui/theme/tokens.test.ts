import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "chai";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The custom properties a source reads and does not set, with the file; what a template makes up is left out. */
function unset(sources: readonly { file: string; text: string }[]): string[] {
  const set = new Set(sources.flatMap(({ text }) => text.match(/(?<!var\(\s*)--[a-z][\w-]*/g) ?? []));
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(/var\(\s*(--[a-z][\w-]*)(?!\$|[\w-])/g)].flatMap(([, name = ""]) => (set.has(name) ? [] : [`${file}: ${name}`])),
  );
}

describe("design tokens", () => {
  it("are defined wherever a style uses them", () => {
    expect(unset([{ file: "a.css", text: "a { --ink: red; color: var(--ink); font: 1rem var(--font-mono); }" }])).to.deep.equal([
      "a.css: --font-mono",
    ]);
    const files = globSync("*/**/*.{ts,css}", { cwd: root, exclude: ["node_modules/**", "**/*.test.ts"] });
    expect(unset(files.map((file) => ({ file, text: readFileSync(`${root}/${file}`, "utf8") })))).to.deep.equal([]);
  });
});
