import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ExplainerEvent } from "@colloquy/schemas/events/explainer.ts";
import { rendererVersion } from "@colloquy/schemas/explainer/film.ts";
import { type ExplainerState, initial, isMarkedFilm } from "@colloquy/schemas/explainer/state.ts";
import type { Scene, SceneOf, Storyboard } from "@colloquy/schemas/explainer/storyboard.ts";
import { jobEventOf, jobView } from "@colloquy/schemas/explainer/view.ts";
import { expect } from "chai";
import fc from "fast-check";
import type { ExplainerCommand } from "./commands.ts";
import { contentHashOf } from "./content-hash.ts";
import { backoffMs, decide, ownFilm, settledBy } from "./decider.ts";
import { approval, artifacts, at, draftOf, evolved, jobId, metrics, passed, questionKey, storyboardOf } from "./explainer-fixture.ts";

type Without<T> = T extends unknown ? Omit<T, "at" | "digest"> : never;

/** A job that goes on by commands, second by second. */
function job() {
  let state: ExplainerState = initial;
  let second = 0;
  const story = {
    get state() {
      return state;
    },
    now: () => at(second),
    wait: (seconds: number) => {
      second += seconds;
      return story;
    },
    does(command: Without<ExplainerCommand>, requestId?: string): string[] {
      const events = decide(state, { digest: "digest", at: at(second), ...command } as ExplainerCommand);
      state = evolved(events, state, requestId);
      return events.map(({ type }) => type);
    },
    refuses(command: Without<ExplainerCommand>): string | undefined {
      const before = state;
      try {
        story.does(command);
      } catch (error) {
        expect(state).to.equal(before);
        return error instanceof ProblemError ? error.code : String(error);
      }
      return undefined;
    },
    drafted: () => {
      story.does({ type: "draft", jobId, ...draftOf() });
      return story;
    },
    approved: () => {
      story.drafted().does(approve);
      return story;
    },
    claimed: (leaseId = "lease-0001") => {
      story.approved().does(story.claim(leaseId));
      return story;
    },
    claim: (leaseId: string, more: object = {}): Without<ExplainerCommand> => ({
      ...{
        type: "claim",
        leaseId,
        workerId: "worker-1",
        leaseUntil: at(second + bounds.explainer.leaseSeconds),
        rendererVersion,
        voices: false,
      },
      ...more,
    }),
  };
  return story;
}

const approve = { type: "approve", ...approval, expectedVersion: null, cached: null, again: false } as const;
const complete = (leaseId: string) => ({ type: "complete", leaseId, milliseconds: 50_000, artifacts, metrics }) as const;
const fail = (leaseId: string, retryable = true) => ({ type: "fail", leaseId, code: "renderer_failed", retryable }) as const;
const renew = (leaseId: string, done: number, until: string, stage: "drawing" | "encoding" = "drawing") =>
  ({ type: "renew", leaseId, progress: { stage, done, total: 100 }, leaseUntil: until }) as const;
const film = { fromJobId: "job-00000002", milliseconds: 50_000, artifacts, metrics };

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

  it("takes a film from the cache, its own ones too, and none that was corrected", () => {
    const story = job();
    story.drafted();
    expect(story.does({ ...approve, cached: film })).to.deep.equal(["RenderApproved", "RenderReused"]);
    expect(story.state.films).to.have.length(1);
    const own = ownFilm(story.state, approval.contentHash);
    expect(own?.fromJobId).to.equal(jobId);
    expect(story.does({ ...approve, renderId: "render-00002", cached: own })).to.deep.equal(["RenderApproved", "RenderReused"]);
    expect(story.state.films).to.have.length(1);
    story.does({ type: "correct", correctionId: "correction-01", sceneId: null, text: "That is wrong." });
    expect(story.does({ ...approve, renderId: "render-00003", cached: film })).to.deep.equal(["RenderApproved", "RenderQueued"]);
  });

  it("marks the film that was reported, also when the storyboard is another by then, and keeps its content marked", () => {
    const story = job();
    story.claimed().does(complete("lease-0001"));
    const edit = (storyboard: Storyboard) =>
      story.does({ ...draftOf(), type: "edit", storyboard, questionKey: null, expectedVersion: story.state.version });
    const marks = () => story.state.films.map((one) => isMarkedFilm(story.state, one));
    edit(storyboardOf("0002"));
    story.does({ type: "correct", correctionId: "correction-01", sceneId: null, text: "That is wrong." });
    expect(marks()).to.deep.equal([true]);
    edit({ ...storyboardOf(), storyboardId: "storyboard-0003" });
    expect(story.does({ ...approve, renderId: "render-00002", cached: film }), "made before, and wrong").to.include("RenderQueued");
    story.does(story.claim("lease-0002"));
    story.does(complete("lease-0002"));
    expect(marks()).to.deep.equal([true]);
    expect(jobView(story.state).films[0]).to.have.property("marked", true);
  });

  it("does not mark what a learner mended before reporting the film of it", () => {
    const story = job();
    story.claimed().does(complete("lease-0001"));
    const mended = storyboardOf("0002");
    story.does({ ...draftOf(), type: "edit", storyboard: mended, questionKey: null, expectedVersion: story.state.version });
    const sceneId = mended.scenes[1]?.sceneId ?? "";
    story.does({ type: "correct", correctionId: "correction-01", sceneId, text: "That was wrong." });
    expect(story.state.corrections[0], "not the words of the one who reports").to.deep.include({
      narration: "",
      storyboardId: "storyboard-0001",
    });
    const next = { ...approve, renderId: "render-00002", contentHash: "e".repeat(64) };
    expect(story.does({ ...next, cached: film })).to.include("RenderReused");
    expect(jobView(story.state).films.map(({ storyboardId, marked }) => [storyboardId, marked])).to.deep.equal([
      ["storyboard-0001", true],
      ["storyboard-0002", undefined],
    ]);
  });

  it("lets an owner of the course deal with what was reported, once; the film stays marked", () => {
    const story = job();
    story.claimed().does(complete("lease-0001"));
    const settle = { type: "settle" as const, correctionId: "correction-01" };
    expect(story.refuses(settle), "nothing was reported").to.equal("not_found");
    story.does({ type: "correct", correctionId: "correction-01", sceneId: null, text: "That is wrong." });
    expect(jobView(story.state).corrections[0]?.settledAt).to.equal(null);
    expect(story.does(settle)).to.deep.equal(["CorrectionSettled"]);
    const [correction] = jobView(story.state).corrections;
    expect(correction?.settledAt).to.match(/^\d{4}-/);
    expect(story.does(settle), "by somebody else").to.deep.equal([]);
    expect(jobView(story.state).corrections).to.deep.equal([correction]);
    expect(story.state.films.map((one) => isMarkedFilm(story.state, one))).to.deep.equal([true]);
  });

  it("keeps of what is reported what stood on screen, and whether its owner had changed that", () => {
    const story = job();
    story.claimed().does(complete("lease-0001"));
    const [before, [title, one, ...rest]] = [storyboardOf(), storyboardOf().scenes] as [Storyboard, [Scene, SceneOf<"points">, ...Scene[]]];
    const report = (sceneId: string | null) => {
      story.does({ type: "correct", correctionId: `correction-${story.state.corrections.length}`, sceneId, text: "That is wrong." });
      const { onScreen, edited } = story.state.corrections.at(-1) ?? {};
      return [onScreen?.map(({ text }) => text), edited];
    };
    const edit = (scenes: Scene[]) => {
      const storyboard = { ...before, storyboardId: `storyboard-${story.state.version}`, scenes };
      story.does({ ...draftOf(), type: "edit", storyboard, questionKey: null, expectedVersion: story.state.version });
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
      story.does({ ...approve, renderId, contentHash: renderId });
      story.does(story.claim(leaseId));
      story.does(complete(leaseId));
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

  it("says nothing of edits before which nothing was kept", () => {
    const story = job();
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
      expect(story.does({ type: "tend", rendererVersion })).to.deep.equal(["RenderLeaseExpired", "RenderRequeued"]);
      story.does(story.claim(`lease-000${attempt}`));
    }
    story.wait(bounds.explainer.leaseSeconds);
    expect(story.does({ type: "tend", rendererVersion })).to.deep.equal(["RenderLeaseExpired", "RenderFailed"]);
    expect(jobView(story.state).failure).to.deep.equal({ code: "worker_lost", retryable: true });
  });

  it("fails what waits for a renderer that there is no more", () => {
    const story = job();
    story.approved();
    expect(story.does(story.claim("lease-0001", { rendererVersion: rendererVersion + 1 }))).to.deep.equal([]);
    expect(story.does({ type: "tend", rendererVersion })).to.deep.equal([]);
    expect(story.does({ type: "tend", rendererVersion: rendererVersion + 1 })).to.deep.equal(["RenderFailed"]);
  });

  it("gives what is to be spoken to workers with a voice only", () => {
    const story = job();
    story.drafted().does({ ...approve, settings: { ...approval.settings, voice: "spoken" } });
    expect(story.does(story.claim("lease-0001"))).to.deep.equal([]);
    expect(story.does(story.claim("lease-0001", { voices: true }))).to.deep.equal(["RenderClaimed"]);
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

  it("takes the answer to the closing question once, and says what is right only then", () => {
    const story = job();
    story.drafted();
    const answer = { type: "answer", choice: 0, sessionId: null, unrecorded: "no_session" } as const;
    expect(story.refuses(answer)).to.equal("wrong_phase");
    story.does({ ...approve, cached: film });
    expect(story.refuses({ ...answer, choice: 2 })).to.equal("invalid_request");
    story.does(answer);
    expect(jobView(story.state).answered).to.deep.include({ choice: 0, right: 1, evidence: null, unrecorded: "no_session" });
    expect(story.refuses(answer)).to.equal("wrong_phase");
  });

  it("tells of no answer to another question than was answered, and asks none whose right choice nobody knows", () => {
    const story = job();
    story.drafted().does({ ...approve, cached: film });
    story.does({ type: "answer", choice: 1, sessionId: "session-0001", unrecorded: null });
    const edit = (storyboard: Storyboard, key: ExplainerState["questionKey"]) =>
      story.does({ ...draftOf(), type: "edit", storyboard, questionKey: key, expectedVersion: story.state.version });
    edit({ ...storyboardOf(), storyboardId: "storyboard-0002" }, questionKey);
    expect(jobView(story.state).answered).to.deep.include({ choice: 1, right: 1 });
    expect(jobView(story.state).answerable).to.equal(true);
    edit({ ...storyboardOf(), storyboardId: "storyboard-0003" }, null);
    expect(jobView(story.state)).to.deep.include({ answerable: false, answered: null });
    expect(story.refuses({ type: "answer", choice: 0, sessionId: null, unrecorded: "no_session" })).to.equal("wrong_phase");
    const evidence = { sessionId: "session-0001", objectiveId: "objective-1", objective: "Pipe", receipt: 7 };
    expect(story.does({ type: "count", evidence, unrecorded: null }), "what was on its way counts").to.deep.equal([
      "ClosingQuestionCounted",
    ]);
  });

  it("keeps what a tutoring session made of the answer, once, and only of an answer that had one to go to", () => {
    const story = job();
    story.drafted().does({ ...approve, cached: film });
    const evidence = { sessionId: "session-0001", objectiveId: "objective-1", objective: "Pipe", receipt: 7 };
    const count = { type: "count", evidence, unrecorded: null } as const;
    expect(story.does(count)).to.deep.equal([]);
    story.does({ type: "answer", choice: 1, sessionId: "session-0001", unrecorded: null });
    expect(jobView(story.state).answered).to.deep.include({ evidence: null, unrecorded: null });
    expect(story.does(count)).to.deep.equal(["ClosingQuestionCounted"]);
    expect(story.does(count)).to.deep.equal([]);
    expect(jobView(story.state).answered).to.deep.include({ choice: 1, right: 1, evidence, unrecorded: null });
    const other = job();
    other.drafted().does({ ...approve, cached: film });
    other.does({ type: "answer", choice: 1, sessionId: null, unrecorded: "no_objective" });
    expect(other.does(count)).to.deep.equal([]);
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

  it("hashes what decides a film, and nothing else", () => {
    const hash = (change: object = {}, settings = {}, version = 1) =>
      contentHashOf({ ...storyboardOf(), ...change }, { ...approval.settings, ...settings }, version);
    const { scenes } = storyboardOf();
    const renamed = scenes.map((scene, index) => ({ ...scene, sceneId: `another-${index}` }));
    expect(hash({ storyboardId: "storyboard-9999", scenes: renamed })).to.equal(hash());
    const others = [hash({ title: "Other" }), hash({ scenes: scenes.slice(1) }), hash({}, { theme: "dark" }), hash({}, {}, 2)];
    expect(new Set([hash(), ...others])).to.have.property("size", 5);
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
            if (command.type === "tend") return { type: "tend", rendererVersion };
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
