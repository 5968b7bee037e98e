import { evaluationCourses } from "@colloquy/command-api/grounding/evaluation/courses.ts";
import { languageOf, queryTerms, termsOf } from "@colloquy/projections/passages/queries.ts";
import { expect } from "chai";
import { type AskQuestion, folded, lastTurn, questionKinds, questionSets, readQuestions } from "./questions.ts";

const language = languageOf("en");
/** Stems of words without content that are no stop words of the search. */
const functionWords = new Set(
  "each everything something anything nothing away back may else once".split(" ").map((word) => language.stem(word)),
);

describe("the questions of the ask evaluation", function () {
  this.timeout(120_000);
  const questions = questionSets.flatMap(readQuestions);

  it("are many, of every kind, and enough are held out", () => {
    expect(questions.length).to.be.at.least(200);
    expect(questions.filter(({ set }) => set === "held-out").length).to.be.at.least(60);
    for (const set of questionSets)
      for (const kind of questionKinds)
        expect(questions.filter((one) => one.set === set && one.kind === kind).length, kind).to.be.at.least(5);
    for (const { turns, attached, kind, selection } of questions) {
      expect(
        turns.every(({ relevant }) => relevant.some(({ grade }) => grade === 2)),
        turns[0]?.text,
      ).to.equal(true);
      expect(attached !== null, turns[0]?.text).to.equal(["in-course", "on-page", "vague", "selection"].includes(kind));
      expect(selection !== null, turns[0]?.text).to.equal(kind === "selection");
      expect(turns.at(-1)?.rewrite !== null, turns[0]?.text).to.equal(["rewritten", "follow-up rewritten", "language"].includes(kind));
    }
  });

  it("name each block by words of that block alone", async () => {
    const courses = (await evaluationCourses()).map(({ courseId, passages }) => ({
      courseId,
      passages: passages.map(({ text }) => folded(text)),
    }));
    const wrong: string[] = [];
    for (const { courseId, selection, turns } of questions) {
      if (!courses.some((course) => course.courseId === courseId)) continue;
      for (const phrase of [...(selection ? [selection] : []), ...turns.flatMap(({ relevant }) => relevant.map((block) => block.phrase))]) {
        const words = folded(phrase);
        const holding = courses.flatMap((course) => course.passages.flatMap((text) => (text.includes(words) ? [course.courseId] : [])));
        if (holding.join() !== courseId) wrong.push(`${courseId}: ${phrase} (${holding.join()})`);
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  it("share no content word with their answer, half of those in own words", async () => {
    const courses = await evaluationCourses();
    const isShared = (question: AskQuestion): boolean => {
      const course = courses.find(({ courseId }) => courseId === question.courseId);
      const { text, relevant } = lastTurn(question);
      const asked = queryTerms(text, language).filter((term) => !language.weakWords.has(term) && !functionWords.has(term));
      return relevant.some(({ phrase, grade }) => {
        const words = folded(phrase);
        const block = grade === 2 && course?.passages.find((passage) => folded(passage.text).includes(words));
        const terms = new Set(block ? termsOf(block.text, language) : []);
        return asked.some((term) => terms.has(term));
      });
    };
    for (const set of questionSets) {
      const own = questions.filter(
        (question) =>
          question.set === set && question.kind === "own-words" && courses.some(({ courseId }) => courseId === question.courseId),
      );
      expect(own.filter((question) => !isShared(question)).length / own.length, set).to.be.at.least(0.5);
    }
  });
});
