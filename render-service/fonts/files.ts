import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { allFontFiles, type FontFile } from "../frames/faces.ts";

const { resolve } = createRequire(import.meta.url);

/** The bytes of a font, as WOFF2. */
export const fontBytes = ({ family, file }: FontFile): Buffer => readFileSync(resolve(`@fontsource/${family}/files/${file}`));

const files = new Map(allFontFiles().map((font) => [font.alias, font]));

/** The bytes of the font with an alias; null if there is none. */
export function fontNamed(alias: string): Buffer | null {
  const font = files.get(alias);
  return font ? fontBytes(font) : null;
}
