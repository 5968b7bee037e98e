import type { Language } from "@colloquy/schemas/languages.ts";
import type { Page } from "playwright-core";

/** What a scene is brought about on: the page is loaded and led into its state anew for each, then taken in that device's looks. */
export interface Device {
  name: string;
  width: number;
  height: number;
  touch: boolean;
  language: Language;
  /** Device pixels for each CSS pixel. */
  scale: number;
}

/** One way of looking at a scene. */
export interface Look {
  name: string;
  device: Device;
  width: number;
  scheme: "light" | "dark";
  forced: boolean;
  /** Whether axe goes over it; what it finds does not hang on width, so once for each theme and device is enough. */
  axe: boolean;
}

const device = (name: string, width: number, height: number, more: Partial<Device> = {}): Device => ({
  name,
  width,
  height,
  touch: false,
  language: "en",
  scale: 1,
  ...more,
});
const desk = device("desk", 1440, 900);
const phone = device("phone", 390, 844, { touch: true });
const arabic = device("arabic", 1440, 900, { language: "ar" });
const arabicPhone = device("arabic-phone", 390, 844, { touch: true, language: "ar" });
const germanDesk = device("german-wide", 1440, 900, { language: "de" });
/** The longest words, where there is least room. */
const german = device("german", 390, 844, { touch: true, language: "de" });
/** 1440 by 900 at 200 %: half as many CSS pixels, each twice as large. */
const zoomed = device("zoomed", 720, 450, { scale: 2 });

const look = (name: string, on: Device, more: Partial<Look> = {}): Look => ({
  name,
  device: on,
  width: on.width,
  scheme: "light",
  forced: false,
  axe: true,
  ...more,
});

/** All of them, those of one device together. */
export const looks: readonly Look[] = [
  look("light", desk),
  look("dark", desk, { scheme: "dark" }),
  look("forced", desk, { forced: true, axe: false }),
  look("phone", phone),
  look("phone-dark", phone, { scheme: "dark" }),
  look("320", phone, { width: 320, axe: false }),
  look("arabic", arabic),
  look("zoomed", zoomed, { axe: false }),
  look("german", german, { axe: false }),
  look("german-wide", germanDesk, { axe: false }),
  look("arabic-phone", arabicPhone, { axe: false }),
];

/** Has a page look so; it stands on the look's device already. */
export async function applyLook(page: Page, { device: { height }, width, scheme, forced }: Look): Promise<void> {
  if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: scheme, forcedColors: forced ? "active" : "none" });
}
