import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { StoryboardFrame } from "@colloquy/schemas/explainer/requests.ts";
import { emphases, type Scene, type SceneOf, type Storyboard } from "@colloquy/schemas/explainer/storyboard.ts";
import { filmSeconds } from "@colloquy/schemas/explainer/timing.ts";
import type { GeneratedReview } from "@colloquy/schemas/generation/review.ts";
import type { GeneratedStoryboard } from "@colloquy/schemas/generation/storyboard.ts";
import { expect } from "chai";
import type { ModelGateway, ObjectRequest } from "../../model-gateway/gateway.ts";
import { mira, type ServedStoryboards, serveStoryboards, tomas } from "./storyboard-fixture.ts";

/** What stands between storyboards and the model in a test, told of each request for an object. */
type Between = <T>(
  request: ObjectRequest<T>,
  on: () => ReturnType<ModelGateway["generateObject"]>,
) => ReturnType<ModelGateway["generateObject"]>;

const last = (frames: readonly StoryboardFrame[]) => frames.at(-1) as StoryboardFrame;
const artifacts = (frames: readonly StoryboardFrame[]): Storyboard[] =>
  frames.flatMap((frame) => (frame.kind === "artifact" ? frame.artifact : []));
const completed = (frames: readonly StoryboardFrame[]) => {
  const frame = last(frames);
  if (frame.kind !== "complete") throw new Error(`not completed: ${JSON.stringify(frame)}`);
  return frame;
};

describe("storyboards over HTTP", function () {
  this.timeout(180_000);
  let served: ServedStoryboards;
  let between: Between | null = null;
  before(async () => {
    served = await serveStoryboards({
      around: (gateway) => ({
        ...gateway,
        generateObject: ((request: ObjectRequest<unknown>) => {
          const on = () => gateway.generateObject(request);
          return between ? between(request, on) : on();
        }) as ModelGateway["generateObject"],
      }),
    });
  });
  after(() => served.close());
  afterEach(() => {
    between = null;
  });

  const drawn = async (change: object = {}) => served.frames(await served.draw(change));
  const problem = async (response: Response): Promise<[number, string]> => [
    response.status,
    ((await response.json()) as { code: string }).code,
  ];
  /** A storyboard with its job, by its owner. */
  const drafted = async (change: object = {}) => {
    const frames = await drawn(change);
    const { jobId, version } = completed(frames);
    return { jobId, version, board: artifacts(frames).at(-1) as Storyboard };
  };
  const edit = (jobId: string, version: number, scenes: readonly object[], change: object = {}, account = mira) =>
    served.request("PUT", `jobs/${jobId}/storyboard`, { expectedVersion: version, scenes, ...change }, { account });

  it("draw up, check, review and record a film, told step by step; the answer of its question stays here", async () => {
    const response = await served.draw();
    expect(response.headers.get("content-type")).to.match(/^application\/x-ndjson/);
    const text = await response.clone().text();
    const frames = await served.frames(response);
    const phases = frames.flatMap((frame) => (frame.kind === "status" ? frame.phase : []));
    expect([...new Set(phases)]).to.deep.equal(["retrieving", "drafting", "validating", "reviewing"]);
    const { jobId, review } = completed(frames);
    expect(review.approved).to.equal(true);
    expect(await served.recorded(jobId)).to.deep.equal(["StoryboardDrafted", "StoryboardReviewed"]);
    expect(text).to.not.match(/questionKey|"explanation"|"correct"|"right":\d/);
    const [board] = artifacts(frames);
    expect(board?.seconds).to.equal(filmSeconds(board?.scenes ?? []));
    expect(board?.scenes.map(({ layout }) => layout)).to.satisfy(
      (layouts: string[]) => layouts[0] === "title" && layouts.at(-1) === "question",
    );
  });

  it("quote nothing that does not stand in the live revision", async () => {
    const topic = await served.topics.live("linear-maps", "topic-determinant");
    for (const emphasis of emphases) {
      const frames = await drawn({ emphasis });
      for (const { scenes, sources } of artifacts(frames))
        for (const { sourceId, quote } of scenes.flatMap(({ quotes }) => quotes)) {
          const texts = topic.passages.flatMap((passage) => (passage.sourceId === sourceId ? passage.text.replace(/\s+/g, " ") : []));
          expect(
            texts.some((text) => text.includes(quote.replace(/\s+/g, " "))),
            quote,
          ).to.equal(true);
          expect(sources.map((source) => source.sourceId)).to.include(sourceId);
        }
    }
  });

  it("give the same request the same job, and its id to nothing else", async () => {
    const requestId = "request-film-twice";
    const first = await drawn({ requestId });
    const count = await served.jobs();
    const again = await drawn({ requestId });
    expect(last(again)).to.deep.equal(last(first));
    expect(artifacts(again)).to.deep.equal(artifacts(first));
    expect(await served.jobs()).to.equal(count);
    expect(await problem(await served.draw({ requestId, emphasis: "intuition" }))).to.deep.equal([409, "request_id_reused"]);
    const { jobId } = completed(await served.frames(await served.draw({ requestId }, { account: tomas })));
    expect(jobId, "another account's request is another").to.not.equal(completed(first).jobId);
  });

  it("refuse at once who is not signed in, what is not offered and what is not there", async () => {
    expect(await problem(await served.draw({}, { account: null }))).to.deep.equal([401, "sign_in_required"]);
    expect(await problem(await served.draw({ courseId: "learning-to-learn", topicId: "topic-spacing" }))).to.deep.equal([
      403,
      "not_allowed",
    ]);
    expect(await problem(await served.draw({ topicId: "topic-nowhere" }))).to.deep.equal([404, "not_found"]);
    expect(await problem(await served.draw({ emphasis: "everything" }))).to.deep.equal([400, "invalid_request"]);
    expect(await problem(await served.draw({ seconds: 40 }))).to.deep.equal([400, "unknown_field"]);
  });

  it("are repaired once when the application finds something, and told again", async () => {
    let drafts = 0;
    const prompts: string[] = [];
    between = async (request, on) => {
      prompts.push(request.system);
      const answer = await on();
      if (request.name !== "storyboard" || drafts++ > 0) return answer;
      const board = structuredClone(answer.object) as GeneratedStoryboard;
      for (const quote of board.scenes[1]?.quotes ?? []) quote.quote = "words that nobody wrote";
      return { ...answer, object: board };
    };
    const frames = await drawn();
    expect(completed(frames).review).to.deep.include({ approved: true, repaired: true });
    expect(artifacts(frames), "what was misquoted is not shown").to.have.length(1);
    expect(prompts.filter((prompt) => prompt.includes("<found>"))).to.have.length(1);
    expect(prompts[1]).to.include("does not stand so in its source");
  });

  it("are reviewed by a call of its own, repaired after it, and refused with reasons when that does not help", async () => {
    const finding: GeneratedReview["findings"][number] = { scene: 2, problem: "level", detail: "Far above the topic." };
    const asked: string[] = [];
    const reviews: GeneratedReview[] = [{ approved: false, findings: [finding] }];
    between = async (request, on) => {
      asked.push(request.name);
      const answer = await on();
      return request.name === "review" && reviews.length > 0 ? { ...answer, object: reviews.shift() } : answer;
    };
    const mended = await drawn();
    expect(asked).to.deep.equal(["storyboard", "review", "storyboard", "review"]);
    expect(completed(mended).review.repaired).to.equal(true);
    expect(artifacts(mended)).to.have.length(2);

    const count = await served.jobs();
    reviews.push({ approved: false, findings: [finding] }, { approved: false, findings: [] });
    const refused = last(await drawn());
    expect(refused).to.deep.include({ kind: "error", code: "storyboard_rejected" });
    if (refused.kind === "error") expect(refused.findings?.map(({ by }) => by)).to.deep.equal(["model"]);
    expect(await served.jobs()).to.equal(count);
  });

  it("do not tell the answer of their question by what the review says of it", async () => {
    let right = "";
    let findings: GeneratedReview["findings"] = [];
    let approved = true;
    between = async (request, on) => {
      const answer = await on();
      if (request.name === "review") return { ...answer, object: { approved, findings } };
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
    // One of its own: the others' requests are nearly all that an account may send in a minute.
    const account = "acc_third_001";
    const frames = await served.frames(await served.draw({}, { account }));
    const { jobId, version } = completed(frames);
    const scenes = artifacts(frames).at(-1)?.scenes ?? [];
    const told = (frame: StoryboardFrame) =>
      (frame.kind === "complete" ? frame.review.findings : frame.kind === "error" ? frame.findings : [])?.map(({ detail }) => detail);
    const hidden = "What was found with the closing question would give its answer away.";
    const expected = [hidden, hidden, hidden, hidden, "The question is easy.", `It speaks of ${right} early.`];
    expect(told(last(frames))).to.deep.equal(expected);
    approved = false;
    expect(told(last(await served.frames(await edit(jobId, version, scenes, {}, account))))).to.deep.equal(expected);
  });

  it("do not tell an owner who tries choices in the narration of the question whether they are right", async () => {
    let review: GeneratedReview = { approved: true, findings: [] };
    between = async (request, on) => {
      const answer = await on();
      return request.name === "review" ? { ...answer, object: review } : answer;
    };
    const account = "acc_fourth_01";
    const frames = await served.frames(await served.draw({}, { account }));
    const { jobId, version } = completed(frames);
    const scenes = artifacts(frames).at(-1)?.scenes ?? [];
    const tried = (narration: string) => scenes.map((scene, index) => (index === scenes.length - 1 ? { ...scene, narration } : scene));
    const found = async (expected: number, made: readonly object[], approved: boolean, findings: GeneratedReview["findings"]) => {
      review = { approved, findings };
      const frame = last(await served.frames(await edit(jobId, expected, made, {}, account)));
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

  it("refuse a scene that cannot be well set, before anybody waits for a film", async () => {
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

  it("record nothing when the model fails, and take the same request again", async () => {
    const requestId = "request-film-again";
    const count = await served.jobs();
    between = () => Promise.reject(new ProblemError("ai_unavailable", { retryAfterSeconds: 7 }));
    expect(last(await drawn({ requestId }))).to.deep.include({
      kind: "error",
      code: "ai_unavailable",
      retryable: true,
      retryAfterSeconds: 7,
    });
    expect(await served.jobs()).to.equal(count);
    between = null;
    expect(completed(await drawn({ requestId })).review.approved).to.equal(true);
    expect(await served.jobs()).to.equal(count + 1);
  });

  it("record nothing for who hangs up before the end, and let them begin anew", async () => {
    const count = await served.jobs();
    const leaving = new AbortController();
    const stopped = new Promise<void>((resolve) => {
      between = (request) =>
        new Promise((_, reject) => {
          request.signal.addEventListener("abort", () => {
            resolve();
            reject(request.signal.reason);
          });
          leaving.abort();
        });
    });
    await served.draw({}, { signal: leaving.signal }).then(
      (response) => response.text().catch(() => ""),
      () => "",
    );
    await stopped;
    between = null;
    // The work of the one who left ends a moment after its call was stopped.
    for (;;) {
      const response = await served.draw();
      if (response.status === 429) continue;
      completed(await served.frames(response));
      break;
    }
    expect(await served.jobs()).to.equal(count + 1);
  });

  it("are drawn up one at a time for an account, while others go on", async () => {
    let go = (): void => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    let reached = (): void => {};
    const begun = new Promise<void>((resolve) => {
      reached = resolve;
    });
    between = async (_, on) => {
      reached();
      await held;
      return on();
    };
    const first = served.draw();
    await begun;
    expect(await problem(await served.draw())).to.deep.equal([429, "rate_limited"]);
    between = null;
    completed(await served.frames(await served.draw({}, { account: tomas })));
    go();
    completed(await served.frames(await first));
  });

  it("have a number a day; what is left comes at midnight UTC", async () => {
    let now = "2026-03-01T23:00:00.000Z";
    const drawnBefore = (since: string) => (since === "2026-03-01T00:00:00.000Z" ? bounds.explainer.perDay - 1 : 0);
    const day = await serveStoryboards({ now: () => now, drawnBefore });
    const account = "acc_many_0001";
    completed(await day.frames(await day.draw({}, { account })));
    const refused = await day.draw({}, { account });
    expect(refused.headers.get("retry-after")).to.equal("3600");
    expect(await problem(refused)).to.deep.equal([429, "quota_exhausted"]);
    now = "2026-03-02T00:00:01.000Z";
    completed(await day.frames(await day.draw({}, { account })));
    await day.close();
  });

  it("may be tried so often a day, and what no model could take is no try", async () => {
    let away = true;
    const few = await serveStoryboards({
      triesPerDay: 1,
      around: (gateway) => ({
        ...gateway,
        check(request) {
          if (away) throw new ProblemError("ai_unavailable", { retryAfterSeconds: 7 });
          gateway.check(request);
        },
      }),
    });
    for (let pressed = 0; pressed < 3; pressed += 1) expect(await problem(await few.draw())).to.deep.equal([503, "ai_unavailable"]);
    away = false;
    const requestId = "request-film-tried";
    completed(await few.frames(await few.draw({ requestId })));
    completed(await few.frames(await few.draw({ requestId })));
    expect(await problem(await few.draw())).to.deep.equal([429, "rate_limited"]);
    await few.close();
  });

  it("say their status again while a model is silent", async () => {
    let go = (): void => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    const quiet = await serveStoryboards({
      heartbeatMs: 20,
      around: (gateway) => ({
        ...gateway,
        generateObject: (async (request: ObjectRequest<unknown>) => {
          if (request.name === "storyboard") await held;
          return gateway.generateObject(request);
        }) as ModelGateway["generateObject"],
      }),
    });
    const response = await quiet.draw();
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    while (text.split('"retrieving"').length < 4) text += new TextDecoder().decode((await reader.read()).value);
    go();
    await reader.cancel();
    await quiet.close();
  });

  describe("that their owner edits", () => {
    /** A narration that stands on the passage about the area of the unit square. */
    const aboutArea = async (narration: string) => {
      const quote = "A linear map sends the unit square to a parallelogram.";
      const { passages } = await served.topics.live("linear-maps", "topic-determinant");
      const sourceId = passages.find(({ text }) => text.includes(quote))?.sourceId ?? "";
      return { narration, sourceIds: [sourceId], quotes: [{ sourceId, quote }] };
    };

    it("are checked and reviewed anew, with times from their words", async () => {
      const { jobId, version, board } = await drafted();
      const [title, second, ...rest] = board.scenes as [SceneOf<"title">, Scene, ...Scene[]];
      const said = await aboutArea("A linear map sends the unit square to a parallelogram.");
      const changed = { ...title, content: { ...title.content, heading: "The unit square" }, ...said, seconds: 59 };
      const scenes = rest.length > bounds.explainer.scenes.min - 2 ? [changed, ...rest] : [changed, second, ...rest];
      const frames = await served.frames(await edit(jobId, version, scenes));
      const { version: after, review } = completed(frames);
      expect(after).to.be.greaterThan(version);
      expect(review).to.deep.include({ approved: true, repaired: false });
      const edited = artifacts(frames).at(-1) as Storyboard;
      expect(edited.title, "as its title scene says").to.equal("The unit square");
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

    it("are refused with what was found, and stay as they were", async () => {
      const { jobId, version, board } = await drafted();
      const misquoted = board.scenes.map((scene, index) =>
        index === 1 ? { ...scene, quotes: scene.quotes.map((quote) => ({ ...quote, quote: "words that nobody wrote" })) } : scene,
      );
      const refused = last(await served.frames(await edit(jobId, version, misquoted)));
      expect(refused.kind === "error" && [refused.code, refused.findings?.[0]?.problem]).to.deep.equal([
        "storyboard_rejected",
        "misquoted",
      ]);
      const untrue = board.scenes.map((scene, index) =>
        index === 1 ? { ...scene, narration: "Bananas ripen faster beside apples, as every greengrocer in Lisbon knows." } : scene,
      );
      const unsupported = last(await served.frames(await edit(jobId, version, untrue)));
      expect(unsupported.kind === "error" && unsupported.findings?.some(({ by }) => by === "model")).to.equal(true);
      expect(await served.recorded(jobId)).to.deep.equal(["StoryboardDrafted", "StoryboardReviewed"]);
    });

    it("say nothing that their sources deny, and tell their owner what is not the sources' own words", async () => {
      const account = "acc_fifth_001";
      const frames = await served.frames(await served.draw({}, { account }));
      const { jobId, version } = completed(frames);
      const { scenes } = artifacts(frames).at(-1) as Storyboard;
      // The scene that says it already, where one does: else the same would be said twice.
      const place = Math.max(
        0,
        scenes.findIndex(({ narration }) => narration.includes("the unit square")),
      );
      const sceneId = scenes[place]?.sceneId;
      const saying = async (narration: string) => {
        const said = await aboutArea(narration);
        return scenes.map((scene, index) => (index === place ? { ...scene, ...said } : scene));
      };
      const source = "The source says: “A linear map sends the unit square to a parallelogram.”";
      const lie = "A linear map never sends the unit square to a parallelogram.";
      const refused = last(await served.frames(await edit(jobId, version, await saying(lie), {}, account)));
      expect(refused.kind === "error" && refused.code).to.equal("storyboard_rejected");
      const told = refused.kind === "error" ? (refused.findings ?? []) : [];
      expect(told.map((found) => [found.problem, found.sceneId])).to.deep.equal([["unsupported", sceneId]]);
      expect(told[0]?.detail).to.include(source);
      const other = last(
        await served.frames(await edit(jobId, version, await saying("Linear maps send the square to a parallelogram."), {}, account)),
      );
      const review = other.kind === "complete" ? other.review : null;
      expect(review).to.deep.equal({
        ...{ approved: true, repaired: false },
        findings: [
          {
            sceneId,
            problem: "unsupported",
            detail: `These are not the source's own words. ${source}`,
            by: "application",
          },
        ],
      });
    });

    it("are the owner's, as they stand now, and made of their own scenes", async () => {
      const { jobId, version, board } = await drafted();
      expect(await problem(await edit(jobId, version, board.scenes, {}, tomas))).to.deep.equal([404, "not_found"]);
      expect(await problem(await edit("job-nobody-has", version, board.scenes))).to.deep.equal([404, "not_found"]);
      expect(await problem(await edit(jobId, version + 1, board.scenes))).to.deep.equal([409, "stale_session"]);
      const foreign = board.scenes.map((scene, index) => (index === 2 ? { ...scene, sceneId: "scene-of-another" } : scene));
      expect(await problem(await edit(jobId, version, foreign))).to.deep.equal([400, "invalid_request"]);
    });
  });
});
