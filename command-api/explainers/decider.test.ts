import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ExplainerEvent } from "@colloquy/schemas/events/explainer.ts";
import { rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import { initial, withUnknown } from "@colloquy/schemas/explainers/state.ts";
import { jobEventOf, jobView } from "@colloquy/schemas/explainers/view.ts";
import { expect } from "chai";
import fc from "fast-check";
import type { ExplainerCommand } from "./commands.ts";
import { decide, ownFilm, settledBy } from "./decider.ts";
import { approval, at, draftOf, evolved, jobId, passed, storyboardOf } from "./explainer.fixture.ts";
import { approve, complete, fail, film, job, renew, type Without } from "./job-story.fixture.ts";

describe("deciding on films", () => {
  it("makes a film of a reviewed storyboard after an approval, and not before", () => {
    const story = job();
    story.drafted();
    expect(story.state.state).to.equal("drafted");
    expect(story.does(story.claim("lease-0001"))).to.deep.equal([]);
    expect(story.does(approve)).to.deep.equal(["RenderApproved", "RenderQueued"]);
    expect(story.does(story.claim("lease-0001"))).to.deep.equal(["RenderClaimed"]);
    expect(story.does(complete("lease-0001"))).to.deep.equal(["RenderCompleted"]);
    expect(jobView(story.state)).to.deep.include({ state: "completed", attempt: 1, failure: null });
    expect(jobView(story.state).films).to.have.length(1);
    expect(JSON.stringify(jobView(story.state)))
      .to.not.include("explanation")
      .and.not.include("lease-0001");
  });

  it("refuses a storyboard that did not pass its review", () => {
    const story = job();
    story.does({ type: "draft", jobId, ...draftOf(), review: { ...passed, approved: false } });
    expect(story.refuses(approve)).to.equal("storyboard_rejected");
  });

  it("has every edit reviewed again, and leaves films that were made", () => {
    const story = job();
    story.claimed();
    const edit = { ...draftOf(), type: "edit" as const, storyboard: storyboardOf("0002"), questionKey: null };
    expect(story.refuses({ ...edit, expectedVersion: story.state.version })).to.equal("wrong_phase");
    story.does(complete("lease-0001"));
    expect(story.refuses({ ...edit, expectedVersion: 0 })).to.equal("stale_session");
    const rejected = { ...passed, approved: false };
    expect(story.does({ ...edit, review: rejected, expectedVersion: story.state.version })).to.deep.equal([
      "StoryboardEdited",
      "StoryboardReviewed",
    ]);
    expect(jobView(story.state)).to.deep.include({ state: "drafted" });
    expect(jobView(story.state).films).to.have.length(1);
    expect(story.refuses(approve)).to.equal("storyboard_rejected");
    story.does({ ...edit, storyboard: storyboardOf("0003"), expectedVersion: story.state.version });
    expect(story.does({ ...approve, contentHash: "e".repeat(64) })).to.deep.equal(["RenderApproved", "RenderQueued"]);
    expect(story.refuses({ type: "answer", choice: 1, sessionId: null, unrecorded: "no_session" })).to.equal("wrong_phase");
  });

  it("refuses an open edit or an approval only when the storyboard was changed since, whatever else happened", () => {
    const story = job();
    story.drafted().does({ ...approve, cached: film });
    const { version: seen } = story.state;
    const edit = (tag: string, expectedVersion: number) =>
      ({ ...draftOf(), type: "edit", storyboard: storyboardOf(tag), questionKey: null, expectedVersion }) as const;
    story.does({ type: "correct", renderId: null, correctionId: "correction-01", sceneId: null, text: "That is wrong." });
    story.does({ type: "settle", correctionId: "correction-01" });
    story.does({ type: "answer", choice: 1, sessionId: "session-0001", unrecorded: null });
    story.does({ type: "count", evidence: null, unrecorded: "no_session" });
    expect(story.refuses(edit("0002", story.state.version + 1)), "of what nobody has seen").to.equal("stale_session");
    expect(story.does(edit("0002", seen))).to.include("StoryboardEdited");
    expect(story.refuses(edit("0003", seen)), "it is another by now").to.equal("stale_session");
    expect(story.refuses({ ...approve, renderId: "render-00002", expectedVersion: seen })).to.equal("stale_session");
    expect(story.refuses(edit("0003", story.state.version - 1)), "of what was not reviewed yet").to.equal("stale_session");
    const reviewed = story.state.version;
    story.does({ type: "correct", renderId: null, correctionId: "correction-02", sceneId: null, text: "That is wrong, too." });
    expect(story.does({ ...approve, renderId: "render-00002", expectedVersion: reviewed })).to.include("RenderQueued");
    story.does({ type: "cancel" });
    expect(withUnknown(story.state, 99)).to.include({ version: 99, boardVersion: 99 });
    expect(() => decide(withUnknown(story.state, 99), { digest: "digest", at: at(0), ...edit("0003", reviewed) })).to.throw(ProblemError);
  });

  it("makes nothing of a course that is not offered any more, and gives again what it has made", () => {
    const story = job();
    story.drafted();
    const gone = { ...approve, offered: false, renderId: "render-00002" };
    expect(story.refuses(gone)).to.equal("not_allowed");
    expect(story.refuses({ ...gone, cached: film }), "not of somebody else's either").to.equal("not_allowed");
    story.does(approve);
    story.does(story.claim("lease-0001"));
    story.does(fail("lease-0001", false));
    expect(story.refuses({ ...gone, again: true })).to.equal("not_allowed");
    story.does({ ...approve, again: true });
    story.does(story.claim("lease-0002"));
    expect(story.does(complete("lease-0002")), "what was begun is made").to.deep.equal(["RenderCompleted"]);
    const own = ownFilm(story.state, approval.contentHash);
    expect(story.does({ ...gone, cached: own })).to.include("RenderReused");
    story.does({ type: "correct", renderId: null, correctionId: "correction-01", sceneId: null, text: "That is wrong." });
    expect(story.refuses({ ...gone, cached: own }), "it would be made anew").to.equal("not_allowed");
  });

  it("takes a film from the cache, its own ones too, and none that was corrected", () => {
    const story = job();
    story.drafted();
    expect(story.does({ ...approve, cached: film })).to.deep.equal(["RenderApproved", "RenderReused"]);
    expect(story.state.films).to.have.length(1);
    const own = ownFilm(story.state, approval.contentHash);
    expect(own?.fromJobId).to.equal(jobId);
    expect(story.does({ ...approve, renderId: "render-00002", cached: own })).to.deep.equal(["RenderApproved", "RenderReused"]);
    expect(story.state.films).to.have.length(1);
    story.does({ type: "correct", renderId: null, correctionId: "correction-01", sceneId: null, text: "That is wrong." });
    expect(story.does({ ...approve, renderId: "render-00003", cached: film })).to.deep.equal(["RenderApproved", "RenderQueued"]);
  });

  it("lists a film for each settings", () => {
    const story = job();
    story.claimed().does(complete("lease-0001"));
    const dark = {
      ...approve,
      renderId: "render-00002",
      settings: { ...approval.settings, theme: "dark" as const },
      contentHash: "e".repeat(64),
    };
    story.does(dark);
    story.does(story.claim("lease-0002"));
    story.does(complete("lease-0002"));
    expect(jobView(story.state).films.map(({ settings }) => settings.theme)).to.deep.equal(["light", "dark"]);
  });

  it("knows a request again", () => {
    const story = job();
    story.does({ type: "draft", jobId, ...draftOf() }, "request-0001");
    story.does(approve, "request-0002");
    story.does(story.claim("lease-0001"), "request-0003");
    expect(settledBy(story.state, "request-0001", "digest")).to.deep.include({ version: 1, state: "drafted" });
    expect(settledBy(story.state, "request-0002", "digest")).to.deep.include({ version: 3, state: "queued" });
    expect(settledBy(story.state, "request-0003", "digest")).to.equal(null);
    expect(() => settledBy(story.state, "request-0002", "another")).to.throw(ProblemError);
  });

  it("forgets everything when it is erased", () => {
    const story = job();
    story.claimed().does({ type: "erase" });
    expect(story.state).to.deep.equal({ ...initial, version: story.state.version, erased: true });
    expect(story.refuses(complete("lease-0001"))).to.equal("lease_lost");
    expect(story.refuses(approve)).to.equal("not_found");
    expect(story.does({ type: "erase" })).to.deep.equal([]);
  });

  it("keeps its promises whatever comes in whichever order", () => {
    const leases = ["lease-0001", "lease-0002", "lease-0003"];
    const lease = fc.constantFrom(...leases);
    const command = fc.oneof(
      fc.constant({ type: "approve" } as const),
      fc.constant({ type: "cancel" } as const),
      fc.constant({ type: "retry" } as const),
      fc.constant({ type: "tend" } as const),
      lease.map((leaseId) => ({ type: "claim", leaseId }) as const),
      fc.record({ type: fc.constant("renew" as const), leaseId: lease, done: fc.integer({ min: 0, max: 100 }) }),
      lease.map((leaseId) => ({ type: "complete", leaseId }) as const),
      fc.record({ type: fc.constant("fail" as const), leaseId: lease, retryable: fc.boolean() }),
    );
    const steps = fc.array(fc.record({ command, wait: fc.integer({ min: 0, max: 20 }) }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (steps) => {
        const story = job();
        story.drafted();
        let second = 0;
        let renders = 0;
        const completions = new Map<string, number>();
        let shown = { renderId: "", percent: 0 };
        const events: ExplainerEvent[] = [];
        for (const { command, wait } of steps) {
          second += wait;
          story.wait(wait);
          const before = story.state;
          const given = ((): Without<ExplainerCommand> => {
            if (command.type === "approve" || command.type === "retry") {
              renders += 1;
              const renderId = `render-${String(renders).padStart(5, "0")}`;
              return { ...approve, renderId, contentHash: renderId, again: command.type === "retry" };
            }
            if (command.type === "claim") return story.claim(command.leaseId);
            if (command.type === "renew") return renew(command.leaseId, command.done, at(second + bounds.explainer.leaseSeconds));
            if (command.type === "complete") return complete(command.leaseId);
            if (command.type === "fail") return fail(command.leaseId, command.retryable);
            if (command.type === "tend") return { type: "tend", rendererVersion, speakerAt: at(0) };
            return { type: "cancel" };
          })();
          try {
            events.push(...decide(before, { digest: "digest", at: at(second), ...given } as ExplainerCommand));
            const types = story.does(given);
            // Only who holds a lease that has not run out completes, and only once.
            if (types.includes("RenderCompleted")) {
              const { renderId, lease } = before.render ?? {};
              expect(before.state).to.equal("rendering");
              expect(given).to.have.property("leaseId", lease?.leaseId);
              expect(Date.parse(lease?.until ?? "")).to.be.greaterThan(Date.parse(at(second)));
              completions.set(renderId ?? "", (completions.get(renderId ?? "") ?? 0) + 1);
            }
          } catch (error) {
            expect(error).to.be.instanceOf(ProblemError);
            expect(story.state).to.equal(before);
          }
          const { render } = story.state;
          expect(render?.lease != null).to.equal(story.state.state === "rendering");
          expect(render?.attempt ?? 0).to.be.at.most(bounds.explainer.attempts.most);
          const { percent } = jobEventOf(story.state, at(second));
          if (render && render.renderId === shown.renderId) expect(percent).to.be.at.least(shown.percent);
          shown = { renderId: render?.renderId ?? "", percent };
        }
        for (const times of completions.values()) expect(times).to.equal(1);
        expect(story.state.films).to.have.length(Math.min(completions.size, bounds.explainer.films));
        // The stream alone gives the same job again.
        expect(
          evolved(events, evolved(decide(initial, { type: "draft", digest: "digest", at: at(0), jobId, ...draftOf() }))),
        ).to.deep.equal(story.state);
      }),
      { numRuns: 300 },
    );
  });
});
