import { sentencesOf } from "@colloquy/infra/demo/model/segments.ts";
import { terms } from "@colloquy/infra/demo/model/terms.ts";
import { skipTest } from "@colloquy/infra/skip-test.fixture.ts";
import { checkLayout } from "@colloquy/render-service/layout/check.ts";
import { expectMotion } from "@colloquy/render-service/layout/testing/motion.ts";
import { aspects } from "@colloquy/render-service/layout/testing/scenes.ts";
import { type Emphasis, emphases, type Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { drawn, filmedTopics } from "./drawn.fixture.ts";

const names: Record<Emphasis, string> = {
  intuition: "Intuition",
  "worked-example": "Worked example",
  "common-mistakes": "Common mistakes",
  "exam-recap": "Exam recap",
};

for (const [courseId, least] of [
  ["linear-maps", 6],
  ["learning-to-learn", 0],
  ["shell-novice", 6],
  ["theorem-proving", 1],
] as const)
  describe(`films that the demonstration model drafts of ${courseId}`, function () {
    this.timeout(240_000);
    const refused: { refusal: string; givesBoard: ReadonlyMap<string, boolean> }[] = [];
    const boards: { language: string; scenes: readonly Scene[] }[] = [];
    before(async function () {
      const topics = await filmedTopics(courseId);
      if (topics.length === 0) skipTest(this, "the course is not at hand");
      for (const topic of topics) {
        const givesBoard = new Map<string, boolean>();
        for (const emphasis of emphases) {
          const { scenes = [], found = [], board } = drawn(topic, emphasis) ?? {};
          const passes = scenes.length > 0 && found.length === 0;
          if (passes) boards.push({ language: topic.language, scenes });
          givesBoard.set(names[emphasis], passes);
          if (board?.refusal) refused.push({ refusal: board.refusal, givesBoard });
        }
      }
    });

    it("keep moving, with whatever they show", async () => {
      let [films, refused] = [0, 0];
      for (const { scenes, language } of boards) {
        // The model cannot measure what it draws up: what the layout refuses is repaired, or refused for the learner.
        if ((await checkLayout(scenes, { language })).length > 0) {
          refused += 1;
          continue;
        }
        films += 1;
        for (const aspect of aspects) expectMotion({ scenes: [...scenes], language, sources: [] }, aspect);
      }
      expect(films).to.be.at.least(least);
      expect(refused).to.be.at.most(1);
    });

    it("are refused with the advice to choose only what gives one", () => {
      for (const { refusal, givesBoard } of refused)
        for (const [, name = ""] of refusal.matchAll(/“([^”]+)”/g)) expect(givesBoard.get(name), refusal).to.equal(true);
    });

    it("show in every list what is said, sentence for sentence, and say what is shown", () => {
      const sharesMost = (text: string, others: readonly string[]): boolean => {
        const own = new Set(terms(text));
        return others.some((other) => [...own].filter((term) => terms(other).includes(term)).length > own.size / 2);
      };
      for (const { scenes } of boards)
        for (const { layout, narration, content } of scenes) {
          if (layout !== "points" && layout !== "recap") continue;
          const sentences = sentencesOf(narration);
          for (const sentence of sentences) expect(sharesMost(sentence, content.points), `${sentence} / ${content.points}`).to.equal(true);
          for (const point of content.points) expect(sharesMost(point, sentences), `${point} / ${narration}`).to.equal(true);
        }
    });

    it("close with no statement that denies: a mere “not” gives it away", () => {
      const choices = boards.flatMap(({ scenes }) => {
        const last = scenes.at(-1);
        return last?.layout === "question" && /statements/.test(last.content.question) ? last.content.choices : [];
      });
      expect(choices.filter((text) => /\b(?:not|never|cannot)\b|n['’]t\b/.test(text))).to.deep.equal([]);
    });
  });
