import { existsSync } from "node:fs";
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

/** Chromium without a window. @throws when there is none, saying how to get it. */
export function openBrowser(): Promise<Browser> {
  const executablePath = candidates.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("The journeys need Chromium: install it (apt-get install chromium) or set CHROMIUM to its path.");
  return chromium.launch({ executablePath, args: quiet });
}

/** A person at a device of their own: a fresh profile, and everything a page complained of. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  complaints: string[];
}

export async function visit(browser: Browser, options: { width?: number; height?: number } = {}): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: options.width ?? 1280, height: options.height ?? 860 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  return { page, context, complaints };
}
