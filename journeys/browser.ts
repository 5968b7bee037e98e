import { existsSync } from "node:fs";
import { AssertionError } from "chai";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const candidates = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const disabledFeatures = [
  // Suggestions of the address bar: every window would load two pages for them.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  // Playwright's own list, which this one replaces.
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "TcpPortRandomizationWin",
  "ThirdPartyStoragePartitioning",
];
const quiet = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-quic",
  `--disable-features=${disabledFeatures.join(",")}`,
];

/** @throws if it is not installed, with instructions */
function executable(): string {
  const executablePath = candidates.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("The journeys need Chromium: install it (apt-get install chromium) or set CHROMIUM to its path.");
  return executablePath;
}

/** Headless Chromium, with additional switches. */
export const openBrowser = async (switches: string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: executable(), args: [...quiet, ...switches] });

/** Chromium with a profile that stays on disk: what a visitor's private context refuses, such as installing an app, is allowed. */
export async function openProfile(folder: string): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(folder, { executablePath: executable(), args: quiet });
  context.setDefaultTimeout(timeoutMs);
  return context;
}

/** A user with a fresh browser profile, and all errors of its page. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  complaints: string[];
}

/** `SLOWDOWN=4` slows every page down four times, which reveals tests that only pass on a fast machine. */
const slowdown = Number(process.env.SLOWDOWN ?? 1);

/** Timeout of every wait in milliseconds; long, because a busy machine is slow. */
export const timeoutMs = 60_000;

interface Device {
  width?: number;
  height?: number;
  touch?: boolean;
  /** The language of its browser. */
  locale?: string;
  /** Whether JavaScript is enabled. */
  scripts?: boolean;
}

export async function openVisitor(browser: Browser, device: Device = {}): Promise<Visitor> {
  const { width = 1280, height = 860, touch = false, scripts = true, locale } = device;
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: touch,
    javaScriptEnabled: scripts,
    ...(locale && { locale }),
  });
  context.setDefaultTimeout(timeoutMs);
  if (slowdown > 1) context.on("page", (page) => void slowDown(context, page));
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  return { page, context, complaints };
}

async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
}

/** Repeats an expectation until it holds. @throws its last error after the timeout */
export async function eventually(expected: () => Promise<unknown>): Promise<void> {
  for (const end = Date.now() + timeoutMs; ; await new Promise((resolve) => setTimeout(resolve, 50)))
    try {
      await expected();
      return;
    } catch (error) {
      if (!(error instanceof AssertionError) || Date.now() > end) throw error;
    }
}

/** Repeats an expectation until it holds, and puts the page's clock forward by a second before each attempt. Install the clock first. */
export const eventuallyLater = (page: Page, expected: () => Promise<unknown>): Promise<void> =>
  eventually(async () => {
    await page.clock.runFor(1_000);
    await expected();
  });

/** A value once it has not changed for some time, after animations, loading and rendering. */
export async function settled<Value>(look: () => Promise<Value>): Promise<Value> {
  let last = await look();
  for (let [same, end] = [0, Date.now() + timeoutMs]; same < 5; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const now = await look();
    same = JSON.stringify(now) === JSON.stringify(last) ? same + 1 : 0;
    last = now;
    if (Date.now() > end) throw new Error(`it never came to rest: ${JSON.stringify(now)}`);
  }
  return last;
}
