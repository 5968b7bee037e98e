import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type RecordingClient, RetryLater } from "./recording-client.ts";

/** What the service acknowledged to a person. All of it must exist exactly once in the end. */
export interface Journal {
  /** Changes that were acknowledged, by id. */
  changes: Map<string, { entityId: string; domain: string; type: string }>;
  /** Answers that were recorded, by the id of their turn. */
  turns: Map<string, { conversationId: string; question: string; answer: string }>;
  /** The ids of all turns that were asked for: one that broke off is kept as far as it came, marked as stopped. */
  asked: Set<string>;
  quizzes: Map<string, { conversationId: string }>;
  /** What the live stream brought, by the id of the change: how often. */
  streamed: Map<string, number>;
  /** Tutoring sessions: the version last told, and answers that were taken, by the id of the question. */
  sessions: Map<string, { version: number; answered: Set<string> }>;
  /** Revisions that were published, by the id of the request. */
  published: Map<string, { sequence: number; revisionId: string; mark: string }>;
  /** Films: whether their making was approved. */
  films: Map<string, { approved: boolean }>;
}

/** A simulated learner. */
export interface SimulatedPerson {
  name: string;
  owner: boolean;
  client: RecordingClient;
  journal: Journal;
  random: () => number;
  /** Aborts when nothing new is to be begun. */
  resting: AbortSignal;
}

const retryForMs = 150_000;
/** What was acknowledged last comes by the live stream within this. */
const streamedWithinMs = 30_000;

export const emptyJournal = (): Journal => ({
  changes: new Map(),
  turns: new Map(),
  asked: new Set(),
  quizzes: new Map(),
  streamed: new Map(),
  sessions: new Map(),
  published: new Map(),
  films: new Map(),
});

/** Retries until the attempt succeeds. @throws for a final refusal, or after minutes */
export async function retryUntilDone<Result>(what: string, attempt: () => Promise<Result>): Promise<Result> {
  for (const giveUp = performance.now() + retryForMs; ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof RetryLater) || error.final) throw error;
      if (performance.now() > giveUp) throw new Error(`${what} did not come about: ${error.message}`, { cause: error });
      await pause(error.afterMs * (0.75 + 0.5 * Math.random()));
    }
  }
}

export const newId = (): string => randomUUID();

/** Waits until a person's live stream has brought every acknowledged change, or a timeout. */
export async function waitForLiveStream({ journal }: SimulatedPerson): Promise<void> {
  const missing = (): boolean => [...journal.changes.keys()].some((id) => !journal.streamed.has(id));
  for (const until = performance.now() + streamedWithinMs; missing() && performance.now() < until; ) await pause(100);
}
