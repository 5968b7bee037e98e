import { expect } from "chai";
import fc from "fast-check";
import { sentencesOf } from "./sentences.ts";

const texts = (narration: string, language = "en"): string[] => sentencesOf(narration, language).map(({ text }) => text);

describe("the sentences of a narration", () => {
  it("end where a reader pauses, with their place in the text", () => {
    expect(sentencesOf("First (A − 3I)v = 0.  So v stays! Why?", "en")).to.deep.equal([
      { at: 0, text: "First (A − 3I)v = 0." },
      { at: 22, text: "So v stays!" },
      { at: 34, text: "Why?" },
    ]);
  });

  it("do not end after abbreviations", () => {
    expect(texts("We compare A vs. B here, as Dr. Smith did. Das ist z. B. ein Haus bzw. Hof.")).to.deep.equal([
      "We compare A vs. B here, as Dr. Smith did.",
      "Das ist z. B. ein Haus bzw. Hof.",
    ]);
  });

  it("are those of other scripts, too", () => {
    expect(texts("ما هذا؟ هذا أنبوب.", "ar")).to.have.length(2);
  });

  it("lose no sign that is heard", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (narration) => {
        for (const { at, text } of sentencesOf(narration, "en")) expect(narration.slice(at, at + text.length)).to.equal(text);
        const signs = (text: string): string => text.replace(/\s/gu, "");
        expect(signs(texts(narration).join(""))).to.equal(signs(narration));
      }),
    );
  });
});
