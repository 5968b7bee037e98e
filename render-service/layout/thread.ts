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

/** Asks the thread; undefined if it timed out or crashed. */
async function ask<Kind extends Task["task"]>(task: Extract<Task, { task: Kind }>, untilMs: number): Promise<Answers[Kind] | undefined> {
  const thread = await startThread();
  const left = untilMs - performance.now();
  if (left <= 0) return undefined;
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(Math.ceil(left))]);
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

/** The answers of some tasks, one after the other; undefined where one took too long or crashed, after which the rest is not asked. */
async function askAll<Kind extends Task["task"]>(
  tasks: readonly Extract<Task, { task: Kind }>[],
  withinMs: number,
): Promise<(Answers[Kind] | undefined)[]> {
  await startThread();
  const untilMs = performance.now() + withinMs;
  const answers: (Answers[Kind] | undefined)[] = [];
  for (const task of tasks) {
    const isOver = performance.now() >= untilMs;
    const answer = isOver ? undefined : await ask(task, untilMs);
    if (answer === undefined && !isOver) await stopThread();
    answers.push(answer);
    if (isOver) break;
  }
  idle = setTimeout(() => void stopThread(), idleMs).unref();
  return answers;
}

/** Has a thread with limits of time and memory answer, one storyboard at a time, so that no text can block the caller. */
export function askThread<Kind extends Task["task"]>(
  tasks: readonly Extract<Task, { task: Kind }>[],
  withinMs: number,
): Promise<(Answers[Kind] | undefined)[]> {
  const result = queue.then(() => askAll(tasks, withinMs));
  queue = result.catch(() => undefined);
  return result;
}
