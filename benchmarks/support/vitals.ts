import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";

/** What somebody feels of one visit. Times in milliseconds; `shift` has no unit. */
export interface Vitals {
  /** Largest Contentful Paint: when the largest thing of the first view is there. */
  largestPaint: number;
  /** Cumulative Layout Shift. */
  shift: number;
  /** Interaction to Next Paint, over the interactions of the visit. */
  interaction: number;
  /** What long tasks kept the page from answering between its first paint and its rest: of each what goes beyond 50 ms. */
  blocked: number;
  /** Bytes over the network until the page is at rest. */
  transferred: number;
  /** What the largest thing was. */
  largest: string;
}

/** How a visitor's machine and line are. */
export interface Circumstances {
  /** So many times slower than this machine. */
  processor: number;
  line: { bitsPerSecond: number; requestMs: number } | null;
}

/**
 * Lighthouse's "Slow 4G": 1.6 Mbit/s with round trips of 150 ms. A browser's own throttling delays requests rather than packets, so that
 * Lighthouse sets 3.75 round trips for each and nine tenths of the throughput there, which is what stands here.
 * https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md
 */
export const slow: Circumstances = { processor: 4, line: { bitsPerSecond: 1_638_400 * 0.9, requestMs: 150 * 3.75 } };
export const asItIs: Circumstances = { processor: 1, line: null };

/** Longer tasks than this are felt. */
const longTaskMs = 50;
/** So long nothing new is loaded, and a page is at rest. */
const restMs = 1_500;

const library = readFileSync(fileURLToPath(import.meta.resolve("web-vitals")).replace(/web-vitals\.js$/, "web-vitals.iife.js"), "utf8");

/** What the page's own script keeps, by Google's library. */
interface Kept {
  largestPaint: number;
  largest: string;
  shift: number;
  interaction: number;
  firstPaint: number;
  tasks: { start: number; duration: number }[];
}
declare global {
  interface Window {
    vitalsOfVisit: Kept;
  }
  const webVitals: typeof import("web-vitals/attribution");
}

function keep(): void {
  const kept: Kept = { largestPaint: 0, largest: "", shift: 0, interaction: 0, firstPaint: 0, tasks: [] };
  window.vitalsOfVisit = kept;
  const all = { reportAllChanges: true };
  webVitals.onLCP(({ value, entries }) => {
    kept.largestPaint = value;
    const element = entries.at(-1)?.element;
    kept.largest = element ? `${element.localName} “${(element.textContent ?? "").trim().slice(0, 40)}”` : "";
  }, all);
  webVitals.onFCP(({ value }) => (kept.firstPaint = value), all);
  webVitals.onCLS(({ value }) => (kept.shift = value), all);
  webVitals.onINP(({ value }) => (kept.interaction = value), { ...all, durationThreshold: 16 });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) kept.tasks.push({ start: startTime, duration });
  }).observe({ type: "longtask", buffered: true });
}

/**
 * Visits a page for the first time, waits until it is at rest, and does what `interact` does there.
 * @param cookies of a session, where the page wants one
 */
export async function visitOnce(
  browser: Browser,
  url: string,
  options: { circumstances: Circumstances; cookies: Parameters<BrowserContext["addCookies"]>[0]; interact: (page: Page) => Promise<void> },
): Promise<Vitals> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  try {
    await context.addCookies(options.cookies);
    await context.addInitScript(`${library};(${keep})();`);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    const bytes = await countBytes(devtools);
    await slowDown(devtools, options.circumstances);
    await page.goto(url, { waitUntil: "load" });
    await atRest(page);
    const transferred = bytes();
    const { firstPaint, tasks } = await page.evaluate(() => window.vitalsOfVisit);
    await options.interact(page);
    // The last interaction is told once its frame was painted.
    await atRest(page);
    const { largestPaint, largest, shift, interaction } = await page.evaluate(() => window.vitalsOfVisit);
    const blocked = tasks
      .filter(({ start }) => start >= firstPaint)
      .reduce((sum, { duration }) => sum + Math.max(0, duration - longTaskMs), 0);
    return { largestPaint, largest, shift, interaction, blocked, transferred };
  } finally {
    await context.close();
  }
}

async function slowDown(devtools: CDPSession, { processor, line }: Circumstances): Promise<void> {
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: processor });
  if (!line) return;
  const throughput = line.bitsPerSecond / 8;
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: line.requestMs,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
}

async function countBytes(devtools: CDPSession): Promise<() => number> {
  let bytes = 0;
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await devtools.send("Network.enable");
  return () => bytes;
}

/** Nothing new was loaded and no long task ended for a while. */
async function atRest(page: Page): Promise<void> {
  let [before, since] = [-1, Date.now()];
  while (Date.now() - since < restMs) {
    const now = await page.evaluate(() => performance.getEntriesByType("resource").length + window.vitalsOfVisit.tasks.length);
    if (now !== before) [before, since] = [now, Date.now()];
    await page.waitForTimeout(100);
  }
}
