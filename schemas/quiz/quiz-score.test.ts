import { expect } from "chai";
import fc from "fast-check";
import type { Question, Quiz } from "./quiz.ts";
import { pointsOf, quizPoints, quizScore } from "./quiz-score.ts";

const question = (kind: Question["kind"], correct: string[], count = 4): Question => ({
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
  const cases: [Question["kind"], string, string, number][] = [
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
