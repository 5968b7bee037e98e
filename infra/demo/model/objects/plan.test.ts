import { expect } from "chai";
import type { Prompt } from "../prompt.ts";
import { makePlan } from "./plan.ts";

describe("a path of the demonstration model", () => {
  const passage = (id: string, title: string, text: string, kind = "prose") => ({
    id,
    title,
    trail: ["Linear Maps", "Eigenvectors"],
    text,
    kind,
  });
  const prompt: Prompt = {
    passages: [
      passage("s1", "Finding eigenvalues", "The equation has a solution exactly when the determinant is zero."),
      passage("s2", "characteristic", "The characteristic equation; it only needs the trace and the determinant.", "math"),
      passage("s3", "A worked example", "Take the matrix whose trace is four."),
    ],
    history: [],
    question: "",
    whole: "",
  };

  it("names steps after sections, not after the labels of formulas within them", () => {
    const steps = makePlan(prompt)?.steps.map(({ title, passages }) => [title, passages]);
    expect(steps).to.deep.equal([
      ["Finding eigenvalues", ["s1", "s2"]],
      ["A worked example", ["s3"]],
    ]);
  });

  it("takes an objective to the page that says most about it, not to a section that mentions it", () => {
    const on = (page: string, section: string, id: string, text: string) => ({
      id,
      title: section,
      trail: ["Learning", page, section],
      text,
      kind: "prose",
    });
    const objectives = [
      { id: "o1", text: "Plan reviews at growing gaps." },
      { id: "o2", text: "Plan a week of study that contains gaps and mixing." },
    ];
    const steps = makePlan({
      ...prompt,
      passages: [
        on("Spacing", "Growing gaps", "s1", "Plan gaps that contain mixing: reviews of study come at growing gaps."),
        on("A weekly plan", "The week", "s2", "A week of study has blocks. Plan the week on Sunday."),
        on("A weekly plan", "An ordinary week", "s3", "The week contains mixing and gaps in its blocks of study."),
      ],
      whole: `<objectives>${JSON.stringify(objectives)}</objectives>`,
    })?.steps;
    expect(steps?.find(({ objectiveIds }) => objectiveIds.includes("o1"))?.title).to.equal("Growing gaps");
    expect(steps?.find(({ objectiveIds }) => objectiveIds.includes("o2"))?.title).to.match(/week/);
  });

  it("takes an objective to the section that introduces its words, not to one that says them more often", () => {
    const on = (section: string, id: string, text: string) => ({ ...passage(id, section, text), trail: ["Maps", "Eigenvectors", section] });
    const passages = [
      { ...passage("s1", "Eigenvectors", "The eigenvector tells almost everything of a map."), trail: ["Maps", "Eigenvectors"] },
      {
        ...passage("s4", "Eigenvectors", "An eigenvector has an eigenvalue. Each eigenvector has one.", "key-points"),
        trail: ["Maps", "Eigenvectors", "Key points"],
      },
      on(
        "A direction that stays",
        "s2",
        "A vector that is only stretched is an eigenvector, the number its eigenvalue. Its multiples are eigenvectors.",
      ),
      on("Repetition", "s3", "Write it as a sum: the part of each eigenvector grows with its eigenvalue, and the largest wins."),
      on("Rotations", "s5", "A quarter turn moves every direction of the plane."),
    ];
    const whole = `<objectives>${JSON.stringify([{ id: "o1", text: "Say what an eigenvector and its eigenvalue are." }])}</objectives>`;
    expect(makePlan({ ...prompt, passages, whole })?.steps.map(({ title }) => title)).to.deep.equal(["A direction that stays"]);
  });

  it("takes an objective to the page named with it, though another says more of its words", () => {
    const on = (page: string, id: string, text: string) => ({ id, title: page, trail: ["Databases", page], text, kind: "prose" });
    const passages = [
      on("Selecting", "s1", "Queries display results. Write queries in SQL: each query has results in no particular order."),
      on("Sorting", "s2", "ORDER BY sorts what is found. The direction is ascending, or descending with DESC."),
    ];
    const objectives = [{ id: "o1", text: "Write queries that display results in a particular order.", page: "Sorting" }];
    const whole = `<objectives>${JSON.stringify(objectives)}</objectives>`;
    expect(makePlan({ ...prompt, passages, whole })?.steps.map(({ title }) => title)).to.deep.equal(["Sorting"]);
  });
});
