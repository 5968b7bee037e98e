import type { StoryboardFrame } from "@colloquy/schemas/explainers/requests.ts";
import type { GeneratedReview, GeneratedStoryboard } from "@colloquy/schemas/generation/storyboard.ts";
import { expect } from "chai";
import { artifacts, completed, last, type ServedStoryboards, serveStoryboards } from "./storyboard.fixture.ts";

/** What a review says beside its answers on the pictures. */
type Judgement = Omit<GeneratedReview, "pictures">;
/** A model's review with another judgement. */
const judged = <Answer extends { object: unknown }>(answer: Answer, judgement: Judgement | undefined): Answer => ({
  ...answer,
  object: { ...(answer.object as GeneratedReview), ...judgement },
});

describe("reviewed storyboards", function () {
  this.timeout(180_000);
  let served: ServedStoryboards;
  before(async () => {
    served = await serveStoryboards();
  });
  after(() => served.close());
  afterEach(() => {
    served.between = null;
  });

  it("are repaired once after a finding of the application", async () => {
    let drafts = 0;
    const prompts: string[] = [];
    served.between = async (request, on) => {
      prompts.push(request.system);
      const answer = await on();
      if (request.name !== "storyboard" || drafts++ > 0) return answer;
      const board = structuredClone(answer.object) as GeneratedStoryboard;
      for (const quote of board.scenes[1]?.quotes ?? []) quote.quote = "words that nobody wrote";
      return { ...answer, object: board };
    };
    const frames = await served.drawn();
    expect(completed(frames).review).to.deep.include({ approved: true, repaired: true });
    expect(artifacts(frames), "what was misquoted is not shown").to.have.length(1);
    expect(prompts.filter((prompt) => prompt.includes("<found>"))).to.have.length(1);
    expect(prompts[1]).to.include("does not stand so in its source");
  });

  it("are reviewed by a separate call, repaired once, then refused", async () => {
    const finding: GeneratedReview["findings"][number] = { scene: 2, problem: "level", detail: "Far above the topic." };
    const asked: string[] = [];
    const reviews: Judgement[] = [{ approved: false, findings: [finding] }];
    served.between = async (request, on) => {
      asked.push(request.name);
      const answer = await on();
      return request.name === "review" && reviews.length > 0 ? judged(answer, reviews.shift()) : answer;
    };
    const mended = await served.drawn();
    expect(asked).to.deep.equal(["storyboard", "review", "storyboard", "review"]);
    expect(completed(mended).review.repaired).to.equal(true);
    expect(artifacts(mended)).to.have.length(2);

    const count = await served.jobs();
    reviews.push({ approved: false, findings: [finding] }, { approved: false, findings: [] });
    const refused = last(await served.drawn());
    expect(refused).to.deep.include({ kind: "error", code: "storyboard_rejected" });
    if (refused.kind === "error") expect(refused.findings?.map(({ by }) => by)).to.deep.equal(["model"]);
    expect(await served.jobs()).to.equal(count);
  });

  it("are refused when a picture does not show what is said, although the rest is approved", async () => {
    served.between = async (request, on) => {
      const answer = await on();
      if (request.name !== "review") return answer;
      const review = answer.object as GeneratedReview;
      const pictures = review.pictures.map((one) =>
        one.scene === 2 ? { ...one, showsWhatIsSaid: false, detail: "The plot is of x², the words speak of x³." } : one,
      );
      return { ...answer, object: { approved: true, findings: [], pictures } };
    };
    const refused = last(await served.drawn());
    expect(refused.kind === "error" && refused.findings?.map(({ problem, detail }) => [problem, detail])).to.deep.equal([
      ["picture", "The plot is of x², the words speak of x³."],
    ]);
  });

  it("are refused when the review does not answer for a picture", async () => {
    served.between = async (request, on) => {
      const answer = await on();
      if (request.name !== "review") return answer;
      const review = answer.object as GeneratedReview;
      return { ...answer, object: { approved: true, findings: [], pictures: review.pictures.slice(0, -1) } };
    };
    const refused = last(await served.drawn());
    expect(refused.kind === "error" && refused.findings?.map(({ problem }) => problem)).to.deep.equal(["picture"]);
  });

  it("are given to the review as a viewer meets them", async () => {
    let proposal: { scenes: { narration: string; meets: { said: string; appears: string[] }[] }[] } | undefined;
    served.between = (request, on) => {
      const tagged = /<proposal>([\s\S]*?)<\/proposal>/.exec(request.system)?.[1];
      if (request.name === "review" && tagged) proposal = JSON.parse(tagged);
      return on();
    };
    completed(await served.drawn());
    const [, scene] = proposal?.scenes ?? [];
    expect(scene?.meets.flatMap(({ appears }) => appears)).not.to.deep.equal([]);
    expect(scene?.meets.flatMap(({ said }) => said || []).join(" ")).to.equal(scene?.narration);
  });

  it("do not reveal the right choice through findings", async () => {
    let right = "";
    let findings: GeneratedReview["findings"] = [];
    let approved = true;
    served.between = async (request, on) => {
      const answer = await on();
      if (request.name === "review") return judged(answer, { approved, findings });
      const { scenes } = answer.object as GeneratedStoryboard;
      right = scenes.at(-1)?.choices.find(({ correct }) => correct)?.text ?? "";
      findings = [
        { scene: scenes.length, problem: "unclear", detail: `“${right.toUpperCase()}” is right, and longer than the others.` },
        { scene: scenes.length, problem: "unclear", detail: "Only choice 2 follows from the film." },
        { scene: scenes.length, problem: "unclear", detail: "Nur Antwort B folgt aus dem Film." },
        { scene: scenes.length, problem: "unclear", detail: "الخيار ب وحده يتبع من الفيلم." },
        { scene: scenes.length, problem: "level", detail: "The question is easy." },
        { scene: 2, problem: "level", detail: `It speaks of ${right} early.` },
      ];
      return answer;
    };
    const frames = await served.drawn();
    const { jobId, version } = completed(frames);
    const scenes = artifacts(frames).at(-1)?.scenes ?? [];
    const told = (frame: StoryboardFrame) =>
      (frame.kind === "complete" ? frame.review.findings : frame.kind === "error" ? frame.findings : [])?.map(({ detail }) => detail);
    const hidden = "What was found with the closing question would give its answer away.";
    const expected = [hidden, hidden, hidden, hidden, "The question is easy.", `It speaks of ${right} early.`];
    expect(told(last(frames))).to.deep.equal(expected);
    approved = false;
    expect(told(last(await served.frames(await served.edit(jobId, version, scenes))))).to.deep.equal(expected);
  });

  it("do not reveal whether a choice in the narration is right", async () => {
    let review: Judgement = { approved: true, findings: [] };
    served.between = async (request, on) => {
      const answer = await on();
      return request.name === "review" ? judged(answer, review) : answer;
    };
    const { jobId, version, board } = await served.drafted();
    const { scenes } = board;
    const tried = (narration: string) => scenes.map((scene, index) => (index === scenes.length - 1 ? { ...scene, narration } : scene));
    const found = async (expected: number, made: readonly object[], approved: boolean, findings: GeneratedReview["findings"]) => {
      review = { approved, findings };
      const frame = last(await served.frames(await served.edit(jobId, expected, made)));
      const told = frame.kind === "complete" ? frame.review.findings : frame.kind === "error" ? frame.findings : null;
      return { told: told?.map(({ problem, detail }) => [problem, detail]), version: frame.kind === "complete" ? frame.version : expected };
    };
    const away = { scene: scenes.length, problem: "redundant" as const, detail: "Its narration gives the answer away." };
    const untrue = { scene: scenes.length, problem: "unsupported" as const, detail: "No passage says so." };
    const whole = { ...away, scene: 0 };
    const early = { scene: 2, problem: "level" as const, detail: "Too early." };
    const hidden = ["unclear", "What was found with the closing question would give its answer away."];
    const guess = tried("Decide for yourself: is it the first of the choices?");
    const right = await found(version, guess, false, [away, whole, early]);
    expect(right.told).to.deep.equal([hidden, hidden, ["level", "Too early."]]);
    expect((await found(version, guess, false, [untrue, whole, early])).told).to.deep.equal(right.told);
    const kept = await found(version, guess, true, []);
    expect(kept.version).to.be.greaterThan(version);
    expect((await found(kept.version, guess, true, [away, early])).told, "once it stands there").to.deep.equal([
      hidden,
      ["level", "Too early."],
    ]);
  });

  it("refuse a scene that does not fit its layout", async () => {
    const strict = await serveStoryboards({
      checkLayout: async (scenes) => scenes.slice(1, 2).map(({ sceneId }) => ({ sceneId, detail: "The text is too long for its place." })),
    });
    const frames = await strict.frames(await strict.draw());
    expect(artifacts(frames)).to.deep.equal([]);
    const refused = last(frames);
    expect(refused.kind === "error" && refused.findings?.map(({ problem: what, by }) => [what, by])).to.deep.equal([
      ["layout", "application"],
    ]);
    await strict.close();
  });
});
