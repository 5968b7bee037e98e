import { createRequire } from "node:module";
import { MathJaxStix2Font } from "@mathjax/mathjax-stix2-font/cjs/svg.js";
import { LiteElement } from "@mathjax/src/cjs/adaptors/lite/Element.js";
import { liteAdaptor } from "@mathjax/src/cjs/adaptors/liteAdaptor.js";
import { RegisterHTMLHandler } from "@mathjax/src/cjs/handlers/html.js";
import { TeX } from "@mathjax/src/cjs/input/tex.js";
import { mathjax } from "@mathjax/src/cjs/mathjax.js";
import { SVG } from "@mathjax/src/cjs/output/svg.js";
import "@mathjax/src/cjs/input/tex/ams/AmsConfiguration.js";
import "@mathjax/src/cjs/input/tex/boldsymbol/BoldsymbolConfiguration.js";
import "@mathjax/src/cjs/input/tex/braket/BraketConfiguration.js";
import type { Affine } from "@colloquy/schemas/explainers/placed.ts";
import { Path2D, PathOp } from "@napi-rs/canvas";
import { product } from "../frames/moves.ts";

/** A set formula, in units of a font size: outlines about its baseline, y downwards. */
export interface Formula {
  path: Path2D;
  /** Its signs from left to right, each an outline; equal names mean equal signs. */
  signs: readonly { name: string; path: Path2D }[];
  /** What the next formula is moved by. */
  advance: number;
  /** Of its ink. */
  left: number;
  right: number;
  ascent: number;
  descent: number;
  /** The smallest letters, as a share of the font size. */
  least: number;
}

// The font's further ranges are read from the package when a formula wants them, and at once, so that placing needs no waiting.
const load = createRequire(import.meta.url);
mathjax.asyncLoad = (name: string) => load(name);
mathjax.asyncIsSynchronous = true;

const adaptor = liteAdaptor();
RegisterHTMLHandler(adaptor);
/** No macros can be defined, nothing can be required, linked, coloured or named: those packages are not there. */
const input = new TeX({
  packages: ["base", "ams", "boldsymbol", "braket"],
  maxMacros: 200,
  maxBuffer: 2_000,
  formatError: (_: unknown, error: Error) => {
    throw error;
  },
});
const output = new SVG({
  fontCache: "none",
  fontData: MathJaxStix2Font,
  dynamicPrefix: "@mathjax/mathjax-stix2-font/cjs/svg/dynamic",
});
const document = mathjax.document("", { InputJax: input, OutputJax: output });

/** Commands that put or size things by hand: what they do cannot be held free of overlap. */
const byHand =
  /\\(hskip|hspace|hfil+|kern|mkern|mskip|mspace|raise|lower|move(?:left|right)|smash|(?:math)?[lrc]lap|[Rr]ule|Space|strut|char|tiny|Tiny|scriptsize|footnotesize|small|large|Large|LARGE|huge|Huge|mmlToken|v?box|[hf]box|vtop|vcenter|parbox|makebox|framebox|above[a-z]*|shove(?:left|right)|displaylines|cr|tag|label|ref|eqref|dimen[a-z]*)(?![A-Za-z])/u;
const brackets = /\\\\\s*\[/u;

export class NotSet extends Error {}

const numbers = (text: string): number[] => (text.match(/-?[\d.]+(?:e-?\d+)?/gu) ?? []).map(Number);

/** The transforms that the setter writes: moved, scaled. */
function matrixOf(transform: unknown): Affine {
  let matrix: Affine = [1, 0, 0, 1, 0, 0];
  for (const [, name, inside] of String(transform ?? "").matchAll(/(\w+)\(([^)]*)\)/gu)) {
    const [x = 0, y] = numbers(inside ?? "");
    if (name === "translate") matrix = product(matrix, [1, 0, 0, 1, x, y ?? 0]);
    else if (name === "scale") matrix = product(matrix, [x, 0, 0, y ?? x, 0, 0]);
    else throw new NotSet("it has something that cannot be drawn");
  }
  return matrix;
}

interface Outline {
  /** The character; of anything else what it is. */
  name: string;
  path: Path2D;
  bounds: readonly [left: number, top: number, right: number, bottom: number];
  /** It continues another: a piece of a stretched sign, or a rule. */
  continues: boolean;
}
interface Collected {
  outlines: Outline[];
  least: number;
}
interface Within {
  clip?: Path2D;
  /** Of a sign put together of pieces. */
  assembled?: boolean;
}
const ruleWidth = 60;

const meet = ([left, top, right, bottom]: Outline["bounds"], [l, t, r, b]: Outline["bounds"]): boolean =>
  left <= r && l <= right && top <= b && t <= bottom;

/** Adds an outline. Pieces that continue one another overlap and may run in opposite directions, which would leave holes there: they become one. */
function add(
  into: Collected,
  path: Path2D,
  [a, b, c, d, e, f]: Affine,
  { clip, continues, name }: { clip?: Path2D | undefined; continues: boolean; name: string },
): void {
  let whole = new Path2D();
  whole.addPath(path, { a, b, c, d, e, f });
  if (clip) whole = whole.op(clip, PathOp.Intersect).asWinding();
  const bounds = whole.computeTightBounds();
  const joined = into.outlines.filter((other) => (continues || other.continues) && meet(bounds, other.bounds));
  for (const other of joined) whole = whole.op(other.path, PathOp.Union).asWinding();
  into.outlines = into.outlines.filter((other) => !joined.includes(other));
  const names = [...joined.map((other) => other.name), name].join("+");
  into.outlines.push({ name: names, path: whole, bounds: whole.computeTightBounds(), continues: continues || joined.length > 0 });
}

function rectangle(x: number, y: number, width: number, height: number): Path2D {
  const path = new Path2D();
  path.rect(x, y, width, height);
  return path;
}

function collect(node: LiteElement, matrix: Affine, into: Collected, within: Within = {}): void {
  const { clip, assembled = false } = within;
  const of = (name: string): number => Number(node.attributes[name] ?? 0);
  const here = product(matrix, matrixOf(node.attributes.transform));
  switch (node.kind) {
    case "g": {
      const pieces = node.children.some((child) => child instanceof LiteElement && child.kind === "svg");
      for (const child of node.children)
        if (child instanceof LiteElement) collect(child, here, into, { ...within, assembled: assembled || pieces });
      return;
    }
    case "path": {
      add(into, new Path2D(String(node.attributes.d)), here, {
        clip,
        continues: assembled,
        name: String(node.attributes["data-c"] ?? "piece"),
      });
      // A window's content is stretched, however short: it is no letter.
      if (node.attributes["data-c"] !== undefined && !clip)
        into.least = Math.min(into.least, 1000 * Math.min(Math.abs(here[0]), Math.abs(here[3])));
      return;
    }
    case "rect": {
      const path = rectangle(of("x"), of("y"), of("width"), of("height"));
      add(into, node.attributes["data-frame"] === undefined ? path : path.stroke({ width: ruleWidth }), here, {
        clip,
        continues: true,
        name: "rule",
      });
      return;
    }
    case "line": {
      const [x, y] = [Math.min(of("x1"), of("x2")), Math.min(of("y1"), of("y2"))];
      const half = ruleWidth / 2;
      add(into, rectangle(x - half, y - half, Math.abs(of("x2") - of("x1")) + ruleWidth, Math.abs(of("y2") - of("y1")) + ruleWidth), here, {
        clip,
        continues: true,
        name: "line",
      });
      return;
    }
    case "svg": {
      // A window onto what is stretched: the extender of a tall bracket.
      const [left = 0, top = 0] = numbers(String(node.attributes.viewBox ?? ""));
      const window = new Path2D();
      const [a, b, c, d, e, f] = here;
      window.addPath(rectangle(of("x"), of("y"), of("width"), of("height")), { a, b, c, d, e, f });
      const inside = product(here, [1, 0, 0, 1, of("x") - left, of("y") - top]);
      for (const child of node.children) if (child instanceof LiteElement) collect(child, inside, into, { clip: window, assembled });
      return;
    }
    case "text":
      throw new NotSet(`its font does not have the sign ${adaptor.textContent(node)}`);
    default:
      throw new NotSet("it has something that cannot be drawn");
  }
}

/** Both aspects of a scene and each new version of a storyboard show the same formulas. */
const cache = new Map<string, Formula>();
const maxCached = 200;

/**
 * Sets a piece of TeX, which may begin or end with an operator: empty groups about it give that its room. Throws `NotSet` with the reason
 * where it cannot be set.
 */
export function setFormula(tex: string): Formula {
  const cached = cache.get(tex);
  if (cached) return cached;
  const formula = typeset(tex);
  if (cache.size >= maxCached) cache.clear();
  cache.set(tex, formula);
  return formula;
}

function typeset(tex: string): Formula {
  const hand = byHand.exec(tex)?.[0] ?? (brackets.test(tex) ? "\\\\[…]" : undefined);
  if (hand) throw new NotSet(`it puts or sizes things by hand with ${hand}`);
  // The empty group behind it would pass for what is missing.
  if (/[\^_]\s*$/u.test(tex)) throw new NotSet("it ends too early");
  const svg = svgOf(tex);
  const [, , width = 0] = numbers(String(svg.attributes.viewBox ?? ""));
  const collected: Collected = { outlines: [], least: 1 };
  for (const child of svg.children) {
    if (child instanceof LiteElement && child.kind !== "defs") collect(child, [0.001, 0, 0, 0.001, 0, 0], collected);
  }
  const path = new Path2D();
  for (const outline of collected.outlines) path.addPath(outline.path);
  const [left, top, right, bottom] = path.computeTightBounds();
  if (!(right > left && bottom > top)) throw new NotSet("it has nothing that can be seen");
  const signs = collected.outlines
    .toSorted((one, other) => one.bounds[0] - other.bounds[0])
    .map(({ name, path: sign }) => ({ name, path: sign }));
  return { path, signs, advance: width / 1000, left, right, ascent: -top, descent: bottom, least: collected.least };
}

function svgOf(tex: string): LiteElement {
  let node: unknown;
  try {
    node = document.convert(`{}${tex}{}`, { display: true });
  } catch (error) {
    throw new NotSet(error instanceof Error ? error.message : "it cannot be read");
  } finally {
    document.clear();
  }
  const svg = node instanceof LiteElement ? node.children.find((child) => child instanceof LiteElement && child.kind === "svg") : undefined;
  if (!(svg instanceof LiteElement)) throw new NotSet("it cannot be read");
  return svg;
}
