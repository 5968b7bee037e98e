import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { translatorFor } from "@colloquy/messages/translators.ts";
import type { Browser, Page } from "playwright-core";
import { axeFindings } from "../../journeys/accessible.ts";
import { settled } from "../../journeys/browser.ts";
import type { Program } from "../../journeys/program.ts";
import { signIn } from "../harness/actors.ts";
import { findFlaws } from "./flaws.ts";
import { applyLook, type Device, type Look, looks } from "./looks.ts";
import { type ProgramName, type Scene, type Stage, sessionSecret } from "./scenes.ts";

/** A scene in one look: its picture, relative to the gallery's folder, and what is wrong with it. */
export interface Picture {
  page: string;
  state: string;
  look: string;
  /** Null where the scene could not be brought about. */
  file: string | null;
  flaws: string[];
}

/** A picture of a long page ends here, in CSS pixels: what comes below is seen in other scenes. */
const tallest = 3_600;
/** How long one step of a scene may take, in milliseconds. */
const patienceMs = 60_000;

interface Needs {
  browser: Browser;
  programOf(name: ProgramName): Promise<Program>;
  /** Where the pictures go. */
  folder: string;
  /** Names of looks; all of them unless given. */
  wanted: readonly string[] | null;
}

export const nameOf = ({ page, state }: Scene): string => `${page}, ${state}`;

/** Shows a scene on each device and captures it in each look. A scene that fails is a flaw in all its looks. */
export async function captureScene(scene: Scene, needs: Needs): Promise<Picture[]> {
  const asked = looks.filter(({ name }) => !needs.wanted || needs.wanted.includes(name));
  const pictures: Picture[] = [];
  try {
    await prepared(scene, needs);
    for (const device of new Set(asked.map((look) => look.device))) {
      const own = asked.filter((look) => look.device === device);
      pictures.push(...(await onDevice(scene, device, own, needs)));
    }
  } catch (error) {
    const missing = asked.filter(({ name }) => !pictures.some(({ look }) => look === name));
    pictures.push(...missing.map(({ name }) => failed(scene, name, error)));
  }
  return pictures;
}

const failed = ({ page, state }: Scene, look: string, error: unknown): Picture => ({
  page,
  state,
  look,
  file: null,
  flaws: [
    `could not be brought about: ${String((error as Error).message ?? error)
      .split("\n")
      .slice(0, 3)
      .join(" ")}`,
  ],
});

async function prepared(scene: Scene, needs: Needs): Promise<void> {
  if (!scene.prepare) return;
  const { stage, close } = await stageOf(
    scene,
    { name: "prepare", width: 1440, height: 900, touch: false, language: "en", scale: 1 },
    needs,
  );
  try {
    await scene.prepare(stage);
  } catch (error) {
    await stage.page.screenshot({ path: join(needs.folder, slug(scene.page), `${slug(scene.state)}-failed.png`) }).catch(() => undefined);
    throw error;
  } finally {
    await close();
  }
}

async function onDevice(scene: Scene, device: Device, own: readonly Look[], needs: Needs): Promise<Picture[]> {
  const { stage, complaints, close } = await stageOf(scene, device, needs);
  const taken: Picture[] = [];
  try {
    await scene.show(stage);
    for (const look of own) {
      await applyLook(stage.page, look);
      await atRest(stage.page);
      const file = await shot(scene, look, stage.page, needs.folder);
      const seen = [...(await stage.page.evaluate(findFlaws, false)), ...(look.axe ? await axeFindings(stage.page) : [])];
      const told = new Set(complaints.splice(0).map((text) => `the console: ${text}`));
      const flaws = [...seen, ...told].filter((text) => !scene.allows?.test(text));
      taken.push({ page: scene.page, state: scene.state, look: look.name, file, flaws });
    }
    // Only now, since it closes what goes with the focus. How wide the window is counts, not its colours.
    for (const look of new Map(own.map((one) => [one.width, one])).values()) {
      await applyLook(stage.page, look);
      const flaws = (await stage.page.evaluate(findFlaws, true)).filter((text) => !scene.allows?.test(text));
      taken.find(({ look: name }) => name === look.name)?.flaws.push(...flaws);
    }
  } catch (error) {
    const missing = own.filter(({ name }) => !taken.some(({ look }) => look === name));
    const where = `${slug(scene.page)}/${slug(scene.state)}-${device.name}-failed.png`;
    await stage.page.screenshot({ path: join(needs.folder, where) }).catch(() => undefined);
    taken.push(...missing.map(({ name }) => ({ ...failed(scene, name, error), file: where })));
  } finally {
    await close();
  }
  return taken;
}

const slug = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

async function shot(scene: Scene, look: Look, page: Page, folder: string): Promise<string> {
  const file = `${slug(scene.page)}/${slug(scene.state)}-${look.name}.png`;
  mkdirSync(join(folder, slug(scene.page)), { recursive: true });
  const options = { path: join(folder, file) };
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const isWhole = !scene.window && height > look.device.height;
  if (!isWhole) await page.screenshot(options);
  else await page.screenshot({ ...options, fullPage: true, clip: { x: 0, y: 0, width: look.width, height: Math.min(height, tallest) } });
  return file;
}

/** Nothing loads or is set anew any more. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await settled(() => page.evaluate(() => [document.documentElement.scrollHeight, document.body.innerHTML.length, location.href]));
}

async function stageOf(scene: Scene, device: Device, { browser, programOf }: Needs) {
  const program = await programOf(scene.at ?? "everyday");
  const actor = scene.as && (await signIn({ url: program.url, secret: sessionSecret }, scene.as));
  const cookie = actor?.headers.cookie ?? "";
  const { width, height, touch, language, scale } = device;
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: touch,
    locale: language,
    deviceScaleFactor: scale,
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(patienceMs);
  const [name = "", value = ""] = cookie.split(/=(.*)/s);
  if (cookie) await context.addCookies([{ name, value, url: program.url }]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  const stage: Stage = {
    page,
    context,
    program,
    cookie,
    msg: translatorFor(language).msg,
    go: async (path) => void (await page.goto(new URL(path, program.url).href)),
  };
  return { stage, complaints, close: () => context.close().catch(() => undefined) };
}

/** One line for each flaw, with the looks that have it. */
export function describeFlaws(pictures: readonly Picture[]): string[] {
  const found = pictures.flatMap(({ page, state, look, flaws }) => flaws.map((flaw) => ({ at: `${page}, ${state}`, look, flaw })));
  return [...Map.groupBy(found, ({ at, flaw }) => `${at}\n${flaw}`).values()].map((same) => {
    const { at, flaw } = same[0] as (typeof found)[number];
    return `${at} (${same.map(({ look }) => look).join(", ")}): ${flaw}`;
  });
}
