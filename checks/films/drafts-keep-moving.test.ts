import { skipTest } from "@colloquy/infra/skip-test.fixture.ts";
import { checkLayout } from "@colloquy/render-service/layout/check.ts";
import { expectMotion } from "@colloquy/render-service/layout/testing/motion.ts";
import { aspects } from "@colloquy/render-service/layout/testing/scenes.ts";
import { emphases } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { drawn, filmedTopics } from "./drawn.fixture.ts";

describe("films that the demonstration model drafts", function () {
  this.timeout(240_000);

  for (const [courseId, least] of [
    ["linear-maps", 6],
    ["learning-to-learn", 0],
    ["shell-novice", 6],
    ["theorem-proving", 1],
  ] as const)
    it(`keep moving, with whatever they show, on all topics of ${courseId}`, async function () {
      const topics = await filmedTopics(courseId);
      if (topics.length === 0) skipTest(this, "the course is not at hand");
      let [films, refused] = [0, 0];
      for (const topic of topics)
        for (const emphasis of emphases) {
          const { scenes = [], found = [] } = drawn(topic, emphasis) ?? {};
          if (scenes.length === 0 || found.length > 0) continue;
          // The model cannot measure what it draws up: what the layout refuses is repaired, or refused for the learner.
          if ((await checkLayout(scenes, { language: topic.language })).length > 0) {
            refused += 1;
            continue;
          }
          films += 1;
          for (const aspect of aspects) expectMotion({ scenes: [...scenes], language: topic.language, sources: [] }, aspect);
        }
      expect(films).to.be.at.least(least);
      expect(refused).to.be.at.most(1);
    });
});
