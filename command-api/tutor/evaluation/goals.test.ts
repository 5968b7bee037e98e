import { expect } from "chai";
import { goals, joinedGoals } from "./goals.ts";
import { figuresOf, type Selected, selectAll } from "./measure.ts";

describe("objectives selected for a goal", function () {
  this.timeout(120_000);
  let selected: readonly Selected[];
  before(async () => {
    selected = await selectAll(goals, false);
  });

  it("answer three of four goals wholly, also of those that were held out", () => {
    for (const heldOut of [false, true]) {
      const { goals: count, complete } = figuresOf(selected.filter(({ goal }) => (goal.heldOut ?? false) === heldOut));
      expect(complete / count).to.be.at.least(0.75);
    }
  });

  it("are beside the goal for at most one in five", () => {
    const { chosen, beside } = figuresOf(selected);
    expect(beside / chosen).to.be.at.most(0.2);
  });

  it("answer each of the things that a goal joins, for three of four goals", async () => {
    const { goals: count, complete } = figuresOf(await selectAll(joinedGoals, false));
    expect(complete / count).to.be.at.least(0.75);
  });

  it("are determinants and what they need for a goal on determinants", () => {
    const [determinants] = selected;
    expect(determinants?.chosen).to.include.members(["obj-det-area", "obj-det-compute", "obj-det-invertible"]);
    expect(determinants?.beside).to.deep.equal([]);
  });
});
