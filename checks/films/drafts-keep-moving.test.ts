import { checkLayout } from "@colloquy/render-service/layout/check.ts";
import { expectMotion } from "@colloquy/render-service/layout/testing/motion.ts";
import { aspects } from "@colloquy/render-service/layout/testing/scenes.ts";
import { emphases } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { drawn, filmedTopics } from "./drawn.fixture.ts";

describe("films that the demonstration model drafts", function () {
  this.timeout(240_000);

  for (const courseId of ["linear-maps", "learning-to-learn"])
    it(`keep moving, with whatever they show, on all topics of ${courseId}`, async () => {
      let films = 0;
      for (const topic of await filmedTopics(courseId))
        for (const emphasis of emphases) {
          const { scenes = [], found = [] } = drawn(topic, emphasis) ?? {};
          if (scenes.length === 0 || found.length > 0) continue;
          films += 1;
          for (const aspect of aspects) expectMotion({ scenes: [...scenes], language: topic.language, sources: [] }, aspect);
          expect(await checkLayout(scenes, { language: topic.language })).to.deep.equal([]);
        }
      expect(films).to.be.above(8);
    });
});
