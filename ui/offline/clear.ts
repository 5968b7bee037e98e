import type { WorkerMessage } from "@colloquy/schemas/pages/offline.ts";
import { deletePages } from "./kept-pages.ts";
import { rememberAccount } from "./last-account.ts";

/** Takes away what this browser keeps for reading offline besides the account's store: the pages it read, and whose it is. */
export async function clearOfflineData(): Promise<void> {
  rememberAccount(null);
  // The worker, too: a page may be on its way into what is kept.
  navigator.serviceWorker?.controller?.postMessage("forget" satisfies WorkerMessage);
  if ("caches" in globalThis) await deletePages().catch(() => undefined);
}
