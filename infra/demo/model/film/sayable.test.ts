import { expect } from "chai";
import { joinedAround, sayable } from "./sayable.ts";

describe("sentences beside code", () => {
  it("are said without what joins them to the sentence before, and end with a full stop", () => {
    expect(sayable("Moreover, we can do arithmetic inside the print function:")).to.equal(
      "We can do arithmetic inside the print function.",
    );
    expect(sayable("For example, we select the first ten rows of the tide data like this:")).to.equal(
      "We select the first ten rows of the tide data.",
    );
  });

  it("are left out where they point at another place of the page or at its story", () => {
    for (const text of [
      "We use the function from the previous episode:",
      "She adds the depth to the harbour file:",
      "The statement on line 4 adds one to the depth:",
      "These changes are now in the harbour file.",
      "Let's try it on a small file of ours:",
      "We get two depths, and if we take the ones of the harbour:",
      "We can do that by naming the harbour file:",
      "Three others are the depth, the tide and the wind:",
      "Produces no output, and neither does:",
    ])
      expect(sayable(text), text).to.equal(null);
  });

  it("may speak of a line of code that is shown", () => {
    expect(sayable("The statement on line 4 adds one to the depth.", { lines: 5 })).to.be.a("string");
  });

  it("may say “it” of what they have named", () => {
    expect(sayable("The status tells us that it has noticed the new file:")).to.be.a("string");
    expect(sayable("We can see that it has noticed the new file:")).to.equal(null);
  });

  it("are one sentence where a condition stands above code and what follows from it below", () => {
    expect(joinedAround("If we run the status now:", "it tells us that all is saved.")).to.equal(
      "If we run the status now, it tells us that all is saved.",
    );
    expect(joinedAround("If we run the status now:", "Another thing is told.")).to.equal(null);
  });
});
