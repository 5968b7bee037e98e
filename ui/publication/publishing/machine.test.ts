import { bounds } from "@colloquy/schemas/bounds.ts";
import { expect } from "chai";
import { clientProblem } from "../../api/problems.ts";
import { backoffMs, idle, next, type PublishEvent, type PublishState } from "./machine.ts";

const { retries } = bounds.publication;
const publishing = (tries = 1): PublishState => ({ kind: "publishing", tries });
const wanted = (changed = true, online = true): PublishEvent => ({ type: "wanted", changed, online });
const failed = (
  code: Parameters<typeof clientProblem>[0],
  more: object = {},
  online = true,
): Extract<PublishEvent, { type: "failed" }> => ({
  ...({ type: "failed", now: 1_000, chance: 0, online } as const),
  problem: { ...clientProblem(code, { status: 503 }), ...more },
});
const live = { sequence: 4, revisionId: "revision-4" };

/** Given a state, when something happens, it gives another, and something to do. */
const given = (state: PublishState) => ({
  when: (event: PublishEvent) => ({
    gives(expected: PublishState, ...effects: object[]): void {
      expect(next(state, event)).to.deep.equal({ state: expected, effects });
    },
  }),
});

describe("the publication state machine", () => {
  it("sends only when requested with changes", () => {
    given(idle).when(wanted()).gives(publishing(), { do: "send" });
    given(idle).when(wanted(false)).gives(idle);
    given({ kind: "published", base: live, at: 1, invalidFormulas: [] }).when(wanted(false)).gives(idle);
  });

  it("sends once for repeated requests", () => {
    given(publishing(2)).when(wanted()).gives(publishing(2));
  });

  it("waits for a connection without counting a try", () => {
    const offline: PublishState = { kind: "waiting", tries: 0, until: null, why: "offline" };
    given(idle).when(wanted(true, false)).gives(offline);
    given(offline).when({ type: "online" }).gives(publishing(), { do: "cancel" }, { do: "send" });
    given(publishing(3))
      .when(failed("unavailable", { status: 0 }, false))
      .gives({ ...offline, tries: 2 });
  });

  it("retries transient failures with backoff, then gives up", () => {
    let state = publishing();
    const pauses: number[] = [];
    for (let tries = 1; tries < retries.tries; tries += 1) {
      const after = next(state, failed("unavailable"));
      expect(after.state).to.deep.include({ kind: "waiting", tries, why: "trouble" });
      const [effect] = after.effects;
      pauses.push(effect?.do === "wait" ? effect.ms : Number.NaN);
      given(after.state)
        .when({ type: "time-came" })
        .gives(publishing(tries + 1), { do: "send" });
      state = publishing(tries + 1);
    }
    expect(pauses).to.deep.equal(pauses.map((_, index) => Math.min(retries.firstMs * 2 ** index, retries.mostMs)));
    const end = next(state, failed("unavailable"));
    expect(end.state).to.deep.include({ kind: "failed", why: "exhausted" });
    expect(end.effects).to.deep.equal([]);
    given(end.state).when(wanted()).gives(publishing(), { do: "send" });
  });

  it("applies jitter of at most half the pause", () => {
    for (const chance of [0, 0.3, 0.999]) {
      expect(backoffMs(3, chance)).to.be.within((retries.firstMs * 4) / 2, retries.firstMs * 4);
    }
    expect(backoffMs(40, 0)).to.equal(retries.mostMs);
  });

  it("honours Retry-After up to a cap", () => {
    const after = (retryAfterSeconds: number) => next(publishing(), failed("rate_limited", { status: 429, retryAfterSeconds }));
    expect(after(30)).to.deep.equal({
      state: { kind: "waiting", tries: 1, until: 31_000, why: "rate-limited" },
      effects: [{ do: "wait", ms: 30_000 }],
    });
    expect(after(86_400).effects).to.deep.equal([{ do: "wait", ms: retries.retryAfterMostMs }]);
    // A connection that comes back is no reason to come sooner than asked.
    given(after(30).state).when({ type: "online" }).gives(after(30).state);
    given(after(30).state).when(wanted()).gives(publishing(), { do: "cancel" }, { do: "send" });
  });

  it("does not retry a permanent refusal", () => {
    for (const code of ["sign_in_required", "not_owner", "course_not_editable", "too_large"] as const) {
      const { state, effects } = next(publishing(), failed(code, { status: 403, retryable: false }));
      expect(state, code).to.deep.include({ kind: "failed", why: "refused" });
      expect(effects).to.deep.equal([]);
    }
  });

  it("reports validation errors", () => {
    const errors = [{ path: "topics.0.title", message: "too short" }];
    given(publishing()).when({ type: "invalid", errors }).gives({ kind: "invalid", errors });
    given({ kind: "invalid", errors }).when({ type: "edited" }).gives(idle);
  });

  it("lists what is left after one problem was repaired", () => {
    const errors = [{ path: "topics.0.title", message: "too short" }];
    given(idle).when({ type: "repaired", errors }).gives({ kind: "invalid", errors });
    given(idle).when({ type: "repaired", errors: [] }).gives(idle);
    given(publishing()).when({ type: "repaired", errors }).gives(publishing());
  });

  it("never overwrites another publication", () => {
    const conflict: PublishState = { kind: "conflict", live, by: null };
    const stale = failed("stale_base", { status: 409, live });
    given(publishing()).when(stale).gives(conflict);
    given(publishing())
      .when({ ...stale, by: "you" })
      .gives({ kind: "conflict", live, by: "you" });
    given(conflict).when(wanted()).gives(conflict);
    given(conflict).when({ type: "edited" }).gives(conflict);
    given(conflict).when({ type: "resolved", changed: true, online: true }).gives(publishing(), { do: "send" });
    given(conflict).when({ type: "resolved", changed: false, online: true }).gives(idle);
  });

  it("returns to idle when the course is edited after publication", () => {
    const published: PublishState = { kind: "published", base: live, at: 5, invalidFormulas: [] };
    given(publishing()).when({ type: "answered", base: live, at: 5, invalidFormulas: [] }).gives(published);
    given(published).when({ type: "edited" }).gives(idle);
  });

  it("ignores events after the author stopped it", () => {
    given(publishing()).when({ type: "stop" }).gives({ kind: "stopped" }, { do: "cancel" });
    given({ kind: "stopped" }).when({ type: "answered", base: live, at: 5, invalidFormulas: [] }).gives({ kind: "stopped" });
    given({ kind: "stopped" }).when(failed("unavailable")).gives({ kind: "stopped" });
    given({ kind: "stopped" }).when(wanted()).gives(publishing(), { do: "send" });
    given(idle).when({ type: "stop" }).gives(idle);
  });

  it("continues while the author keeps typing", () => {
    given(publishing(2)).when({ type: "edited" }).gives(publishing(2));
  });
});
