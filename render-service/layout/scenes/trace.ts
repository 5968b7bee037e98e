import type { Affine, Box, Move } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { type LoopStep, type PipelineStage, runOf, withoutPrompt } from "@colloquy/schemas/explainers/trace.ts";
import { fast } from "../../frames/moves.ts";
import { missingSigns } from "../fonts.ts";
import { minTextSize } from "../limits.ts";
import { putBox, putHeading, putLine, quoted, refuse, revealsOn, type Stage } from "../stage.ts";
import { largest, measure } from "../text.ts";
import { putBand } from "./band.ts";
import { coloured, type Run, wrapped } from "./code.ts";
import { placeSession } from "./session.ts";

const sizes = { most: 41, least: minTextSize };
const lineHeight = 1.45;
const inset = { x: 26, y: 18 };
/** How long lines travel to their places in the next data, one after the other. */
const travel = { takes: 700, apart: 110, most: 2_600 };
const signWidth = (size: number): number => measure("0", "code", size).advance;
const widest = (lines: readonly string[]): number => Math.max(0, ...lines.map((line) => [...line].length));
const shift = (x: number, y: number): Affine => [1, 0, 0, 1, x, y];

/** Code that runs: a pipeline with the data that flows through it, a loop with its variable and its output, or statements with what they print. */
export function placeTrace(stage: Stage, trace: SceneContent<"trace">): undefined {
  putHeading(stage, trace.heading);
  const missing = missingSigns(`${trace.code}${trace.start}${trace.printed}`.replace(/\s/g, ""), "code");
  if (missing.length > 0) return refuse(stage, `The code has signs the film's fonts do not have: ${missing.slice(0, 5).join(" ")}`);
  const run = runOf(trace);
  if (run.kind === "unknown") return refuse(stage, run.problem);
  if (run.kind === "pipeline") return placePipeline(stage, run.stages, / > \S+$/.exec(trace.code)?.[0] ?? "");
  if (run.kind === "session") return placeSession(stage, trace, run.steps);
  return placeLoop(stage, trace.code.replace(/\n$/, "").split("\n").map(withoutPrompt), run);
}

/** The commands in one row, or below one another where a row is too narrow. */
function commandRows(
  stages: readonly PipelineStage[],
  file: string,
  room: number,
  size: number,
): { text: string; x: number; row: number }[] {
  const texts = stages.map(({ command }, index) => (index === stages.length - 1 ? `${command}${file}` : command));
  const sign = signWidth(size);
  const whole = texts.join(" | ");
  let at = 0;
  if (whole.length * sign <= room)
    return texts.map((text) => {
      const x = at * sign;
      at += text.length + 3;
      return { text, x, row: 0 };
    });
  return texts.map((text, row) => ({ text, x: row === 0 ? 0 : 2 * sign, row }));
}

function placePipeline(stage: Stage, stages: readonly PipelineStage[], file: string): undefined {
  const { body, durationMs } = stage;
  const times = revealsOn(
    stage,
    stages.map(({ command }) => command),
  );
  for (const [index, at] of times.entries())
    if (index > 0 && at - (times[index - 1] ?? 0) < 1_200)
      return refuse(stage, `${quoted(stages[index]?.command ?? "")} comes too soon after the command before it: say more between them.`);
  const room = body.width - 2 * inset.x;
  const most = Math.max(...stages.map(({ lines }) => lines.length));
  const columns = widest(stages.flatMap(({ lines }) => lines.map(({ text }) => text)));
  const plan = (size: number) => {
    const rows = commandRows(stages, file, room, size);
    const leading = size * lineHeight;
    const command = (Math.max(...rows.map(({ row }) => row)) + 1) * (leading + 8) + 2 * inset.y;
    const data = most * leading + 2 * inset.y;
    const gap = Math.min(60, (body.height - command - data) / 2);
    const fits = gap >= 18 && columns * signWidth(size) <= room && rows.every(({ text, x }) => x + text.length * signWidth(size) <= room);
    return fits ? { size, rows, leading, command, data, gap } : undefined;
  };
  const chosen = largest(sizes.most, sizes.least, plan);
  if (!chosen)
    return refuse(stage, `The pipeline shows ${most} lines of at most ${columns} signs; that does not fit: take one with less data.`);
  const { size, rows, leading, command, data, gap } = chosen;
  const top = body.y + Math.max(0, (body.height - command - gap - data) * 0.25);
  const width = Math.max(columns * signWidth(size), ...rows.map(({ text, x }) => x + text.length * signWidth(size))) + 2 * inset.x;
  const x = body.x + (body.width - width) / 2;
  const left = x + inset.x;
  putBox(
    stage,
    { x, y: top, width, height: command },
    { radius: 16, fill: "raised", stroke: "line", strokeWidth: 2 },
    { part: "code", from: 0 },
  );
  const baselineOf = (row: number): number => top + inset.y + row * (leading + 8) + leading / 2 + size * 0.34;
  rows.forEach(({ text, x: offset, row }, index) => {
    putRuns(stage, coloured([text], "bash")[0] ?? [], { x: left + offset, baseline: baselineOf(row), size, part: "code" });
    if (index === 0) return;
    const before = rows[index - 1];
    const pipeX = row === 0 ? offset - 2 * signWidth(size) : 0;
    const line = { text: "|", face: "code-strong", size, x: left + pipeX, baseline: baselineOf(row) } as const;
    if (before) putLine(stage, line, { colour: "warn", part: "code", from: 0, direction: "ltr" });
  });
  putCursor(
    stage,
    rows.map(({ text, x: offset, row }) => ({
      x: left + offset,
      y: baselineOf(row) + 12,
      width: text.length * signWidth(size),
      height: 6,
    })),
    times,
  );
  const panel = { x, y: top + command + gap, width, height: data };
  putBox(stage, panel, { radius: 16, stroke: "line-strong", strokeWidth: 2 }, { part: "data", from: Math.max(1, (times[0] ?? 0) - 200) });
  putData(stage, stages, times, { x: left, y: panel.y + inset.y, size, leading });
  const last = stages.at(-1)?.lines.length ?? 0;
  const settled = (times.at(-1) ?? 0) + travelOf(most, times.at(-1) ?? 0, durationMs) + 300;
  putRing(
    stage,
    { x: x + 8, y: panel.y + inset.y - 6, width: width - 16, height: last * leading + 12 },
    Math.min(settled, durationMs - 1_000),
  );
}

function putRuns(
  stage: Stage,
  runs: readonly Run[],
  { x, baseline, size, part }: { x: number; baseline: number; size: number; part: string },
): void {
  let left = x;
  for (const { text, colour, face } of runs) {
    if (text.trim()) putLine(stage, { text, face, size, x: left, baseline }, { colour, part, from: 0, direction: "ltr" });
    left += measure(text, face, size).advance;
  }
}

/** A line below the command that runs, which moves on to the next. */
function putCursor(stage: Stage, places: readonly Box[], times: readonly number[]): void {
  const [first] = places;
  if (!first) return;
  const moves = places.slice(1).map((place, index): Move => {
    const stretched = place.width / first.width;
    return {
      from: Math.max(1, (times[index + 1] ?? 0) - 300),
      takes: 500,
      to: [stretched, 0, 0, 1, place.x - stretched * first.x, place.y - first.y],
    };
  });
  const d = `M${first.x} ${first.y}h${first.width}v${first.height}h${-first.width}Z`;
  const item = { kind: "line", d, width: 0, colour: "accent", fill: "accent", box: first, part: "code" } as const;
  stage.items.push({ ...item, from: Math.max(1, (times[0] ?? 0) - 100), motion: "fade", takes: fast, moves });
}

/** How long the lines of a stage take to come, all together. */
function travelOf(count: number, from: number, next: number): number {
  const apart = Math.max(travel.apart, Math.min(320, ((next - from) * 0.55) / Math.max(1, count)));
  return Math.min(travel.most, apart * Math.max(0, count - 1)) + travel.takes;
}

/** The data: what a command keeps travels to its new place, what it drops leaves, what it makes appears. */
function putData(
  stage: Stage,
  stages: readonly PipelineStage[],
  times: readonly number[],
  { x, y, size, leading }: { x: number; y: number; size: number; leading: number },
): void {
  interface Shown {
    text: string;
    row: number;
    from: number;
    until?: number;
    moves: Move[];
    isFirst: boolean;
  }
  const all: Shown[] = [];
  let current: Shown[] = [];
  stages.forEach(({ lines }, index) => {
    const at = times[index] ?? 0;
    const next = times[index + 1] ?? stage.durationMs;
    const whole = travelOf(Math.max(lines.length, current.length), at, next) - travel.takes;
    const delay = (place: number, count: number): number => (count > 1 ? (whole * place) / (count - 1) : 0);
    const before = current;
    const taken = new Set(lines.flatMap(({ from }) => from ?? []));
    // What is dropped goes first from the end, so that what is kept is seen to stay.
    before.forEach((one, place) => {
      if (!taken.has(place)) one.until = at + 200 + delay(before.length - 1 - place, before.length);
    });
    current = lines.map(({ text, from }, row) => {
      const kept = from === null ? undefined : before[from];
      if (!kept) {
        const shown = { text, row, from: Math.max(1, at + delay(row, lines.length)), moves: [], isFirst: index === 0 };
        all.push(shown);
        return shown;
      }
      const moved = before.length > lines.length ? at + whole : at + delay(row, lines.length);
      const place = (kept.moves.at(-1)?.to[5] ?? 0) / leading + kept.row;
      if (Math.round(place) !== row) kept.moves.push({ from: moved, takes: travel.takes, to: shift(0, (row - kept.row) * leading) });
      return kept;
    });
  });
  for (const { text, row, from, until, moves, isFirst } of all) {
    const baseline = y + row * leading + leading / 2 + size * 0.34;
    const from0 = stage.items.length;
    putLine(
      stage,
      { text, face: "code", size, x, baseline },
      { part: "data", from, ...(until !== undefined && { until }), motion: isFirst ? "fade" : "rise", direction: "ltr" },
    );
    const item = stage.items[from0];
    if (item && moves.length > 0) item.moves = moves;
  }
}

/** A frame about what came out. */
function putRing(stage: Stage, box: Box, from: number): void {
  const d = `M${box.x} ${box.y}h${box.width}v${box.height}h${-box.width}Z`;
  stage.items.push({ kind: "line", d, width: 3, colour: "accent", box, part: "data", from, motion: "draw", takes: 900 });
}

interface Loop {
  variable: string;
  steps: readonly LoopStep[];
}

/** When each step of a loop is run: the first round slowly, the others faster. */
function stepTimes({ steps }: Loop, { durationMs }: Stage): number[] {
  const [begin, end] = [900, durationMs - 1_600];
  const weights = steps.map(({ iteration }) => (iteration === 0 ? 2 : 1));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  return weights.map((weight) => {
    const at = begin + ((end - begin) * before) / whole;
    before += weight;
    return Math.round(at);
  });
}

function placeLoop(stage: Stage, code: readonly string[], loop: Loop): undefined {
  const { body, wide, rtl } = stage;
  const times = stepTimes(loop, stage);
  const least = Math.min(...times.slice(1).map((at, index) => at - (times[index] ?? 0)));
  if (least < 380)
    return refuse(stage, `The loop takes ${times.length} steps, and there is too little time for them: say more, or show fewer.`);
  const output = loop.steps.flatMap(({ prints }) => prints);
  const chips = [...new Set(loop.steps.map(({ value }) => `${loop.variable} = ${value}`))];
  const gap = 32;
  const plan = (size: number) => {
    const sign = signWidth(size);
    const leading = size * lineHeight;
    const aside = Math.max(widest(output), widest(chips)) * sign + 2 * inset.x;
    const codeRoom = wide ? body.width - aside - gap : body.width;
    const columns = Math.floor((codeRoom - 2 * inset.x) / sign);
    if (columns < 18 || aside > body.width) return undefined;
    const rows = coloured(code, "bash").map((line) => wrapped(line, columns));
    const codeHeight = rows.flat().length * leading + 2 * inset.y;
    const chipHeight = leading + 2 * inset.y;
    const outputHeight = output.length * leading + 2 * inset.y;
    const height = wide ? Math.max(codeHeight, chipHeight + gap + outputHeight) : codeHeight + chipHeight + outputHeight + 2 * gap;
    return height <= body.height ? { size, sign, leading, aside, rows, codeHeight, chipHeight, outputHeight, height } : undefined;
  };
  const chosen = largest(sizes.most, sizes.least, plan);
  if (!chosen) return refuse(stage, "The loop and what it prints do not fit into the picture: take one with less.");
  const { size, sign, leading, rows, codeHeight, chipHeight, outputHeight } = chosen;
  const top = body.y + (body.height - chosen.height) * 0.3;
  const widestRow = Math.max(...rows.flat().map((row) => row.reduce((sum, { text }) => sum + [...text].length, 0)));
  const codeWidth = wide ? widestRow * sign + 2 * inset.x : body.width;
  const aside = wide ? chosen.aside : body.width;
  const whole = wide ? codeWidth + gap + aside : body.width;
  const left = body.x + (body.width - whole) / 2;
  const codeX = wide && rtl ? left + aside + gap : left;
  const asideX = wide ? (rtl ? left : left + codeWidth + gap) : body.x;
  putBox(
    stage,
    { x: codeX, y: top, width: codeWidth, height: codeHeight },
    { radius: 16, fill: "raised", stroke: "line", strokeWidth: 2 },
    { part: "code", from: 0 },
  );
  const firstRow = rows.map((_, index) => rows.slice(0, index).flat().length);
  const bandOf = (line: number): Box => ({
    x: codeX + 2,
    y: top + inset.y + (firstRow[line] ?? 0) * leading,
    width: codeWidth - 4,
    height: (rows[line]?.length ?? 1) * leading,
  });
  putBand(
    stage,
    loop.steps.map(({ line }) => bandOf(line)),
    times,
    { colour: "accent-wash", part: "code" },
  );
  for (const [index, row] of rows.flat().entries())
    putRuns(stage, row, { x: codeX + inset.x, baseline: top + inset.y + index * leading + leading / 2 + size * 0.34, size, part: "code" });
  const chipY = wide ? top : top + codeHeight + gap;
  putBox(
    stage,
    { x: asideX, y: chipY, width: aside, height: chipHeight },
    { radius: 14, fill: "accent-wash" },
    { part: "value", from: times[0] ?? 0 },
  );
  const firsts = loop.steps.flatMap(({ iteration, line }, index) => (line === 0 ? [{ iteration, at: times[index] ?? 0 }] : []));
  firsts.forEach(({ iteration, at }, index) => {
    const until = firsts[index + 1]?.at;
    const text = chips[iteration] ?? "";
    const baseline = chipY + inset.y + leading / 2 + size * 0.34;
    putLine(
      stage,
      { text, face: "code-strong", size, x: asideX + inset.x, baseline },
      { part: "value", from: at + 150, ...(until !== undefined && { until: until + 100 }), motion: "rise", direction: "ltr" },
    );
  });
  const outputY = chipY + chipHeight + gap;
  putBox(
    stage,
    { x: asideX, y: outputY, width: aside, height: outputHeight },
    { radius: 14, stroke: "line-strong", strokeWidth: 2 },
    { part: "output", from: times[0] ?? 0 },
  );
  let row = 0;
  loop.steps.forEach(({ prints }, index) => {
    prints.forEach((text, place) => {
      const baseline = outputY + inset.y + row * leading + leading / 2 + size * 0.34;
      putLine(
        stage,
        { text, face: "code", size, x: asideX + inset.x, baseline },
        { part: "output", from: (times[index] ?? 0) + 250 + place * 120, motion: "rise", direction: "ltr" },
      );
      row += 1;
    });
  });
}
