import type { Box } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import type { SessionStep } from "@colloquy/schemas/explainers/trace.ts";
import { ellipsis } from "@colloquy/schemas/explainers/trace.ts";
import { minTextSize } from "../limits.ts";
import { putBox, putLine, refuse, revealsOn, type Stage, writingTime } from "../stage.ts";
import { largest, measure } from "../text.ts";
import { putBand } from "./band.ts";
import { coloured, type Run, wrapped } from "./code.ts";

const sizes = { most: 40, least: minTextSize };
const lineHeight = 1.42;
const inset = { x: 26, y: 13 };
/** Between the last sign of a statement and the first line that it prints; between lines that come at once; while nothing is said of what comes next. */
const pause = { answer: 200, line: 120, most: 2_200 };
/** The last line stands for so long. */
const rest = 600;
/** The last line comes after this share of the scene. */
const spread = 0.7;
/** A picture that stands for longer than this is looked at once more. */
const stands = 3_200;
/** What is printed is written faster than what is typed. */
const printedSignMs = 45;

/** The language that code is coloured in: a trace does not name it. */
export function languageOf(code: string): string {
  if (/^\s*\$ /.test(code)) return "bash";
  if (/^\s*(?:select|insert|update|delete|create|drop|alter)\b/i.test(code)) return "sql";
  return /<-|%in%|\bfunction\(|\blibrary\(/.test(code) ? "r" : "python";
}

const isFailure = (line: string): boolean => /^\s*(?:\w*(?:Error|Exception)\b|fatal:|error:|Error in )/.test(line);
/** Whether lines have columns, apart from one that says that lines are left out. */
const isTable = (lines: readonly string[]): boolean => {
  const rows = lines.filter((line) => line.trim() !== ellipsis);
  return rows.length > 1 && rows.every((line) => /\S {2,}\S/.test(line));
};
const textOf = (row: readonly Run[]): string => row.map(({ text }) => text).join("");

/** Code that is written statement by statement, and below it what it prints as the page has it. */
export function placeSession(stage: Stage, { code }: SceneContent<"trace">, steps: readonly SessionStep[]): undefined {
  const { body, wide } = stage;
  const lines = code.replace(/\n$/, "").split("\n");
  const printed = steps.flatMap(({ prints }) => prints);
  const gap = wide ? 22 : 34;
  const plan = (size: number) => {
    const sign = measure("0", "code", size).advance;
    const leading = size * lineHeight;
    const columns = Math.floor((body.width - 2 * inset.x) / sign);
    const rows = coloured(lines, languageOf(code)).map((line) => wrapped(line, columns));
    const output = printed.map((line) => wrapped([{ text: line, colour: isFailure(line) ? "warn" : "ink", face: "code" }], columns));
    const heights = [rows, output].map((some) => some.flat().length * leading + 2 * inset.y);
    const height = (heights[0] ?? 0) + (heights[1] ?? 0) + gap;
    return height <= body.height ? { sign, size, leading, rows, output, heights, height } : undefined;
  };
  // Smaller letters are better than broken lines; code that has to be broken leaves the columns of a table below it as they are.
  const unbroken = (rowsOf: (one: NonNullable<ReturnType<typeof plan>>) => readonly Run[][][]) => (size: number) => {
    const one = plan(size);
    return one && rowsOf(one).every(({ length }) => length === 1) ? one : undefined;
  };
  const chosen =
    largest(
      sizes.most,
      sizes.least,
      unbroken((one) => [...one.rows, ...one.output]),
    ) ??
    (isTable(printed)
      ? largest(
          sizes.most,
          sizes.least,
          unbroken(({ output }) => output),
        )
      : undefined) ??
    largest(sizes.most, sizes.least, plan);
  if (!chosen) return refuse(stage, "The code and what it prints do not fit into the picture: take code with less.");
  const { sign, size, leading, rows, output, heights, height } = chosen;
  const top = body.y + (body.height - height) * 0.25;
  const widest = Math.max(...[...rows.flat(), ...output.flat()].map((row) => [...textOf(row)].length));
  const width = wide ? Math.min(body.width, Math.max(560, widest * sign + 2 * inset.x)) : body.width;
  const x = body.x + (body.width - width) / 2;
  const outputY = top + (heights[0] ?? 0) + gap;

  const rowsOf = ({ from, to }: SessionStep): Run[][][] => rows.slice(from, to + 1);
  const topOf = ({ from }: SessionStep): number => top + inset.y + rows.slice(0, from).flat().length * leading;
  const { written, answers, free } = whenRun(
    stage,
    steps.map((step) => ({ code: lines.slice(step.from, step.to + 1).join(" "), prints: step.prints })),
  );
  const card = { x, y: top, width, height: heights[0] ?? 0 };
  putBox(stage, card, { radius: 16, fill: "raised", stroke: "line", strokeWidth: 2 }, { part: "code", from: 0 });
  if (steps.length > 1)
    putBand(
      stage,
      steps.map((step) => ({ x: x + 2, y: topOf(step), width: width - 4, height: rowsOf(step).flat().length * leading })),
      written.map(({ at }) => at),
      { colour: "accent-wash", part: "code" },
    );
  for (const [index, step] of steps.entries())
    putRows(stage, rowsOf(step), {
      x: x + inset.x,
      y: topOf(step),
      size,
      leading,
      part: "code",
      ...(written[index] ?? { at: 0, perSign: 0 }),
    });
  putBox(
    stage,
    { x, y: outputY, width, height: heights[1] ?? 0 },
    { radius: 14, stroke: "line-strong", strokeWidth: 2 },
    { part: "output", from: Math.max(1, (answers[0]?.at ?? 0) - pause.answer) },
  );
  putFrame(stage, { x: x + 7, y: outputY + 7, width: width - 14, height: (heights[1] ?? 0) - 14 }, free);
  for (const [index, line] of output.entries())
    putRows(stage, [line], {
      x: x + inset.x,
      y: outputY + inset.y + output.slice(0, index).flat().length * leading,
      size,
      leading,
      part: "output",
      ...(answers[index] ?? { at: 0, perSign: 0 }),
    });
}

/** A frame about what was printed, where it stands for long. */
function putFrame(stage: Stage, box: Box, from: number): void {
  const left = stage.durationMs - from;
  if (left <= stands) return;
  const d = `M${box.x} ${box.y}h${box.width}v${box.height}h${-box.width}Z`;
  stage.items.push({
    kind: "line",
    d,
    width: 3,
    colour: "accent",
    box,
    part: "output",
    from: from + left / 2 - 450,
    motion: "draw",
    takes: 900,
  });
}

interface Written {
  at: number;
  perSign: number;
}

/** When statements and what they print are written: as they are spoken of, the output after what prints it, and without long pauses. */
function whenRun(
  stage: Stage,
  steps: readonly { code: string; prints: readonly string[] }[],
): { written: Written[]; answers: Written[]; free: number } {
  const { durationMs } = stage;
  const reveals = revealsOn(
    stage,
    steps.flatMap(({ code, prints }) => [code, ...prints]),
  );
  const count = steps.reduce((sum, { prints }) => sum + prints.length, 0);
  const written: Written[] = [];
  const answers: Written[] = [];
  let free = 0;
  for (const { code, prints } of steps) {
    const place = written.length + answers.length;
    const at = Math.max(free, Math.min(reveals[place] ?? 0, free + pause.most));
    const next = prints.length > 0 ? durationMs - rest - count * pause.line : reveals[place + 1];
    const takes = Math.min(writingTime(stage, code, at, next), Math.max(300, (durationMs - at) / 2));
    written.push({ at, perSign: takes / Math.max(1, code.length) });
    free = at + takes + pause.answer;
    prints.forEach((text, line) => {
      const left = count - answers.length;
      const latest = durationMs - rest - left * 400;
      // What is said early is not all there early: each line is read before the next.
      const evenly = (durationMs * spread * (place + 1 + line)) / (count + steps.length);
      const answer = Math.max(free, Math.min(Math.max(reveals[place + 1 + line] ?? 0, evenly), latest, free + pause.most));
      const room = (durationMs - rest - answer) / left - pause.line;
      const signs = Math.max(1, text.trim().length);
      const perSign = Math.max(1, Math.min(printedSignMs, room / signs));
      answers.push({ at: answer, perSign });
      free = answer + signs * perSign + pause.line;
    });
  }
  return { written, answers, free };
}

/** Rows as they are written, sign by sign. */
function putRows(
  stage: Stage,
  rows: readonly Run[][][],
  { x, y, size, leading, part, at, perSign }: Written & { x: number; y: number; size: number; leading: number; part: string },
): void {
  let from = at;
  for (const [index, row] of rows.flat().entries()) {
    let left = x;
    const baseline = y + index * leading + leading / 2 + size * 0.34;
    for (const { text, colour, face } of row) {
      const writes = Math.max(1, text.length * perSign);
      const look = { colour, part, from, direction: "ltr", motion: "wipe", writes } as const;
      if (text.trim()) putLine(stage, { text, face, size, x: left, baseline }, look);
      from += writes;
      left += measure(text, face, size).advance;
    }
  }
}
