/** A queued or rendering video, as far as the queue needs it. */
export interface Waiting {
  jobId: string;
  accountId: string;
  state: string;
  /** RFC 3339. */
  queuedAt: string;
}

/**
 * How many videos begin at most before a queued one: accounts take turns, the one with the fewest rendering videos first. Which account
 * was served last is unknown here, so all others count as first. Null for a job that is not queued. Pure.
 */
export function aheadOf(jobId: string, jobs: readonly Waiting[]): number | null {
  const own = jobs.find((job) => job.jobId === jobId && job.state === "queued");
  if (!own) return null;
  const count = (of: string, state: string): number => jobs.filter((job) => job.accountId === of && job.state === state).length;
  const isEarlier = ({ queuedAt, jobId: other }: Waiting): boolean =>
    queuedAt < own.queuedAt || (queuedAt === own.queuedAt && other < jobId);
  const mine = jobs.filter((job) => job.accountId === own.accountId && job.state === "queued" && isEarlier(job)).length;
  const running = count(own.accountId, "rendering");
  const others = new Set(jobs.map(({ accountId }) => accountId).filter((accountId) => accountId !== own.accountId));
  let ahead = mine;
  for (const other of others) ahead += Math.min(count(other, "queued"), mine + 1 + Math.max(0, running - count(other, "rendering")));
  return ahead;
}
