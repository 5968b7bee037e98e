import { calloutKinds, type ParsedBlock } from "@colloquy/schemas/courses/blocks.ts";
import { expect } from "chai";
import { renderBlock } from "./server.ts";

const evil = `"><img src=x onerror=alert(1)><script>alert(1)</script>`;
/** Every block type with hostile text in every field. */
const blocks: ParsedBlock[] = [
  { id: "block-1", type: "core.theory", data: { markdown: evil } },
  { id: "block-2", type: "core.key-points", data: { title: evil, points: [evil, "**b** $x$"] } },
  { id: "block-3", type: "core.callout", data: { kind: "tip", title: evil, folded: true, markdown: evil } },
  { id: "block-4", type: "core.code", data: { language: evil, role: "input", title: evil, code: evil } },
  { id: "block-5", type: "core.figure", data: { path: evil, alt: evil, caption: evil } },
  { id: "block-6", type: "core.diagram", data: { language: "mermaid", description: evil, caption: evil, code: evil } },
  { id: "block-7", type: "core.math", data: { tex: evil, label: evil, caption: evil } },
  { id: "block-8", type: "core.table", data: { caption: evil, align: [null, "right"], header: [evil, "b"], rows: [[evil, "$x$"]] } },
  {
    id: "block-9",
    type: "core.exercise",
    data: { title: evil, markdown: evil, hints: [evil], solutions: [{ title: evil, markdown: evil }] },
  },
];

describe("renderBlock", () => {
  for (const block of blocks)
    it(`makes nothing live of a hostile ${block.type}, and carries its id`, () => {
      const html = renderBlock(block, { resolveImage: () => ({ src: evil }), resolveLink: () => evil, blockLinks: true });
      expect(html).to.contain(`id="${block.id}"`).and.contain(`href="#${block.id}"`);
      expect(html).to.not.match(/<script|<img src=x|"><img/);
    });

  it("labels every kind of callout", () => {
    const words = calloutKinds.map((kind) => {
      const html = renderBlock({ id: "block-1", type: "core.callout", data: { kind, folded: false, markdown: "x" } });
      return /callout-kind">([^<]+)</.exec(html)?.[1];
    });
    expect(new Set(words).size).to.equal(calloutKinds.length);
    expect(words).to.not.include(undefined);
  });

  it("folds hints and solutions and numbers several ones", () => {
    const data = { markdown: "Do it.", hints: ["one", "two"], solutions: [{ title: "By hand", markdown: "so" }] };
    const html = renderBlock({ id: "block-1", type: "core.exercise", data });
    expect(html.match(/<details class="fold/g)).to.have.length(3);
    expect(html).to.not.contain("<details open");
    expect(html).to.contain("Hint 2").and.contain("Solution: By hand");
  });

  it("labels input, output and errors", () => {
    const code = (role: "input" | "output" | "error") =>
      renderBlock({ id: "block-1", type: "core.code", data: { language: "python", role, code: "print(1)" } });
    expect(code("input")).to.contain(">Python<");
    expect(code("output")).to.contain(">Output<");
    expect(code("error")).to.contain(">Error message<");
  });

  it("reserves the space of a picture with known size", () => {
    const figure: ParsedBlock = { id: "block-1", type: "core.figure", data: { path: "assets/a.svg", alt: "An arrow", caption: "Of $x$" } };
    const html = renderBlock(figure, { resolveImage: () => ({ src: "/api/courses/c/assets/0", width: 30, height: 20 }) });
    expect(html).to.contain('alt="An arrow" width="30" height="20"').and.contain("<figcaption>Of ").and.contain("katex");
    expect(renderBlock(figure, { resolveImage: () => null }))
      .to.contain("An arrow")
      .and.contain("missing")
      .and.not.contain("<img");
  });
});
