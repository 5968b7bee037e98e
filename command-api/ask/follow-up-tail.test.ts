import { growthOfText, linearGrowth } from "@colloquy/schemas/text/growth.fixture.ts";
import { expect } from "chai";
import { followUpTail } from "./follow-up-tail.ts";

describe("followUpTail", () => {
  const whole = "A pipe joins programs [s1].\n\n<follow-ups>\nWhat is a filter? [s2]\n- Who invented it?\n</follow-ups>";
  const read = (chunks: Iterable<string>) => {
    const tail = followUpTail();
    let text = "";
    for (const chunk of chunks) text += tail.push(chunk);
    return { text: text + tail.end(), lines: tail.lines() };
  };

  it("is cut out wherever the chunks end", () => {
    for (let size = 1; size < whole.length; size += 1) {
      const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) => whole.slice(at * size, (at + 1) * size));
      expect(read(chunks), String(size)).to.deep.equal({
        text: "A pipe joins programs [s1].",
        lines: ["What is a filter? [s2]", "- Who invented it?"],
      });
    }
  });

  it("never shows a part of the tag while the text grows", () => {
    const tail = followUpTail();
    for (const character of whole) expect(tail.push(character)).to.not.match(/<|ollow/);
  });

  it("takes spellings of weak models and an end that is missing", () => {
    expect(read(["Yes.\n<Follow_Ups>\nWhy?"])).to.deep.equal({ text: "Yes.", lines: ["Why?"] });
    expect(read(["Yes. <followups></followups>"])).to.deep.equal({ text: "Yes.", lines: [] });
  });

  it("gives back what only looks like a tag", () => {
    for (const text of ["a < b", "<follow", "Use `<follower>` here.", "x <", "End.\n\n"])
      expect(read([...text]), text).to.deep.equal({ text, lines: null });
  });

  it("goes on with the answer behind the list, or without its end", () => {
    expect(read(["<follow-ups>\nWhy?\n</follow-ups>\nThe answer."])).to.deep.equal({ text: "\nThe answer.", lines: ["Why?"] });
    const long = "word ".repeat(500);
    expect(read([`<follow-ups>${long}`, long])).to.deep.equal({ text: long + long, lines: null });
  });

  it("takes linear time", () => {
    for (const piece of ["<", " ", "< follow"]) expect(growthOfText(read, piece), piece).to.be.below(linearGrowth);
  });
});
