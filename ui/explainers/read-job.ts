import type { ExplainerJob } from "@colloquy/schemas/explainers/job.ts";
import { pause } from "../api/backoff.ts";
import type { ExplainerApi } from "../api/explainer.ts";
import { clientProblem, problemOfThrown, RequestFailed } from "../api/problems.ts";

/** How often, and at what interval, a job is read again until a new version is visible. */
const retries = { count: 20, waitMs: 250 };

/** A job's version as the service reported it; without a position the job is polled. */
export type JobPosition = { jobId: string; version: number; position?: string };

/** Reads a job until it has this version; returns an older one when the retries are used up. */
export async function readJobNear(
  api: Pick<ExplainerApi, "job">,
  { jobId, version, position }: JobPosition,
  signal: AbortSignal,
): Promise<ExplainerJob | null> {
  for (let left = retries.count; ; left -= 1) {
    const job = await api.job(jobId, position === undefined ? {} : { after: position }, signal).catch((error: unknown) => {
      if (left === 0 || problemOfThrown(error).code !== "read_model_behind") throw error;
      return null;
    });
    if ((job && job.version >= version) || left === 0) return job;
    await pause(retries.waitMs, signal);
  }
}

/** Like `readJobNear`. @throws {RequestFailed} `read_model_behind` if the job is still older */
export async function readJobAt(api: Pick<ExplainerApi, "job">, reached: JobPosition, signal: AbortSignal): Promise<ExplainerJob | null> {
  const job = await readJobNear(api, reached, signal);
  if (job && job.version < reached.version) throw new RequestFailed(clientProblem("read_model_behind"));
  return job;
}
