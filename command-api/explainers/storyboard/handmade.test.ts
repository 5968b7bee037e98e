import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { demonstrationFilms } from "@colloquy/infra/demo/films.ts";
import { checkLayout } from "@colloquy/render-service/layout/check.ts";
import { expectMotion } from "@colloquy/render-service/layout/testing/motion.ts";
import { sceneTitle } from "@colloquy/schemas/explainers/scene-title.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import type { GeneratedReview } from "@colloquy/schemas/generation/storyboard.ts";
import { expect } from "chai";
import { importNative } from "../../publication/import/native.ts";
import { buildSearchIndex } from "../../publication/search-index.ts";
import { copiedStoryboard } from "./copied.ts";
import { handmadeStoryboard } from "./handmade.ts";
import { artifacts, completed, serveStoryboards } from "./storyboard.fixture.ts";
import { blockFacts, type FilmTopic, type TopicPassage, topicsOf, withPictures } from "./topics.ts";

const films = await demonstrationFilms();

describe("films written by hand", function () {
  this.timeout(120_000);
  const topics = new Map<string, FilmTopic>();
  before(async () => {
    for (const { courseId, folder } of demonstrationCourses) {
      const { course, assets } = await importNative(folder, { courseId, previous: null });
      const facts = new Map(course.topics.flatMap((topic) => blockFacts(courseId, topic)));
      const drawn = topicsOf(buildSearchIndex(course, "revision-1"), facts);
      for (const unit of course.topics) {
        const topic = drawn.get(unit.id);
        if (topic) topics.set(unit.id, await withPictures(topic, unit, course.assets, async ({ path }) => assets.get(path) ?? null));
      }
    }
  });
  const topicOf = (topicId: string): FilmTopic => topics.get(topicId) ?? expect.fail(`no topic ${topicId}`);
  let ids = 0;
  const means = { checkLayout, newId: () => `handmade-${++ids}` };
  async function boardOf(film: (typeof films)[number]): Promise<Storyboard> {
    const made = await handmadeStoryboard(film, topicOf(film.topicId), means);
    return "storyboard" in made ? made.storyboard : expect.fail(made.findings.join("\n"));
  }

  for (const film of films) {
    it(`“${film.title}” passes the checks of any other`, async () => {
      const board = await boardOf(film);
      expect(board.scenes.length).to.equal(film.scenes.length);
    });

    for (const aspect of ["16:9", "9:16"] as const)
      it(`“${film.title}” changes for more than a third of its time and never stands still for long (${aspect})`, async () => {
        const board = await boardOf(film);
        expectMotion(board, aspect);
      });
  }

  it("are not used where the course no longer says what they quote", async () => {
    const [film] = films;
    if (!film) throw new Error("no film");
    const topic = topicOf(film.topicId);
    const changed = { ...topic, passages: topic.passages.map((passage) => ({ ...passage, text: "Something else is said here now." })) };
    const made = await handmadeStoryboard(film, changed, means);
    expect("findings" in made && made.findings.join(" ")).to.match(/does not stand so in its source/u);
  });

  it("are copied for a learner as an owner offers them, unless the page has changed", async () => {
    const [film] = films;
    if (!film) throw new Error("no film");
    const topic = topicOf(film.topicId);
    const { courseId, topicId, emphasis } = film;
    const storyboard = await boardOf(film);
    const by = { provider: "p1", model: "a model", fallbackDepth: 0 } as const;
    const offered = { courseId, topicId, emphasis, storyboard, questionKey: { right: 0, explanation: "So it is." }, by };
    const copy = await copiedStoryboard(offered, topic, means);
    if ("findings" in copy) return expect.fail("refused");
    const words = (board: Storyboard) => board.scenes.map(({ content, narration }) => ({ content, narration }));
    expect(words(copy.storyboard)).to.deep.equal(words(storyboard));
    const ids = new Set(storyboard.scenes.map(({ sceneId }) => sceneId));
    expect(copy.storyboard.scenes.some(({ sceneId }) => ids.has(sceneId))).to.equal(false);
    const changed = { ...topic, passages: topic.passages.map((passage) => ({ ...passage, text: "Something else is said here now." })) };
    expect(await copiedStoryboard(offered, changed, means)).to.have.property("findings");
  });

  it("show a figure only as the page has it now", async () => {
    const film = films.find(({ topicId }) => topicId === "topic-kernel-and-image");
    if (!film) throw new Error("no film with a figure");
    const topic = topicOf(film.topicId);
    const changedTo = async (change: (passage: TopicPassage) => TopicPassage) => {
      const made = await handmadeStoryboard(film, { ...topic, passages: topic.passages.map(change) }, means);
      return "findings" in made ? made.findings.join(" ") : "";
    };
    expect(await changedTo(({ picture: _, ...passage }) => passage)).to.match(/no longer on the page/u);
    const redraw = (passage: TopicPassage): TopicPassage =>
      passage.picture ? { ...passage, picture: { ...passage.picture, sha256: "f".repeat(64) } } : passage;
    expect(await changedTo(redraw)).to.match(/drawn anew/u);
    const storyboard = await boardOf(film);
    const by = { provider: "p1", model: "a model", fallbackDepth: 0 } as const;
    const { courseId, topicId, emphasis } = film;
    const offered = { courseId, topicId, emphasis, storyboard, questionKey: { right: 0, explanation: "So it is." }, by };
    const redrawn = topic.passages.map(redraw);
    const copy = await copiedStoryboard(offered, { ...topic, passages: redrawn }, means);
    expect("findings" in copy && copy.findings.map(({ detail }) => detail).join()).to.match(/not the one that the page has now/u);
  });

  it("take the pictures of figures from the course's stored files", async () => {
    const served = await serveStoryboards({ handmade: films, checkLayout });
    try {
      const [board] = artifacts(await served.frames(await served.draw({ topicId: "topic-kernel-and-image", emphasis: "intuition" })));
      const shown = board?.scenes.flatMap((scene) => (scene.layout === "figure" ? scene.content.picture : [])) ?? [];
      expect(shown.map(({ type, width, height }) => ({ type, width, height }))).to.deep.equal([
        { type: "image/svg+xml", width: 480, height: 320 },
        { type: "image/svg+xml", width: 480, height: 320 },
      ]);
    } finally {
      await served.close();
    }
  });

  it("stay makeable when one heading is edited, whatever a review says of the scenes that stayed", async () => {
    const served = await serveStoryboards({ handmade: films, checkLayout });
    try {
      const frames = await served.frames(await served.draw({ topicId: "topic-determinant", emphasis: "intuition" }));
      const { jobId, version } = completed(frames);
      const scenes = (artifacts(frames)[0]?.scenes ?? []).map((scene, index) =>
        index === 1 ? { ...scene, content: { ...scene.content, heading: `${sceneTitle(scene)} again` } } : scene,
      );
      served.between = async (_, on) => {
        const answer = await on();
        const { pictures } = answer.object as GeneratedReview;
        const findings = [{ scene: 3, problem: "unsupported" as const, detail: "No passage says so." }];
        return { ...answer, object: { approved: false, pictures, findings } };
      };
      expect(completed(await served.frames(await served.edit(jobId, version, scenes))).review.approved).to.equal(true);
    } finally {
      await served.close();
    }
  });

  it("are drafted without a model, with a key that no answer has", async () => {
    const served = await serveStoryboards({ handmade: films, checkLayout });
    try {
      served.between = () => Promise.reject(new Error("a model was asked"));
      const response = await served.draw({ topicId: "topic-determinant", emphasis: "intuition" });
      const text = await response.clone().text();
      const frames = await served.frames(response);
      expect(artifacts(frames)[0]?.title).to.equal("The determinant as area");
      expect(completed(frames).review.approved).to.equal(true);
      expect(text).to.not.match(/questionKey|explanation|"right":/);
    } finally {
      await served.close();
    }
  });
});
