import { allFontFiles } from "@colloquy/render-service/frames/faces.ts";
import type { Stroke } from "@colloquy/render-service/frames/pen.ts";
import { svgFamilies, withOurFonts } from "@colloquy/render-service/frames/svg-fonts.ts";
import type { Picture } from "@colloquy/schemas/explainers/storyboard.ts";
import { strokeLines } from "./canvas.ts";
import { polylineOf } from "./polyline.ts";

const isFamily = (family: string): family is keyof typeof svgFamilies => family in svgFamilies;

/** An SVG as films draw it: with our fonts, which are put into it, because a picture reaches none of its page. */
export async function withFonts(
  svg: string,
  { textSize, signs }: Picture,
  fetchFont: (alias: string) => Promise<ArrayBuffer>,
): Promise<string> {
  const ours = withOurFonts(svg);
  if (textSize === 0) return ours;
  const needed = allFontFiles().filter(
    ({ alias, family }) =>
      isFamily(family) && (family === "literata" || ours.includes(svgFamilies[family])) && (signs !== "" || alias.endsWith("-latin")),
  );
  const faces = await Promise.all(
    needed.map(async ({ alias, family }) => {
      const [, weight] = /-(\d+)-/.exec(alias) ?? [];
      const name = isFamily(family) ? svgFamilies[family] : family;
      return `@font-face{font-family:"${name}";font-weight:${weight};src:url(data:font/woff2;base64,${base64(await fetchFont(alias))})}`;
    }),
  );
  return ours.replace(/<svg\b[^>]*>/, (root) => {
    const family = root.includes("font-family") ? "" : `:root{font-family:${svgFamilies.literata}}`;
    return `${root}<style>${faces.join("")}${family}</style>`;
  });
}

function base64(bytes: ArrayBuffer): string {
  let text = "";
  for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
  return btoa(text);
}

/** What is no line of the picture itself. */
const apart = "defs, clipPath, mask, marker, pattern, symbol, style, text, use";
/** Of so many points a line as long as the picture is wide consists. */
const fineness = 400;

/** The lines of an SVG in the order in which they are drawn, from its attributes; those that a style sheet draws are none. */
export function svgStrokes(svg: string, { width, height }: Picture): Stroke<Path2D>[] {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const [left = 0, top = 0, wide = width, high = height] = (root.getAttribute("viewBox") ?? "")
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
  const strokes: Stroke<Path2D>[] = [];
  const walk = (element: Element, matrix: DOMMatrix, inherited: { stroke: string; width: number }): void => {
    if (element.matches(apart)) return;
    const { style, transform } = element as SVGGraphicsElement;
    const own = transform?.baseVal.consolidate()?.matrix;
    const here = own ? matrix.multiply(new DOMMatrix([own.a, own.b, own.c, own.d, own.e, own.f])) : matrix;
    const attribute = (name: string): string => style?.getPropertyValue(name) || element.getAttribute(name) || "";
    const drawn = {
      stroke: attribute("stroke") || inherited.stroke,
      width: Number.parseFloat(attribute("stroke-width")) || inherited.width,
    };
    const d = drawn.stroke === "none" ? "" : outlineOf(element);
    if (d) strokes.push(strokeOf(d, here, drawn.width, wide / fineness));
    for (const child of element.children) walk(child, here, drawn);
  };
  walk(root, new DOMMatrix([1 / wide, 0, 0, 1 / high, -left / wide, -top / high]), { stroke: "none", width: 1 });
  return strokes;
}

function strokeOf(d: string, matrix: DOMMatrix, width: number, step: number): Stroke<Path2D> {
  const lines = polylineOf(d, step).map((line) => line.map(({ x, y }) => matrix.transformPoint({ x, y })));
  const points = lines.flat();
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const path = new Path2D();
  strokeLines.set(path, lines);
  return { path, width: width * Math.hypot(matrix.a, matrix.b), box: { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y } };
}

/** The outline of a basic shape as a path. */
function outlineOf(element: Element): string {
  const number = (name: string): number => Number.parseFloat(element.getAttribute(name) ?? "0") || 0;
  const round = (x: number, y: number, rx: number, ry: number): string =>
    `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${rx * 2} 0a${rx} ${ry} 0 1 0 ${-rx * 2} 0`;
  switch (element.localName) {
    case "path":
      return element.getAttribute("d") ?? "";
    case "line":
      return `M${number("x1")} ${number("y1")}L${number("x2")} ${number("y2")}`;
    case "polyline":
      return `M${element.getAttribute("points")}`;
    case "polygon":
      return `M${element.getAttribute("points")}Z`;
    case "rect":
      return `M${number("x")} ${number("y")}h${number("width")}v${number("height")}h${-number("width")}Z`;
    case "circle":
      return round(number("cx"), number("cy"), number("r"), number("r"));
    case "ellipse":
      return round(number("cx"), number("cy"), number("rx"), number("ry"));
    default:
      return "";
  }
}
