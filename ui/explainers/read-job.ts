import type { ExplainerJob } from "@colloquy/schemas/explainers/job.ts";
import { pause } from "../api/backoff.ts";
import type { ExplainerApi } from "../api/explainer.ts";
import { clientProblem, problemOfThrown, RequestFailed } from "../api/problems.ts";

/** So often, and after so long, a job is read again that must have moved on. */
const retries = { count: 20, waitMs: 250 };

/** How far a job has come, as its service said; without a position it is looked for again. */
export type JobPosition = { jobId: string; version: number; position?: string };

/** A job as it stands once it came as far as that, or, after a while, as far as it came. */
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

/** As `readUpTo`. @throws {RequestFailed} `read_model_behind` as long as it has not come so far */
export async function readJobAt(api: Pick<ExplainerApi, "job">, reached: JobPosition, signal: AbortSignal): Promise<ExplainerJob | null> {
  const job = await readJobNear(api, reached, signal);
  if (job && job.version < reached.version) throw new RequestFailed(clientProblem("read_model_behind"));
  return job;
}
