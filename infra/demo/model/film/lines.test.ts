import { expect } from "chai";
import { linesOf } from "./lines.ts";

const passage = (text: string) => ({ id: "s1", title: "Reading", trail: ["Course", "Reading"], kind: "prose", text });

describe("what the demonstration model's films say", () => {
  it("leaves out what the next sentence turns round, or says both", () => {
    const both = "Reading a text again makes the whole of it stick for a very long time. But this is wrong: it only feels familiar to you.";
    expect(linesOf([passage(both)]).map(({ said, quote }) => [said, quote])).to.deep.equal([[both, both]]);
    const known = "Familiarity is the same as knowledge for nearly everybody.";
    expect(linesOf([passage(known)]).map(({ said }) => said)).to.deep.equal([known]);
    expect(linesOf([passage(`${known} However, as we saw in the last chapter, nothing stays.`)])).to.deep.equal([]);
  });
});
