import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { question } from "../fixtures.ts";
import { seedHistory } from "../history-seed.ts";
import type { PlayedService } from "../service.ts";
import { startPlayedServer } from "./server.ts";

/**
 * Takes screenshots of the workspace in each state, wide and narrow, light and dark: `node ui/workspace/testing/node/pictures.ts <folder>
 * [state…]`.
 */

interface State {
  name: string;
  prepare?(service: PlayedService): void;
  path?(newest: string): string;
  act(page: Page, service: PlayedService): Promise<void>;
}

const composer = (page: Page) => page.locator("colloquy-composer textarea");
const ask = async (page: Page) => {
  await composer(page).fill(question);
  await composer(page).press("Enter");
};
const finished = (page: Page) => page.locator("colloquy-answer p").last().waitFor();

const states: State[] = [
  { name: "empty", act: async (page) => page.locator("colloquy-welcome li").first().waitFor() },
  {
    name: "carried",
    path: () => "/ai?page=/courses/shell-novice/pipes-and-filters",
    act: async (page) => page.locator("colloquy-composer .chip").waitFor(),
  },
  {
    name: "streaming",
    prepare: (service) => {
      service.script = { kind: "hanging-after", characters: 420 };
    },
    path: () => "/ai?page=/courses/shell-novice/pipes-and-filters",
    act: async (page) => {
      await page.locator("colloquy-composer .chip").waitFor();
      await ask(page);
      await page.locator("colloquy-answer p").first().waitFor();
      await page.waitForTimeout(900);
    },
  },
  { name: "finished", path: (newest) => `/ai?conversation=${newest}`, act: finished },
  {
    name: "citation",
    path: (newest) => `/ai?conversation=${newest}`,
    act: async (page) => {
      await finished(page);
      await page.locator("colloquy-transcript").evaluate((element) => element.scrollTo(0, 0));
      await page.locator("a.cite").first().hover();
      await page.locator("colloquy-citation-card:popover-open").waitFor();
      await page.waitForTimeout(300);
    },
  },
  {
    name: "sources",
    path: (newest) => `/ai?conversation=${newest}`,
    act: async (page) => {
      await finished(page);
      await page.locator("colloquy-sources summary").click();
      await page.locator("colloquy-trace summary").click();
      await page.locator("colloquy-transcript").evaluate((element) => element.scrollTo(0, 300));
    },
  },
  {
    name: "asked",
    act: async (page) => {
      await ask(page);
      await page.locator("colloquy-exchange .next").waitFor();
      await page.waitForTimeout(500);
    },
  },
  {
    name: "error",
    prepare: (service) => {
      service.script = { kind: "refused", code: "ai_unavailable" };
    },
    act: async (page) => {
      await ask(page);
      await page.locator(".problem").waitFor();
    },
  },
  {
    name: "broken",
    prepare: (service) => {
      service.script = { kind: "error-after", characters: 300, code: "ai_unavailable" };
    },
    act: async (page) => {
      await ask(page);
      await page.locator(".problem").waitFor();
    },
  },
  {
    name: "stopped",
    prepare: (service) => {
      service.script = { kind: "hanging-after", characters: 300 };
    },
    act: async (page) => {
      await ask(page);
      await page.locator("colloquy-answer p").first().waitFor();
      await page.waitForTimeout(400);
      await composer(page).press("Escape");
      await page.locator(".ended").waitFor();
    },
  },
  {
    name: "offline",
    path: (newest) => `/ai?conversation=${newest}`,
    act: async (page) => {
      await finished(page);
      await page.context().setOffline(true);
      await page.locator(".notice").waitFor();
    },
  },
  {
    name: "mention",
    act: async (page) => {
      await composer(page).pressSequentially("How does @pi");
      await page.locator("colloquy-composer [role=option]").first().waitFor();
      await page.waitForTimeout(300);
    },
  },
  {
    name: "models",
    act: async (page) => {
      await page.locator("colloquy-model-picker button").click();
      await page.locator("colloquy-model-picker label", { hasText: "Swift Mini" }).last().click();
      await page.waitForTimeout(300);
    },
  },
  {
    name: "no-model",
    prepare: (service) => {
      service.models = [];
    },
    act: async (page) => page.locator("colloquy-composer .note").waitFor(),
  },
  {
    name: "signed-out",
    prepare: (service) => {
      service.account = null;
    },
    path: () => "/ai?page=/courses/shell-novice/pipes-and-filters",
    act: async (page) => page.locator(".invite h2", { hasText: "Pipes" }).waitFor(),
  },
  { name: "missing", path: () => "/ai?conversation=nothing-here", act: async (page) => page.locator(".absent").waitFor() },
  {
    name: "sheet",
    path: (newest) => `/ai?conversation=${newest}`,
    act: async (page) => {
      await finished(page);
      const menu = page.locator("button[aria-label=Conversations]");
      if (await menu.isVisible()) await menu.click();
      await page.waitForTimeout(400);
    },
  },
  { name: "sign-in", path: () => "/sign-in", act: async (page) => page.waitForTimeout(200) },
];

const looks = [
  { name: "wide-light", viewport: { width: 1440, height: 900 }, colorScheme: "light" as const, phone: false },
  { name: "wide-dark", viewport: { width: 1440, height: 900 }, colorScheme: "dark" as const, phone: false },
  { name: "narrow-light", viewport: { width: 390, height: 844 }, colorScheme: "light" as const, phone: true },
  { name: "narrow-dark", viewport: { width: 390, height: 844 }, colorScheme: "dark" as const, phone: true },
];

async function take(browser: Browser, folder: string, state: State, look: (typeof looks)[number]): Promise<void> {
  const server = await startPlayedServer();
  const { viewport, colorScheme, phone } = look;
  const context = await browser.newContext({
    viewport,
    colorScheme,
    ...(phone && { hasTouch: true, isMobile: true, deviceScaleFactor: 2 }),
  });
  try {
    const newest = seedHistory(server.service);
    state.prepare?.(server.service);
    const page = await context.newPage();
    page.on("pageerror", (error) => console.error(`${state.name}: ${error.message}`));
    page.on("console", (message) => message.type() === "error" && console.error(`${state.name}: ${message.text()}`));
    await page.goto(`${server.url}${state.path?.(newest) ?? "/ai"}`);
    await state.act(page, server.service);
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: join(folder, `${state.name}-${look.name}.png`) });
  } finally {
    await context.close();
    await server.close();
  }
}

const [folder = "pictures", ...wanted] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
  ],
});
try {
  for (const state of states)
    for (const look of looks) {
      const name = `${state.name}-${look.name}`;
      if (wanted.length && !wanted.some((prefix) => name.startsWith(prefix))) continue;
      await take(browser, folder, state, look).catch((error) =>
        console.error(`${name}: ${error instanceof Error ? error.message : error}`),
      );
    }
} finally {
  await browser.close();
}
