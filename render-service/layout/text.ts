import type { Face } from "@colloquy/schemas/explainers/placed.ts";
import { createCanvas } from "@napi-rs/canvas";
import { fontOf } from "../frames/faces.ts";
// Registers the fonts.
import "./fonts.ts";

/** How far a line of text reaches from the left end of its baseline. */
interface Extent {
  /** What the next word is moved by. */
  advance: number;
  left: number;
  right: number;
  ascent: number;
  descent: number;
}

const context = createCanvas(1, 1).getContext("2d");
const measured = new Map<string, Extent>();

/** How text is set wherever it is measured or drawn. */
export function setType(
  into: Pick<typeof context, "font" | "lang" | "fontKerning" | "fontVariantLigatures">,
  face: Face,
  size: number,
): void {
  into.font = fontOf(face, size);
  // Else it would follow the language of the machine.
  into.lang = "en";
  into.fontKerning = "normal";
  // In code every sign stands for itself.
  into.fontVariantLigatures = face.startsWith("code") ? "none" : "normal";
}

/** Measures a line with the font it will be drawn with. */
export function measure(text: string, face: Face, size: number, direction: "ltr" | "rtl" = "ltr"): Extent {
  const key = `${face} ${size} ${direction} ${text}`;
  const before = measured.get(key);
  if (before) return before;
  setType(context, face, size);
  context.direction = direction;
  context.textAlign = "left";
  const metrics = context.measureText(text);
  const extent = {
    advance: metrics.width,
    left: -metrics.actualBoundingBoxLeft,
    right: metrics.actualBoundingBoxRight,
    ascent: metrics.actualBoundingBoxAscent,
    descent: metrics.actualBoundingBoxDescent,
  };
  if (measured.size > 20_000) measured.clear();
  measured.set(key, extent);
  return extent;
}

/** What has no ink and only disturbs: control characters, marks of direction, joiners; the non-joiner is Persian's own. */
const inkless = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;
const keep = "\u200c";

/** Text as it is set: one line, composed, without what cannot be seen. */
export const cleaned = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/\s+/gu, " ")
    .replace(inkless, (sign) => (sign === keep ? sign : ""))
    .trim();

/** Code as it is set: its lines, tabs as spaces. */
export const cleanedLines = (code: string): string[] => {
  const lines = code
    .normalize("NFC")
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => line.replaceAll("\t", "    ").replace(inkless, "").trimEnd());
  while (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
};

/** A text in lines that all fit. */
export interface Block {
  lines: string[];
  face: Face;
  size: number;
  leading: number;
  /** Of the widest line. */
  width: number;
  height: number;
}

/** Where a word may be broken without a hyphen of ours. */
const pieces = (word: string): string[] => word.match(/.+?(?:[-/–—_.:,]+(?=\p{L}|\p{N})|$)/gu) ?? [word];

/** Lines of at most `width`; none when a word alone is wider. Direction does not change a width, so lines are measured as they stand. */
function broken(text: string, face: Face, size: number, width: number): string[] | undefined {
  const lines: string[] = [];
  let line = "";
  const fits = (candidate: string) => measure(candidate, face, size).advance <= width;
  for (const word of text.split(" ")) {
    const whole = line ? `${line} ${word}` : word;
    if (fits(whole)) {
      line = whole;
      continue;
    }
    if (line) lines.push(line);
    line = word;
    if (fits(word)) continue;
    line = "";
    for (const piece of pieces(word)) {
      if (fits(line + piece)) line += piece;
      else {
        if (line) lines.push(line);
        line = piece;
        if (!fits(piece)) return undefined;
      }
    }
  }
  return [...lines, line];
}

interface Setting {
  face: Face;
  size: number;
  width: number;
  /** Distance of baselines as a share of the size. */
  leading?: number;
  /** Lines of about the same length: for headings and labels. */
  balanced?: boolean;
}

/** Of the ways to break a text into as few lines, the one whose lines differ least. */
function evened(text: string, { face, size, width }: Setting, filled: string[]): string[] {
  const unevenness = (lines: readonly string[]): number => {
    const widths = lines.map((line) => measure(line, face, size).advance);
    const widest = Math.max(...widths);
    return widths.reduce((sum, one) => sum + (widest - one) ** 2, 0);
  };
  let best = filled;
  const narrowest = width / filled.length;
  for (let step = 0; step < widthsTried; step++) {
    const tried = broken(text, face, size, narrowest + ((width - narrowest) * step) / widthsTried);
    if (tried && tried.length === filled.length && unevenness(tried) < unevenness(best)) best = tried;
  }
  return best;
}
const widthsTried = 16;

/** Sets a cleaned text in a size; nothing when a word is wider than the room. */
export function setBlock(text: string, { face, size, width, leading = 1.32, balanced = false }: Setting): Block | undefined {
  const filled = broken(text, face, size, width);
  if (!filled) return undefined;
  const lines = balanced && filled.length > 1 ? evened(text, { face, size, width }, filled) : filled;
  const widest = Math.max(...lines.map((line) => measure(line, face, size).advance));
  return { lines, face, size, leading: size * leading, width: widest, height: lines.length * size * leading };
}

/** The largest of sizes from `most` down to `least` for which something can be made. */
export function largest<T>(most: number, least: number, make: (size: number) => T | undefined): T | undefined {
  for (let size = most; size >= least; size -= 2) {
    const made = make(size);
    if (made !== undefined) return made;
  }
  return undefined;
}

/** A text cut to a width, with an ellipsis. */
export function shortened(text: string, face: Face, size: number, width: number): string {
  if (measure(text, face, size).advance <= width) return text;
  const signs = [...text];
  while (signs.length > 0 && measure(`${signs.join("").trimEnd()}…`, face, size).advance > width) signs.pop();
  return `${signs.join("").trimEnd()}…`;
}
