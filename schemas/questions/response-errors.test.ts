import { expect } from "chai";
import { parseQuestion } from "../courses/parsers/question.ts";
import type { MechanicalQuestion } from "./mark.ts";
import { responseErrors } from "./response-errors.ts";
import { partId } from "./shown.ts";

function key(kind: string, body: string, header = ""): MechanicalQuestion {
  const result = parseQuestion(`---\nkind: ${kind}\n${header}---\n${body}\n\n::: explanation\nSo.\n:::`);
  if (!result.ok || result.data.kind === "free") throw new Error(JSON.stringify(result));
  return result.data;
}
const typed = (question: MechanicalQuestion, text: string) => responseErrors(question, { text });

describe("what is wrong in a response", () => {
  it("is nothing for a right one, and for choices", () => {
    expect(typed(key("number", "Q\n= 5"), "5")).to.deep.equal([]);
    expect(responseErrors(key("single", "Q\n- [x] a\n- [ ] b"), { choiceIds: [partId("b")] })).to.deep.equal([]);
  });

  const length = key("number", "Q\n= 35", "tolerance: 0.5\nunit: cm\n");
  const cases: [text: string, error: object][] = [
    ["-35", { error: "wrong_sign" }],
    ["-35.8", { error: "sign_and_amount" }],
    ["-80", { error: "sign_and_amount" }],
    ["35.8", { error: "near_miss" }],
    ["3.5", { error: "power_of_ten", power: -1 }],
    ["3500", { error: "power_of_ten", power: 2 }],
    ["0.0286", { error: "reciprocal" }],
    ["80", { error: "too_large" }],
    ["12", { error: "too_small" }],
    ["350 mm", { error: "other_unit", unit: "cm" }],
    ["0,35 m", { error: "other_unit", unit: "cm" }],
    ["35 mm", { error: "other_unit", unit: "cm" }],
    ["35 kg", { error: "other_unit", unit: "cm" }],
    ["long", { error: "not_a_number" }],
  ];
  for (const [text, error] of cases)
    it(`is ${JSON.stringify(error)} for “${text}” instead of 35 ± 0.5 cm`, () => {
      expect(typed(length, text)).to.deep.equal([error]);
    });

  it("is a sign in a gap, whatever the amount", () => {
    const gaps = key("gap", "[[-5]] and [[3]]");
    expect(responseErrors(gaps, { texts: ["5", "-4"] })).to.deep.equal([
      { error: "wrong_sign", gap: 1 },
      { error: "sign_and_amount", gap: 2 },
    ]);
  });

  it("is a unit where none is asked", () => {
    expect(typed(key("number", "Q\n= 5"), "5 lines")).to.deep.equal([{ error: "unit_not_asked" }]);
  });

  it("finds no sign, power or reciprocal of zero", () => {
    const zero = key("number", "Q\n= 0");
    expect(typed(zero, "3")).to.deep.equal([{ error: "too_large" }]);
    expect(typed(zero, "-3")).to.deep.equal([{ error: "too_small" }]);
  });

  it("tells close spellings, signs, order and surplus from other words", () => {
    const words = key("text", "Q\n= eigenvector\n= working directory");
    expect(typed(words, "eigenvektor")).to.deep.equal([{ error: "letters" }]);
    expect(typed(words, "egienvector")).to.deep.equal([{ error: "letters" }]);
    expect(typed(words, "eigen-vector")).to.deep.equal([{ error: "signs" }]);
    expect(typed(words, "directory working")).to.deep.equal([{ error: "word_order" }]);
    expect(typed(words, "my working directory")).to.deep.equal([{ error: "too_much" }]);
    expect(typed(words, "directory")).to.deep.equal([{ error: "too_little" }]);
    for (const other of ["eigenvalue", "matrix", "home directory"]) expect(typed(words, other), other).to.deep.equal([]);
  });

  it("takes opposites, numbers and short options for no misspelling", () => {
    expect(typed(key("text", "Q\n= increase"), "decrease")).to.deep.equal([]);
    expect(typed(key("text", "Q\n= port 8080"), "port 8081")).to.deep.equal([]);
    expect(typed(key("text", "Q\n= grep -c"), "grep -v")).to.deep.equal([]);
  });

  it("names the gap, and the other gap that an answer belongs in", () => {
    const gaps = key("gap", "[[head]] then `[[sort]] -n` then [[filter]]");
    expect(responseErrors(gaps, { texts: ["sort", "Sort", "filtre"] })).to.deep.equal([
      { error: "other_gap", gap: 1, other: 2 },
      { error: "case", gap: 2 },
      { error: "letters", gap: 3 },
    ]);
    expect(responseErrors(gaps, { texts: ["head", "", "other"] })).to.deep.equal([]);
  });

  it("takes a number word in a sentence for a word", () => {
    expect(responseErrors(key("gap", "at most [[one]] and the [[zero]] vector"), { texts: ["many", "other"] })).to.deep.equal([]);
  });

  it("sends no answer to a gap that is filled rightly", () => {
    expect(responseErrors(key("gap", "[[head]] then [[tail]]"), { texts: ["tail", "tail"] })).to.deep.equal([]);
  });

  it("says of a number in a gap what it says of a number", () => {
    const gaps = key("gap", "[[4]] and [[-5]] and [[5|6]] and `[[2.50]]` and [[1]]");
    const given = ["-4", "5", "sum", "2.5", ""];
    expect(responseErrors(gaps, { texts: given.with(2, "5") })).to.deep.equal([
      { error: "wrong_sign", gap: 1 },
      { error: "wrong_sign", gap: 2 },
      { error: "same_number", gap: 4 },
    ]);
    expect(responseErrors(gaps, { texts: given })[2]).to.deep.equal({ error: "not_a_number", gap: 3 });
  });

  it("takes signs and points of numbers for more than another way of writing", () => {
    const text = key("text", "Q\n= x = -5\n= 1.5 m");
    for (const other of ["x = 5", "15 m"]) expect(typed(text, other), other).to.deep.equal([]);
    expect(typed(text, "x=-5")).to.deep.equal([{ error: "signs" }]);
    expect(typed(key("text", "Q\n= -5000"), "5000")).to.deep.equal([]);
  });

  it("does not call a negative number large whose amount is", () => {
    expect(typed(key("number", "Q\n= -24"), "-240")).to.deep.equal([{ error: "power_of_ten", power: 1, negative: true }]);
  });

  const order = key("order", "Q\n1. a\n2. b\n3. c\n4. d\n5. e");
  const orders: [given: string, error: object][] = [
    ["badce", { error: "first_wrong", place: 1 }],
    ["adcbe", { error: "swapped", place: 2, other: 4 }],
    ["aecdb", { error: "swapped", place: 2, other: 5 }],
    ["acdeb", { error: "misplaced", place: 5 }],
    ["eabcd", { error: "misplaced", place: 1 }],
  ];
  for (const [given, error] of orders)
    it(`is ${JSON.stringify(error)} in the order ${given}`, () => {
      expect(responseErrors(order, { choiceIds: [...given].map(partId) })).to.deep.equal([error]);
    });

  it("names pairs that are swapped, and leaves all others to their marks", () => {
    const match = key("match", "Q\n- a => 1\n- b => 2\n- c => 3\n- d => 4");
    const given = (...rights: string[]) => ({
      pairs: rights.map((right, index) => ({ left: partId("abcd"[index] ?? ""), right: partId(right) })),
    });
    expect(responseErrors(match, given("2", "1", "3", "4"))).to.deep.equal([
      { error: "swapped_pairs", left: partId("a"), other: partId("b") },
    ]);
    for (const rights of ["2314", "2234", "2341"]) expect(responseErrors(match, given(...rights)), rights).to.deep.equal([]);
  });
});
