import { expect } from "chai";
import { type Candidate, rank } from "./ranking.ts";
import type { QuestionVector } from "./vectors/question.ts";

const question: QuestionVector = { model: "model", vector: new Float32Array(1), noise: { mean: 0.05, deviation: 0.05 } };
const candidate = (text: string, words: number, cosine: number | null, more: Partial<Candidate> = {}): Candidate => ({
  passage: { passageId: text, sourceId: "source", heading: "", text, role: "prose" },
  source: { sourceId: "source", kind: "block", entityId: "block", topicId: null, href: "/", title: "", trail: [] },
  courseId: "course",
  revisionId: "revision",
  order: 0,
  prior: 1,
  words,
  cosine,
  ...more,
});
const ranked = (candidates: Candidate[], by: QuestionVector | null = question) => rank(candidates, 10, by).map(({ text }) => text);

describe("ranking by words and meaning", () => {
  it("finds a passage by its words alone and one by its meaning alone", () => {
    expect(ranked([candidate("words", 8, 0.06), candidate("meaning", 0, 0.7)])).to.have.members(["words", "meaning"]);
  });

  it("puts first what both speak for", () => {
    expect(ranked([candidate("words", 8, 0.1), candidate("both", 7, 0.65), candidate("meaning", 0, 0.7)])[0]).to.equal("both");
  });

  it("does not find by meaning what is as near as unrelated texts are", () => {
    expect(ranked([candidate("noise", 0, 0.12)])).to.deep.equal([]);
  });

  it("does not scale noise up to the weight of a nearest passage", () => {
    const [best] = rank([candidate("words", 8, 0.1), candidate("noise", 0, 0.16)], 10, question);
    expect(best?.text).to.equal("words");
  });

  it("ranks a passage without a vector by its words, not behind all others", () => {
    expect(ranked([candidate("weak", 1, 0.3), candidate("new", 8, null)])[0]).to.equal("new");
  });

  it("tells what is close in meaning from what only shares words", () => {
    const found = rank([candidate("words", 8, 0.2), candidate("meaning", 0, 0.5), candidate("new", 8, null)], 10, question);
    expect(Object.fromEntries(found.map(({ text, closeness }) => [text, closeness && Math.round(closeness)]))).to.deep.equal({
      words: 3,
      meaning: 9,
      new: undefined,
    });
  });

  it("without a question's vector is the order of the words' scores", () => {
    expect(ranked([candidate("one", 1, null), candidate("three", 3, null), candidate("none", 0, null)], null)).to.deep.equal([
      "three",
      "one",
    ]);
  });

  it("raises a course with several good passages over one with a single word in common", () => {
    const [one, other] = [{ courseId: "one" }, { courseId: "other" }];
    const found = ranked([
      candidate("stray", 5, 0.3, other),
      candidate("a", 5, 0.3, one),
      candidate("b", 5, 0.3, one),
      candidate("c", 4, 0.3, one),
    ]);
    expect(found.indexOf("stray")).to.be.greaterThan(found.indexOf("b"));
  });

  it("has scores on the scale of the words' scores", () => {
    expect(rank([candidate("both", 8, 0.7)], 10, question)[0]?.score).to.be.closeTo(8, 0.001);
    expect(rank([candidate("meaning", 0, 0.7)], 10, question)[0]?.score).to.be.within(0, 1);
  });
});
