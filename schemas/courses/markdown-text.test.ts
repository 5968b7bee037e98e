import type { Heading } from "@colloquy/ui/rendering/headings.ts";
import { renderMarkdown } from "@colloquy/ui/rendering/server.ts";
import { expect } from "chai";
import fc from "fast-check";
import { bounds } from "../bounds.ts";
import { createAnchors, headingsOf, linksOf, slugOfHeading } from "./markdown-text.ts";

describe("headings of a Markdown text", () => {
  it("are found, with their lines, and not in code", () => {
    const markdown = [
      "# One {#first}",
      "",
      "```sh",
      "# no heading",
      "```",
      "Two",
      "---",
      "    # code",
      "- item",
      "---",
      "### Three ###",
    ].join("\n");
    expect(headingsOf(markdown).map(({ level, text, id, line }) => [level, text, id, line])).to.deep.equal([
      [1, "One", "first", 1],
      [2, "Two", null, 6],
      [3, "Three", null, 11],
    ]);
  });

  it("get anchors GitHub's way, each once", () => {
    const next = createAnchors(["taken-id"]);
    const anchors = ["`wc -l` & friends", "Über_uns", "Notes", "Notes", "Notes 1", "See [the docs](x) _now_", "…", "taken id"].map((text) =>
      next({ text, id: null }),
    );
    expect(anchors).to.deep.equal([
      "wc--l--friends",
      "über_uns",
      "notes",
      "notes-1",
      "notes-1-1",
      "see-the-docs-now",
      "section",
      "taken-id-1",
    ]);
    expect(next({ text: "x", id: "own" })).to.equal("own");
  });

  it("get the anchors that the page gives them", () => {
    const heading = fc
      .array(
        fc.constantFrom("word", "Ünï", "`a_b`", "*strong*", "_it_", "a_b", "[link](http://x.y)", "1.", "&", "C++", "—", "$x$", "it’s"),
        { minLength: 1, maxLength: 5 },
      )
      .map((words) => words.join(" "));
    fc.assert(
      fc.property(fc.array(heading, { minLength: 1, maxLength: 4 }), (texts) => {
        const markdown = texts.map((text) => `## ${text}`).join("\n\n");
        const rendered: Heading[] = [];
        renderMarkdown(markdown, { headingIds: true, headings: rendered });
        const next = createAnchors();
        expect(headingsOf(markdown).map(next), markdown).to.deep.equal(rendered.map(({ id }) => id));
      }),
      { numRuns: 300 },
    );
  });
});

describe("links of a Markdown text", () => {
  const found = (markdown: string) => linksOf(markdown).map(({ kind, href, line }) => `${kind} ${href} ${line}`);

  it("are found with their lines", () => {
    expect(found('See [a](topic:x#y)\nand ![b](assets/b.svg "T") [![c](c.png)](http://d)\n\n[e]: <f g>')).to.deep.equal([
      "link topic:x#y 1",
      "image assets/b.svg 2",
      "image c.png 2",
      "link http://d 2",
      "link <f 4",
    ]);
    expect(found("[a](<b c>) [d](e(f)g) [h](i\\)j)")).to.deep.equal(["link b c 1", "link e(f)g 1", "link i)j 1"]);
  });

  it("are not looked for in code", () => {
    expect(found("`[a](b)` ``c` [d](e)`` [f](g) `\n\n    [h](i)\n\n```\n[j](k)\n```\n\\[l](m)")).to.deep.equal(["link g 1"]);
    expect(found("- item\n\n    [a](b)\n\n> ```\n> [c](d)\n> ```")).to.deep.equal(["link b 3"]);
  });

  it("are found in one pass whatever the text", () => {
    for (const unit of ["[", "[](", "](", "`", "` `` ", "![[", "[a](<", "[a]( ", "\\", "(", "> ", "- ", "```\n"]) {
      const markdown = unit.repeat(Math.floor(bounds.course.blockLength / unit.length));
      linksOf(markdown);
      headingsOf(markdown);
      slugOfHeading(markdown);
    }
  });
});
