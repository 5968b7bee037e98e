import { rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { givenFor } from "../given.fixture.ts";
import type { ExplainerCommand } from "./commands.ts";
import { explainerDecider } from "./decider.ts";
import { account, approval, artifacts, at, draftOf, jobId, metrics } from "./explainer.fixture.ts";

/** A command without what the story adds: its time and digest. */
export type StoryCommand = ExplainerCommand extends infer One ? (One extends unknown ? Omit<One, "at" | "digest"> : never) : never;
export const given = givenFor(explainerDecider, account);

/** given, when, then for one video whose clock goes on: `wait` moves it, and every command is given at its time. */
export function videoStory() {
  let now = given();
  let second = 0;
  const completed = (command: StoryCommand) => ({ digest: "digest", at: at(second), ...command }) as ExplainerCommand;
  const story = {
    get state() {
      return now.state;
    },
    now: () => at(second),
    wait(seconds: number) {
      second += seconds;
      return story;
    },
    decide: (command: StoryCommand) => explainerDecider.decide(completed(command), now.state),
    /** Commands of the past, which are accepted. */
    and(...commands: StoryCommand[]) {
      for (const command of commands) now = now.and(completed(command));
      return story;
    },
    when(command: StoryCommand) {
      const asked = now.when(completed(command));
      return {
        // biome-ignore lint/suspicious/noThenProperty: the last word of given, when, then
        then(...expected: Parameters<typeof asked.then>) {
          now = asked.then(...expected);
          return story;
        },
        thenRejected(...expected: Parameters<typeof asked.thenRejected>) {
          asked.thenRejected(...expected);
          return story;
        },
      };
    },
    drafted: () => story.and({ type: "draft", jobId, ...draftOf() }),
    approved: () => story.drafted().and(approve),
    claimed: (leaseId = "lease-0001") => story.approved().and(story.claim(leaseId)),
    claim: (leaseId: string, more: object = {}): StoryCommand => ({
      type: "claim",
      leaseId,
      workerId: "worker-1",
      leaseUntil: at(second + filmBounds.leaseSeconds),
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
