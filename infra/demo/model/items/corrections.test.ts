import { textLength } from "@colloquy/schemas/generation/passages.ts";
import { expect } from "chai";
import { explainCorrections } from "./corrections.ts";

describe("What the demonstration model says of wrong statements", () => {
  const own = "tail displays the last 10 lines of its input by default without additional arguments.";
  const altered = { text: own.replace("last", "first"), own };

  it("gives the course's own sentence beside what was altered", () => {
    expect(explainCorrections(["cat displays the contents of its inputs."], [altered])).to.equal(
      `The course says: “cat displays the contents of its inputs.”\n\n“tail displays the first 10 lines of its input …” is wrong: the course says “${own}”`,
    );
  });

  it("stays within the bound, and leaves no wrong statement out before the right ones", () => {
    const long = `${"Of many words the beginning, ".repeat(4)}the last one counts, ${"and of many words the end. ".repeat(3)}`.trim();
    const three = ["first", "next", "other"].map((word) => ({ text: long.replace("last", word), own: long }));
    const told = explainCorrections([long, long], three);
    expect(told.length).to.be.at.most(textLength);
    for (const word of ["first", "next", "other"])
      expect(told).to.match(new RegExp(`the ${word} one counts,[^”]*” is wrong: the course says “[^”]*the last one`));
  });

  it("cuts neither code nor formulas", () => {
    const code = "`cut -d , -f 2 animals.csv | sort | uniq -c`";
    const sentence = `${"Many words stand before it. ".repeat(9)}${code} counts the first column of it${" and more words".repeat(20)}.`;
    const told = explainCorrections(
      [],
      [1, 2, 3].map(() => ({ text: sentence.replace("first", "last"), own: sentence })),
    );
    expect(told).to.include(`${code} counts the last column`);
  });
});
