import { existsSync } from "node:fs";
import { AssertionError } from "chai";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const candidates = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const quiet = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-quic",
];

/** Chromium without a window, with more switches where they are given. @throws when there is none, saying how to get it. */
export function openBrowser(switches: string[] = []): Promise<Browser> {
  const executablePath = candidates.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("The journeys need Chromium: install it (apt-get install chromium) or set CHROMIUM to its path.");
  return chromium.launch({ executablePath, args: [...quiet, ...switches] });
}

/** A person at a device of their own: a fresh profile, and everything a page complained of. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  complaints: string[];
}

/** `SLOWDOWN=4` has every page run as on a device four times slower: what only holds on a fast machine shows so. */
const slowdown = Number(process.env.SLOWDOWN ?? 1);

/** How long something may take before it counts as missing: a busy machine is slow. In milliseconds. */
export const patience = 60_000;

interface Device {
  width?: number;
  height?: number;
  touch?: boolean;
  /** What its browser asks for. */
  locale?: string;
  /** Whether scripts run there. */
  scripts?: boolean;
}

export async function visit(browser: Browser, device: Device = {}): Promise<Visitor> {
  const { width = 1280, height = 860, touch = false, scripts = true, locale } = device;
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: touch,
    javaScriptEnabled: scripts,
    ...(locale && { locale }),
  });
  context.setDefaultTimeout(patience);
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

/** Looks again until what is expected holds: what was done may show a moment later. @throws what is still not so when patience is over. */
export async function eventually(expected: () => Promise<unknown>): Promise<void> {
  for (const end = Date.now() + patience; ; await new Promise((resolve) => setTimeout(resolve, 50)))
    try {
      await expected();
      return;
    } catch (error) {
      if (!(error instanceof AssertionError) || Date.now() > end) throw error;
    }
}

/** What something is once it is the same for some time: nothing glides, loads or is set anew any more. */
export async function settled<Value>(look: () => Promise<Value>): Promise<Value> {
  let last = await look();
  for (let [same, end] = [0, Date.now() + patience]; same < 5; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const now = await look();
    same = JSON.stringify(now) === JSON.stringify(last) ? same + 1 : 0;
    last = now;
    if (Date.now() > end) throw new Error(`it never came to rest: ${JSON.stringify(now)}`);
  }
  return last;
}
