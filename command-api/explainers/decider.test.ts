import type { ExplainerEvent } from "@colloquy/schemas/explainers/events.ts";
import { rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import { initialState, withUnknownEvent } from "@colloquy/schemas/explainers/state.ts";
import { jobEventOf, jobView } from "@colloquy/schemas/explainers/view.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { expect } from "chai";
import fc from "fast-check";
import { unlessRejected } from "../command-handler.ts";
import { Rejection } from "../decider.ts";
import { explainerDecider, ownFilm, settledBy } from "./decider.ts";
import { approval, at, draftOf, evolved, jobId, passed, storyboardOf } from "./explainer.fixture.ts";
import { approve, complete, fail, film, given, renew, type StoryCommand, videoStory } from "./story.fixture.ts";

describe("deciding on videos", () => {
  it("queues a reviewed storyboard only after its approval", () => {
    const story = videoStory();
    story.drafted();
    expect(story.state.state).to.equal("drafted");
    story.when(story.claim("lease-0001")).then();
    story.when(approve).then("RenderApproved", "RenderQueued");
    story.when(story.claim("lease-0001")).then("RenderClaimed");
    story.when(complete("lease-0001")).then("RenderCompleted");
    expect(jobView(story.state)).to.deep.include({ state: "completed", attempt: 1, failure: null });
    expect(jobView(story.state).films).to.have.length(1);
    expect(JSON.stringify(jobView(story.state)))
      .to.not.include("explanation")
      .and.not.include("lease-0001");
  });

  it("rejects a storyboard that did not pass its review", () => {
    const story = videoStory();
    story.and({ type: "draft", jobId, ...draftOf(), review: { ...passed, approved: false } });
    story.when(approve).thenRejected("storyboard_rejected");
  });

  it("requires a review of every edit and keeps finished videos", () => {
    const story = videoStory();
    story.claimed();
    const edit = { ...draftOf(), type: "edit" as const, storyboard: storyboardOf("0002"), questionKey: null };
    story.when({ ...edit, expectedVersion: story.state.version }).thenRejected("wrong_phase");
    story.and(complete("lease-0001"));
    story.when({ ...edit, expectedVersion: 0 }).thenRejected("stale_session");
    const rejected = { ...passed, approved: false };
    story.when({ ...edit, review: rejected, expectedVersion: story.state.version }).then("StoryboardEdited", "StoryboardReviewed");
    expect(jobView(story.state)).to.deep.include({ state: "drafted" });
    expect(jobView(story.state).films).to.have.length(1);
    story.when(approve).thenRejected("storyboard_rejected");
    story.and({ ...edit, storyboard: storyboardOf("0003"), expectedVersion: story.state.version });
    story.when({ ...approve, contentHash: "e".repeat(64) }).then("RenderApproved", "RenderQueued");
    story.when({ type: "answer", choice: 1, sessionId: null, unrecorded: "no_session" }).thenRejected("wrong_phase");
  });

  it("rejects a stale edit or approval only if the storyboard changed", () => {
    const story = videoStory();
    story.drafted().and({ ...approve, cached: film });
    const { version: seen } = story.state;
    const edit = (tag: string, expectedVersion: number) =>
      ({ ...draftOf(), type: "edit", storyboard: storyboardOf(tag), questionKey: null, expectedVersion }) as const;
    story.and({ type: "correct", renderId: null, correctionId: "correction-01", sceneId: null, text: "That is wrong." });
    story.and({ type: "settle", correctionId: "correction-01" });
    story.and({ type: "answer", choice: 1, sessionId: "session-0001", unrecorded: null });
    story.and({ type: "count", evidence: null, unrecorded: "no_session" });
    story.when(edit("0002", story.state.version + 1)).thenRejected("stale_session"); // a future version
    story.when(edit("0002", seen)).then("StoryboardEdited", "StoryboardReviewed");
    story.when(edit("0003", seen)).thenRejected("stale_session"); // the storyboard changed since
    story.when({ ...approve, renderId: "render-00002", expectedVersion: seen }).thenRejected("stale_session");
    story.when(edit("0003", story.state.version - 1)).thenRejected("stale_session"); // before its review
    const reviewed = story.state.version;
    story.and({ type: "correct", renderId: null, correctionId: "correction-02", sceneId: null, text: "That is wrong, too." });
    story.when({ ...approve, renderId: "render-00002", expectedVersion: reviewed }).then("RenderApproved", "RenderQueued");
    story.and({ type: "cancel" });
    expect(withUnknownEvent(story.state, 99)).to.include({ version: 99, boardVersion: 99 });
    const command = { digest: "digest", at: at(0), ...edit("0003", reviewed) };
    expect(explainerDecider.decide(command, withUnknownEvent(story.state, 99))).to.have.property("code", "stale_session");
  });

  it("reuses only its own videos when the course is no longer offered", () => {
    const story = videoStory();
    story.drafted();
    const gone = { ...approve, offered: false, renderId: "render-00002" };
    story.when(gone).thenRejected("not_allowed");
    story.when({ ...gone, cached: film }).thenRejected("not_allowed"); // nor the video of another job
    story.and(approve);
    story.and(story.claim("lease-0001"));
    story.and(fail("lease-0001", false));
    story.when({ ...gone, again: true }).thenRejected("not_allowed");
    story.and({ ...approve, again: true });
    story.and(story.claim("lease-0002"));
    story.when(complete("lease-0002")).then("RenderCompleted"); // a running render is finished
    const own = ownFilm(story.state, approval.contentHash);
    story.when({ ...gone, cached: own }).then("RenderApproved", "RenderReused");
    story.and({ type: "correct", renderId: null, correctionId: "correction-01", sceneId: null, text: "That is wrong." });
    story.when({ ...gone, cached: own }).thenRejected("not_allowed"); // a reported video would be rendered again
  });

  it("reuses cached videos unless a mistake was reported", () => {
    const story = videoStory();
    story.drafted();
    story.when({ ...approve, cached: film }).then("RenderApproved", "RenderReused");
    expect(story.state.films).to.have.length(1);
    const own = ownFilm(story.state, approval.contentHash);
    expect(own?.fromJobId).to.equal(jobId);
    story.when({ ...approve, renderId: "render-00002", cached: own }).then("RenderApproved", "RenderReused");
    expect(story.state.films).to.have.length(1);
    story.and({ type: "correct", renderId: null, correctionId: "correction-01", sceneId: null, text: "That is wrong." });
    story.when({ ...approve, renderId: "render-00003", cached: film }).then("RenderApproved", "RenderQueued");
  });

  it("lists a video for each settings", () => {
    const story = videoStory();
    story.claimed().and(complete("lease-0001"));
    const dark = {
      ...approve,
      renderId: "render-00002",
      settings: { ...approval.settings, theme: "dark" as const },
      contentHash: "e".repeat(64),
    };
    story.and(dark);
    story.and(story.claim("lease-0002"));
    story.and(complete("lease-0002"));
    expect(jobView(story.state).films.map(({ settings }) => settings.theme)).to.deep.equal(["light", "dark"]);
  });

  it("recognises a repeated request", () => {
    const [draft, approval, claim] = [videoStory(), videoStory().drafted(), videoStory().approved()];
    const requested = (requestId: string, decision: ReturnType<typeof draft.decide>) =>
      unlessRejected(decision).map((event) => ({ ...event, metadata: { requestId } }));
    const { state } = given(
      ...requested("request-0001", draft.decide({ type: "draft", jobId, ...draftOf() })),
      ...requested("request-0002", approval.decide(approve)),
      ...requested("request-0003", claim.decide(claim.claim("lease-0001"))),
    );
    expect(settledBy(state, "request-0001", "digest")).to.deep.include({ version: 1, state: "drafted" });
    expect(settledBy(state, "request-0002", "digest")).to.deep.include({ version: 3, state: "queued" });
    expect(settledBy(state, "request-0003", "digest")).to.equal(null);
    expect(settledBy(state, "request-0002", "another")).to.have.property("code", "request_id_reused");
  });

  it("keeps nothing after an erasure", () => {
    const story = videoStory();
    story.claimed().and({ type: "erase" });
    expect(story.state).to.deep.equal({ ...initialState, version: story.state.version, erased: true });
    story.when(complete("lease-0001")).thenRejected("lease_lost");
    story.when(approve).thenRejected("not_found");
    story.when({ type: "erase" }).then();
  });

  it("keeps its invariants for any order of commands", () => {
    const leases = ["lease-0001", "lease-0002", "lease-0003"];
    const lease = fc.constantFrom(...leases);
    const command = fc.oneof(
      fc.constant({ type: "approve" } as const),
      fc.constant({ type: "cancel" } as const),
      fc.constant({ type: "retry" } as const),
      fc.constant({ type: "sweep" } as const),
      lease.map((leaseId) => ({ type: "claim", leaseId }) as const),
      fc.record({ type: fc.constant("renew" as const), leaseId: lease, done: fc.integer({ min: 0, max: 100 }) }),
      lease.map((leaseId) => ({ type: "complete", leaseId }) as const),
      fc.record({ type: fc.constant("fail" as const), leaseId: lease, retryable: fc.boolean() }),
    );
    const steps = fc.array(fc.record({ command, wait: fc.integer({ min: 0, max: 20 }) }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (steps) => {
        const story = videoStory();
        const { state: drafted } = story.drafted();
        let second = 0;
        let renders = 0;
        const completions = new Map<string, number>();
        let shown = { renderId: "", percent: 0 };
        const events: ExplainerEvent[] = [];
        for (const { command, wait } of steps) {
          second += wait;
          story.wait(wait);
          const before = story.state;
          const given = ((): StoryCommand => {
            if (command.type === "approve" || command.type === "retry") {
              renders += 1;
              const renderId = `render-${String(renders).padStart(5, "0")}`;
              return { ...approve, renderId, contentHash: renderId, again: command.type === "retry" };
            }
            if (command.type === "claim") return story.claim(command.leaseId);
            if (command.type === "renew") return renew(command.leaseId, command.done, at(second + filmBounds.leaseSeconds));
            if (command.type === "complete") return complete(command.leaseId);
            if (command.type === "fail") return fail(command.leaseId, command.retryable);
            if (command.type === "sweep") return { type: "sweep", rendererVersion, speakerAt: at(0) };
            return { type: "cancel" };
          })();
          const decision = story.decide(given);
          if (decision instanceof Rejection) continue;
          events.push(...decision);
          story.and(given);
          // A completion needs an unexpired lease, and happens once.
          if (decision.some(({ type }) => type === "RenderCompleted")) {
            const { renderId, lease } = before.render ?? {};
            expect(before.state).to.equal("rendering");
            expect(given).to.have.property("leaseId", lease?.leaseId);
            expect(Date.parse(lease?.until ?? "")).to.be.greaterThan(Date.parse(at(second)));
            completions.set(renderId ?? "", (completions.get(renderId ?? "") ?? 0) + 1);
          }
          const { render } = story.state;
          expect(render?.lease != null).to.equal(story.state.state === "rendering");
          expect(render?.attempt ?? 0).to.be.at.most(filmBounds.attempts.most);
          const { percent } = jobEventOf(story.state, at(second));
          if (render && render.renderId === shown.renderId) expect(percent).to.be.at.least(shown.percent);
          shown = { renderId: render?.renderId ?? "", percent };
        }
        for (const times of completions.values()) expect(times).to.equal(1);
        expect(story.state.films).to.have.length(Math.min(completions.size, filmBounds.films));
        // Folding the events gives the same state.
        expect(evolved(events, drafted)).to.deep.equal(story.state);
      }),
      { numRuns: 300 },
    );
  });
});
