import type { WorkerMessage } from "@colloquy/schemas/pages/offline.ts";
import { forgetPages } from "./kept-pages.ts";
import { rememberAccount } from "./last-account.ts";

/** Takes away what this browser keeps for reading offline besides the account's store: the pages it read, and whose it is. */
export async function forgetReader(): Promise<void> {
  rememberAccount(null);
  // The worker, too: a page may be on its way into what is kept.
  navigator.serviceWorker?.controller?.postMessage("forget" satisfies WorkerMessage);
  if ("caches" in globalThis) await forgetPages().catch(() => undefined);
}
