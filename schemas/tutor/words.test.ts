import { expect } from "chai";
import { decisions, reasons } from "./session.ts";
import { decisionWords, derivedObjectiveTitle, derivedTopic, framedHint, ruledOutHint, whereHint } from "./words.ts";

describe("why a session goes on as it does", () => {
  it("is said in whole sentences, with a step's name and without", () => {
    for (const decision of decisions)
      for (const reason of reasons)
        for (const step of ["pipes", ""]) {
          const words = decisionWords(decision, reason, step);
          expect(words, `${decision}, ${reason}`).to.match(/^[“A-Z].*[.]$/s);
          expect(words).to.not.match(/[a-z] This|[.] [a-z]/);
        }
  });

  it("are found again in what the application framed, and nowhere else", () => {
    const place = "[Pipes \\[and\\] filters](/courses/shell/pipes#b1)";
    expect(framedHint(whereHint(place))).to.deep.equal({ kind: "where", place });
    expect(framedHint(ruledOutHint("Two\nlines"))).to.deep.equal({ kind: "ruled-out", choice: "Two\nlines" });
    expect(framedHint("It stands in the way of a [pipe](/p), decide yourself.")).to.equal(null);
    expect([derivedTopic(derivedObjectiveTitle("Say what “it” is")), derivedTopic("Say what it teaches.")]).to.deep.equal([
      "Say what “it” is",
      null,
    ]);
  });
});
