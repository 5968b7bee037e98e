import { bounds } from "@colloquy/schemas/bounds.ts";

/** A deletion that was begun and has not ended, by its account: what was interrupted is taken up by the next page. */
const begunKey = (accountId: string): string => `colloquy-erasing-${accountId}`;

/**
 * The request a deletion of the account's data was begun by in this browser, a short while ago; null when none is under way. What was
 * interrupted longer ago than that is asked about anew: by now there may be things nobody wanted gone.
 */
export function pendingDeletion(accountId: string): string | null {
  try {
    const { requestId, at } = JSON.parse(localStorage.getItem(begunKey(accountId)) ?? "{}") as { requestId?: unknown; at?: unknown };
    const age = Date.now() - Number(at);
    return typeof requestId === "string" && age >= 0 && age < bounds.erasure.resumeMs ? requestId : null;
  } catch {
    return null;
  }
}

export function rememberDeletion(accountId: string, requestId: string | null): void {
  try {
    if (requestId) localStorage.setItem(begunKey(accountId), JSON.stringify({ requestId, at: Date.now() }));
    else localStorage.removeItem(begunKey(accountId));
  } catch {
    // A browser that stores nothing takes nothing up again.
  }
}
