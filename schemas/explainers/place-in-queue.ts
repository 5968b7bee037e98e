/** A film that waits or is made, as far as its place says anything: whose it is only to be told from others. */
export interface Waiting {
  jobId: string;
  accountId: string;
  state: string;
  /** RFC 3339. */
  queuedAt: string;
}

/**
 * How many films at most are begun before one that waits, as things stand: accounts take turns, whoever has the fewest films being made
 * first. Of who was served last only the process that serves knows, so everybody else is reckoned to come first. Null for one that does
 * not wait. Pure.
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
