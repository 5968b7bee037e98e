import type { ColourRole, Face } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import common from "highlight.js/lib/common";
import { missingSigns } from "../fonts.ts";
import { minTextSize } from "../limits.ts";
import { putBlock, putBox, putHeading, putLine, refuse, revealsOn, type Stage, startX, wordsOn, writingTime } from "../stage.ts";
import { type Block, cleanedLines, measure, setBlock } from "../text.ts";
import { lean } from "./lean.ts";

/** An instance of our own: the shared one colours the reading pages, with a Lean of theirs. */
const hljs = common.newInstance();
for (const name of common.listLanguages()) {
  const { rawDefinition } = common.getLanguage(name) ?? {};
  if (rawDefinition) hljs.registerLanguage(name, rawDefinition);
}
hljs.registerLanguage("lean", lean);

export interface Run {
  text: string;
  colour: ColourRole;
  face: Face;
}
/** What the grammar calls a piece of code, and how that looks: few colours, and quiet. */
const looks: [RegExp, ColourRole, Face][] = [
  [/comment|quote|meta/u, "ink-soft", "code"],
  [/keyword|selector-tag|built_in|name|tag/u, "accent", "code"],
  [/string|attr|symbol|regexp|link|subst/u, "warn", "code"],
  [/number|literal/u, "good", "code"],
  [/title|section/u, "ink", "code-strong"],
];
const entities = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&amp;", "&"],
  ["&quot;", '"'],
  ["&#x27;", "'"],
]);

/** What a shell asks with before a command, and before the rest of one. */
const prompt = /^(?:\$|>) /u;
const shells = new Set(["", "bash", "sh", "shell", "console", "zsh"]);

/** Code as runs, line by line. Of what was typed at a prompt and printed below, only the commands are coloured: output is in no language. */
export function coloured(lines: readonly string[], language: string): Run[][] {
  if (!shells.has(language) || !lines.some((line) => line.startsWith("$ "))) return inColours(lines, language);
  return lines.map((line): Run[] => {
    if (!prompt.test(line)) return line === "" ? [] : [{ text: line, colour: "ink-soft", face: "code" }];
    return [{ text: line.slice(0, 2), colour: "ink-soft", face: "code" }, ...(inColours([line.slice(2)], "bash")[0] ?? [])];
  });
}

/** Coloured code; plain where no grammar fits. */
function inColours(lines: readonly string[], language: string): Run[][] {
  const text = lines.join("\n");
  if (!hljs.getLanguage(language)) return lines.map((line) => [{ text: line, colour: "ink", face: "code" }]);
  const html = hljs.highlight(text, { language, ignoreIllegals: true }).value;
  const scopes: string[] = [];
  const runs: Run[][] = [[]];
  for (const [piece, scope] of html.matchAll(/<span class="([^"]*)">|<\/span>|&[#\w]+;|[^<&]+/gu)) {
    if (scope !== undefined) scopes.push(scope);
    else if (piece === "</span>") scopes.pop();
    else {
      const [, colour, face] = looks.find(([pattern]) => pattern.test(scopes.at(-1) ?? "")) ?? [null, "ink" as const, "code" as const];
      (entities.get(piece) ?? piece).split("\n").forEach((part, index) => {
        if (index > 0) runs.push([]);
        if (part) runs.at(-1)?.push({ text: part, colour, face });
      });
    }
  }
  return runs;
}

/** Marks a row that continues the line above. */
const continuationMark = "↪ ";

/** Wraps a line at `columns`, if possible after a space; continuation rows are indented behind a mark. */
export function wrapped(runs: readonly Run[], columns: number): Run[][] {
  const signs = runs.flatMap(({ text, ...look }) => [...text].map((sign) => ({ sign, look })));
  const [lead = ""] = /^(?:[$>] )?\s*/u.exec(signs.map(({ sign }) => sign).join("")) ?? [];
  const hang = Math.min(lead.length + continuationMark.length, Math.floor(columns / 3));
  const rows: Run[][] = [];
  let rest = signs;
  do {
    const room = rows.length === 0 ? columns : columns - hang;
    let cut = Math.min(room, rest.length);
    if (rest.length > room) {
      const space = rest.slice(0, room + 1).findLastIndex(({ sign }) => sign === " ");
      if (space > room / 2) cut = space + 1;
    }
    const row: Run[] = rows.length === 0 ? [] : [{ text: continuationMark.padStart(hang), colour: "ink-soft", face: "code" }];
    for (const { sign, look } of rest.slice(0, cut)) {
      const last = row.at(-1);
      if (last && last.colour === look.colour && last.face === look.face) last.text += sign;
      else row.push({ text: sign, ...look });
    }
    rows.push(row);
    rest = rest.slice(cut);
  } while (rest.length > 0);
  return rows;
}

interface Card {
  rows: Run[][][];
  size: number;
  leading: number;
  width: number;
  height: number;
  labels: (Block | undefined)[];
  /** Beside the code, or below it. */
  beside: boolean;
}
/** Upright, each column counts. */
const insetOn = ({ wide }: Stage): { x: number; y: number } => ({ x: wide ? 34 : 18, y: 24 });
const gap = { beside: 44, below: 30 };
const labelWidth = 320;

interface Plan {
  size: number;
  beside: boolean;
}
/** Sets code and labels in one size; nothing when they do not fit. Answers how many rows would. */
function set(
  stage: Stage,
  lines: readonly Run[][],
  labels: readonly string[],
  { size, beside }: Plan,
): Card | { fit: number; rows: number } {
  const { body } = stage;
  const inset = insetOn(stage);
  const sign = measure("0", "code", size).advance;
  const leading = size * 1.5;
  const room = beside ? body.width - labelWidth - gap.beside : body.width;
  const columns = Math.floor((room - 2 * inset.x) / sign);
  const rows = lines.map((line) => wrapped(line, columns));
  const widest = Math.max(...rows.flat().map((row) => row.reduce((sum, { text }) => sum + [...text].length, 0)));
  const side = beside ? labelWidth : body.width;
  const blocks = labels.map((text) =>
    text ? setBlock(text, { face: "read", size: 30, width: side, leading: 1.3, balanced: true }) : undefined,
  );
  const below = beside ? 0 : Math.max(0, ...blocks.map((block) => (block ? block.height + gap.below : 0)));
  const count = rows.flat().length;
  const height = count * leading + 2 * inset.y;
  const fit = Math.floor((body.height - below - 2 * inset.y) / leading);
  const unset = labels.some((text, index) => text && !blocks[index]) || blocks.some((block) => (block?.height ?? 0) > body.height);
  if (count > fit || unset) return { fit, rows: count };
  const width = beside ? Math.max(widest * sign + 2 * inset.x, 560) : body.width;
  return { rows, size, leading, width: Math.min(width, room), height, labels: blocks, beside };
}

function chosen(stage: Stage, lines: readonly Run[][], labels: readonly string[]): Card | undefined {
  const inset = insetOn(stage);
  const sideBySide = stage.wide && labels.some(Boolean) ? [true, false] : [false];
  const longest = Math.max(...lines.map((line) => line.reduce((sum, { text }) => sum + text.length, 0)));
  let best: Card | undefined;
  let fit = 0;
  let rows = 0;
  for (const size of [34, 31, 28, 26, minTextSize]) {
    for (const beside of sideBySide) {
      const sign = measure("0", "code", size).advance;
      // Lines are better whole below than broken beside.
      if (beside && longest * sign > stage.body.width - labelWidth - gap.beside - 2 * inset.x) continue;
      const card = set(stage, lines, labels, { size, beside });
      if ("fit" in card) ({ fit, rows } = card);
      // Smaller letters are better than broken lines.
      else if (!best || card.rows.flat().length < best.rows.flat().length) best = card;
    }
  }
  if (best) return best;
  const broken = rows > lines.length ? `, ${rows} with those broken that are too long` : "";
  return refuse(stage, `The code has ${lines.length} lines${broken}; ${Math.max(0, fit)} fit.`);
}

/** Code, and step by step the lines that are spoken of. */
export function placeCode(stage: Stage, { heading, language, code, steps }: SceneContent<"code">): undefined {
  putHeading(stage, heading);
  const lines = cleanedLines(code);
  const missing = missingSigns(lines.join(""), "code");
  if (missing.length > 0) refuse(stage, `The code has signs the film's fonts do not have: ${missing.slice(0, 5).join(" ")}`);
  if (lines.every((line) => line.trim() === "")) refuse(stage, "The code has nothing that can be seen.");
  for (const { from, to } of steps) {
    if (from > to || to > lines.length) refuse(stage, `A step shows lines ${from} to ${to}; the code has ${lines.length}.`);
  }
  const labels = steps.map(({ label }) => wordsOn(stage, label));
  if (stage.findings.length > 0) return;
  const card = chosen(stage, coloured(lines, language), labels);
  if (card) putCard(stage, card, steps, labels);
}

const textOfRow = (row: readonly Run[]): string => row.map(({ text }) => text).join("");

function putCard(stage: Stage, card: Card, steps: SceneContent<"code">["steps"], labels: readonly string[]): void {
  const { body } = stage;
  const inset = insetOn(stage);
  const { rows, size, leading, width, height, beside } = card;
  const tallest = Math.max(0, ...card.labels.map((block) => block?.height ?? 0));
  const whole = beside ? Math.max(height, tallest) : height + (tallest > 0 ? gap.below + tallest : 0);
  const top = body.y + Math.max(0, body.height - whole) * 0.3;
  const x = startX(stage, body, 0, width);
  putBox(stage, { x, y: top, width, height }, { radius: 16, fill: "raised", stroke: "line", strokeWidth: 2 }, { part: "card", from: 0 });

  const firstRow = rows.map((_, index) => rows.slice(0, index).flat().length);
  // Lines without a label come when the names in them are said.
  const told = steps.map(
    ({ from, to }, index) =>
      labels[index] ||
      rows
        .slice(from - 1, to)
        .flat()
        .map(textOfRow)
        .join(" "),
  );
  const times = revealsOn(stage, told);
  steps.forEach(({ from, to }, index) => {
    const start = firstRow[from - 1] ?? 0;
    const end = (firstRow[to - 1] ?? 0) + (rows[to - 1]?.length ?? 1);
    const y = top + inset.y + start * leading;
    const band = { x: x + 2, y, width: width - 4, height: (end - start) * leading };
    const at = { from: times[index] ?? 0, ...(times[index + 1] !== undefined && { until: times[index + 1] as number }) };
    putBox(stage, band, { radius: 0, fill: "accent-wash" }, { part: "card", ...at });
    putBox(stage, { ...band, width: 6 }, { radius: 0, fill: "accent" }, { part: "card", ...at });
    const block = card.labels[index];
    if (!block) return;
    const middle = Math.min(Math.max(band.y + band.height / 2 - block.height / 2, top), Math.max(top, top + whole - block.height));
    const label = beside
      ? { x: stage.rtl ? body.x : x + width + gap.beside, y: middle, width: stage.rtl ? x - gap.beside - body.x : labelWidth }
      : { x: body.x, y: top + height + gap.below, width: body.width };
    putBlock(stage, block, { ...label, part: `label ${index}`, ...at });
  });
  // The lines of a step are written when they are looked at first; what no step looks at is there from the start.
  const whenWritten = new Map<number, { from: number; perSign: number }>();
  steps.forEach(({ from, to }, index) => {
    const numbers = Array.from({ length: to - from + 1 }, (_, place) => from - 1 + place).filter((number) => !whenWritten.has(number));
    const text = numbers.flatMap((number) => (rows[number] ?? []).map(textOfRow)).join("");
    let begins = times[index] ?? 0;
    const perSign = writingTime(stage, text, begins, times[index + 1]) / Math.max(1, text.length);
    for (const number of numbers) {
      whenWritten.set(number, { from: begins, perSign });
      begins += (rows[number] ?? []).map(textOfRow).join("").length * perSign;
    }
  });
  rows.forEach((ofLine, number) => {
    const written = whenWritten.get(number);
    let from = written?.from ?? 0;
    ofLine.forEach((row, place) => {
      let left = x + inset.x;
      const baseline = top + inset.y + ((firstRow[number] ?? 0) + place) * leading + leading / 2 + size * 0.34;
      for (const { text, colour, face } of row) {
        const writes = Math.max(1, text.length * (written?.perSign ?? 0));
        const look = { colour, part: "card", from, direction: "ltr" } as const;
        if (text.trim()) putLine(stage, { text, face, size, x: left, baseline }, written ? { ...look, motion: "wipe", writes } : look);
        if (written) from += writes;
        left += measure(text, face, size).advance;
      }
    });
  });
}
