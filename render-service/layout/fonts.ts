import type { Face, Item } from "@colloquy/schemas/explainers/placed.ts";
import { GlobalFonts } from "@napi-rs/canvas";
import { fontBytes } from "../fonts/files.ts";
import { allFontFiles, type FontFile, filesOf } from "../frames/faces.ts";
import { charactersOf } from "./woff2.ts";

/** Registers a file, and tells which characters it has. */
function register(font: FontFile): [alias: string, characters: Set<number>] {
  const bytes = fontBytes(font);
  if (!GlobalFonts.register(bytes, font.alias)) throw new Error(`cannot load the font ${font.alias}`);
  return [font.alias, charactersOf(bytes)];
}
const registered = new Map(allFontFiles().map(register));

/** The files of all faces, for programs that set type themselves. */
export const fontFiles = (): Uint8Array[] => allFontFiles().map((font) => new Uint8Array(fontBytes(font)));

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const known = new Map<string, string | null>();

/** The font that has a grapheme; null if none does. */
function fontFor(segment: string, face: Face): string | null {
  const key = `${face} ${segment}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const codes = [...segment].map((sign) => sign.codePointAt(0) ?? 0);
  const found = filesOf(face).find(({ alias }) => codes.every((code) => registered.get(alias)?.has(code)));
  if (known.size > 20_000) known.clear();
  known.set(key, found?.alias ?? null);
  return found?.alias ?? null;
}

const fontsFor = (text: string, face: Face): [segment: string, alias: string | null][] =>
  Array.from(graphemes.segment(text), ({ segment }) => [segment, fontFor(segment, face)]);

/** The graphemes of a text that no shipped font has, which a canvas would draw with a system font. */
export const missingSigns = (text: string, face: Face): string[] => [
  ...new Set(fontsFor(text, face).flatMap(([segment, alias]) => (alias === null ? [segment] : []))),
];

/** The fonts that items are drawn with, by their aliases, each once. */
export const fontsOf = (items: readonly Item[]): string[] => [
  ...new Set(items.flatMap((item) => (item.kind === "text" ? fontsFor(item.text, item.face).flatMap(([, alias]) => alias ?? []) : []))),
];
