import { expect } from "chai";
import type { Passage } from "../segments.ts";
import { linesOf } from "./lines.ts";
import { statementScenes, statementsOf } from "./statements.ts";

const passage = (id: string, kind: string, text: string): Passage => ({ id, kind, text, title: "Recall", trail: ["Course", "Recall"] });
const keyPoints = (text: string): string[] => statementsOf(passage("s2", "key-points", text)).map((statement) => statement.text);

describe("the key points of a course, as they stand on screen in a film", () => {
  it("are shown whole where they are short, else in the parts that are whole by themselves", () => {
    expect(keyPoints("- A gap makes recalling harder and more useful.")).to.deep.equal(["A gap makes recalling harder and more useful"]);
    expect(
      keyPoints("- An eigenvector is a non-zero vector that a map only stretches; the factor by which it does so is its eigenvalue."),
    ).to.deep.equal(["An eigenvector is a non-zero vector that a map only stretches", "The factor by which it does so is its eigenvalue"]);
  });

  it("are left out where they hang on another sentence or cannot be set as a line", () => {
    expect(keyPoints("- It is zero exactly when the map crushes a dimension.")).to.deep.equal([]);
    expect(keyPoints("- The set is $\\{v : T(v) = \\begin{pmatrix} 0 \\end{pmatrix}\\}$.")).to.deep.equal([]);
  });

  it("stand beside the sentence that explains them, both of them quoted, and never beside one that says the same", () => {
    const prose = passage(
      "s1",
      "prose",
      "Recalling after a gap takes effort, and that effort strengthens memory. A gap makes recalling harder.",
    );
    const kept = passage("s2", "key-points", "- A gap makes recalling harder and more useful.\n- Sleep makes memories firm.");
    const scenes = statementScenes(linesOf([prose, kept]), [prose, kept]);
    expect(scenes).to.not.have.length(0);
    for (const { narration, content, quotes } of scenes) {
      expect(narration).to.match(/^Recalling after a gap/);
      expect(content.points).to.deep.equal(["A gap makes recalling harder and more useful"]);
      expect(quotes.map((quote) => quote.passage.id)).to.include.members(["s1", "s2"]);
    }
  });
});
