import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";

interface LayoutFinding {
  sceneId: string;
  detail: string;
}

const worker = new URL("./check-worker.ts", import.meta.url);
/** Fonts and formulas take about 150 MB; a scene that needs far more is refused. */
const memory = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64 };
/** An idle thread is stopped after this time. */
const idleMs = 60_000;

const { findings: most, findingLength, layoutMs } = filmBounds;
export const layoutTimedOut = "Its layout takes too long to work out; make it simpler.";

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
  if (!ready) throw new Error("the thread that checks layouts cannot be started");
  running = thread;
  return thread;
}

async function stopThread(): Promise<void> {
  const thread = running;
  running = undefined;
  await thread?.terminate();
}

/** Checks one scene in the thread; undefined if it timed out or crashed. */
async function askThread(scene: Scene, language: string, untilMs: number): Promise<string[] | undefined> {
  const thread = await startThread();
  const left = untilMs - performance.now();
  if (left <= 0) return undefined;
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(Math.ceil(left))]);
  thread.postMessage({ scene, language });
  try {
    const answer = await Promise.race([once(thread, "message", { signal }), once(thread, "exit", { signal }).then(() => undefined)]);
    return answer?.[0] as string[] | undefined;
  } catch {
    return undefined;
  } finally {
    ending.abort();
  }
}

async function checkScenes(scenes: readonly Scene[], language: string, withinMs: number): Promise<LayoutFinding[]> {
  await startThread();
  const untilMs = performance.now() + withinMs;
  const findings: LayoutFinding[] = [];
  for (const scene of scenes) {
    const isOver = performance.now() >= untilMs;
    const details = isOver ? undefined : await askThread(scene, language, untilMs);
    if (!details && !isOver) await stopThread();
    for (const detail of details ?? [layoutTimedOut]) findings.push({ sceneId: scene.sceneId, detail: detail.slice(0, findingLength) });
    // An unchecked scene does not pass.
    if (isOver) break;
  }
  idle = setTimeout(() => void stopThread(), idleMs).unref();
  return findings.slice(0, most);
}

/**
 * Findings of the layout of each scene, in both aspects and themes; none if the video can be rendered. Runs in a thread with limits of
 * time and memory, one storyboard at a time, so that no text can block the caller.
 */
export function checkLayout(
  scenes: readonly Scene[],
  { language, withinMs = layoutMs }: { language: string; withinMs?: number },
): Promise<LayoutFinding[]> {
  const result = queue.then(() => checkScenes(scenes, language, withinMs));
  queue = result.catch(() => undefined);
  return result;
}
