import { bounds } from "@colloquy/schemas/bounds.ts";

export interface LetGoAhead {
  note(accountId: string, requestId: string): void;
  /** Whether a question was let go of before it came; once. */
  take(accountId: string, requestId: string): boolean;
}

/**
 * Which questions were let go of before they arrived: they are not to be answered for nobody, and not to be recorded. Each account
 * has its own room, so that none pushes out what another one said; what is too old goes with the next word of anybody.
 */
export function askLetGoAhead(now: () => number = () => performance.now()): LetGoAhead {
  const { ms, perAccount } = bounds.ask.letGoAhead;
  /** By account, the one that spoke last at the end; of each the requests and until when they count, the latest at the end. */
  const noted = new Map<string, Map<string, number>>();

  function forgetOld(): void {
    for (const [accountId, requests] of noted) {
      if ([...requests.values()].some((until) => until > now())) return;
      noted.delete(accountId);
    }
  }
  return {
    note(accountId, requestId) {
      forgetOld();
      const requests = noted.get(accountId) ?? new Map<string, number>();
      requests.delete(requestId);
      requests.set(requestId, now() + ms);
      if (requests.size > perAccount) requests.delete(requests.keys().next().value ?? "");
      noted.delete(accountId);
      noted.set(accountId, requests);
    },
    take(accountId, requestId) {
      const requests = noted.get(accountId);
      const until = requests?.get(requestId);
      requests?.delete(requestId);
      return until !== undefined && until > now();
    },
  };
}
