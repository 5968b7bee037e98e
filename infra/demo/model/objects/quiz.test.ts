import { expect } from "chai";
import { makeProbe } from "./quiz.ts";

describe("diagnostic questions of the demonstration model", () => {
  const on = (page: string, id: string, text: string) => ({ id, title: page, trail: ["Tea", page], text, kind: "prose" });
  const passages = [
    on(
      "Leaves",
      "s1",
      "A leaf is a part of a plant. A stem is a stalk of a plant. A root is an anchor of a plant. A bud is a shoot of a plant.",
    ),
    on("Pots", "s2", "A teapot is a vessel with a spout. A lid is a cover of a pot. A strainer is a mesh in a pot."),
  ];
  const probe = (page: string) =>
    makeProbe({
      passages,
      history: [],
      question: "",
      whole: `<objectives>${JSON.stringify([{ id: "o1", text: "Name the parts of a plant.", page }])}</objectives>`,
    }).items.flatMap(({ passages: named }) => named);

  it("stand on the page of the objective, whatever words another shares with it", () => {
    expect(new Set(probe("Pots"))).to.deep.equal(new Set(["s2"]));
    expect(new Set(probe("Leaves"))).to.deep.equal(new Set(["s1"]));
  });
});
