import { expect } from "chai";
import { z } from "zod";
import { generationSchemas } from "./index.ts";
import { emptyScene, type GeneratedScene, sceneContent } from "./storyboard.ts";

const choice = (text: string, correct: boolean) => ({ text, correct });
const question = (more: object = {}) => ({
  kind: "single",
  prompt: "What does a pipe do?",
  choices: [choice("It connects", true), choice("It deletes", false)],
  explanation: "It says so.",
  passages: ["s1"],
  ...more,
});
const messages = (name: keyof typeof generationSchemas, value: unknown) =>
  generationSchemas[name].safeParse(value).error?.issues.map((issue) => issue.message) ?? [];

describe("the schemas of generated objects", () => {
  it("keep to what every provider's JSON Schema takes: required fields only, no unions, nothing beside", () => {
    const walk = (node: unknown): void => {
      if (Array.isArray(node)) {
        node.forEach(walk);
        return;
      }
      if (typeof node !== "object" || node === null) return;
      const schema = node as Record<string, unknown>;
      expect(schema).to.not.have.any.keys("anyOf", "oneOf", "allOf", "$ref", "not");
      if (schema.type === "object") {
        expect(schema.additionalProperties).to.equal(false);
        expect(schema.required).to.have.members(Object.keys(schema.properties as object));
      }
      Object.values(schema).forEach(walk);
    };
    for (const schema of Object.values(generationSchemas)) walk(z.toJSONSchema(schema));
  });

  it("refuse a quiz whose choices or questions are not sound, and say what is wrong", () => {
    const quiz = (...questions: object[]) => messages("quiz", { title: "Pipes", questions });
    expect(quiz(question())).to.deep.equal([]);
    expect(quiz(question({ choices: [choice("a", true), choice("b", true)] }))).to.deep.equal(["needs exactly one correct choice, has 2"]);
    expect(quiz(question({ choices: [choice("It connects", true), choice(" it  CONNECTS", false)] }))).to.deep.equal([
      "choice 2 repeats another",
    ]);
    expect(quiz(question({ kind: "multiple", choices: [choice("a", true), choice("b", true)] }))).to.deep.equal(["needs a wrong choice"]);
    expect(quiz(question(), question())).to.deep.equal(["repeats another question"]);
    expect(quiz(question({ passages: [] }))).to.have.length(1);
    expect(quiz(question({ passages: ["source-7"] }))).to.have.length(1);
  });

  it("refuse a plan whose prerequisites do not come before", () => {
    const step = (key: string, ...prerequisites: string[]) => ({
      key,
      title: key,
      objectiveIds: [],
      passages: ["s1"],
      prerequisites,
      reason: "So.",
    });
    expect(messages("plan", { steps: [step("p1"), step("p2", "p1")] })).to.deep.equal([]);
    expect(messages("plan", { steps: [step("p1", "p2"), step("p2")] })).to.deep.equal(["p2 does not come before"]);
    expect(messages("plan", { steps: [step("p1"), step("p1")] })).to.deep.equal(["repeats another step's key"]);
  });

  it("refuse a check that does not fit its kind", () => {
    const check = {
      prompt: "Say what a pipe is.",
      selection: "text",
      choices: [],
      rubric: ["It connects."],
      modelAnswer: "",
      hint: "h",
      explanation: "e",
      passages: ["s1"],
    };
    expect(messages("check", check)).to.deep.equal([]);
    expect(messages("check", { ...check, rubric: [] })).to.deep.equal(["a text item needs a rubric"]);
    expect(messages("check", { ...check, selection: "single" })).to.include("needs at least two choices");
    expect(messages("check", { ...check, prompt: " " })).to.have.length(1);
    expect(messages("check", { ...check, passages: [] })).to.have.length(1);
  });

  it("take for an answer that the passages give no question", () => {
    const none = { selection: "none", prompt: "", choices: [], rubric: [], modelAnswer: "", hint: "", explanation: "", passages: [] };
    expect(messages("check", none)).to.deep.equal([]);
    expect(messages("check", { ...none, selection: "text" })).to.not.deep.equal([]);
    expect(messages("probe", { items: [] })).to.deep.equal([]);
    expect(messages("quiz", { title: "t", questions: [] })).to.deep.equal([]);
  });

  it("take for an answer that the passages give no film, and a film with at most as many scenes as one has", () => {
    expect(messages("storyboard", { title: "t", refusal: "There is nothing to show.", scenes: [] })).to.deep.equal([]);
    const scene = {
      ...emptyScene,
      layout: "points",
      heading: "h",
      points: ["p"],
      narration: "n",
      passages: ["s1"],
      quotes: [{ passage: "s1", quote: "q" }],
    };
    const board = (count: number) =>
      messages("storyboard", { title: "t", refusal: "", scenes: Array.from({ length: count }, () => scene) });
    expect(board(9)).to.deep.equal([]);
    expect(board(10)).to.have.length(1);
    expect(messages("storyboard", { title: "t", refusal: "", scenes: [{ ...scene, seconds: 4 }] })).to.have.length(1);
  });

  const contentOf = (more: Partial<GeneratedScene> & Pick<GeneratedScene, "layout">) =>
    sceneContent({ ...emptyScene, heading: "h", narration: "n", passages: [], quotes: [], ...more }).content;

  it("leave out of a plane and a table what a model leaves empty", () => {
    expect(contentOf({ layout: "plane" })).to.not.have.any.keys("tangents", "parameter");
    expect(contentOf({ layout: "table" })).to.not.have.property("compared");
  });

  it("have tangents that travel, or stay, a parameter and a comparison", () => {
    const tangent = { curve: 0, at: 1, cue: "", to: 0, toCue: "" };
    const parameter = { name: "a", from: 1, to: 2, cue: "a grows" };
    const plane = { ...emptyScene.plane, tangents: [tangent, { ...tangent, to: 2, toCue: "on to" }], parameter };
    expect(contentOf({ layout: "plane", plane })).to.deep.include({
      tangents: [
        { curve: 0, at: 1, cue: "", to: null },
        { curve: 0, at: 1, cue: "", to: { at: 2, cue: "on to" } },
      ],
      parameter,
    });
    const compared = { of: "rows", first: 0, second: 1, cue: "beside" } as const;
    expect(contentOf({ layout: "table", table: { ...emptyScene.table, compared } })).to.deep.include({ compared });
  });
});
