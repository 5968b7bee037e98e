import { expect } from "chai";
import fc from "fast-check";
import { importCarpentries } from "../carpentries/importer.ts";
import type { Importer } from "../importer.ts";
import { importMdBook } from "../mdbook/importer.ts";
import { faultsOf, inFolder, svg } from "./testing/folders.ts";

/** Lines with everything the importers look for, whole and broken, to be put together in any order. */
const lines = [
  "# H",
  "## H {#x}",
  "Underlined",
  "===",
  "---",
  "***",
  "",
  "Text with `code` and *em* [l](#x).",
  "[ref][r] and [r] and [span]{#s .c}",
  "[r]: other.md",
  "> quote\n> [!NOTE]",
  "> [!TIP] T\n> body",
  "> > deep\n{: .solution}",
  "- item",
  "  - nested [q](y z)",
  "1. one",
  "```bash\n$ x\n```",
  "```{r, x}",
  "```mermaid\ngraph\n```",
  "~~~",
  "    indented",
  "\ttab",
  ...["callout", "challenge", "solution", "hint", "objectives", "keypoints", "questions", "tab", "odd"].map((name) => `::: ${name}`),
  ":::::: {.spoiler #id}",
  ":::",
  "<details>",
  "<summary>S</summary>",
  "</details>",
  "<!-- c",
  "-->",
  "<kbd>a",
  "</kbd>",
  "<b>x</b><br>",
  '<a name="z"></a>z [z](#z)',
  "<table><tr><td>1</td></tr></table>",
  '<img src="fig/a.svg">',
  "![a](fig/a.svg){alt='b'}",
  "![](none.png)",
  "![x][r]",
  "| a | b |\n|---|---|\n| 1 | `x|y` |",
  "Table: cap",
  "term",
  ":   def",
  "[t]{#t}",
  "[^1]: note",
  "see[^1] ^[in *l*]",
  "$x$ $$y$$ $5",
  "\\[a\\] \\(b\\) \\\\(c\\\\)",
  "a --- b -- c",
  ":numref:`x`",
  "{: .output}",
  "{% raw %} {{ x }}",
  "{{#include x.md}}",
  "text]( more ](",
  "`unclosed",
  "**unclosed",
  "[unclosed",
  "[](empty)",
  "[x](<a b>)",
  "\\",
  "\u0007bell",
  "<https://e.org>",
  "&amp; &#x41; &nope;",
];

describe("import of any page", function () {
  this.timeout(120_000);
  const importers: [string, Importer][] = [
    ["lesson", importCarpentries],
    ["book", importMdBook],
  ];
  for (const [name, importer] of importers)
    it(`gives a valid course, and the same one again, from whatever stands in a ${name}`, async () => {
      const page = fc.tuple(fc.array(fc.constantFrom(...lines), { minLength: 1, maxLength: 28 }), fc.constantFrom("\n", "\n\n"));
      await fc.assert(
        fc.asyncProperty(page, async ([parts, between]) => {
          const text = `Words.\n\n${parts.join(between)}`;
          const files = {
            "config.yaml": "title: A Lesson\n",
            "book.toml": "[output.html]\nmathjax-support = true\n",
            "src/SUMMARY.md": "- [A](a.md)\n",
            "src/a.md": text,
            "src/fig/a.svg": svg,
            "episodes/a.md": text,
            "episodes/fig/a.svg": svg,
          };
          await inFolder(files, async (folder) => {
            const first = await importer(folder, { courseId: "any-course", previous: null });
            expect(faultsOf(first.course)).to.deep.equal([]);
            expect(JSON.stringify(first.course)).to.not.match(/[\uE000-\uE00F]/);
            const second = await importer(folder, { courseId: "any-course", previous: first.course });
            expect(second.course).to.deep.equal(first.course);
          });
        }),
        // One seed, so that a failure is of the change that made it.
        { numRuns: 80, seed: 2_025 },
      );
    });
});
