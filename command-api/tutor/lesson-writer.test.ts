import { expect } from "chai";
import { passageFixture } from "../grounding/passage.fixture.ts";
import { lessonWriter } from "./proposals.ts";

describe("a lesson in the making", () => {
  it("shows no list of questions that a model adds, however it arrives", () => {
    const text = "A pipe joins two programs [s1].\n\n<follow-ups>\nWhy? [s1]\n</follow-ups>";
    for (const size of [1, 7, text.length]) {
      const lesson = lessonWriter([passageFixture(1, "A pipe joins two programs.")]);
      for (let at = 0; at < text.length; at += size) lesson.take(text.slice(at, at + size));
      lesson.end();
      expect(lesson.text().trim()).to.equal("A pipe joins two programs[^1].");
    }
  });
});
