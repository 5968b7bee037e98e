import { bounds } from "@colloquy/schemas/bounds.ts";

/** A started deletion, by account: the next page resumes an interrupted one. */
const begunKey = (accountId: string): string => `colloquy-erasing-${accountId}`;

/** The request id of a recently started deletion; null if there is none. An older one is asked about again, because new data may exist. */
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
    // Without storage nothing can be resumed.
  }
}
