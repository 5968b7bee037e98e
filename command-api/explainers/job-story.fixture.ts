import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import { type ExplainerState, initial } from "@colloquy/schemas/explainers/state.ts";
import { expect } from "chai";
import type { ExplainerCommand } from "./commands.ts";
import { decide } from "./decider.ts";
import { approval, artifacts, at, draftOf, evolved, jobId, metrics } from "./explainer.fixture.ts";

/** A job as the tests of its decider tell it: commands, one after the other, and what they come to. */

export type Without<T> = T extends unknown ? Omit<T, "at" | "digest"> : never;

/** A job that goes on by commands, second by second. */
export function job() {
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
      type: "claim",
      leaseId,
      workerId: "worker-1",
      leaseUntil: at(second + bounds.explainer.leaseSeconds),
      rendererVersion,
      voices: false,
      ...more,
    }),
  };
  return story;
}

export const approve = { type: "approve", ...approval, expectedVersion: null, cached: null, offered: true, again: false } as const;
export const complete = (leaseId: string) => ({ type: "complete", leaseId, milliseconds: 50_000, artifacts, metrics }) as const;
export const fail = (leaseId: string, retryable = true) => ({ type: "fail", leaseId, code: "renderer_failed", retryable }) as const;
export const renew = (leaseId: string, done: number, until: string, stage: "drawing" | "encoding" = "drawing") =>
  ({ type: "renew", leaseId, progress: { stage, done, total: 100 }, leaseUntil: until }) as const;
export const film = { fromJobId: "job-00000002", milliseconds: 50_000, artifacts, metrics };
