import { expect } from "chai";
import type { Prompt } from "../prompt.ts";
import type { Passage } from "../segments.ts";
import { askedOf, objectiveQuestion } from "./objective-question.ts";

const trail = ["Databases", "Data hygiene"];
const passage = (id: string, text: string, kind: string): Passage => ({ id, title: "", trail, text, kind, isMarkdown: true });
const passages: Passage[] = [
  passage("s1", "The first rule is that every value should be atomic, i.e., not contain parts that we might want to work with.", "prose"),
  passage("s2", "The second rule is that each record has a primary key.", "prose"),
  passage("s3", "- Every value in a database should be atomic.\n- Every record should have a unique primary key.", "key-points"),
];
const prompt: Prompt = { passages, history: [], question: "", whole: "" };
const onObjective = (text: string, nearest: string[]) => objectiveQuestion(prompt, { id: "o1", text, nearest });

describe("the demonstration model's question on an objective itself", () => {
  it("asks to tell what the objective tells, and how to do what it does", () => {
    const asked = [
      "Explain what an atomic value is.",
      "Understand the benefits of version control.",
      "Understand how to use Git from RStudio",
      "To be able to sort a table by a column.",
      "Demonstrate ability to export this JSON code.",
      "Correctly write statements that create tables.",
      "Demonstrate how to build a container image.",
      "Show how dependencies lead to problems.",
      "Learn about loops",
      "Apply a function to each row.",
      "SELECT all rows of a table.",
    ].map(askedOf);
    expect(asked).to.deep.equal([
      "explain what an atomic value is.",
      "explain the benefits of version control.",
      "how do you use Git from RStudio?",
      "how do you sort a table by a column?",
      "how do you export this JSON code?",
      "how do you write statements that create tables?",
      "how do you build a container image?",
      "explain how dependencies lead to problems.",
      "explain loops.",
      "how do you apply a function to each row?",
      "how do you SELECT all rows of a table?",
    ]);
  });

  it("asks nothing where an objective names nothing to do", () => {
    const named = ["Output files are a product of scripts.", "Pipes and filters", "Access Control", "Group Theory in Practice"];
    const unclear = ["Understand that sources exist.", "Understand and use loops.", "Only use global variables."];
    expect([...named, ...unclear].map(askedOf).every((asked) => asked === null)).to.equal(true);
  });

  it("compares with what says more than the objective, from the passages that the search found first", () => {
    const made = onObjective("Explain why every value in a database should be atomic.", ["s3", "s1"]);
    expect(made?.modelAnswer).to.equal(passages[0]?.text);
    expect(made?.passages).to.deep.equal(["s1"]);
    expect(made?.prompt).to.equal("In your own words: explain why every value in a database should be atomic.");
  });

  it("leaves out what neither speaks of the objective nor goes on from what does", () => {
    const made = onObjective("Explain what an atomic value is.", ["s2", "s1"]);
    expect(made?.modelAnswer).to.include("not contain parts").and.not.include("second rule");
  });

  it("is none in a course of another language", () => {
    const text = "Der Name einer Variablen und ihr Wert stehen auf einer Zeile, und der Wert kann eine Zahl sein.";
    const german: Prompt = { ...prompt, passages: [passage("s1", text, "prose")] };
    expect(objectiveQuestion(german, { id: "o1", text: "Name und Wert einer Variablen", nearest: ["s1"] })).to.equal(null);
  });

  it("is none where the search found nothing", () => {
    expect(onObjective("Explain what an atomic value is.", [])).to.equal(null);
  });
});
