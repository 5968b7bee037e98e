import { rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import { jobEventOf, jobView } from "@colloquy/schemas/explainers/view.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { expect } from "chai";
import { backoffMs } from "./decider.ts";
import { approval, at } from "./explainer.fixture.ts";
import { approve, complete, fail, renew, videoStory } from "./story.fixture.ts";

describe("deciding on renders", () => {
  it("retries a failed render after growing pauses, a limited number of times", () => {
    const story = videoStory();
    story.approved();
    const { most } = filmBounds.attempts;
    for (let attempt = 1; attempt < most; attempt += 1) {
      story.when(story.claim(`lease-000${attempt}`)).then("RenderClaimed");
      story.when(fail(`lease-000${attempt}`)).then("RenderFailed", "RenderRequeued");
      expect(jobView(story.state)).to.deep.include({ state: "queued", failure: { code: "renderer_failed", retryable: true } });
      story.when(story.claim("lease-early")).then();
      story.wait(backoffMs(attempt) / 1_000);
    }
    expect(backoffMs(2)).to.equal(2 * backoffMs(1));
    story.and(story.claim("lease-last1"));
    story.when(fail("lease-last1")).then("RenderFailed");
    expect(jobView(story.state)).to.deep.include({ state: "failed", attempt: most });
    story.when({ ...approve, renderId: "render-00002", again: true }).then("RenderApproved", "RenderQueued");
    expect(jobView(story.state)).to.deep.include({ state: "queued", attempt: 0, failure: null });
  });

  it("does not retry a permanent failure or a finished video", () => {
    const story = videoStory();
    story.claimed();
    story.when(fail("lease-0001", false)).then("RenderFailed");
    story.and({ ...approve, renderId: "render-00002", again: true });
    story.and(story.claim("lease-0002"));
    story.and(complete("lease-0002"));
    story.when({ ...approve, again: true }).thenRejected("wrong_phase");
  });

  it("rejects a worker whose lease is lost", () => {
    const story = videoStory();
    story.claimed("lease-0001").wait(filmBounds.leaseSeconds);
    const late = [renew("lease-0001", 1, at(999)), complete("lease-0001"), fail("lease-0001")];
    for (const command of late) story.when(command).thenRejected("lease_lost"); // expired
    story.when(story.claim("lease-0002")).then("RenderLeaseExpired", "RenderRequeued", "RenderClaimed");
    for (const command of late) story.when(command).thenRejected("lease_lost"); // taken over
    story.and({ type: "cancel" });
    story.when(complete("lease-0002")).thenRejected("lease_lost"); // cancelled
    story.when({ type: "cancel" }).thenRejected("wrong_phase");
    expect(story.state.films).to.deep.equal([]);
  });

  it("completes once, even if the worker repeats itself", () => {
    const story = videoStory();
    story.claimed().and(complete("lease-0001"));
    story.when(complete("lease-0001")).then();
  });

  it("fails a job after its workers are lost repeatedly", () => {
    const story = videoStory();
    story.claimed("lease-0001");
    for (let attempt = 2; attempt <= filmBounds.attempts.most; attempt += 1) {
      story.wait(filmBounds.leaseSeconds);
      story.when({ type: "sweep", rendererVersion, speakerAt: at(0) }).then("RenderLeaseExpired", "RenderRequeued");
      story.and(story.claim(`lease-000${attempt}`));
    }
    story.wait(filmBounds.leaseSeconds);
    story.when({ type: "sweep", rendererVersion, speakerAt: at(0) }).then("RenderLeaseExpired", "RenderFailed");
    expect(jobView(story.state).failure).to.deep.equal({ code: "worker_lost", retryable: true });
  });

  it("fails a job that waits for an older renderer", () => {
    const story = videoStory();
    story.approved();
    story.when(story.claim("lease-0001", { rendererVersion: rendererVersion + 1 })).then();
    story.when({ type: "sweep", rendererVersion, speakerAt: at(0) }).then();
    story.when({ type: "sweep", rendererVersion: rendererVersion + 1, speakerAt: at(0) }).then("RenderFailed");
  });

  it("gives spoken videos only to workers that can speak", () => {
    const story = videoStory();
    story.drafted().and({ ...approve, settings: { ...approval.settings, voice: "spoken" } });
    story.when(story.claim("lease-0001")).then();
    story.when(story.claim("lease-0001", { voices: true })).then("RenderClaimed");
  });

  it("fails a spoken video while no worker can speak; it can then be silent", () => {
    const story = videoStory();
    const spoken = { ...approve, settings: { ...approval.settings, voice: "spoken" as const } };
    const seconds = filmBounds.speakerMs / 1_000;
    const sweep = (speakerAt: string) => story.when({ type: "sweep", rendererVersion, speakerAt });
    story.drafted().wait(10).and(spoken);
    story.wait(seconds - 1);
    sweep(at(0)).then(); // too early
    story.wait(1);
    sweep(at(11)).then(); // a worker that can speak was busy meanwhile
    sweep(at(10)).then("RenderFailed");
    expect(jobView(story.state)).to.deep.include({ state: "failed", failure: { code: "speech_unavailable", retryable: true } });
    story.and({ ...spoken, renderId: "render-00002", again: true });
    sweep(at(0)).then(); // the wait starts again
    story.and(story.claim("lease-0001", { voices: true }));
    expect(story.state.render?.lease).to.include({ voices: true });
    story.wait(seconds);
    sweep(at(0)).then("RenderLeaseExpired", "RenderRequeued"); // the wait starts when its worker is lost
    story.wait(seconds);
    sweep(at(0)).then("RenderFailed");
    story.when({ ...approve, renderId: "render-00003" }).then("RenderApproved", "RenderQueued");
    story.wait(seconds * 10);
    sweep(at(0)).then(); // a silent video waits for any worker
  });

  it("records progress at intervals, and renews a lease before half of it is over", () => {
    const story = videoStory();
    story.claimed();
    const first = story.state.render?.lease?.until;
    story.when(renew("lease-0001", 1, at(30))).then("RenderProgressed");
    story.when(renew("lease-0001", 2, at(30))).then();
    story
      .wait(1)
      .when(renew("lease-0001", 3, at(31)))
      .then("RenderProgressed");
    story.when(renew("lease-0001", 3, at(31), "encoding")).then("RenderProgressed");
    story
      .wait(5)
      .when(renew("lease-0001", 3, at(36), "encoding"))
      .then();
    story
      .wait(11)
      .when(renew("lease-0001", 3, at(47), "encoding"))
      .then("RenderProgressed");
    expect(story.state.render?.lease?.until).to.equal(at(47)).and.not.equal(first);
  });

  it("reports progress that never decreases", () => {
    const story = videoStory();
    story.claimed().and(renew("lease-0001", 90, at(30)));
    const { percent } = jobEventOf(story.state, story.now());
    expect(percent).to.be.greaterThan(40);
    story.and(fail("lease-0001"));
    expect(jobEventOf(story.state, story.now())).to.deep.include({ state: "queued", percent, retryAt: at(2) });
    story.wait(2).and(story.claim("lease-0002"));
    story.wait(4).and(renew("lease-0002", 10, at(40)));
    const event = jobEventOf(story.state, story.now());
    expect(event).to.deep.include({ percent, attempt: 2 });
    expect(event.remainingMs).to.be.greaterThan(10_000);
  });
});
