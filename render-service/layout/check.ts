import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";

export interface LayoutFinding {
  sceneId: string;
  detail: string;
}

const worker = new URL("./check-worker.ts", import.meta.url);
/** Fonts and formulas take about 150 MB; a text that makes them take more is not worth a film. */
const memory = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64 };
/** A thread that was not needed for so long is let go of. */
const idleMs = 60_000;

const { findings: most, findingLength, layoutMs } = bounds.explainer;
export const tookTooLong = "Its layout takes too long to work out; make it simpler.";

let running: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let queue: Promise<unknown> = Promise.resolve();

async function started(): Promise<Worker> {
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

async function stopped(): Promise<void> {
  const thread = running;
  running = undefined;
  await thread?.terminate();
}

/** Asks the thread about one scene; nothing when it has not answered in time or has died of it. */
async function asked(scene: Scene, language: string, untilMs: number): Promise<string[] | undefined> {
  const thread = await started();
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

async function checked(scenes: readonly Scene[], language: string, withinMs: number): Promise<LayoutFinding[]> {
  await started();
  const untilMs = performance.now() + withinMs;
  const findings: LayoutFinding[] = [];
  for (const scene of scenes) {
    const isOver = performance.now() >= untilMs;
    const details = isOver ? undefined : await asked(scene, language, untilMs);
    if (!details && !isOver) await stopped();
    for (const detail of details ?? [tookTooLong]) findings.push({ sceneId: scene.sceneId, detail: detail.slice(0, findingLength) });
    // What was not looked at is not right by that.
    if (isOver) break;
  }
  idle = setTimeout(() => void stopped(), idleMs).unref();
  return findings.slice(0, most);
}

/**
 * What would keep each scene from being drawn well, in both aspects and both themes: none when a film can be made. Worked out in a thread
 * of its own within bounds of time and memory, one storyboard after the other, so that no text of a storyboard can hang its caller.
 */
export function checkLayout(
  scenes: readonly Scene[],
  { language, withinMs = layoutMs }: { language: string; withinMs?: number },
): Promise<LayoutFinding[]> {
  const result = queue.then(() => checked(scenes, language, withinMs));
  queue = result.catch(() => undefined);
  return result;
}
