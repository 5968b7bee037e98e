import { demonstrationFilms } from "@colloquy/infra/demo/films.ts";
import { expect } from "chai";
import { captionLines } from "./captions.ts";
import { unbroken } from "./unbroken.ts";

const wholes = (text: string): string[] => unbroken(text).filter((one) => one.includes(" "));

describe("what captions do not break", () => {
  const cases: readonly (readonly [what: string, text: string, wholes: readonly string[]])[] = [
    ["pairs", "In coordinates, v is (2, 1) and w is (-1, 3).", ["(2, 1)", "(-1, 3)."]],
    ["equations", "The vector v = (3, 1) is three times e1.", ["v = (3, 1)"]],
    ["products in equations", "So A v = λ v holds for it.", ["A v = λ v"]],
    ["differences", "What is left is x - 3 and no more.", ["x - 3"]],
    ["numbers with units", "It takes 20 min and keeps 35 % of it.", ["20 min", "35 %"]],
    ["grouped numbers", "There are 10 000 files.", ["10 000"]],
    ["commands with options", "Here ls -F marks folders.", ["ls -F"]],
    ["code in backticks", "Then `wc -l *.txt` counts lines.", ["`wc -l *.txt`"]],
    ["pipelines", "We run sort | uniq on it.", ["sort | uniq"]],
  ];
  for (const [what, text, expected] of cases)
    it(`are ${what}`, () => {
      expect(wholes(text)).to.deep.equal(expected);
    });

  it("are no words in brackets, and no dash between clauses", () => {
    expect(wholes("An arrow (which has a length) turns - and then it stays.")).to.deep.equal([]);
  });

  it("are whole in the lines of every film written by hand", async () => {
    for (const { scenes } of await demonstrationFilms())
      for (const { narration } of scenes) {
        const lines = captionLines(narration).flat();
        for (const whole of wholes(narration))
          expect(
            lines.some((line) => line.includes(whole)),
            `${whole} in ${lines.join(" / ")}`,
          ).to.equal(true);
      }
  });
});
