import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "chai";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Where a side is meant by its name: paper has one, and strokes lie where they were drawn, whichever way the text reads. */
const physical = ["workspace/print.css", "annotations/drawing.styles.ts", "embed/diagrams/library.ts"];

/** The four sides of a shorthand, parts with parentheses kept together. */
const sides = (value: string): string[] => value.trim().match(/(?:[^\s()]|\([^()]*(?:\([^()]*\)[^()]*)*\))+/g) ?? [];

/** The declarations of a sheet that name a side by left or right, or give the two another room without saying which begins the line. */
function oneSided(text: string): string[] {
  return [
    ...text.matchAll(
      /(?<![\w-])((?:margin|padding|border)-(?:left|right)|margin|padding|inset|left|right|text-align|float)\s*:([^;{}`"]+)[;}]/g,
    ),
  ].flatMap(([, property = "", value = ""]) => {
    const [, right, , left] = sides(value);
    const isNamed = /left|right/.test(property) || (/text-align|float/.test(property) && /left|right/.test(value));
    return isNamed || (left !== undefined && left !== right) ? [`${property}:${value}`] : [];
  });
}

describe("right-to-left layout", () => {
  it("uses logical properties in every stylesheet", () => {
    expect(oneSided(".a { padding: 1px 2px 3px 4px; margin: 0 auto; } .b { left: 3px }")).to.deep.equal([
      "padding: 1px 2px 3px 4px",
      "left: 3px ",
    ]);
    expect(oneSided(".a { padding: 1px calc(2px + var(--s1)) 3px calc(2px + var(--s1)); inset-inline: 0 auto; }")).to.deep.equal([]);
    const files = globSync("*/**/*.{css,ts}", { cwd: root, exclude: ["dist/**", "dist-*/**", "node_modules/**", "**/*.test.ts"] });
    const sheets = files
      .filter((file) => !physical.includes(file))
      .map((file) => ({ file, text: readFileSync(`${root}/${file}`, "utf8") }))
      .map(({ file, text }) => ({
        file,
        text: file.endsWith(".css") ? text : [...text.matchAll(/\bcss`([^`]*)`/g)].map(([, css]) => css).join("\n"),
      }));
    expect(sheets.flatMap(({ file, text }) => oneSided(text).map((found) => `${file}: ${found}`))).to.deep.equal([]);
  });
});
