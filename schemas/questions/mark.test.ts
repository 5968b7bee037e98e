import { expect } from "chai";
import { parseQuestion } from "../courses/parsers/question.ts";
import { type MechanicalQuestion, markResponse } from "./mark.ts";
import { questionResponse } from "./response.ts";
import { partId } from "./shown.ts";

function key(kind: string, body: string, header = ""): MechanicalQuestion {
  const result = parseQuestion(`---\nkind: ${kind}\n${header}---\n${body}\n\n::: explanation\nSo.\n:::`);
  if (!result.ok || result.data.kind === "free") throw new Error(JSON.stringify(result));
  return result.data;
}
const ids = (...texts: string[]) => ({ choiceIds: texts.map(partId) });

describe("marking a response", () => {
  it("knows the right choice, and gives the feedback of the one taken", () => {
    const single = key("single", "Q\n- [x] a\n- [ ] b\n  > No.");
    expect(markResponse(single, ids("a"))).to.deep.equal({ correct: true, parts: [true] });
    expect(markResponse(single, ids("b"))).to.deep.equal({ correct: false, parts: [false], feedback: ["No."] });
    for (const response of [ids(), ids("a", "b"), ids("a", "a"), { text: "a" }])
      expect(markResponse(single, response).correct, JSON.stringify(response)).to.equal(false);
  });

  it("takes all right choices and no other for multiple choice", () => {
    const multiple = key("multiple", "Q\n- [x] a\n- [x] b\n- [ ] c\n  > No.");
    expect(markResponse(multiple, ids("b", "a")).correct).to.equal(true);
    expect(markResponse(multiple, ids("a"))).to.deep.equal({ correct: false, parts: [true] });
    expect(markResponse(multiple, ids("a", "b", "c"))).to.deep.equal({ correct: false, parts: [true, true, false], feedback: ["No."] });
    expect(markResponse(multiple, { choiceIds: [...ids("a", "b").choiceIds, "other"] }).correct).to.equal(false);
  });

  it("compares words without case, spaces, quotes and a full stop", () => {
    const words = key("text", "Q\n= eigen vector\n= `ls -l`");
    for (const text of ["Eigen  vector", " eigen vector. ", "“eigen vector”", "`eigen vector`.", "ls -l", "LS -L"])
      expect(markResponse(words, { text }).correct, text).to.equal(true);
    for (const text of ["", "eigenvector", "eigen vectors", "."]) expect(markResponse(words, { text }).correct, text).to.equal(false);
  });

  const sameWords: [accepted: string, right: string[], wrong: string[]][] = [
    [
      "the first column of B",
      ["first column of B", "1st column of b", "B's first column", "the first column of the B"],
      ["second column of B", "the first column", "first column of A", "first columns of B"],
    ],
    ["basis", ["a basis", "the basis!", "basis."], ["bases", "no basis", "not a basis"]],
    ["an eigenvector", ["eigenvector", "the eigenvector"], ["an eigenvalue"]],
    ["2 dimensions", ["two dimensions", "2 dimensions"], ["three dimensions", "2"]],
    ["two", ["two"], ["2"]],
    ["long term memory", ["long-term memory", "long term, memory"], ["longterm memory", "term memory"]],
    ["two-dimensional plane", ["two dimensional plane"], ["two dimension plane"]],
    ["apt-get", ["apt-get"], ["apt get"]],
    ["n-1", ["n\u22121"], ["n 1", "n, 1", "n"]],
    ["x, y", ["x, y"], ["x y", "x-y"]],
    ["n!", ["n!"], ["n"]],
    ["5", ["five"], ["five!", "5!"]],
    ["0", ["zero"], ["null"]],
    ["a map of the plane", ["map of plane"], ["a map of a plane"]],
    ["the theory of sets", ["theory of sets"], ["set's theory"]],
    ["A is kept", ["a is kept"], ["is kept"]],
    ["analyse the centre of it", ["analyze the center of it"], ["analysis the centre of it"]],
    ["diagonalise the colour", ["diagonalize the color"], ["diagonal the colour"]],
    ["A", ["a"], ["", "the A B"]],
    ["the", ["the"], ["", "a"]],
    ["$HOME", ["$home"], ["HOME", "the $HOME"]],
    ["wc -l", ["wc -l"], ["wc l", "the wc -l"]],
    ["A and B", ["a and b"], ["and B", "B and A"]],
  ];
  for (const [accepted, right, wrong] of sameWords)
    it(`takes the same words in another form for ${accepted}`, () => {
      const words = key("text", `Q\n= ${accepted}`);
      for (const text of right) expect(markResponse(words, { text }).correct, text).to.equal(true);
      for (const text of wrong) expect(markResponse(words, { text }).correct, text).to.equal(false);
    });

  it("reads the minus signs and dashes of any keyboard", () => {
    const gap = key("gap", "[[-5]] and `[[--all]]`");
    expect(markResponse(gap, { texts: ["\u22125", "\u2014all"] }).correct).to.equal(true);
    expect(markResponse(gap, { texts: ["5", "--all"] }).correct).to.equal(false);
    const words = key("text", "Q\n= A - 7I");
    expect(markResponse(words, { text: "A \u2212 7I" }).correct).to.equal(true);
  });

  const numbers: [number: string, header: string, right: string[], wrong: string[]][] = [
    [
      "3.5",
      "unit: cm\n",
      ["3.5", "3,5", "3.50 cm", "7/2", "3 1/2", "٣٫٥", "35e-1", "3.5cm"],
      ["3.5 mm", "3.51", "35", "", "cm", "3.5.", "Infinity"],
    ],
    ["-1/3", "tolerance: 0.01\n", ["-0.33", "−0,33", "-1/3"], ["0.33", "-0.3", "1/-0"]],
    ["1200", "", ["1,200", "1.200", "1 200", "1’200", "1200", "1.2e3", "1.2·10^3", "12x10^2"], ["1,2", "12,00", "1,2000"]],
    ["1", "", ["1", "1,000", "1.000", "1.0"], ["1000"]],
    ["50", "unit: %\n", ["50", "50 %", "50%"], ["0.5", "%"]],
    ["0", "", ["0", "-0", "0.0", "zero"], ["", "0.001", "NULL"]],
    ["12", "", ["= 12", "x = 12", "λ=12", "x_1 = 12", "twelve", "Zwölf"], ["x > 12", "12 = x = 3", "xy = 12", "=", "the twelve"]],
    ["7", "unit: N\n", ["seven", "seven N", "7N"], ["seve"]],
    ["-2", "unit: cm\n", ["minus two", "x = minus two", "minus two cm"], ["two", "minus"]],
  ];
  for (const [number, header, right, wrong] of numbers)
    it(`reads numbers as learners write them: ${number}`, () => {
      const value = key("number", `Q\n= ${number}`, header);
      for (const text of right) expect(markResponse(value, { text }).correct, text).to.equal(true);
      for (const text of wrong) expect(markResponse(value, { text }).correct, text).to.equal(false);
    });

  it("marks each gap, and counts case in code only", () => {
    const gaps = key("gap", "A [[Pipe|bar]] in `ls [[-R]]`:\n```\nwc [[-l]]\n```");
    expect(markResponse(gaps, { texts: ["pipe", "-R", "-l"] })).to.deep.equal({ correct: true, parts: [true, true, true] });
    expect(markResponse(gaps, { texts: ["bar", "-r", "-L"] })).to.deep.equal({ correct: false, parts: [true, false, false] });
    expect(markResponse(gaps, { texts: ["pipe"] }).correct).to.equal(false);
    expect(markResponse(gaps, { texts: ["pipe", "-R", "-l", "x"] }).correct).to.equal(false);
  });

  it("marks each place of an order", () => {
    const order = key("order", "Q\n1. a\n2. b\n3. c");
    expect(markResponse(order, ids("a", "b", "c"))).to.deep.equal({ correct: true, parts: [true, true, true] });
    expect(markResponse(order, ids("a", "c", "b")).parts).to.deep.equal([true, false, false]);
    expect(markResponse(order, ids("a", "b")).correct).to.equal(false);
  });

  it("marks each pair", () => {
    const match = key("match", "Q\n- a => 1\n- b => 2\n- => 3");
    const pairs = (...given: [string, string][]) => ({
      pairs: given.map(([left, right]) => ({ left: partId(left), right: partId(right) })),
    });
    expect(markResponse(match, pairs(["b", "2"], ["a", "1"])).correct).to.equal(true);
    expect(markResponse(match, pairs(["a", "1"], ["b", "3"]))).to.deep.equal({ correct: false, parts: [true, false] });
    expect(markResponse(match, pairs(["a", "1"], ["a", "1"])).correct).to.equal(false);
  });

  it("takes ids of parts as responses", () => {
    expect(questionResponse.safeParse(ids("a", "a longer text")).success).to.equal(true);
    expect(questionResponse.safeParse({ choiceIds: ["a b"] }).success).to.equal(false);
  });
});
