import { type WorkerMessage, workerPath } from "@colloquy/schemas/pages/offline.ts";

/** Latest start of the registration after page load, which it must not slow down. */
const latestMs = 10_000;

/** Registers the service worker when the page is idle, unless the service disabled it, the browser has none, or the reader saves data. */
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

/** A new worker claims open pages, but not one that was loading at that moment: that page asks to be claimed. */
async function claimThisPage(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) active?.postMessage("answer for me" satisfies WorkerMessage);
}
