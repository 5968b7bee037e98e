import type { Box } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { barsOf, comparedOrder, differingCells, sortedRows } from "@colloquy/schemas/explainers/table.ts";
import { cueAt } from "../cues.ts";
import { minTextSize } from "../limits.ts";
import { putBlock, putBox, putHeading, refuse, revealsOn, type Stage, wordsOn } from "../stage.ts";
import { type Block, largest, measure, setBlock } from "../text.ts";
import { putBand } from "./band.ts";

type Table = SceneContent<"table">;

/** Between columns and rows, at least and at most: a tall picture has room for more. */
const gaps = { column: 34, row: 20, mostColumn: 90, mostRow: 64 };
/** Beside the rows of a wide picture; below each in a tall one. */
const barRoom = { wide: 260, tall: 44 };
/**
 * How long rows travel to where they are sorted, one after the other; how long a table is read at least before it is compared, and how far
 * marks of what differs are apart.
 */
const pace = { sort: 900, apart: 160, read: 1_500, marks: 240 };

interface Plan {
  widths: number[];
  blocks: Block[][];
  heights: number[];
  size: number;
  gap: { column: number; row: number };
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
  { width, height, below, lines: mostLines }: { width: number; height: number; below: number; lines: number },
  size: number,
): Plan | undefined {
  const gap = { column: gaps.column, row: gaps.row };
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
    if (whole.length < set.length || whole.some(({ lines }) => lines.length > mostLines)) return undefined;
    blocks.push(whole);
  }
  const heights = blocks.map((row, index) => Math.max(...row.map((block) => block.height)) + (index > 0 ? below : 0) + gap.row);
  return heights.reduce((sum, one) => sum + one, 0) <= height ? { widths, blocks, heights, size, gap } : undefined;
}

/** The same with as much room between columns and rows as there is, in bounds. */
function widenGaps({ widths, heights, gap, ...plan }: Plan, room: { width: number; height: number }): Plan {
  const whole = (sizes: readonly number[], between: number): number => sizes.reduce((sum, one) => sum + one + between, -between);
  const across = widths.length > 1 ? (room.width - whole(widths, gap.column)) / (widths.length - 1) : 0;
  const down = (room.height * 0.9 - whole(heights, 0)) / heights.length;
  const more = {
    column: Math.max(0, Math.min(gaps.mostColumn - gap.column, across)),
    row: Math.max(0, Math.min(gaps.mostRow - gap.row, down)),
  };
  return {
    ...plan,
    widths,
    heights: heights.map((height) => height + more.row),
    gap: { column: gap.column + more.column, row: gap.row + more.row },
  };
}

/** The largest type in which the table fits: in a tall picture larger where no cell is broken for it. */
function largestPlan(cells: readonly (readonly string[])[], room: { width: number; height: number; below: number }, wide: boolean) {
  if (wide) return largest(37, minTextSize, (size) => planOf(cells, { ...room, lines: 3 }, size));
  const plan =
    largest(48, 34, (size) => planOf(cells, { ...room, lines: 1 }, size)) ??
    largest(36, minTextSize, (size) => planOf(cells, { ...room, lines: 4 }, size));
  return plan && widenGaps(plan, room);
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

/** A table whose rows come as they are spoken of, under a band that moves along; then sorted or compared, with bars of its numbers. */
export function placeTable(stage: Stage, table: Table): undefined {
  const { columns, rows, bars } = table;
  putHeading(stage, table.heading);
  const { body, wide, rtl, durationMs } = stage;
  const values = bars < 0 ? null : barsOf(table);
  if (bars >= 0 && !values) return refuse(stage, "Bars need a column whose cells are all numbers, none below 0.");
  const cells = [columns, ...rows].map((row) => row.map((cell) => wordsOn(stage, cell, "beside")));
  if (stage.findings.length > 0) return;
  const aside = values && wide ? barRoom.wide + gaps.column : 0;
  const below = values && !wide ? barRoom.tall : 0;
  const plan = largestPlan(cells, { width: body.width - aside, height: body.height, below }, wide);
  if (!plan) return refuse(stage, "The table does not fit into the picture: take fewer rows or columns, or shorter cells.");
  const { widths, blocks, heights, gap } = plan;
  /** Above the words of a row. */
  const inset = gap.row / 2 - 6;
  const whole = widths.reduce((sum, width) => sum + width, 0) + gap.column * (widths.length - 1) + aside;
  const left = body.x + (body.width - whole) / 2;
  const height = heights.reduce((sum, one) => sum + one, 0);
  const top = body.y + (body.height - height) * (wide ? 0.2 : 0.3);
  const yOf = (order: readonly number[], place: number): number =>
    top + (heights[0] ?? 0) + order.slice(0, place).reduce((sum, row) => sum + (heights[row + 1] ?? 0), 0);
  const given = rows.map((_, row) => row);
  const offsets = widths.map((_, column) => widths.slice(0, column).reduce((sum, width) => sum + width + gap.column, 0));
  const startOf = (offset: number, column: number): number => (rtl ? left + whole - offset - (widths[column] ?? 0) : left + offset);
  const xOf = (column: number): number => startOf(offsets[column] ?? 0, column);
  const xAmong = (among: readonly number[], column: number): number => {
    const before = among.slice(0, among.indexOf(column));
    return startOf(
      before.reduce((sum, one) => sum + (widths[one] ?? 0) + gap.column, 0),
      column,
    );
  };
  const sorted = sortedRows(table);
  const compared = comparedOn(stage, table);
  if (stage.findings.length > 0) return;
  const order = sorted ?? (compared?.of === "rows" ? comparedOrder(rows.length, compared) : null);
  const across = compared?.of === "columns" ? comparedOrder(columns.length, compared) : null;
  const last = compared ? compared.at - 300 : sorted ? durationMs - 1_200 - pace.sort - pace.apart * rows.length : durationMs;
  const cellTimes = timesOf(stage, table, last);
  const times = cellTimes.map((row) => row[0] ?? 0);
  const sortAt = compared?.at ?? (cellTimes.at(-1)?.at(-1) ?? 0) + 900;
  if (sorted && sortAt + pace.sort + pace.apart * rows.length > durationMs - 700)
    return refuse(stage, "There is too little time to sort the table: say more, or show fewer rows.");
  putRule(stage, { x: left, y: top + (heights[0] ?? 0) - gap.row / 2, width: whole, height: 0 });
  const bandOf = (place: number): Box => ({
    x: left - 14,
    y: yOf(given, place) - 2,
    width: whole + 28,
    height: (heights[place + 1] ?? 0) - 6,
  });
  const bandTimes = sorted || compared ? [...times, sortAt + pace.sort] : times;
  const first = sorted?.[0];
  const bands = given.map(bandOf);
  if (first !== undefined) bands.push({ ...bandOf(0), height: (heights[first + 1] ?? 0) - 6 });
  const yNow = (row: number): number => yOf(order ?? given, order?.indexOf(row) ?? row);
  const xNow = (column: number): number => (across ? xAmong(across, column) : xOf(column));
  if (compared) {
    const pair = [compared.first, compared.second];
    const [start, end] = [Math.min(...pair.map(xNow)), Math.max(...pair.map((column) => xNow(column) + (widths[column] ?? 0)))];
    bands.push(
      compared.of === "rows"
        ? { ...bandOf(0), y: yNow(compared.first) - 2, height: pair.reduce((sum, row) => sum + (heights[row + 1] ?? 0), 0) - 6 }
        : { x: start - 14, y: top - 10, width: end - start + 28, height: height + 6 },
    );
  }
  putBand(stage, bands, bandTimes, { colour: "accent-wash", part: "table" });
  /** What was put since then travels to where it is arranged. */
  const arrange = (begins: number, [right, down]: [number, number], from: number): void => {
    if (right === 0 && down === 0) return;
    for (const item of stage.items.slice(begins)) item.moves = [{ from, takes: pace.sort, to: [1, 0, 0, 1, right, down] }];
  };
  blocks[0]?.forEach((block, column) => {
    const begins = stage.items.length;
    putBlock(stage, block, {
      x: xOf(column),
      y: top,
      width: widths[column] ?? 0,
      colour: "ink-soft",
      part: "table",
      from: 0,
      motion: "still",
    });
    arrange(begins, [xNow(column) - xOf(column), 0], sortAt);
  });
  for (const row of given) {
    const y = yOf(given, row);
    const down = yNow(row) - y;
    const begin = sortAt + (sorted ? (order?.indexOf(row) ?? 0) * pace.apart : 0);
    blocks[row + 1]?.forEach((block, column) => {
      if (cells[row + 1]?.[column] === "") return;
      const begins = stage.items.length;
      const from = Math.max(1, cellTimes[row]?.[column] ?? 0);
      putBlock(stage, block, { x: xOf(column), y: y + inset, width: widths[column] ?? 0, part: "table", from, motion: "rise" });
      arrange(begins, [xNow(column) - xOf(column), down], begin);
    });
    if (!values) continue;
    const begins = stage.items.length;
    const room = wide ? aside - gap.column : whole;
    const length = ((values[row] ?? 0) / Math.max(...values)) * (room - 20);
    const start = rtl ? left + room - 10 : left + whole - room + 10;
    const barY = wide ? y + plan.size * 0.6 + inset : y + (heights[row + 1] ?? 0) - inset - below / 2 - 8;
    putBar(stage, { start, length: rtl ? -length : length, y: barY }, (cellTimes[row]?.[bars] ?? 0) + 150);
    arrange(begins, [0, down], begin);
  }
  if (!compared) return;
  const differing = differingCells(table, compared);
  const marksAt = sortAt + pace.sort + 200;
  const ends = marksAt + (differing.length / 2) * pace.marks;
  if (differing.length === 0) return refuse(stage, `The ${compared.of} that are compared do not differ.`);
  if (ends > durationMs - 700) return refuse(stage, `There is too little time to compare two ${compared.of}: name them earlier.`);
  differing.forEach(({ row, column }, index) => {
    // Both cells of a difference are marked at once.
    const from = marksAt + Math.floor(index / 2) * pace.marks;
    const box = { x: xNow(column) - 8, y: yNow(row) + 1, width: (widths[column] ?? 0) + 16, height: (heights[row + 1] ?? 0) - below - 12 };
    putBox(stage, box, { radius: 8, stroke: "accent", strokeWidth: 3 }, { part: "table", from });
  });
}

/** What is compared, and when; findings where it cannot be. */
function comparedOn(stage: Stage, { columns, rows, sortBy, compared }: Table) {
  if (!compared) return null;
  const { of, first, second, cue } = compared;
  const count = of === "rows" ? rows.length : columns.length;
  const at = cueAt(stage, cue);
  if (first === second || Math.max(first, second) >= count) return refuse(stage, `There are no two such ${of} to compare.`) ?? null;
  if (sortBy >= 0) return refuse(stage, "A table is sorted or compared: leave one of them to another scene.") ?? null;
  if (at < pace.read) return refuse(stage, `The ${of} are compared before the table can be read: name them later.`) ?? null;
  return { ...compared, at };
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
