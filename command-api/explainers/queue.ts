import type { ExplainerState } from "@colloquy/schemas/explainers/state.ts";

/** What a worker can render. */
export interface Capabilities {
  rendererVersion: number;
  voices: boolean;
}

/**
 * The order in which jobs are claimed. Accounts take turns: the account with the fewest rendering videos first, then the one that was
 * served longest ago; of each account the oldest job. Pure.
 * @param served a growing number for each account: when it last got a worker
 */
export function claimOrder(
  jobs: readonly ExplainerState[],
  served: ReadonlyMap<string, number>,
  now: string,
  { rendererVersion, voices }: Capabilities,
): string[] {
  const time = Date.parse(now);
  const running = new Map<string, number>();
  const waiting = new Map<string, ExplainerState[]>();
  for (const job of jobs) {
    const { accountId, render, state } = job;
    if (!render) continue;
    const expired = state === "rendering" && render.lease !== null && Date.parse(render.lease.until) <= time;
    if (state === "rendering" && !expired) running.set(accountId, (running.get(accountId) ?? 0) + 1);
    const ready = expired || (state === "queued" && (render.notBefore === null || Date.parse(render.notBefore) <= time));
    const fits = render.rendererVersion === rendererVersion && (voices || render.settings.voice === "none");
    if (ready && fits) waiting.set(accountId, [...(waiting.get(accountId) ?? []), job]);
  }
  const accounts = [...waiting.keys()].sort(
    (a, b) =>
      (running.get(a) ?? 0) - (running.get(b) ?? 0) ||
      (served.get(a) ?? 0) - (served.get(b) ?? 0) ||
      order(first(waiting, a), first(waiting, b)),
  );
  return accounts.flatMap((account) => waiting.get(account)?.sort(order) ?? []).map(({ jobId }) => jobId);
}

const order = (a: ExplainerState, b: ExplainerState): number => compare(queuedAt(a), queuedAt(b)) || compare(a.jobId, b.jobId);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const queuedAt = ({ render }: ExplainerState): string => render?.queuedAt ?? "";

function first(waiting: ReadonlyMap<string, ExplainerState[]>, account: string): ExplainerState {
  const [one, ...others] = waiting.get(account) ?? [];
  if (!one) throw new RangeError("an account without jobs");
  return others.reduce((oldest, job) => (order(job, oldest) < 0 ? job : oldest), one);
}
