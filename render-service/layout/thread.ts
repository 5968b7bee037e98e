import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Placed, Refused } from "@colloquy/schemas/explainers/placed.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import type { PlaceOptions } from "../frames/timeline.ts";

/** What the thread is asked for: the findings of a scene in both aspects and for how long it changes, or the scene as it is placed. */
export type Task = { task: "check"; scene: Scene; language: string } | { task: "place"; scene: Scene; place: PlaceOptions };

/** A placed scene, the fonts that it is drawn with, and how long it is as JSON. */
export interface PlacedScene {
  kind: "placed";
  placed: Placed;
  fonts: string[];
  length: number;
}

export interface Answers {
  check: { findings: string[]; changingMs: number };
  place: PlacedScene | Refused;
}

const worker = new URL("./thread-worker.ts", import.meta.url);
/** Fonts and formulas take about 150 MB; a scene that needs far more is refused. */
const memory = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64 };
/** An idle thread is stopped after this time. */
const idleMs = 60_000;

let running: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let queue: Promise<unknown> = Promise.resolve();

async function startThread(): Promise<Worker> {
  clearTimeout(idle);
  if (running) return running;
  const thread = new Worker(worker, { resourceLimits: memory, stdin: false });
  thread.unref();
  thread.on("error", () => undefined);
  thread.once("exit", () => {
    if (running === thread) running = undefined;
  });
  const ready = await Promise.race([once(thread, "message").then(() => true), once(thread, "exit").then(() => false)]);
  if (!ready) throw new Error("the thread of layouts cannot be started");
  running = thread;
  return thread;
}

async function stopThread(): Promise<void> {
  const thread = running;
  running = undefined;
  await thread?.terminate();
}

/** Asks the thread; undefined if it was stopped or crashed. */
async function ask<Kind extends Task["task"]>(
  thread: Worker,
  task: Extract<Task, { task: Kind }>,
  over: AbortSignal,
): Promise<Answers[Kind] | undefined> {
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, over]);
  thread.postMessage(task);
  try {
    const answer = await Promise.race([once(thread, "message", { signal }), once(thread, "exit", { signal }).then(() => undefined)]);
    return answer?.[0] as Answers[Kind] | undefined;
  } catch {
    return undefined;
  } finally {
    ending.abort();
  }
}

/** How often a thread at work is looked at, in milliseconds, and how many times as long as its limit it may take on a busy machine. */
const lookEveryMs = 100;
const patience = 8;

/** Aborts once the thread has computed for so long: in processor time, so that a busy machine refuses nothing. */
async function limitOf(thread: Worker, withinMs: number): Promise<{ over: AbortSignal; look(): Promise<void>; end(): void }> {
  const over = new AbortController();
  const before = await thread.cpuUsage();
  const look = async (): Promise<void> => {
    // A thread that crashed computes no more.
    const used = await thread.cpuUsage(before).catch(() => null);
    if (used && (used.user + used.system) / 1_000 >= withinMs) over.abort();
  };
  const looking = setInterval(() => void look(), lookEveryMs);
  const latest = setTimeout(() => over.abort(), withinMs * patience);
  const end = (): void => {
    clearInterval(looking);
    clearTimeout(latest);
  };
  return { over: over.signal, look, end };
}

/** The answers of some tasks, one after the other; undefined where one took too long or crashed, after which the rest is not asked. */
async function askAll<Kind extends Task["task"]>(
  tasks: readonly Extract<Task, { task: Kind }>[],
  withinMs: number,
): Promise<(Answers[Kind] | undefined)[]> {
  const began = performance.now();
  const answers: (Answers[Kind] | undefined)[] = [];
  let thread = await startThread();
  let limit = await limitOf(thread, withinMs);
  try {
    for (const task of tasks) {
      // What comes after a crash is answered by a new thread, as long as there is time.
      if (running !== thread && !limit.over.aborted) {
        if (performance.now() - began >= withinMs) break;
        limit.end();
        thread = await startThread();
        limit = await limitOf(thread, withinMs);
      }
      const answer = limit.over.aborted ? undefined : await ask(thread, task, limit.over);
      answers.push(answer);
      if (answer === undefined) await stopThread();
      if (limit.over.aborted) break;
      await limit.look();
    }
  } finally {
    limit.end();
    idle = setTimeout(() => void stopThread(), idleMs).unref();
  }
  return answers;
}

/**
 * Has a thread with limits of processor time (`withinMs`) and memory answer, one storyboard at a time, so that no text can block the caller.
 */
export function askThread<Kind extends Task["task"]>(
  tasks: readonly Extract<Task, { task: Kind }>[],
  withinMs: number,
): Promise<(Answers[Kind] | undefined)[]> {
  const result = queue.then(() => askAll(tasks, withinMs));
  queue = result.catch(() => undefined);
  return result;
}
