import { evaluationCourses } from "@colloquy/command-api/grounding/evaluation/courses.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { claimWarnings } from "./claims.ts";
import { readSentences, sentenceSets } from "./evaluation/sentences.ts";

type Passage = { sourceId: string; heading: string; text: string };
const warned = (heading: string, passages: readonly Passage[]): string[] => {
  const sourceIds = [...new Set(passages.map(({ sourceId }) => sourceId))];
  const scene = { layout: "points", sceneId: "scene-1", sourceIds, narration: "", content: { heading, points: [] } } as unknown as Scene;
  return claimWarnings([scene], passages).map(({ kind }) => kind);
};

describe("a heading beside what its topic says", () => {
  const cases: readonly (readonly [text: string, contrary: readonly [string, string][], fine: readonly string[]])[] = [
    [
      "A shear leans the grid. The grid leans, but its lines stay parallel. A shear slides the layers of a shape without changing its area.",
      [
        ["A shear leaves the grid alone", "opposite"],
        ["A shear changes the area", "contrary"],
      ],
      ["A shear leans the grid", "What a shear does to a grid", "A shear leaves the area alone", "Lines stay parallel"],
    ],
    [
      "If the eigenvalue is 1, that part stays as it is: a steady state.",
      [["The steady state is unstable", "opposite"]],
      ["The steady state", "The steady state stays", "Towards a steady state"],
    ],
    [
      "A quarter turn moves every direction, so it has no real eigenvector. Let gaps grow with each success.",
      [
        ["A quarter turn has a real eigenvector", "contrary"],
        ["Gaps should shrink with each success", "opposite"],
      ],
      ["A quarter turn has no real eigenvector", "Gaps grow with success", "Some maps keep no direction"],
    ],
    [
      "Some matrices have an inverse that is found by hand.",
      [["All matrices have an inverse found by hand", "quantity"]],
      ["Some matrices have an inverse", "Matrices with an inverse"],
    ],
  ];
  for (const [text, contrary, fine] of cases) {
    const passages = [{ sourceId: "source-0001", heading: "", text }];
    for (const [heading, kind] of contrary)
      it(`is contrary to it: “${heading}”`, () => {
        expect(warned(heading, passages)).to.deep.equal([kind]);
      });
    for (const heading of fine)
      it(`says the same or nothing of it: “${heading}”`, () => {
        expect(warned(heading, passages)).to.deep.equal([]);
      });
  }

  it("is not warned of where it is a true paraphrase, in at least 95 % of the repository's set", async () => {
    const courses = await evaluationCourses();
    for (const set of sentenceSets) {
      const sentences = readSentences(set, courses).filter(({ kind }) => kind === "true");
      const found = sentences.filter(({ text, passages }) => warned(text, passages).length > 0);
      expect(found.length / sentences.length, set).to.be.below(0.05);
    }
  });
});
