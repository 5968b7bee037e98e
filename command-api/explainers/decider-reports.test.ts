import { isReportedFilm } from "@colloquy/schemas/explainers/state.ts";
import type { Scene, SceneOf, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { jobView } from "@colloquy/schemas/explainers/view.ts";
import { expect } from "chai";
import { approval, at, draftOf, evolved, storyboardOf } from "./explainer.fixture.ts";
import { approve, complete, film, videoStory } from "./story.fixture.ts";

describe("deciding on reported mistakes", () => {
  it("marks a reported video and its content after the storyboard changed", () => {
    const story = videoStory();
    story.claimed().and(complete("lease-0001"));
    const edit = (storyboard: Storyboard) =>
      story.and({ ...draftOf(), type: "edit", storyboard, questionKey: null, expectedVersion: story.state.version });
    const marks = () => story.state.films.map((one) => isReportedFilm(story.state, one));
    edit(storyboardOf("0002"));
    story.and({ type: "correct", renderId: null, correctionId: "correction-01", sceneId: null, text: "That is wrong." });
    expect(marks()).to.deep.equal([true]);
    edit({ ...storyboardOf(), storyboardId: "storyboard-0003" });
    story.when({ ...approve, renderId: "render-00002", cached: film }).then("RenderApproved", "RenderQueued"); // cached, but reported
    story.and(story.claim("lease-0002"));
    story.and(complete("lease-0002"));
    expect(marks()).to.deep.equal([true]);
    expect(jobView(story.state).films[0]).to.have.property("marked", true);
  });

  it("removes reported content from the cache in all settings", () => {
    const story = videoStory();
    const light = storyboardOf();
    const dark = { ...approve, settings: { ...approval.settings, theme: "dark" as const }, contentHash: "e".repeat(64) };
    const edit = (storyboard: Storyboard) =>
      story.and({ ...draftOf(), type: "edit", storyboard, questionKey: null, expectedVersion: story.state.version });
    story.claimed().and(complete("lease-0001"));
    edit(storyboardOf("0002"));
    edit({ ...light, storyboardId: "storyboard-0003" });
    story.when({ ...dark, renderId: "render-00002", cached: film }).then("RenderApproved", "RenderReused"); // before the report
    story.and({ type: "correct", renderId: approval.renderId, correctionId: "correction-01", sceneId: null, text: "That is wrong." });
    const marks = () => jobView(story.state).films.map(({ settings, marked }) => [settings.theme, marked]);
    expect(marks(), "of another storyboard with the same words").to.deep.equal([
      ["light", true],
      ["dark", true],
    ]);
    edit({ ...light, storyboardId: "storyboard-0004" });
    const tall = { ...dark, settings: { ...dark.settings, aspect: "9:16" as const }, contentHash: "f".repeat(64) };
    story.when({ ...tall, renderId: "render-00003", cached: film }).then("RenderApproved", "RenderQueued");
    story.and(story.claim("lease-0003"));
    story.and(complete("lease-0003"));
    expect(marks().at(-1)).to.deep.equal(["dark", true]);
    edit(storyboardOf("0005"));
    const mended = { ...tall, contentHash: "1".repeat(64), boardHash: "2".repeat(64) };
    story.when({ ...mended, renderId: "render-00004", cached: film }).then("RenderApproved", "RenderReused"); // other content
  });

  it("does not mark a storyboard that was corrected before the report", () => {
    const story = videoStory();
    story.claimed().and(complete("lease-0001"));
    const [was, [title, one, ...rest]] = [storyboardOf(), storyboardOf().scenes] as [Storyboard, [Scene, Scene, ...Scene[]]];
    const mended = { ...was, storyboardId: "storyboard-0002", scenes: [title, { ...one, narration: "Mended." }, ...rest] };
    story.and({ ...draftOf(), type: "edit", storyboard: mended, questionKey: null, expectedVersion: story.state.version });
    const { sceneId } = one;
    story.and({ type: "correct", renderId: null, correctionId: "correction-01", sceneId, text: "That was wrong." });
    expect(story.state.corrections[0], "not the words of the one who reports").to.deep.include({
      narration: one.narration,
      storyboardId: "storyboard-0001",
    });
    const next = { ...approve, renderId: "render-00002", contentHash: "e".repeat(64), boardHash: "f".repeat(64) };
    story.when({ ...next, cached: film }).then("RenderApproved", "RenderReused");
    expect(jobView(story.state).films.map(({ storyboardId, marked }) => [storyboardId, marked])).to.deep.equal([
      ["storyboard-0001", true],
      ["storyboard-0002", undefined],
    ]);
  });

  it("relates a report to the watched video and its scenes", () => {
    const story = videoStory();
    const [was, [title, one, two, ...rest]] = [storyboardOf(), storyboardOf().scenes] as [Storyboard, [Scene, Scene, Scene, ...Scene[]]];
    story.claimed().and(complete("lease-0001"));
    const edit = (storyboardId: string, scenes: Scene[]) => {
      const storyboard = { ...was, storyboardId, scenes };
      story.and({ ...draftOf(), type: "edit", storyboard, questionKey: null, expectedVersion: story.state.version });
      story.and({ ...approve, renderId: `render-of-${storyboardId}`, contentHash: storyboardId, boardHash: storyboardId });
      story.and(story.claim(`lease-${storyboardId}`));
      story.and(complete(`lease-${storyboardId}`));
    };
    edit("storyboard-0002", [title, { ...one, narration: "Said otherwise." }, ...rest]);
    edit("storyboard-0003", [title, { ...one, narration: "Said once more." }, ...rest]);
    const correct = (renderId: string | null, sceneId: string | null) =>
      ({ type: "correct", correctionId: `correction-${sceneId}`, renderId, sceneId, text: "That is wrong." }) as const;
    const told = () => {
      const { sceneTitle, narration, storyboardId, edited } = story.state.corrections.at(-1) ?? {};
      return [sceneTitle, narration, storyboardId, edited];
    };
    const marks = () => jobView(story.state).films.map(({ marked = false }) => marked);
    story.when(correct("render-99999", null)).thenRejected("unknown_reference");
    story.when(correct(null, two.sceneId)).thenRejected("unknown_reference"); // the latest video lacks this scene
    story.and(correct(approval.renderId, two.sceneId));
    expect(told()).to.deep.equal(["Both at once", two.narration, "storyboard-0001", false]);
    expect(marks()).to.deep.equal([true, false, false]);
    story.when(correct(approval.renderId, "scene-other")).thenRejected("unknown_reference");
    story.and(correct("render-of-storyboard-0002", one.sceneId));
    expect(told(), "what was filmed is not kept").to.deep.equal(["What goes through", "", "storyboard-0002", true]);
    story.and(correct("render-of-storyboard-0002", two.sceneId));
    expect(told(), "nor whether it had this scene").to.deep.equal(["Both at once", "", "storyboard-0002", null]);
    expect(marks()).to.deep.equal([true, true, false]);
    story.and(correct(null, null));
    expect(marks(), "the one made last").to.deep.equal([true, true, true]);
  });

  it("settles a report once and keeps the video marked", () => {
    const story = videoStory();
    story.claimed().and(complete("lease-0001"));
    const settle = { type: "settle" as const, correctionId: "correction-01" };
    story.when(settle).thenRejected("not_found"); // without a report
    story.and({ type: "correct", renderId: null, correctionId: "correction-01", sceneId: null, text: "That is wrong." });
    expect(jobView(story.state).corrections[0]?.settledAt).to.equal(null);
    story.when(settle).then("CorrectionSettled");
    const [correction] = jobView(story.state).corrections;
    expect(correction?.settledAt).to.match(/^\d{4}-/);
    story.when(settle).then(); // by another owner
    expect(jobView(story.state).corrections).to.deep.equal([correction]);
    expect(story.state.films.map((one) => isReportedFilm(story.state, one))).to.deep.equal([true]);
  });

  it("keeps the reported screen texts and whether the owner had changed them", () => {
    const story = videoStory();
    story.claimed().and(complete("lease-0001"));
    const [before, [title, one, ...rest]] = [storyboardOf(), storyboardOf().scenes] as [Storyboard, [Scene, SceneOf<"points">, ...Scene[]]];
    const report = (sceneId: string | null) => {
      story.and({
        type: "correct",
        renderId: null,
        correctionId: `correction-${story.state.corrections.length}`,
        sceneId,
        text: "That is wrong.",
      });
      const { onScreen, edited } = story.state.corrections.at(-1) ?? {};
      return [onScreen?.map(({ text }) => text), edited];
    };
    const edit = (scenes: Scene[]) => {
      const storyboard = { ...before, storyboardId: `storyboard-${story.state.version}`, scenes };
      story.and({ ...draftOf(), type: "edit", storyboard, questionKey: null, expectedVersion: story.state.version });
    };
    expect([report(one.sceneId), report(null)], "as it was drawn up").to.deep.equal([
      [["one writes", "one reads"], false],
      [[], false],
    ]);
    edit([title, { ...one, content: { ...one.content, points: ["a lie"] } }, ...rest]);
    edit([title, { ...one, content: { ...one.content, points: ["another lie"] } }, ...rest]);
    expect([report(one.sceneId), report(null)], "the film is the one that was drawn up").to.deep.equal([
      [["one writes", "one reads"], false],
      [[], false],
    ]);
    const film = () => {
      const [renderId, leaseId] = [`render-${story.state.version}`, `lease-${story.state.version}`];
      story.and({ ...approve, renderId, contentHash: renderId, boardHash: renderId });
      story.and(story.claim(leaseId));
      story.and(complete(leaseId));
    };
    film();
    expect([report(one.sceneId), report(title.sceneId), report(null)], "edited twice").to.deep.equal([
      [["another lie"], true],
      [[], false],
      [[], true],
    ]);
    edit([title, { ...one, narration: "It is said otherwise." }, ...rest]);
    expect(report(one.sceneId), "what was filmed is not kept").to.deep.equal([[], true]);
    film();
    expect(report(one.sceneId)).to.deep.equal([["one writes", "one reads"], true]);
    const { heading, points } = one.content;
    edit([title, { ...one, quotes: [...one.quotes], content: { points, heading } }, ...rest]);
    film();
    expect([report(one.sceneId), report(null)], "put back as it was").to.deep.equal([
      [["one writes", "one reads"], false],
      [[], false],
    ]);
    edit([title, one, ...rest.slice(1)]);
    film();
    expect([report(one.sceneId)[1], report(null)[1]], "another was dropped").to.deep.equal([false, true]);
    expect(JSON.stringify(jobView(story.state))).to.not.include('drafted":[');
  });

  it("does not claim an edit when the draft was not kept", () => {
    const story = videoStory();
    story.drafted();
    const edited = evolved([], { ...story.state, edited: true });
    const [, scene] = storyboardOf().scenes;
    const data = { schemaVersion: 1 as const, digest: "digest", renderId: null, text: "That is wrong.", at: at(1) };
    const reported = {
      type: "CorrectionReported" as const,
      data: { ...data, correctionId: "correction-01", sceneId: scene?.sceneId ?? null },
    };
    expect(evolved([reported], edited).corrections[0]).to.deep.include({ edited: null });
  });
});
