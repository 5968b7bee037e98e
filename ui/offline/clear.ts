import type { WorkerMessage } from "@colloquy/schemas/pages/offline.ts";
import { deletePages } from "./kept-pages.ts";
import { rememberAccount } from "./last-account.ts";

/** Deletes the offline data outside the account's store: kept pages and the remembered account. */
export async function clearOfflineData(): Promise<void> {
  rememberAccount(null);
  // The worker may be about to keep a page, so it must know.
  navigator.serviceWorker?.controller?.postMessage("forget" satisfies WorkerMessage);
  if ("caches" in globalThis) await deletePages().catch(() => undefined);
}
