import { renderMarkdown } from "@colloquy/ui/rendering/markdown.ts";
import { expect } from "chai";
import { passageMarkdown } from "./plain-text.ts";

const shown = (text: string) => renderMarkdown(passageMarkdown(text));
const words = (text: string) =>
  shown(text)
    .replaceAll("<br>", "")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .trim();

describe("a passage of a course", () => {
  it("renders its formulas", () => {
    // Set already or still to be set, as the engine is here or on its way.
    const text = shown("If $S$ is linear, $S \\circ T_1$ is.");
    expect(text)
      .to.match(/class="(?:math|katex)/)
      .and.to.not.include("$");
  });
  it("renders formulas in escaped brackets", () => {
    for (const text of ["Take \\(x^2\\) and\n\\[ A v = \\lambda v \\]", "So \\[\nx^2 = 1\n\\]"])
      expect(shown(text), text)
        .to.match(/class="(?:math|katex)/)
        .and.to.not.match(/\\[()[\]]/);
  });
  it("shows escaped brackets around prose as brackets", () => {
    for (const text of ["a \\[see the note\\] b", "a \\(see the note\\) b"]) expect(shown(text), text).to.not.include("math");
  });
  it("shows other characters literally, including plain dollars", () => {
    for (const text of [
      "a*b*c _d_ `e` [f](g) <b>h</b> 1. # ~i~",
      "echo $HOME and $PATH",
      "- $1,$2",
      "https://example.org/?a=b&c",
      "> 3 | 4",
    ])
      expect(words(text)).to.equal(text);
    expect(shown("echo $HOME and $PATH")).to.not.include("math");
  });
  it("keeps its lines and their indentation", () => {
    expect(words("for x in y\n    echo x")).to.equal("for x in y\n\u00a0\u00a0\u00a0\u00a0echo x");
    expect(shown("    one")).to.not.include("<pre");
  });
});
