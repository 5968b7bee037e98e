import { expect } from "chai";
import { aimOf, isWholeCourse } from "../aim.ts";
import { goals, joinedGoals, unrelatedGoals, widthGoals, wishes } from "./goals.ts";
import { figuresOf, relatedOf, type Selected, selectAll } from "./measure.ts";

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

  it("answer more of them, searched by meaning as the service does", async () => {
    const byMeaning = await selectAll(goals, true);
    for (const heldOut of [false, true]) {
      const { goals: count, complete } = figuresOf(byMeaning.filter(({ goal }) => (goal.heldOut ?? false) === heldOut));
      expect(complete / count).to.be.at.least(0.85);
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

  it("are those of what a wish is about, for four of five wishes, searched by meaning as the service does", async () => {
    for (const heldOut of [false, true]) {
      const of = wishes.filter((goal) => (goal.heldOut ?? false) === heldOut);
      const { goals: count, complete } = figuresOf(await selectAll(of, true));
      expect(complete / count).to.be.at.least(0.8);
    }
  });

  it("cover a whole course that a goal names, and only the one thing where it asks for that", async () => {
    const wide = await selectAll(widthGoals, true);
    for (const [heldOut, least] of [
      [false, 1],
      [true, 0.8],
    ] as const) {
      const { goals: count, complete, chosen, beside } = figuresOf(wide.filter(({ goal }) => (goal.heldOut ?? false) === heldOut));
      expect(complete / count).to.be.at.least(least);
      expect(beside / chosen).to.be.at.most(0.2);
    }
  });

  it("are determinants and what they need for a goal on determinants", () => {
    const [determinants] = selected;
    expect(determinants?.chosen).to.include.members(["obj-det-area", "obj-det-compute", "obj-det-invertible"]);
    expect(determinants?.beside).to.deep.equal([]);
  });
});

describe("a goal, searched by meaning", function () {
  this.timeout(120_000);
  const courses = ["linear-maps", "learning-to-learn"] as const;

  it("is related to the course that answers it, nineteen times of twenty", async () => {
    const pairs = [...goals, ...wishes, ...joinedGoals, ...widthGoals];
    expect((await relatedOf(pairs)).length / pairs.length).to.be.at.least(0.95);
  });

  it("is not related to a course on another subject, nine times of ten", async () => {
    const pairs = courses.flatMap((course) => unrelatedGoals.map((goal) => ({ course, goal })));
    expect((await relatedOf(pairs)).length / pairs.length).to.be.at.most(0.1);
  });

  it("is related to every course where it asks for the whole of it", async () => {
    expect(await relatedOf(courses.map((course) => ({ course, goal: "the whole course" })))).to.have.length(2);
  });
});

describe("what a goal is about", () => {
  it("stands beside the words of wishing", () => {
    for (const [goal, aim] of [
      ["Understand spacing", "spacing"],
      ["I'd like to learn about matrix inverses", "matrix inverses"],
      ["Ich möchte Determinanten verstehen", "Determinanten"],
      ["pass the exam on learning to learn", "learning to learn"],
      ["What a basis is", "a basis"],
      ["What a basis is.", "a basis"],
      ["What is a basis?", "a basis"],
      ["What are eigenvalues ?", "eigenvalues"],
      ["أريد أن أفهم المحددات", "المحددات"],
      ["Learn how to multiply two matrices", "how to multiply two matrices"],
    ])
      expect(aimOf(goal ?? "")).to.equal(aim);
  });

  it("is the whole course for a goal that asks for all of it", () => {
    for (const goal of ["the whole course", "Learn everything", "I want to learn the entire course", "Ich möchte alles lernen"])
      expect(isWholeCourse(aimOf(goal)), goal).to.equal(true);
    for (const goal of ["a crash course", "everything about loops"]) expect(isWholeCourse(aimOf(goal)), goal).to.equal(false);
  });

  it("leaves out what the goal excludes", () => {
    expect(aimOf("Understand determinants, not eigenvectors")).to.equal("determinants");
    expect(aimOf("Show that a map is not linear")).to.equal("Show that a map is not linear");
  });

  it("is found in a goal with runs of white space", () => {
    expect(aimOf(`Understand${" ".repeat(400)}spacing,  not\ttransfer`)).to.equal("spacing");
  });

  it("is the goal itself where nothing else is left", () => {
    expect(aimOf("Understand")).to.equal("Understand");
  });
});
