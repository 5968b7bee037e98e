import { type Language, languageNames } from "../languages.ts";
import type { PreferenceChoices } from "../sync/changes.ts";

/** How pages look to whoever reads them on this device. What is absent is as the device has it. */
export interface Look {
  theme?: "light" | "dark";
  readingSize?: "small" | "large" | "larger";
  motion?: "reduced";
  /** Of the interface; a course keeps its own. */
  language?: Language;
}

/** The cookie that tells the service, so that a page comes as it is wanted and does not change before one's eyes. Holds nothing personal. */
export const lookCookie = "colloquy-look";

const known = {
  theme: ["light", "dark"],
  readingSize: ["small", "large", "larger"],
  motion: ["reduced"],
  language: languageNames,
} as const;

/** What of an account's choices pages show. */
export function lookOf(choices: PreferenceChoices): Look {
  return onlyKnown(choices);
}

/** `theme.dark~motion.reduced`; empty for a look as the device has it. */
export const lookText = (look: Look): string =>
  Object.entries(look)
    .map(([name, value]) => `${name}.${value}`)
    .join("~");

/** Reads what `lookText` wrote; whatever else stands there is left out. */
export function readLook(text: string | undefined): Look {
  return onlyKnown(
    Object.fromEntries(
      (text ?? "")
        .slice(0, 100)
        .split("~")
        .map((part) => part.split(".")),
    ),
  );
}

function onlyKnown(choices: Record<string, unknown>): Look {
  const look = Object.entries(known).filter(([name, values]) => (values as readonly unknown[]).includes(choices[name]));
  return Object.fromEntries(look.map(([name]) => [name, choices[name]]));
}

/** The attributes of the root element a look is drawn by, in the order of their names. */
export const lookAttributes = ({ theme, readingSize, motion }: Look): [name: string, value: string | undefined][] => [
  ["data-motion", motion],
  ["data-reading-size", readingSize],
  ["data-theme", theme],
];
