export interface Panel {
  title: string;
  /** One for each size. */
  values: readonly number[];
  text: (value: number) => string;
}

const panel = { width: 228, height: 128, gap: 16, top: 48, bottom: 26, side: 14 };
const columns = 4;
const head = 46;

const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const round = (value: number): string => value.toFixed(1);

/** Small panels, one for each measure, over the number of events (logarithmic); each from zero. Follows the reader's light or dark scheme. */
export function growthChart(title: string, sizes: readonly number[], panels: readonly Panel[]): string {
  const width = columns * (panel.width + panel.gap) + panel.gap;
  const height = head + Math.ceil(panels.length / columns) * (panel.height + panel.gap);
  const drawn = panels.map((one, index) => {
    const x = panel.gap + (index % columns) * (panel.width + panel.gap);
    const y = head + Math.floor(index / columns) * (panel.height + panel.gap);
    return `<g transform="translate(${x} ${y})">${drawPanel(one, sizes)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>
svg { background: #ffffff; font: 12px system-ui, sans-serif; fill: #1f2328; }
.box { fill: #f6f8fa; }
.axis { stroke: #8c959f; stroke-width: 1; }
.line { fill: none; stroke: #0550ae; stroke-width: 2; }
.dot { fill: #0550ae; }
.quiet { fill: #59636e; font-size: 11px; }
.title { font-weight: 600; }
@media (prefers-color-scheme: dark) {
svg { background: #0d1117; fill: #f0f6fc; }
.box { fill: #151b23; }
.axis { stroke: #6e7681; }
.line { stroke: #79c0ff; }
.dot { fill: #79c0ff; }
.quiet { fill: #9198a1; }
}
</style>
<rect width="${width}" height="${height}" fill="none"/>
<text x="${panel.gap}" y="26" class="title" font-size="15">${escaped(title)}</text>
${drawn.join("\n")}
</svg>
`;
}

function drawPanel({ title, values, text }: Panel, sizes: readonly number[]): string {
  const largest = Math.max(...values, Number.MIN_VALUE);
  const [first = 1, last = 10] = [sizes[0], sizes.at(-1)];
  const across = (size: number): number =>
    last === first ? panel.side : panel.side + (Math.log(size / first) / Math.log(last / first)) * (panel.width - 2 * panel.side);
  const floor = panel.height - panel.bottom;
  const up = (value: number): number => floor - (value / largest) * (floor - panel.top);
  const points = values.map((value, index) => ({ x: across(sizes[index] ?? first), y: up(value), value }));
  const ends = [points[0], points.at(-1)].map((point, index) =>
    point ? `<text x="${round(point.x)}" y="38" text-anchor="${index === 0 ? "start" : "end"}">${escaped(text(point.value))}</text>` : "",
  );
  return [
    `<rect class="box" width="${panel.width}" height="${panel.height}" rx="6"/>`,
    `<text class="title" x="${panel.side}" y="20">${escaped(title)}</text>`,
    `<line class="axis" x1="${panel.side}" x2="${panel.width - panel.side}" y1="${floor}" y2="${floor}"/>`,
    `<polyline class="line" points="${points.map(({ x, y }) => `${round(x)},${round(y)}`).join(" ")}"/>`,
    ...points.map(({ x, y }) => `<circle class="dot" cx="${round(x)}" cy="${round(y)}" r="3"/>`),
    ...ends,
    `<text class="quiet" x="${panel.side}" y="${panel.height - 9}">${first.toLocaleString("en")}</text>`,
    `<text class="quiet" x="${panel.width - panel.side}" y="${panel.height - 9}" text-anchor="end">${last.toLocaleString("en")} events</text>`,
  ].join("");
}
