import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Again, type Client } from "./client.ts";

/** What a learner was told that it is so; all of it has to be there in the end, once. */
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
export interface Person {
  name: string;
  owner: boolean;
  client: Client;
  journal: Journal;
  random: () => number;
  /** Aborts when nothing new is to be begun. */
  resting: AbortSignal;
}

const patienceMs = 150_000;
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

/** The same again and again, until it is done. @throws when it is not for minutes, or will not be */
export async function patiently<Result>(what: string, attempt: () => Promise<Result>): Promise<Result> {
  for (const giveUp = performance.now() + patienceMs; ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Again) || error.final) throw error;
      if (performance.now() > giveUp) throw new Error(`${what} did not come about: ${error.message}`, { cause: error });
      await pause(error.afterMs * (0.75 + 0.5 * Math.random()));
    }
  }
}

export const someId = (): string => randomUUID();

/** Resolves when somebody's live stream has brought everything that was acknowledged, or has had the time for it. */
export async function streamed({ journal }: Person): Promise<void> {
  const missing = (): boolean => [...journal.changes.keys()].some((id) => !journal.streamed.has(id));
  for (const until = performance.now() + streamedWithinMs; missing() && performance.now() < until; ) await pause(100);
}
