import { evaluationCourses } from "@colloquy/command-api/grounding/evaluation/courses.ts";
import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { shippedModel, shippedModelKey } from "@colloquy/infra/embeddings/shipped-model.ts";
import type { SearchIndex } from "@colloquy/schemas/courses/revision.ts";
import { expect } from "chai";
import { measure, miniSearch, ourSearch, plainBm25, searchByMeaning } from "./evaluation/measure.ts";
import { questionedCourses, questionsOn } from "./evaluation/questions.ts";
import { shippedVectors } from "./vectors/shipped-vectors.ts";

describe("passages found for questions", function () {
  this.timeout(120_000);
  const questions = questionedCourses.flatMap(questionsOn);
  let courses: SearchIndex[];
  before(async () => {
    courses = await evaluationCourses();
  });
  /** Among the demonstration courses alone there is less to confuse: plain searches find more of it. */
  const isWhole = () => questionedCourses.every((course) => courses.some(({ courseId }) => courseId === course));
  const present = () => questions.filter(({ course }) => courses.some(({ courseId }) => courseId === course));

  it("ask for words of one passage each, and enough are held out", () => {
    expect(questions.length).to.be.at.least(150);
    const heldOut = questions.filter(({ set }) => set === "held-out").length;
    expect(heldOut / questions.length).to.be.within(0.3, 0.4);
    expect(new Set(questions.map(({ question }) => question.toLowerCase())).size).to.equal(questions.length);
    for (const { question, relevant } of questions) {
      expect(
        relevant.some(({ grade }) => grade === 2),
        question,
      ).to.equal(true);
      expect(new Set(relevant.map(({ phrase }) => phrase)).size, question).to.equal(relevant.length);
    }
    const texts = courses.flatMap(({ courseId, passages }) =>
      passages.map(({ text }) => ({ courseId, text: text.replaceAll(/\s+/g, " ") })),
    );
    for (const { question, course, relevant } of present())
      for (const { phrase } of relevant) {
        const holding = texts.flatMap(({ courseId, text }) => (text.includes(phrase) ? [courseId] : []));
        expect(holding, `${question}: ${phrase}`).to.deep.equal([course]);
      }
  });

  for (const set of ["tuning", "held-out"] as const)
    it(`answer better than plain searches find them (${set})`, async () => {
      const asked = present().filter((question) => question.set === set);
      const quality = await measure(await ourSearch(courses), asked);
      for (const plain of [miniSearch(courses), plainBm25(courses)]) {
        const baseline = await measure(plain, asked);
        const both = JSON.stringify({ quality, baseline });
        expect(quality.ndcg, both).to.be.greaterThan(baseline.ndcg * (isWhole() ? 1.25 : 1.1));
        expect(quality.recall, both).to.be.greaterThan(baseline.recall * (isWhole() ? 1.15 : 1.1));
        expect(quality.reciprocalRank, both).to.be.greaterThan(baseline.reciprocalRank * (isWhole() ? 1.25 : 1.1));
      }
    });

  it("answer better with their meaning than by words alone (demonstration courses)", async () => {
    const known = await shippedVectors(shippedModelKey);
    const demonstration = courses.filter(({ courseId }) => demonstrationCourses.some((course) => course.courseId === courseId));
    const asked = questions.filter(({ course }) => demonstration.some(({ courseId }) => courseId === course));
    const model = shippedModel();
    try {
      const [words, both] = [await ourSearch(demonstration), await searchByMeaning(demonstration, model, known)];
      const [baseline, quality] = [await measure(words, asked), await measure(both, asked)];
      expect(quality.recall, JSON.stringify({ quality, baseline })).to.be.greaterThan(baseline.recall + 0.03);
      expect(quality.ndcg, JSON.stringify({ quality, baseline })).to.be.greaterThan(baseline.ndcg + 0.03);
    } finally {
      await model.close();
    }
  });

  it("come from the course about the question, not one sharing its words", async () => {
    const search = await ourSearch(courses);
    const found = (await search("How do I find the eigenvalues of a matrix? Show the formula.")).map(({ text }) =>
      text.replaceAll(/\s+/g, " "),
    );
    expect(found.findIndex((text) => text.includes("for a 2 by 2 matrix it only needs the trace and the determinant"))).to.be.within(0, 4);
    expect(found.slice(0, 5).filter((text) => /theorem proving|Lean\b/i.test(text))).to.deep.equal([]);
  });
});
