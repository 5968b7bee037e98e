import { setTimeout as pause } from "node:timers/promises";
import { rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import { type Progress, type RenderStage, renderStages } from "@colloquy/schemas/explainers/render.ts";
import type { StageTime } from "@colloquy/schemas/explainers/stages.ts";
import type { ClaimResponse } from "@colloquy/schemas/explainers/worker.ts";
import { ApiUnavailable, type Held, LeaseLost, type WorkerApi, WorkerRefused } from "./api.ts";
import { failureOf, RenderFailure } from "./failure.ts";
import { jobFolder } from "./job-folder.ts";
import type { Renderer } from "./render.ts";

interface Loop {
  api: WorkerApi;
  renderer: Renderer;
  /** The folder for a job's files. */
  folder: string;
  log: (message: string, about?: object) => void;
  /** Stops the worker, which then returns its job. */
  signal: AbortSignal;
  /** Shorter waits, for tests. */
  waits?: Partial<typeof defaultWaits>;
}

const defaultWaits = {
  /** Between two claims. */
  idleMs: 1_000,
  /** After a failed claim, doubled each time. */
  awayMs: 500,
  awayMostMs: 30_000,
  /** Between two reports of progress; a lease is renewed after a third of its time at the latest. */
  progressMs: 1_000,
};

/** Work on a job was ended from outside. */
class Ended extends Error {
  override name = "Ended";
}

/** Half to all of a time, at random, so that workers do not all call at once. */
const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2);

/** Claims and renders jobs one after another until the signal. */
export async function workLoop(loop: Loop): Promise<void> {
  const { api, log, signal } = loop;
  const waits = { ...defaultWaits, ...loop.waits };
  let failures = 0;
  while (!signal.aborted) {
    let wait = waits.idleMs;
    try {
      const claimed = await api.claim();
      if (failures) log("the API answers again");
      failures = 0;
      if (claimed) {
        await work(loop, waits, claimed);
        continue;
      }
    } catch (error) {
      failures += 1;
      wait = Math.min(waits.awayMostMs, waits.awayMs * 2 ** (failures - 1));
      if (failures === 1 || error instanceof WorkerRefused)
        log(
          error instanceof WorkerRefused
            ? "not let in: is RENDER_WORKER_TOKEN the same here and there?"
            : "no answer to the question for work",
          {
            error: String(error),
          },
        );
    }
    await pause(jittered(wait), undefined, { signal }).catch(() => undefined);
  }
}

async function work(
  { api, renderer, folder: within, log, signal }: Loop,
  waits: typeof defaultWaits,
  claimed: ClaimResponse,
): Promise<void> {
  const { job, leaseId } = claimed;
  const held: Held = { jobId: job.jobId, leaseId };
  const about = { jobId: job.jobId, renderId: job.renderId, attempt: job.attempt };
  const ending = new AbortController();
  const ended = AbortSignal.any([signal, ending.signal]);
  const clock = stageClock();
  const lease = keepLease({ api, held, seconds: claimed.leaseSeconds, waits, onEnd: (why) => ending.abort(new Ended(why)) });
  let place: ReturnType<typeof jobFolder> | null = null;
  try {
    if (job.rendererVersion !== rendererVersion) throw new RenderFailure("renderer_failed", `not renderer ${job.rendererVersion}`);
    place = jobFolder(within);
    const { artifacts, milliseconds, metrics } = await renderer.render(job, {
      folder: place.folder,
      signal: ended,
      onProgress: (progress) => {
        clock.enters(progress.stage);
        lease.tell(progress);
      },
    });
    const bytes = artifacts.reduce((sum, one) => sum + one.bytes, 0);
    let done = 0;
    clock.enters("uploading");
    for (const artifact of artifacts) {
      lease.tell({ stage: "uploading", done, total: bytes });
      await retryUntilEnded(waits, ended, () => api.upload(held, artifact, ended));
      done += artifact.bytes;
    }
    lease.tell({ stage: "uploading", done, total: bytes });
    await retryUntilEnded(waits, ended, () => api.complete(held, { milliseconds, artifacts, metrics, stages: clock.times() }));
    log("made a film", { ...about, milliseconds: metrics.renderMilliseconds, reused: metrics.segmentsReused });
  } catch (error) {
    lease.end();
    if (error instanceof LeaseLost || ending.signal.aborted)
      return log("let go of a job", { ...about, why: String(ending.signal.reason ?? error) });
    const failure = signal.aborted ? new RenderFailure("worker_lost", "the worker stops") : failureOf(error);
    log("no film", { ...about, code: failure.code, error: failure.message });
    // If this fails, the lease expires and the job is claimed again.
    await api.fail(held, failure.code, failure.retryable).catch(() => undefined);
  } finally {
    lease.end();
    place?.clear();
  }
}

/** Measures the stages of a job, for its trace. */
function stageClock() {
  const times = new Map<RenderStage, number>();
  let stage: RenderStage = "starting";
  let since = performance.now();
  const passes = (): void => {
    const now = performance.now();
    times.set(stage, (times.get(stage) ?? 0) + now - since);
    since = now;
  };
  return {
    enters(next: RenderStage): void {
      if (next === stage) return;
      passes();
      stage = next;
    },
    times(): StageTime[] {
      passes();
      return [...times].map(([stage, milliseconds]) => ({ stage, milliseconds }));
    },
  };
}

/** Retries until success or the end of the job, because a short outage of the API must not lose a finished video. */
async function retryUntilEnded(waits: typeof defaultWaits, ended: AbortSignal, attempt: () => Promise<void>): Promise<void> {
  for (let wait = waits.awayMs; ; wait = Math.min(wait * 2, waits.awayMostMs)) {
    ended.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ApiUnavailable)) throw error;
      await pause(jittered(wait), undefined, { signal: ended });
    }
  }
}

const isFurther = (one: Progress, than: Progress): boolean => {
  const at = ({ stage, done, total }: Progress): number =>
    renderStages.indexOf(stage satisfies RenderStage) + Math.min(1, done / total) * 0.999;
  return at(one) > at(than);
};

/** Renews the lease of a running job and reports its progress, which never decreases. */
function keepLease(options: { api: WorkerApi; held: Held; seconds: number; waits: typeof defaultWaits; onEnd: (why: string) => void }): {
  tell(progress: Progress): void;
  end(): void;
} {
  const { api, held, waits, onEnd } = options;
  let seconds = options.seconds;
  let until = performance.now() + seconds * 1_000;
  let known: Progress = { stage: "starting", done: 0, total: 1 };
  let news = false;
  let renewedAt = performance.now();
  const over = new AbortController();
  const end = (why: string): void => {
    if (over.signal.aborted) return;
    over.abort();
    onEnd(why);
  };

  void (async () => {
    while (!over.signal.aborted) {
      await pause(Math.min(waits.progressMs, (seconds * 1_000) / 3), undefined, { signal: over.signal }).catch(() => undefined);
      if (over.signal.aborted) return;
      const now = performance.now();
      if (now >= until) return end("the lease has run out");
      if (!news && now - renewedAt < (seconds * 1_000) / 3) continue;
      news = false;
      try {
        const answer = await api.renew(held, known);
        renewedAt = now;
        seconds = answer.leaseSeconds;
        // The time counts from the request, which is earlier than the grant.
        until = now + seconds * 1_000;
        if (answer.stop) end("cancelled");
      } catch (error) {
        if (error instanceof ApiUnavailable) continue;
        end(error instanceof LeaseLost ? "the lease was lost" : String(error));
      }
    }
  })();

  return {
    tell(progress) {
      if (!isFurther(progress, known)) return;
      known = progress;
      news = true;
    },
    end: () => over.abort(),
  };
}
