import { bounds } from "@colloquy/schemas/bounds.ts";
import { rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import { jobEventOf, jobView } from "@colloquy/schemas/explainers/view.ts";
import { expect } from "chai";
import { backoffMs } from "./decider.ts";
import { approval, at } from "./explainer.fixture.ts";
import { approve, complete, fail, job, renew } from "./job-story.fixture.ts";

describe("deciding on renders of films", () => {
  it("tries again what failed, after longer and longer pauses, and not for ever", () => {
    const story = job();
    story.approved();
    const { most } = bounds.explainer.attempts;
    for (let attempt = 1; attempt < most; attempt += 1) {
      expect(story.does(story.claim(`lease-000${attempt}`))).to.deep.equal(["RenderClaimed"]);
      expect(story.does(fail(`lease-000${attempt}`))).to.deep.equal(["RenderFailed", "RenderRequeued"]);
      expect(jobView(story.state)).to.deep.include({ state: "queued", failure: { code: "renderer_failed", retryable: true } });
      expect(story.does(story.claim("lease-early"))).to.deep.equal([]);
      story.wait(backoffMs(attempt) / 1_000);
    }
    expect(backoffMs(2)).to.equal(2 * backoffMs(1));
    story.does(story.claim("lease-last1"));
    expect(story.does(fail("lease-last1"))).to.deep.equal(["RenderFailed"]);
    expect(jobView(story.state)).to.deep.include({ state: "failed", attempt: most });
    expect(story.does({ ...approve, renderId: "render-00002", again: true })).to.deep.equal(["RenderApproved", "RenderQueued"]);
    expect(jobView(story.state)).to.deep.include({ state: "queued", attempt: 0, failure: null });
  });

  it("does not try again what cannot work, nor a film that is there", () => {
    const story = job();
    story.claimed();
    expect(story.does(fail("lease-0001", false))).to.deep.equal(["RenderFailed"]);
    story.does({ ...approve, renderId: "render-00002", again: true });
    story.does(story.claim("lease-0002"));
    story.does(complete("lease-0002"));
    expect(story.refuses({ ...approve, again: true })).to.equal("wrong_phase");
  });

  it("holds to the lease: whoever lost it can do nothing", () => {
    const story = job();
    story.claimed("lease-0001").wait(bounds.explainer.leaseSeconds);
    const late = [renew("lease-0001", 1, at(999)), complete("lease-0001"), fail("lease-0001")];
    for (const command of late) expect(story.refuses(command), "expired").to.equal("lease_lost");
    expect(story.does(story.claim("lease-0002"))).to.deep.equal(["RenderLeaseExpired", "RenderRequeued", "RenderClaimed"]);
    for (const command of late) expect(story.refuses(command), "taken over").to.equal("lease_lost");
    story.does({ type: "cancel" });
    expect(story.refuses(complete("lease-0002")), "cancelled").to.equal("lease_lost");
    expect(story.refuses({ type: "cancel" })).to.equal("wrong_phase");
    expect(story.state.films).to.deep.equal([]);
  });

  it("completes once, however often the worker says so", () => {
    const story = job();
    story.claimed().does(complete("lease-0001"));
    expect(story.does(complete("lease-0001"))).to.deep.equal([]);
  });

  it("gives up a job whose workers are lost again and again", () => {
    const story = job();
    story.claimed("lease-0001");
    for (let attempt = 2; attempt <= bounds.explainer.attempts.most; attempt += 1) {
      story.wait(bounds.explainer.leaseSeconds);
      expect(story.does({ type: "tend", rendererVersion, speakerAt: at(0) })).to.deep.equal(["RenderLeaseExpired", "RenderRequeued"]);
      story.does(story.claim(`lease-000${attempt}`));
    }
    story.wait(bounds.explainer.leaseSeconds);
    expect(story.does({ type: "tend", rendererVersion, speakerAt: at(0) })).to.deep.equal(["RenderLeaseExpired", "RenderFailed"]);
    expect(jobView(story.state).failure).to.deep.equal({ code: "worker_lost", retryable: true });
  });

  it("fails what waits for a renderer that there is no more", () => {
    const story = job();
    story.approved();
    expect(story.does(story.claim("lease-0001", { rendererVersion: rendererVersion + 1 }))).to.deep.equal([]);
    expect(story.does({ type: "tend", rendererVersion, speakerAt: at(0) })).to.deep.equal([]);
    expect(story.does({ type: "tend", rendererVersion: rendererVersion + 1, speakerAt: at(0) })).to.deep.equal(["RenderFailed"]);
  });

  it("gives what is to be spoken to workers with a voice only", () => {
    const story = job();
    story.drafted().does({ ...approve, settings: { ...approval.settings, voice: "spoken" } });
    expect(story.does(story.claim("lease-0001"))).to.deep.equal([]);
    expect(story.does(story.claim("lease-0001", { voices: true }))).to.deep.equal(["RenderClaimed"]);
  });

  it("fails what waits to be spoken while nobody is there who can, and can be made silent then", () => {
    const story = job();
    const spoken = { ...approve, settings: { ...approval.settings, voice: "spoken" as const } };
    const seconds = bounds.explainer.speakerMs / 1_000;
    const tend = (speakerAt: string) => story.does({ type: "tend", rendererVersion, speakerAt });
    story.drafted().wait(10).does(spoken);
    story.wait(seconds - 1);
    expect(tend(at(0)), "not so long yet").to.deep.equal([]);
    story.wait(1);
    expect(tend(at(11)), "somebody was there meanwhile, and busy").to.deep.equal([]);
    expect(tend(at(10))).to.deep.equal(["RenderFailed"]);
    expect(jobView(story.state)).to.deep.include({ state: "failed", failure: { code: "speech_unavailable", retryable: true } });
    story.does({ ...spoken, renderId: "render-00002", again: true });
    expect(tend(at(0)), "it waits anew").to.deep.equal([]);
    story.does(story.claim("lease-0001", { voices: true }));
    expect(story.state.render?.lease).to.include({ voices: true });
    story.wait(seconds);
    expect(tend(at(0)), "from when its worker was lost").to.deep.equal(["RenderLeaseExpired", "RenderRequeued"]);
    story.wait(seconds);
    expect(tend(at(0))).to.deep.equal(["RenderFailed"]);
    expect(story.does({ ...approve, renderId: "render-00003" })).to.include("RenderQueued");
    story.wait(seconds * 10);
    expect(tend(at(0)), "a silent one waits for anybody").to.deep.equal([]);
  });

  it("records progress now and then, and the lease always before half of it is over", () => {
    const story = job();
    story.claimed();
    const first = story.state.render?.lease?.until;
    expect(story.does(renew("lease-0001", 1, at(30)))).to.deep.equal(["RenderProgressed"]);
    expect(story.does(renew("lease-0001", 2, at(30)))).to.deep.equal([]);
    expect(story.wait(1).does(renew("lease-0001", 3, at(31)))).to.deep.equal(["RenderProgressed"]);
    expect(story.does(renew("lease-0001", 3, at(31), "encoding"))).to.deep.equal(["RenderProgressed"]);
    expect(story.wait(5).does(renew("lease-0001", 3, at(36), "encoding"))).to.deep.equal([]);
    expect(story.wait(11).does(renew("lease-0001", 3, at(47), "encoding"))).to.deep.equal(["RenderProgressed"]);
    expect(story.state.render?.lease?.until).to.equal(at(47)).and.not.equal(first);
  });

  it("tells how far a render is, and never less than before", () => {
    const story = job();
    story.claimed().does(renew("lease-0001", 90, at(30)));
    const { percent } = jobEventOf(story.state, story.now());
    expect(percent).to.be.greaterThan(40);
    story.does(fail("lease-0001"));
    expect(jobEventOf(story.state, story.now())).to.deep.include({ state: "queued", percent, retryAt: at(2) });
    story.wait(2).does(story.claim("lease-0002"));
    story.wait(4).does(renew("lease-0002", 10, at(40)));
    const event = jobEventOf(story.state, story.now());
    expect(event).to.deep.include({ percent, attempt: 2 });
    expect(event.remainingMs).to.be.greaterThan(10_000);
  });
});
