import { previewResponse } from "@colloquy/schemas/explainers/preview.ts";
import type { ExplainerState } from "@colloquy/schemas/explainers/state.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { sceneSeconds } from "@colloquy/schemas/explainers/timing.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { expect } from "chai";
import { storyboardPreview } from "./preview.ts";
import { problem, type ServedStoryboards, serveStoryboards, tomas } from "./storyboard.fixture.ts";

describe("previews of a storyboard over HTTP", function () {
  this.timeout(180_000);
  let served: ServedStoryboards;
  let jobId: string;
  let scenes: Scene[];
  before(async () => {
    served = await serveStoryboards();
    const drafted = await served.drafted();
    ({ jobId } = drafted);
    scenes = drafted.board.scenes;
  });
  after(() => served.close());

  const preview = async (body: object) => {
    const response = await served.preview(jobId, body);
    expect(response.status).to.equal(200);
    return previewResponse.parse(await response.json()).scenes;
  };

  it("are every scene as the silent film shows it, with its fonts", async () => {
    const shown = await preview({ scenes });
    expect(shown.map(({ sceneId }) => sceneId)).to.deep.equal(scenes.map(({ sceneId }) => sceneId));
    for (const [index, one] of shown.entries()) {
      if (one.shown.kind !== "placed") expect.fail(one.shown.findings.join());
      expect(one.shown.placed.durationMs).to.be.closeTo(sceneSeconds(scenes[index] as Scene) * 1_000, 1_000 / 30);
      expect(one.shown.fonts).to.include("colloquy-film-literata-600-latin");
    }
  });

  it("are upright where they are watched so", async () => {
    const [first] = await preview({ aspect: "9:16", scenes: scenes.slice(0, 1) });
    expect(first?.shown.kind === "placed" && first.shown.placed.width).to.equal(720);
  });

  it("show scenes that are edited and not yet checked, or say why they cannot", async () => {
    const [title] = scenes;
    const edited = (heading: string) => ({ ...title, content: { heading, subtitle: "" } });
    const [shown] = await preview({ scenes: [edited("Turned")] });
    const texts = shown?.shown.kind === "placed" ? shown.shown.placed.items.flatMap((item) => (item.kind === "text" ? item.text : [])) : [];
    expect(texts).to.include("Turned");
    const [refused] = await preview({ scenes: [edited("漢字")] });
    expect(refused?.shown).to.deep.equal({ kind: "refused", findings: ["“漢字” has signs the film's fonts do not have: 漢 字"] });
  });

  it("are those that are wanted", async () => {
    const [, second] = scenes;
    expect((await preview({ scenes, wanted: [second?.sceneId] })).map(({ sceneId }) => sceneId)).to.deep.equal([second?.sceneId]);
  });

  it("exist for the storyboard's owner alone", async () => {
    expect(await problem(await served.preview(jobId, { scenes }, tomas))).to.deep.equal([404, "not_found"]);
    expect(await problem(await served.preview("nobodys-job-0001", { scenes }))).to.deep.equal([404, "not_found"]);
  });

  it("take no scenes of others, none at all, too many, or too much of one", async () => {
    const [first] = scenes as [Scene];
    const wrong = [
      [{ ...first, sceneId: "another-scene-0001" }],
      [],
      Array.from({ length: filmBounds.scenes.max + 1 }, () => first),
      [{ ...first, narration: "a".repeat(filmBounds.narrationLength + 1) }],
    ];
    const codes = await Promise.all(wrong.map(async (asked) => (await problem(await served.preview(jobId, { scenes: asked })))[1]));
    expect(codes).to.deep.equal(["invalid_request", "invalid_request", "too_many", "too_long"]);
    expect(await problem(await served.preview(jobId, { aspect: "1:1", scenes }))).to.deep.equal([400, "invalid_request"]);
  });

  it("place a scene once, and one that took too long again", async () => {
    const asked: string[][] = [];
    const own = async () => ({ storyboard: { scenes, language: "en", sources: [] } }) as unknown as ExplainerState;
    const show = storyboardPreview({ own }, async (missing) => {
      asked.push(missing.map(({ scene }) => scene.sceneId));
      return missing.map(({ scene }) =>
        scene.layout === "title"
          ? { kind: "refused", findings: ["It takes too long."] }
          : {
              kind: "placed",
              fonts: [],
              length: 2,
              placed: { kind: "placed", width: 1, height: 1, safe: { x: 0, y: 0, width: 1, height: 1 }, durationMs: 1, items: [] },
            },
      );
    });
    const request = { accountId: "account-0001", requestId: "request-0001", correlationId: "request-0001" };
    const some = scenes.slice(0, 2);
    const first = await show(request, jobId, { aspect: "16:9", scenes: some });
    expect(await show(request, jobId, { aspect: "16:9", scenes: some })).to.deep.equal(first);
    expect(asked).to.deep.equal([some.map(({ sceneId }) => sceneId), [some[0]?.sceneId]]);
  });
});
