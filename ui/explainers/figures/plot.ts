import { type Expression, readExpression } from "@colloquy/schemas/explainers/expression.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { html, nothing, svg } from "lit";
import { formatNumber, list, msg } from "../../messages/page.ts";

const size = { width: 420, height: 220 };
const samples = 160;
/** Dash patterns of the functions, so that colour is not the only difference. */
const dashes = ["", "7 5", "2 5"];

/** Function graphs with marks; a function that cannot be parsed is listed beside them. */
export function plotFigure({ x, yLabel, functions, marks }: SceneContent<"plot">) {
  const read = functions.map(({ expression, label }) => ({ expression, label, of: readExpression(expression) }));
  const span = x.to - x.from;
  const lines = read.map(({ of }) => (of && span > 0 ? points(of, x.from, span) : []));
  const { low, high } = rangeOf(lines.flat().map(({ y }) => y));
  const at = (point: { x: number; y: number }) => ({
    x: ((point.x - x.from) / span) * size.width,
    y: size.height - ((point.y - low) / (high - low)) * size.height,
  });
  const names = read.map(({ label, expression }) => label || expression);
  const axis = { x: at({ x: Math.min(Math.max(0, x.from), x.to), y: 0 }).x, y: at({ x: 0, y: Math.min(Math.max(0, low), high) }).y };
  const told = msg("explainer.graphX", {
    functions: list(names),
    from: x.from,
    to: x.to,
  });
  return html`<svg class="plot" viewBox="-10 -18 ${size.width + 20} ${size.height + 42}" role="img" aria-label=${told} direction="ltr">
      <line class="axis" x1="0" x2=${size.width} y1=${axis.y} y2=${axis.y} />
      ${span > 0 ? svg`<line class="axis" x1=${axis.x} x2=${axis.x} y1="0" y2=${size.height} />` : nothing}
      ${lines.map((line, index) => svg`<path class="curve" stroke-dasharray=${dashes[index] || nothing} d=${pathOf(line, at, low, high)} />`)}
      ${marks.map(({ x: where, label }) => {
        const [first] = read;
        const y = first?.of?.(where);
        const place = at({ x: where, y: y !== undefined && Number.isFinite(y) ? y : 0 });
        return svg`<circle class="mark" cx=${place.x} cy=${place.y} r="5" /><text class="said" x=${place.x} y=${place.y - 12}>${label}</text>`;
      })}
      <text class="unit start" x="0" y=${size.height + 18}>${formatNumber(x.from)}</text>
      <text class="unit" x=${size.width / 2} y=${size.height + 18}>${x.label}</text>
      <text class="unit end" x=${size.width} y=${size.height + 18}>${formatNumber(x.to)}</text>
      ${yLabel ? svg`<text class="unit start" x="0" y="-6">${yLabel}</text>` : nothing}
    </svg>
    <ul class="key">${read.map(
      ({ of, expression }, index) =>
        html`<li><svg viewBox="0 0 28 8" aria-hidden="true"><line class="curve" x1="0" x2="28" y1="4" y2="4" stroke-dasharray=${dashes[index] || nothing} /></svg><bdi>${names[index]}</bdi>${of ? nothing : html` <em>${msg("explainer.cannotBeDrawn", { expression })}</em>`}</li>`,
    )}</ul>`;
}

interface Point {
  x: number;
  y: number;
}

const points = (of: Expression, from: number, span: number): Point[] =>
  Array.from({ length: samples + 1 }, (_, index) => from + (index / samples) * span)
    .map((x) => ({ x, y: of(x) }))
    .filter(({ y }) => Number.isFinite(y));

/** The shown range leaves out extreme values, so that a pole does not flatten the rest. */
function rangeOf(values: number[]): { low: number; high: number } {
  const sorted = values.toSorted((one, other) => one - other);
  const [low, high] = [sorted[Math.floor(sorted.length * 0.03)] ?? -1, sorted[Math.ceil(sorted.length * 0.97) - 1] ?? 1];
  const room = (high - low || 2) * 0.08;
  return { low: Math.min(low - room, low === high ? low - 1 : low), high: high === low ? high + 1 : high + room };
}

function pathOf(line: readonly Point[], at: (point: Point) => Point, low: number, high: number): string {
  let pen = "M";
  let path = "";
  for (const point of line) {
    if (point.y < low - (high - low) || point.y > high + (high - low)) {
      pen = "M";
      continue;
    }
    const { x, y } = at({ x: point.x, y: Math.min(high, Math.max(low, point.y)) });
    path += `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
    pen = "L";
  }
  return path;
}
