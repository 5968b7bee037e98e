import type { Scene, SceneOf, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmSeconds } from "@colloquy/schemas/explainers/timing.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { expect } from "chai";
import { artifacts, completed, last, mira, problem, type ServedStoryboards, serveStoryboards, tomas } from "./storyboard.fixture.ts";

describe("edited storyboards", function () {
  this.timeout(180_000);
  let served: ServedStoryboards;
  before(async () => {
    served = await serveStoryboards();
  });
  after(() => served.close());

  /** A narration that stands on the passage about the image of a map. */
  const aboutImage = async (narration: string) => {
    const quote = "image is the span of the columns";
    const { passages } = await served.topics.live("linear-maps", "topic-kernel-and-image");
    const sourceId = passages.find(({ text }) => text.includes(quote))?.sourceId ?? "";
    return { narration, sourceIds: [sourceId], quotes: [{ sourceId, quote }] };
  };

  it("are checked and reviewed again, with computed durations", async () => {
    const { jobId, version, board } = await served.drafted();
    const [title, second, ...rest] = board.scenes as [SceneOf<"title">, Scene, ...Scene[]];
    const said = await aboutImage("The image is the span of the columns of the matrix.");
    const changed = { ...title, content: { ...title.content, heading: "The image" }, ...said, seconds: 59 };
    const scenes = rest.length > filmBounds.scenes.min - 2 ? [changed, ...rest] : [changed, second, ...rest];
    const frames = await served.frames(await served.edit(jobId, version, scenes));
    const { version: after, review } = completed(frames);
    expect(after).to.be.greaterThan(version);
    expect(review).to.deep.include({ approved: true, repaired: false });
    const edited = artifacts(frames).at(-1) as Storyboard;
    expect(edited.title, "as its title scene says").to.equal("The image");
    expect(edited.scenes.length).to.equal(scenes.length);
    expect(edited.seconds).to.equal(filmSeconds(scenes));
    expect(edited.scenes[0]?.seconds).to.be.lessThan(30);
    expect(edited.storyboardId).to.not.equal(board.storyboardId);
    expect(await served.recorded(jobId)).to.deep.equal([
      "StoryboardDrafted",
      "StoryboardReviewed",
      "StoryboardEdited",
      "StoryboardReviewed",
    ]);
  });

  it("are refused with findings and stay unchanged", async () => {
    const { jobId, version, board } = await served.drafted();
    const misquoted = board.scenes.map((scene, index) =>
      index === 1 ? { ...scene, quotes: scene.quotes.map((quote) => ({ ...quote, quote: "words that nobody wrote" })) } : scene,
    );
    const refused = last(await served.frames(await served.edit(jobId, version, misquoted)));
    expect(refused.kind === "error" && [refused.code, refused.findings?.[0]?.problem]).to.deep.equal(["storyboard_rejected", "misquoted"]);
    const untrue = board.scenes.map((scene, index) =>
      index === 1 ? { ...scene, narration: "Bananas ripen faster beside apples, as every greengrocer in Lisbon knows." } : scene,
    );
    const unsupported = last(await served.frames(await served.edit(jobId, version, untrue)));
    expect(unsupported.kind === "error" && unsupported.findings?.some(({ by }) => by === "model")).to.equal(true);
    expect(await served.recorded(jobId)).to.deep.equal(["StoryboardDrafted", "StoryboardReviewed"]);
  });

  it("are refused for contradictions and not warned of other wording", async () => {
    const { jobId, version, board } = await served.drafted();
    const { scenes } = board;
    // The scene that says it already, where one does: else the same would be said twice.
    const place = Math.max(
      0,
      scenes.findIndex(({ narration }) => narration.includes("span of the columns")),
    );
    const sceneId = scenes[place]?.sceneId;
    const saying = async (narration: string) => {
      const said = await aboutImage(narration);
      return scenes.map((scene, index) => (index === place ? { ...scene, ...said } : scene));
    };
    const source = "image is the span of the columns";
    const lie = "The image is never the span of the columns of the matrix.";
    const refused = last(await served.frames(await served.edit(jobId, version, await saying(lie))));
    expect(refused.kind === "error" && refused.code).to.equal("storyboard_rejected");
    const told = refused.kind === "error" ? (refused.findings ?? []) : [];
    expect(told.map((found) => [found.problem, found.sceneId])).to.deep.equal([["unsupported", sceneId]]);
    expect(told[0]?.detail).to.include(source);
    const other = last(
      await served.frames(await served.edit(jobId, version, await saying("The image is spanned by the columns of the matrix."))),
    );
    const review = other.kind === "complete" ? other.review : null;
    expect(review).to.deep.equal({ approved: true, repaired: false, findings: [] });
  });

  it("need the owner, the present version and known scenes", async () => {
    const { jobId, version, board } = await served.drafted();
    expect(await problem(await served.edit(jobId, version, board.scenes, tomas))).to.deep.equal([404, "not_found"]);
    expect(await problem(await served.edit("job-nobody-has", version, board.scenes))).to.deep.equal([404, "not_found"]);
    expect(await problem(await served.edit(jobId, version + 1, board.scenes))).to.deep.equal([409, "stale_session"]);
    const request = { accountId: mira, requestId: "request-report-1", correlationId: "request-report-1" };
    const { version: reported } = await served.explainers.correct(request, jobId, { text: "That is wrong." });
    expect(reported).to.be.greaterThan(version);
    const foreign = board.scenes.map((scene, index) => (index === 2 ? { ...scene, sceneId: "scene-of-another" } : scene));
    expect(await problem(await served.edit(jobId, version, foreign))).to.deep.equal([400, "invalid_request"]);
  });
});
