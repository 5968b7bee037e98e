import type { Box } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { barsOf, sortedRows } from "@colloquy/schemas/explainers/table.ts";
import { minTextSize } from "../limits.ts";
import { putBlock, putHeading, refuse, revealsOn, type Stage, wordsOn } from "../stage.ts";
import { type Block, largest, measure, setBlock } from "../text.ts";
import { putBand } from "./band.ts";

type Table = SceneContent<"table">;

const gap = { column: 34, row: 20 };
const barRoom = { wide: 260, tall: 110 };
/** How long rows travel to where they are sorted, one after the other. */
const pace = { sort: 900, apart: 160 };

interface Plan {
  widths: number[];
  blocks: Block[][];
  heights: number[];
  size: number;
}

/** Widths of columns: as they need, or the widest narrowed alike until all fit; nothing where they do not. */
function widthsOf(natural: readonly number[], room: number): number[] | undefined {
  const whole = (most: number): number => natural.reduce((sum, width) => sum + Math.min(width, most), 0);
  if (whole(Number.POSITIVE_INFINITY) <= room) return [...natural];
  for (let most = Math.max(...natural); most >= 80; most -= 4)
    if (whole(most) <= room) return natural.map((width) => Math.min(width, most));
  return undefined;
}

function planOf(
  cells: readonly (readonly string[])[],
  { width, height }: { width: number; height: number },
  size: number,
): Plan | undefined {
  const faceOf = (row: number) => (row === 0 ? "beside-strong" : "beside");
  const columns = cells[0]?.length ?? 0;
  const natural = Array.from({ length: columns }, (_, column) =>
    Math.ceil(Math.max(...cells.map((row, index) => measure(row[column] ?? "", faceOf(index), size).advance)) + 2),
  );
  const widths = widthsOf(natural, width - gap.column * (columns - 1));
  if (!widths) return undefined;
  const blocks: Block[][] = [];
  for (const [index, row] of cells.entries()) {
    const set = row.map((text, column) => setBlock(text || " ", { face: faceOf(index), size, width: widths[column] ?? 0, leading: 1.2 }));
    const whole = set.filter((block) => block !== undefined);
    if (whole.length < set.length || whole.some(({ lines }) => lines.length > 3)) return undefined;
    blocks.push(whole);
  }
  const heights = blocks.map((row) => Math.max(...row.map((block) => block.height)) + gap.row);
  return heights.reduce((sum, one) => sum + one, 0) <= height ? { widths, blocks, heights, size } : undefined;
}

/** When each cell comes: as it is spoken of, row by row; early enough for what is sorted afterwards. */
function timesOf(stage: Stage, { rows }: Table, last: number): number[][] {
  const cells = rows.flatMap((row, index) => row.map((text, column) => ({ text, index, column })));
  const shown = cells.filter(({ text, column }) => text.trim() !== "" || column === 0);
  const times = revealsOn(
    stage,
    shown.map(({ text }) => text),
  );
  const end = (times.at(-1) ?? 0) + 1_000;
  const share = last < stage.durationMs && end > last ? last / end : 1;
  return rows.map((row, index) => {
    const at = (column: number): number => (times[shown.findIndex((one) => one.index === index && one.column === column)] ?? 0) * share;
    return row.map((_, column) => at(column) || at(0));
  });
}

/** A table whose rows come as they are spoken of, under a band that moves along; then sorted, with bars of its numbers. */
export function placeTable(stage: Stage, table: Table): undefined {
  const { columns, rows, bars } = table;
  putHeading(stage, table.heading);
  const { body, wide, rtl, durationMs } = stage;
  const values = bars < 0 ? null : barsOf(table);
  if (bars >= 0 && !values) return refuse(stage, "Bars need a column whose cells are all numbers, none below 0.");
  const cells = [columns, ...rows].map((row) => row.map((cell) => wordsOn(stage, cell, "beside")));
  if (stage.findings.length > 0) return;
  const aside = values ? barRoom[wide ? "wide" : "tall"] + gap.column : 0;
  const plan = largest(wide ? 37 : 33, minTextSize, (size) => planOf(cells, { width: body.width - aside, height: body.height }, size));
  if (!plan) return refuse(stage, "The table does not fit into the picture: take fewer rows or columns, or shorter cells.");
  const { widths, blocks, heights } = plan;
  const whole = widths.reduce((sum, width) => sum + width, 0) + gap.column * (widths.length - 1) + aside;
  const left = body.x + (body.width - whole) / 2;
  const height = heights.reduce((sum, one) => sum + one, 0);
  const top = body.y + (body.height - height) * 0.2;
  const yOf = (order: readonly number[], place: number): number =>
    top + (heights[0] ?? 0) + order.slice(0, place).reduce((sum, row) => sum + (heights[row + 1] ?? 0), 0);
  const given = rows.map((_, row) => row);
  const offsets = widths.map((_, column) => widths.slice(0, column).reduce((sum, width) => sum + width + gap.column, 0));
  const xOf = (column: number): number => {
    const offset = offsets[column] ?? 0;
    return rtl ? left + whole - offset - (widths[column] ?? 0) : left + offset;
  };
  const order = sortedRows(table);
  const last = order ? durationMs - 1_200 - pace.sort - pace.apart * rows.length : durationMs;
  const cellTimes = timesOf(stage, table, last);
  const times = cellTimes.map((row) => row[0] ?? 0);
  const sortAt = (cellTimes.at(-1)?.at(-1) ?? 0) + 900;
  if (order && sortAt + pace.sort + pace.apart * rows.length > durationMs - 700)
    return refuse(stage, "There is too little time to sort the table: say more, or show fewer rows.");
  putRule(stage, { x: left, y: top + (heights[0] ?? 0) - gap.row / 2, width: whole, height: 0 });
  const bandOf = (place: number): Box => ({
    x: left - 14,
    y: yOf(given, place) - 2,
    width: whole + 28,
    height: (heights[place + 1] ?? 0) - 6,
  });
  const bandTimes = order ? [...times, sortAt + pace.sort] : times;
  const first = order?.[0];
  const bands = given.map(bandOf);
  if (order && first !== undefined) bands.push({ ...bandOf(0), height: (heights[first + 1] ?? 0) - 6 });
  putBand(stage, bands, bandTimes, { colour: "accent-wash", part: "table" });
  blocks[0]?.forEach((block, column) => {
    putBlock(stage, block, {
      x: xOf(column),
      y: top,
      width: widths[column] ?? 0,
      colour: "ink-soft",
      part: "table",
      from: 0,
      motion: "still",
    });
  });
  for (const row of given) {
    const begins = stage.items.length;
    const y = yOf(given, row);
    blocks[row + 1]?.forEach((block, column) => {
      if (cells[row + 1]?.[column] === "") return;
      const from = Math.max(1, cellTimes[row]?.[column] ?? 0);
      putBlock(stage, block, { x: xOf(column), y: y + 4, width: widths[column] ?? 0, part: "table", from, motion: "rise" });
    });
    if (values) {
      const room = aside - gap.column;
      const length = ((values[row] ?? 0) / Math.max(...values)) * (room - 20);
      const start = rtl ? left + room - 10 : left + whole - room + 10;
      putBar(stage, { start, length: rtl ? -length : length, y: y + plan.size * 0.6 + 4 }, (cellTimes[row]?.[bars] ?? 0) + 150);
    }
    const place = order?.indexOf(row) ?? row;
    if (!order || place === row) continue;
    const to = yOf(order, place) - y;
    for (const item of stage.items.slice(begins))
      item.moves = [{ from: sortAt + place * pace.apart, takes: pace.sort, to: [1, 0, 0, 1, 0, to] }];
  }
}

function putRule(stage: Stage, { x, y, width }: Box): void {
  const box = { x, y: y - 1, width, height: 2 };
  stage.items.push({
    kind: "line",
    d: `M${x} ${y}h${width}`,
    width: 2,
    colour: "line-strong",
    box,
    part: "table",
    from: 0,
    motion: "still",
    takes: 0,
  });
}

function putBar(stage: Stage, { start, length, y }: { start: number; length: number; y: number }, from: number): void {
  if (length === 0) return;
  const box = { x: Math.min(start, start + length), y: y - 9, width: Math.abs(length), height: 18 };
  stage.items.push({
    kind: "line",
    d: `M${start} ${y}h${length}`,
    width: 18,
    colour: "accent",
    box,
    part: "table",
    from,
    motion: "draw",
    takes: 800,
  });
}
