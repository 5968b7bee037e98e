import { type WorkerMessage, workerPath } from "@colloquy/schemas/pages/offline.ts";

/** How long after a page was loaded its worker may come: the first load is nobody's to slow down. */
const latestMs = 10_000;

/**
 * Brings the worker that lets pages be read offline, once the page has nothing better to do. Not where the service has turned it off,
 * where the browser has none, or where its reader saves data.
 */
export function registerWorker(): void {
  const wanted = document.querySelector('meta[name="offline"]') !== null;
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (!wanted || !("serviceWorker" in navigator) || connection?.saveData) return;
  const register = (): void => {
    navigator.serviceWorker
      .register(workerPath, { updateViaCache: "none" })
      .then(claimThisPage)
      .catch(() => undefined);
  };
  const whenIdle = (): void => {
    if ("requestIdleCallback" in window) requestIdleCallback(register, { timeout: latestMs });
    else setTimeout(register, 1_000);
  };
  if (document.readyState === "complete") whenIdle();
  else addEventListener("load", whenIdle, { once: true });
}

/** A worker takes over the pages that are open, but not one that was on its way just then: without asking, that one would stay without. */
async function claimThisPage(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) active?.postMessage("answer for me" satisfies WorkerMessage);
}
