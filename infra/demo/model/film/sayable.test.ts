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
    expect(sayable("but we still need to name the tide:")).to.equal("We still need to name the tide.");
    expect(sayable("min and max are two functions of the tide, i.e., of all depths.")).to.equal(
      "min and max are two functions of the tide, that is, of all depths.",
    );
  });

  it("name the code below them as what is shown", () => {
    expect(sayable("The following statements create the two tables of the harbour:", { isAtCode: true })).to.equal(
      "The statements create the two tables of the harbour.",
    );
    expect(sayable("As the query below shows, the harbour numbers its ships:", { isAtCode: true })).to.equal(
      "The harbour numbers its ships.",
    );
  });

  it("may end with a call, or with a keyword in capitals", () => {
    expect(sayable("To list the ships, we use list_ships():")).to.equal("To list the ships, we use list_ships().");
    expect(sayable("We combine the tests on a ship using OR:")).to.equal("We combine the tests on a ship using OR.");
  });

  it("are left out where something is done to what they do not name", () => {
    expect(sayable("The keyword ASC tells us to order it in ascending order.")).to.equal(null);
    expect(sayable("The keyword ASC tells us to order the ships in ascending order.")).to.not.equal(null);
  });

  it("are left out where they speak of a plan that was told elsewhere", () => {
    expect(sayable("Our strategy will work for all ships of the harbour:")).to.equal(null);
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

  it("may point at a query or an output only where that is shown", () => {
    const [query, output] = ["This query sorts the depths by their place:", "If we take the depths of the harbour, we get this:"];
    expect(sayable(query)).to.equal(null);
    expect(sayable(query, { isAtCode: true })).to.equal("The query sorts the depths by their place.");
    expect(sayable(output)).to.equal(null);
    expect(sayable(output, { isPrinted: true })).to.equal("If we take the depths of the harbour, we get this.");
  });

  it("are left out where they are no whole sentences, or hold for one line of several", () => {
    for (const text of [
      "instead of always taking the depths one by one:",
      "the depth column we wish to make from the others.",
      "To compute the mean depth by harbour:",
      "For instance, if you have a tide with two depths:",
      "To read the depths of a harbour, use the -d flag e.g.:",
      "In the first line, we take the depths and add one to the end.",
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
    expect(joinedAround("We can take the depths one by one:", "but it takes a mean to compare two harbours.")).to.equal(
      "We can take the depths one by one, but it takes a mean to compare two harbours.",
    );
  });
});
