import { expect } from "chai";
import fc from "fast-check";
import { partId } from "../questions/shown.ts";
import type { ChoiceQuestion, CourseQuestion, Quiz } from "./quiz.ts";
import { pointsOf, quizPoints, quizScore } from "./quiz-score.ts";

const question = (kind: ChoiceQuestion["kind"], correct: string[], count = 4): ChoiceQuestion => ({
  questionId: "question-1",
  kind,
  prompt: "?",
  correct,
  explanation: "!",
  sourceIds: [],
  choices: ["a", "b", "c", "d", "e", "f", "g", "h"].slice(0, count).map((choiceId) => ({ choiceId, text: choiceId })),
});

describe("the scoring rule", () => {
  // [kind, right choices, chosen, points]
  const cases: [ChoiceQuestion["kind"], string, string, number][] = [
    ["single", "a", "a", 1],
    ["single", "a", "b", 0],
    ["single", "a", "", 0],
    ["single", "a", "ab", 0],
    ["single", "a", "z", 0],
    ["multiple", "ab", "ab", 1],
    ["multiple", "ab", "a", 0.5],
    ["multiple", "ab", "abc", 0.5],
    ["multiple", "ab", "ac", 0],
    ["multiple", "ab", "abcd", 0],
    ["multiple", "ab", "cd", 0],
    ["multiple", "ab", "", 0],
    ["multiple", "abc", "ab", 2 / 3],
    ["multiple", "abc", "aabb", 2 / 3],
    ["multiple", "abc", "abz", 2 / 3],
    ["multiple", "abcd", "abcd", 1],
  ];
  for (const [kind, correct, chosen, points] of cases)
    it(`${kind}, right ${correct}, chosen ${chosen || "nothing"}: ${points.toFixed(2)}`, () =>
      expect(pointsOf(question(kind, [...correct]), [...chosen])).to.be.closeTo(points, 1e-9));

  const authored = { courseId: "course-01", blockId: "block-001", digest: "0".repeat(64) };
  const common = { level: "recall" as const, about: [], place: "bank" as const, markdown: "?", hints: [] };
  const ofCourse = (key: CourseQuestion["key"]): CourseQuestion => ({ questionId: "question-1", authored, key, sourceIds: [] });

  it("scores a choice of the course's own by the same rule", () => {
    const choices = ["a", "b", "c", "d"].map((markdown, index) => ({ markdown, correct: index < 2 }));
    const asked = ofCourse({ ...common, kind: "multiple", choices });
    expect(pointsOf(asked, { choiceIds: ["a", "b", "c"].map(partId) })).to.equal(0.5);
    expect(pointsOf(asked, { choiceIds: ["a", "b"].map(partId) })).to.equal(1);
  });

  it("gives gaps and pairs their share, and an order everything or nothing", () => {
    const gaps = ofCourse({ ...common, kind: "gap", markdown: "[[1]] [[2]]", gaps: [["one"], ["two"]] });
    expect(pointsOf(gaps, { texts: ["one", "three"] })).to.equal(0.5);
    const pairs = ["a", "b", "c"].map((left) => ({ left, right: left.toUpperCase() }));
    const match = ofCourse({ ...common, kind: "match", pairs, extra: [] });
    const matched = pairs.map(({ left, right }) => ({ left: partId(left), right: partId(right) }));
    expect(pointsOf(match, { pairs: [...matched.slice(0, 2), { left: partId("c"), right: partId("A") }] })).to.be.closeTo(2 / 3, 1e-9);
    const order = ofCourse({ ...common, kind: "order", items: ["a", "b", "c"] });
    expect(pointsOf(order, { choiceIds: ["a", "c", "b"].map(partId) })).to.equal(0);
    expect(pointsOf(order, { choiceIds: ["a", "b", "c"].map(partId) })).to.equal(1);
  });

  it("gives nothing for an answer of another form", () => {
    expect(pointsOf(ofCourse({ ...common, kind: "text", accepted: ["a"] }), ["a"])).to.equal(0);
    expect(pointsOf(question("single", ["a"]), { choiceIds: ["a"] })).to.equal(0);
  });

  it("gives a full point to exactly the right choices and never less than none", () => {
    const ids = fc.subarray(["a", "b", "c", "d", "e", "f"]);
    fc.assert(
      fc.property(fc.subarray(["a", "b", "c", "d", "e", "f"], { minLength: 1 }), ids, (correct, chosen) => {
        const points = pointsOf(question("multiple", correct, 6), chosen);
        expect(points).to.be.within(0, 1);
        expect(points === 1).to.equal([...correct].sort().join() === [...chosen].sort().join());
      }),
    );
  });

  it("adds up over a quiz, what was not answered counting nothing", () => {
    const questions = ["q1", "q2", "q3", "q4"].map((questionId) => ({ ...question("multiple", ["a", "b"]), questionId }));
    const quiz: Quiz = { type: "quiz", quizId: "quiz-0001", title: "T", questions, sources: [] };
    const answers = { q1: ["a", "b"], q2: ["a"], q4: [] };
    expect(quizPoints(quiz, answers)).to.equal(1.5);
    expect(quizScore(quiz, answers)).to.equal(0.375);
  });
});
