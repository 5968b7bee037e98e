import type { SearchIndex } from "@colloquy/schemas/courses/revision.ts";
import { expect } from "chai";
import { doubtQuality, labelledClaims, passagesWith } from "./claims.ts";
import { evaluationCourses } from "./courses.ts";

describe("the support check on labelled claims", () => {
  const claims = labelledClaims();
  let courses: SearchIndex[];
  before(async () => {
    courses = await evaluationCourses();
  });
  const present = () => claims.filter(({ course }) => courses.some(({ courseId }) => courseId === course));

  it("has enough of them, of every kind, each under passages that are there", () => {
    expect(claims.length).to.be.at.least(120);
    expect(new Set(claims.filter(({ supported }) => !supported).map(({ kind }) => kind))).to.deep.equal(
      new Set(["number", "entity", "negation", "roles", "other", "half", "formula", "code"]),
    );
    for (const { course, phrases } of present())
      for (const phrase of phrases)
        expect(
          courses.flatMap((other) => passagesWith(phrase, other).map(() => other.courseId)),
          phrase,
        ).to.deep.equal([course]);
  });

  for (const [set, least] of [
    ["tuning", 0.6],
    ["held-out", 0.6],
  ] as const)
    it(`raises few false alarms and finds most of what is not carried (${set})`, () => {
      const quality = doubtQuality(
        present().filter((claim) => claim.set === set),
        courses,
      );
      console.log(
        `      ${set}: ${quality.claims} claims, precision ${quality.precision.toFixed(2)}, recall ${quality.recall.toFixed(2)}, false alarms ${quality.falseAlarms.toFixed(3)}`,
      );
      expect(quality.falseAlarms).to.be.at.most(0.05);
      expect(quality.recall).to.be.at.least(least);
    });
});
