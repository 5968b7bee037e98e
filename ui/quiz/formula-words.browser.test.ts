import { expect } from "chai";
import { loadMath } from "../rendering/engines.ts";
import { formulaWords } from "./formula-words.ts";

describe("the words of a formula", () => {
  it("separate by signs and brackets what the layout separates", async () => {
    const typeset = await loadMath();
    const wordsOf = (tex: string): string => {
      const math = new DOMParser().parseFromString(typeset(tex, false), "text/html").querySelector("math");
      return math ? formulaWords(math) : expect.fail(`${tex} is not set`);
    };
    const said: [tex: string, words: string][] = [
      ["\\begin{pmatrix} 1 & 2 \\\\ 0 & 1 \\end{pmatrix}", "( 1, 2; 0, 1 )"],
      ["\\frac{a}{b}", "a / b"],
      ["\\frac{a + 1}{b}", "(a + 1) / b"],
      ["\\lambda^2 - x_1", "λ² − x₁"],
      ["2^{a b}", "2^(a b)"],
      ["\\sqrt{x + 1}", "√(x + 1)"],
      ["A v = \\lambda v", "A v = λ v"],
    ];
    for (const [tex, words] of said) expect(wordsOf(tex), tex).to.equal(words);
  });
});
