import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { SaxesParser, type SaxesTagPlain } from "saxes";

/** What a film must know of an SVG before it is drawn. */
interface SvgFacts {
  /** The height of its smallest letters in CSS pixels; 0 without text. */
  textSize: number;
  /** Its letters beyond ASCII, each once. */
  signs: string;
  /** The words in it that stand there once, and where: about, since letters are not measured. */
  parts: SvgPart[];
}

/** Words in a picture. Shares of its width and height. */
export interface SvgPart {
  label: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Group {
  isText: boolean;
  fontSize: number;
  anchor: string;
  /** From its units to CSS pixels. */
  map: Affine;
  /** Where its words begin, in its units. */
  x: number;
  y: number;
}
type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Where no size is given. */
const usualSize = 16;
const { altLength: mostSigns, words: mostWords } = filmBounds.figure;
/** A letter is about so wide, as a share of its size. */
const letterWidth = 0.55;

/**
 * The letters of a sanitised SVG. Sizes that only its style sheet gives are not known.
 * @param size in CSS pixels
 * @returns null for an SVG that would be drawn wrongly, or whose letters are too many kinds to check
 */
export function svgFacts(svg: string, size: { width: number; height: number }): SvgFacts | null {
  const open: Group[] = [];
  const signs = new Set<string>();
  const written: SvgPart[] = [];
  let smallest = Number.POSITIVE_INFINITY;
  let turnsAround = false;
  let startsLines = false;
  const parser = new SaxesParser();
  parser.on("opentag", (tag) => {
    const outer = open.at(-1) ?? { isText: false, fontSize: usualSize, anchor: "start", map: viewMap(tag, size), x: 0, y: 0 };
    turnsAround ||= tag.attributes.orient === "auto-start-reverse";
    startsLines ||= propertyOf(tag, "marker-start") !== undefined || propertyOf(tag, "marker") !== undefined;
    open.push({
      isText: outer.isText || tag.name === "text",
      fontSize: fontSizeOf(tag, outer.fontSize),
      anchor: propertyOf(tag, "text-anchor") ?? outer.anchor,
      map: joined(outer.map, transformOf(tag.attributes.transform ?? "")),
      x: firstNumber(tag.attributes.x) ?? outer.x,
      y: firstNumber(tag.attributes.y) ?? outer.y,
    });
  });
  parser.on("closetag", () => open.pop());
  parser.on("text", (text) => {
    const group = open.at(-1);
    if (!group?.isText || text.trim() === "") return;
    smallest = Math.min(smallest, group.fontSize * scaleOf(group.map));
    for (const sign of text) if (sign > "~") signs.add(sign);
    if (written.length <= mostWords) written.push(partOf(text.replace(/\s+/gu, " ").trim(), group, size));
  });
  try {
    parser.write(svg).close();
  } catch {
    return null;
  }
  // The program that draws SVG would point such an arrow the wrong way.
  if (turnsAround && startsLines) return null;
  const letters = [...signs].toSorted().join("");
  if (letters.length > mostSigns) return null;
  return { textSize: Number.isFinite(smallest) ? Math.round(smallest * 10) / 10 : 0, signs: letters, parts: named(written) };
}

/** Those that can be named: words that stand once and lie in the picture; none of a picture that is full of words. */
function named(written: readonly SvgPart[]): SvgPart[] {
  if (written.length > mostWords) return [];
  return written.filter(
    ({ label, x, y, width, height }) =>
      label.length <= filmBounds.labelLength &&
      written.filter((other) => other.label === label).length === 1 &&
      x >= 0 &&
      y >= 0 &&
      x + width <= 1 &&
      y + height <= 1,
  );
}

function partOf(label: string, { fontSize, anchor, map, x, y }: Group, size: { width: number; height: number }): SvgPart {
  const width = [...label].length * fontSize * letterWidth;
  const left = anchor === "middle" ? x - width / 2 : anchor === "end" ? x - width : x;
  const corners = [
    [left, y - fontSize * 0.8],
    [left + width, y - fontSize * 0.8],
    [left, y + fontSize * 0.2],
    [left + width, y + fontSize * 0.2],
  ].map(([across = 0, down = 0]) => [
    (map[0] * across + map[2] * down + map[4]) / size.width,
    (map[1] * across + map[3] * down + map[5]) / size.height,
  ]);
  const [xs, ys] = [corners.map(([one = 0]) => one), corners.map(([, one = 0]) => one)];
  const shares = {
    x: Math.min(...xs),
    y: Math.min(...ys),
    width: Math.max(...xs) - Math.min(...xs),
    height: Math.max(...ys) - Math.min(...ys),
  };
  return { label, ...shares };
}

/** An attribute or a property of the style, which counts more. */
function propertyOf({ attributes }: SaxesTagPlain, name: string): string | undefined {
  const styled = new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`).exec(attributes.style ?? "")?.[1];
  return styled ?? attributes[name];
}

const perUnit: Readonly<Record<string, number>> = { "": 1, px: 1, pt: 96 / 72, mm: 96 / 25.4 };

function fontSizeOf(tag: SaxesTagPlain, inherited: number): number {
  const [, value, unit = ""] = /^\s*([\d.]+)\s*(px|pt|mm|em|%)?\s*$/.exec(propertyOf(tag, "font-size") ?? "") ?? [];
  if (value === undefined) return inherited;
  if (unit === "em") return Number(value) * inherited;
  return unit === "%" ? (Number(value) / 100) * inherited : Number(value) * (perUnit[unit] ?? 1);
}

const firstNumber = (text: string | undefined): number | undefined => {
  const value = Number.parseFloat(text ?? "");
  return Number.isFinite(value) ? value : undefined;
};

/** The drawing lies in the middle of the picture, as large as it fits. */
function viewMap({ attributes }: SaxesTagPlain, { width, height }: { width: number; height: number }): Affine {
  const [left = 0, top = 0, boxWidth = 0, boxHeight = 0] = (attributes.viewBox ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (!(boxWidth > 0 && boxHeight > 0)) return still;
  const scale = Math.min(width / boxWidth, height / boxHeight);
  return [scale, 0, 0, scale, (width - boxWidth * scale) / 2 - left * scale, (height - boxHeight * scale) / 2 - top * scale];
}

const still: Affine = [1, 0, 0, 1, 0, 0];
const joined = (one: Affine, other: Affine): Affine => [
  one[0] * other[0] + one[2] * other[1],
  one[1] * other[0] + one[3] * other[1],
  one[0] * other[2] + one[2] * other[3],
  one[1] * other[2] + one[3] * other[3],
  one[0] * other[4] + one[2] * other[5] + one[4],
  one[1] * other[4] + one[3] * other[5] + one[5],
];
/** How much a map enlarges. */
const scaleOf = ([a, b, c, d]: Affine): number => Math.sqrt(Math.abs(a * d - b * c)) || 1;

function transformOf(transform: string): Affine {
  let map = still;
  for (const [, name, list = ""] of transform.matchAll(/(translate|scale|rotate|matrix)\s*\(([^)]*)\)/g)) {
    const [a = 0, b = name === "scale" ? a : 0, c = 0, d = 1, e = 0, f = 0] = list
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    if (name === "translate") map = joined(map, [1, 0, 0, 1, a, b]);
    else if (name === "scale") map = joined(map, [a, 0, 0, b, 0, 0]);
    else if (name === "matrix") map = joined(map, [a, b, c, d, e, f]);
    else map = joined(map, turned((a * Math.PI) / 180, { x: list.trim().split(/[\s,]+/).length > 1 ? b : 0, y: c }));
  }
  return map;
}

/** Turned about a point. */
function turned(angle: number, { x, y }: { x: number; y: number }): Affine {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
}
