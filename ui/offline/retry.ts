import { bounds } from "@colloquy/schemas/bounds.ts";
import { backoffMs } from "../api/backoff.ts";

/**
 * Asks until there is an answer, with backoff, and at once when the browser is online again or the tab becomes visible. A hidden tab does
 * not ask.
 * @param ask resolves to null, or rejects, if nobody answers
 */
export async function retryUntilAnswered<Answer>(ask: () => Promise<Answer | null>): Promise<Answer> {
  const backoff = { firstMs: bounds.offline.againMs, mostMs: bounds.offline.againMostMs };
  for (let failures = 0; ; failures += 1) {
    const answer = await ask().catch(() => null);
    if (answer !== null) return answer;
    await pauseUntilRetry(backoffMs(failures, backoff));
  }
}

/** Browsers do not report that a service is back, so a timer runs too. */
function pauseUntilRetry(waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const { signal } = over;
    const go = (): void => {
      if (document.hidden) return;
      over.abort();
      resolve();
    };
    const timer = setTimeout(go, waitMs);
    signal.addEventListener("abort", () => clearTimeout(timer));
    addEventListener("online", go, { signal });
    document.addEventListener("visibilitychange", go, { signal });
  });
}
