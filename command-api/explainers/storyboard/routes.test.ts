import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { emphases } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmSeconds } from "@colloquy/schemas/explainers/timing.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { expect } from "chai";
import { NoModelAvailable } from "../../model-gateway/failures.ts";
import type { ModelGateway, ObjectRequest } from "../../model-gateway/gateway.ts";
import { artifacts, completed, last, problem, type ServedStoryboards, serveStoryboards, tomas } from "./storyboard.fixture.ts";

describe("storyboards over HTTP", function () {
  this.timeout(180_000);
  let served: ServedStoryboards;
  before(async () => {
    served = await serveStoryboards();
  });
  after(() => served.close());
  afterEach(() => {
    served.between = null;
  });

  it("are drafted, checked, reviewed and recorded without sending the answer key", async () => {
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

  it("quote only the live revision", async () => {
    const topic = await served.topics.live("linear-maps", "topic-kernel-and-image");
    for (const emphasis of emphases) {
      const frames = await served.drawn({ emphasis });
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

  it("answer a repeated request with the same job", async () => {
    const requestId = "request-film-twice";
    const first = await served.drawn({ requestId });
    const count = await served.jobs();
    const again = await served.drawn({ requestId });
    expect(last(again)).to.deep.equal(last(first));
    expect(artifacts(again)).to.deep.equal(artifacts(first));
    expect(await served.jobs()).to.equal(count);
    expect(await problem(await served.draw({ requestId, emphasis: "intuition" }))).to.deep.equal([409, "request_id_reused"]);
    const { jobId } = completed(await served.frames(await served.draw({ requestId }, { account: tomas })));
    expect(jobId, "another account's request is another").to.not.equal(completed(first).jobId);
  });

  it("refuse missing sign-in, courses not offered and unknown topics", async () => {
    expect(await problem(await served.draw({}, { account: null }))).to.deep.equal([401, "sign_in_required"]);
    expect(await problem(await served.draw({ courseId: "learning-to-learn", topicId: "topic-spacing" }))).to.deep.equal([
      403,
      "not_allowed",
    ]);
    expect(await problem(await served.draw({ topicId: "topic-nowhere" }))).to.deep.equal([404, "not_found"]);
    expect(await problem(await served.draw({ emphasis: "everything" }))).to.deep.equal([400, "invalid_request"]);
    expect(await problem(await served.draw({ seconds: 40 }))).to.deep.equal([400, "unknown_field"]);
  });

  it("record nothing when the model fails, so that the request can be repeated", async () => {
    const requestId = "request-film-again";
    const count = await served.jobs();
    served.between = () => Promise.reject(new ProblemError("ai_unavailable", { retryAfterSeconds: 7 }));
    expect(last(await served.drawn({ requestId }))).to.deep.include({
      kind: "error",
      code: "ai_unavailable",
      retryable: true,
      retryAfterSeconds: 7,
    });
    expect(await served.jobs()).to.equal(count);
    served.between = null;
    expect(completed(await served.drawn({ requestId })).review.approved).to.equal(true);
    expect(await served.jobs()).to.equal(count + 1);
  });

  it("record nothing when the client disconnects", async () => {
    const count = await served.jobs();
    const leaving = new AbortController();
    const stopped = new Promise<void>((resolve) => {
      served.between = (request) =>
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
    served.between = null;
    // The work of the one who left ends a moment after its call was stopped.
    for (;;) {
      const response = await served.draw();
      if (response.status === 429) continue;
      completed(await served.frames(response));
      break;
    }
    expect(await served.jobs()).to.equal(count + 1);
  });

  it("are drafted one at a time for each account", async () => {
    let go = (): void => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    let reached = (): void => {};
    const begun = new Promise<void>((resolve) => {
      reached = resolve;
    });
    served.between = async (_, on) => {
      reached();
      await held;
      return on();
    };
    const first = served.draw();
    await begun;
    expect(await problem(await served.draw())).to.deep.equal([429, "rate_limited"]);
    served.between = null;
    completed(await served.frames(await served.draw({}, { account: tomas })));
    go();
    completed(await served.frames(await first));
  });

  it("have a daily quota that resets at midnight UTC", async () => {
    let now = "2026-03-01T23:00:00.000Z";
    const drawnBefore = (since: string) => (since === "2026-03-01T00:00:00.000Z" ? filmBounds.perDay - 1 : 0);
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

  it("limit attempts per day and minute, without counting model outages", async () => {
    let away = true;
    const few = await serveStoryboards({
      triesPerDay: 1,
      around: (gateway) => ({
        ...gateway,
        check(request) {
          if (away) throw new NoModelAvailable(7);
          return gateway.check(request);
        },
      }),
    });
    for (let pressed = 0; pressed <= filmBounds.storyboardsPerMinute; pressed += 1)
      expect(await problem(await few.draw())).to.deep.equal([503, "ai_unavailable"]);
    away = false;
    const requestId = "request-film-tried";
    completed(await few.frames(await few.draw({ requestId })));
    completed(await few.frames(await few.draw({ requestId })));
    expect(await problem(await few.draw())).to.deep.equal([429, "rate_limited"]);
    await few.close();
  });

  it("repeat their status while a model is silent", async () => {
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
});
