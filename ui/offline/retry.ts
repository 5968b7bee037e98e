import { bounds } from "@colloquy/schemas/bounds.ts";

/**
 * Asks until there is an answer: again after twice the time each time, and at once when the browser has a connection again or the tab comes
 * into view. A tab that is hidden does not ask again.
 * @param ask gives null, or fails, where nobody answers
 */
export async function retryUntilAnswered<Answer>(ask: () => Promise<Answer | null>): Promise<Answer> {
  for (let waitMs: number = bounds.offline.againMs; ; waitMs = Math.min(waitMs * 2, bounds.offline.againMostMs)) {
    const answer = await ask().catch(() => null);
    if (answer !== null) return answer;
    await pauseUntilRetry(waitMs);
  }
}

/** That a service is down no browser is told: time alone brings it back. */
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
