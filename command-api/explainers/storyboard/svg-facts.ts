import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { SaxesParser, type SaxesTagPlain } from "saxes";

/** What a film must know of an SVG before it is drawn. */
interface SvgFacts {
  /** The height of its smallest letters in CSS pixels; 0 without text. */
  textSize: number;
  /** Its letters beyond ASCII, each once. */
  signs: string;
}

interface Group {
  isText: boolean;
  fontSize: number;
  /** Of the units within, in CSS pixels. */
  scale: number;
}

/** Where no size is given. */
const usualSize = 16;
const mostSigns = filmBounds.figure.altLength;

/**
 * The letters of a sanitised SVG. Sizes that only its style sheet gives are not known.
 * @param size in CSS pixels
 * @returns null for an SVG that would be drawn wrongly, or whose letters are too many kinds to check
 */
export function svgFacts(svg: string, size: { width: number; height: number }): SvgFacts | null {
  const open: Group[] = [];
  const signs = new Set<string>();
  let smallest = Number.POSITIVE_INFINITY;
  let turnsAround = false;
  let startsLines = false;
  const parser = new SaxesParser();
  parser.on("opentag", (tag) => {
    const outer = open.at(-1) ?? { isText: false, fontSize: usualSize, scale: viewScale(tag, size) };
    turnsAround ||= tag.attributes.orient === "auto-start-reverse";
    startsLines ||= propertyOf(tag, "marker-start") !== undefined || propertyOf(tag, "marker") !== undefined;
    open.push({
      isText: outer.isText || tag.name === "text",
      fontSize: fontSizeOf(tag, outer.fontSize),
      scale: outer.scale * transformScale(tag.attributes.transform ?? ""),
    });
  });
  parser.on("closetag", () => open.pop());
  parser.on("text", (text) => {
    const { isText, fontSize, scale } = open.at(-1) ?? { isText: false, fontSize: 0, scale: 0 };
    if (!isText || text.trim() === "") return;
    smallest = Math.min(smallest, fontSize * scale);
    for (const sign of text) if (sign > "~") signs.add(sign);
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
  return { textSize: Number.isFinite(smallest) ? Math.round(smallest * 10) / 10 : 0, signs: letters };
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

function viewScale({ attributes }: SaxesTagPlain, { width, height }: { width: number; height: number }): number {
  const [, , boxWidth = 0, boxHeight = 0] = (attributes.viewBox ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return boxWidth > 0 && boxHeight > 0 ? Math.min(width / boxWidth, height / boxHeight) : 1;
}

/** How much a list of transformations enlarges. */
function transformScale(transform: string): number {
  let scale = 1;
  for (const [, name, list = ""] of transform.matchAll(/(scale|matrix)\s*\(([^)]*)\)/g)) {
    const [a = 1, b = name === "scale" ? a : 0, c = 0, d = 1] = list
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    scale *= Math.sqrt(Math.abs(name === "scale" ? a * b : a * d - b * c)) || 1;
  }
  return scale;
}
