import type { GlyphsItem } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { Path2D } from "@napi-rs/canvas";
import { minTextSize } from "../limits.ts";
import { calm, putBlock, putHeading, quoted, refuse, revealsOn, type Stage, wordsOn, writingTime } from "../stage.ts";
import { type Formula, NotSet, setFormula } from "../tex.ts";
import { type Block, largest, setBlock } from "../text.ts";

interface Term {
  formula: Formula;
  label: string;
  from: number;
  part: string;
}
/** A term where it stands: its left end and the baseline of its row. */
interface Standing extends Term {
  x: number;
  baseline: number;
}

interface At {
  /** Where its advance begins. */
  x: number;
  baseline: number;
  part: string;
  from: number;
}

function putFormula(stage: Stage, formula: Formula, size: number, at: At, look: Pick<GlyphsItem, "colour" | "motion">): void {
  const moved = new Path2D();
  moved.addPath(formula.path, { a: size, b: 0, c: 0, d: size, e: at.x, f: at.baseline });
  const [x, y, right, bottom] = moved.computeTightBounds();
  stage.items.push({
    kind: "glyphs",
    d: moved.toSVGString(),
    size: size * formula.least,
    ...look,
    takes: look.motion === "wipe" ? 900 : calm,
    box: { x, y, width: right - x, height: bottom - y },
    part: at.part,
    from: at.from,
  });
}

/**
 * Puts the terms of the whole formula where they stay: faint and legible from the first picture on, in full ink from when they are spoken
 * of. A formula cut short would state something else: half of an equation, a sum without what is taken away from it.
 */
function putTerms(stage: Stage, terms: readonly Standing[], size: number): void {
  for (const term of terms) {
    putFormula(stage, term.formula, size, { ...term, from: 0 }, { colour: "ink-faint", motion: "still" });
    putFormula(stage, term.formula, size, term, { colour: "ink", motion: "wipe" });
  }
}

/** A piece of TeX as it is set, or the finding that it cannot be. */
function formulaOn(stage: Stage, tex: string): Formula | undefined {
  try {
    return setFormula(tex);
  } catch (error) {
    if (!(error instanceof NotSet)) throw error;
    return refuse(stage, `The formula ${quoted(tex)} cannot be set: ${error.message}.`);
  }
}

/** Breaks terms into rows of at most `width`; a term is never broken. */
function rowsOf(terms: readonly Term[], size: number, width: number): Term[][] | undefined {
  const rows: Term[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const term of terms) {
    const wide = term.formula.advance * size;
    if (wide > width) return undefined;
    if (used + wide > width) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push(term);
    used += wide;
  }
  return rows;
}

const rowGap = 0.5;
const heightOf = (row: readonly Term[], size: number) => ({
  ascent: Math.max(...row.map(({ formula }) => formula.ascent)) * size,
  descent: Math.max(...row.map(({ formula }) => formula.descent)) * size,
});

/** Where each term of the rows stands, each row in the middle of the room. */
function stand(
  rows: readonly Term[][],
  size: number,
  room: { x: number; width: number },
  top: number,
): { terms: Standing[]; bottom: number } {
  let y = top;
  const terms = rows.flatMap((row, index) => {
    const { ascent, descent } = heightOf(row, size);
    const wide = row.reduce((sum, { formula }) => sum + formula.advance * size, 0);
    let x = room.x + (room.width - wide) / 2;
    const baseline = y + (index > 0 ? rowGap * size : 0) + ascent;
    y = baseline + descent;
    return row.map((term) => {
      const standing = { ...term, x, baseline };
      x += term.formula.advance * size;
      return standing;
    });
  });
  return { terms, bottom: y };
}

/** A thin brace that opens upwards, with its tip below. */
function brace(x: number, y: number, width: number): string {
  const [depth, middle] = [12, x + width / 2];
  const bend = Math.min(depth, width / 4);
  const half = depth / 2;
  return [
    `M${x} ${y}Q${x} ${y + half} ${x + bend} ${y + half}L${middle - bend} ${y + half}Q${middle} ${y + half} ${middle} ${y + depth}`,
    `Q${middle} ${y + half} ${middle + bend} ${y + half}L${x + width - bend} ${y + half}Q${x + width} ${y + half} ${x + width} ${y}`,
  ].join("");
}

function putLine(stage: Stage, d: string, box: { x: number; y: number; width: number; height: number }, part: string, from: number): void {
  stage.items.push({ kind: "line", d, width: 2, colour: "accent", box, part, from, motion: "fade", takes: calm });
}

interface Hung extends Standing {
  block: Block;
  /** Where its label begins. */
  left: number;
}

/** A label that would hang farther to the side is better in a list; where a list does not fit either, it may. */
const farthest = { usual: 64, most: 220 };

/** Labels side by side as near below their terms as can be; nothing when they do not fit. */
function hang(stage: Stage, terms: readonly Standing[], size: number, far: number): Hung[] | undefined {
  const { body } = stage;
  const named = terms.filter(({ label }) => label);
  const gap = 36;
  const most = Math.max(150, (body.width - gap * (named.length - 1)) / Math.max(1, named.length));
  const hung: Hung[] = [];
  for (const term of named) {
    const block = setBlock(term.label, { face: "read", size: 28, width: Math.min(most, 300), leading: 1.25, balanced: true });
    if (!block || block.lines.length > 4) return undefined;
    hung.push({ ...term, block, left: term.x + (term.formula.advance * size - block.width) / 2 });
  }
  // Pushed apart from the left, then back in from the right.
  let free = body.x;
  for (const label of hung) {
    label.left = Math.max(label.left, free);
    free = label.left + label.block.width + gap;
  }
  let end = body.x + body.width;
  for (const label of hung.toReversed()) {
    label.left = Math.min(label.left, end - label.block.width);
    end = label.left - gap;
  }
  const near = hung.every((label) => Math.abs(label.left + label.block.width / 2 - label.x - (label.formula.advance * size) / 2) < far);
  return near && end + gap >= body.x - 0.5 ? hung : undefined;
}

const drop = { brace: 16, below: 30, line: 34 };

/** Terms in one row, each with a brace and its label below; true when that fits. */
function placeWithBraces(stage: Stage, terms: readonly Term[], size: number, far: number): boolean {
  const { body } = stage;
  const rows = rowsOf(terms, size, body.width);
  if (rows?.length !== 1) return false;
  const { bottom: tall } = stand(rows, size, body, 0);
  const standing = stand(rows, size, body, 0).terms;
  const hung = hang(stage, standing, size, far);
  if (!hung) return false;
  const labels = Math.max(0, ...hung.map(({ block }) => block.height));
  const height = tall + (labels > 0 ? drop.brace + 12 + drop.line + labels : 0);
  if (height > body.height) return false;
  const top = body.y + (body.height - height) * 0.38;
  const { terms: placed, bottom } = stand(rows, size, body, top);
  putTerms(stage, placed, size);
  for (const label of hung) {
    const { formula, x, part, from, block, left } = label;
    const ink = { x: x + formula.left * size, width: (formula.right - formula.left) * size };
    const span = { x: ink.x + 2, width: Math.max(28, ink.width - 4) };
    if (span.width > ink.width) span.x = ink.x + (ink.width - span.width) / 2;
    const y = bottom + drop.brace;
    const tip = { x: span.x + span.width / 2, y: y + 12 };
    const foot = { x: left + block.width / 2, y: y + 12 + drop.line - 8 };
    const d = `${brace(span.x, y, span.width)}M${tip.x} ${tip.y}L${foot.x} ${foot.y}`;
    const [from_, to_] = [Math.min(span.x, foot.x), Math.max(span.x + span.width, foot.x)];
    putLine(stage, d, { x: from_, y, width: to_ - from_, height: foot.y - y }, part, from);
    putBlock(stage, block, {
      x: left,
      y: y + 12 + drop.line,
      width: block.width,
      align: "centre",
      colour: "ink-soft",
      part,
      from,
      motion: "wipe",
      writes: writingTime(stage, block.lines.join(" "), from, undefined),
    });
  }
  return true;
}

/** Terms in as many rows as they need, and below them a list that says what each means; true when that fits. */
function placeWithList(stage: Stage, terms: readonly Term[], size: number): boolean {
  const { body, rtl } = stage;
  const rows = rowsOf(terms, size, body.width);
  if (!rows) return false;
  const named = terms.filter(({ label }) => label);
  const inList = 38;
  const gap = 40;
  const column = Math.max(0, ...named.map(({ formula }) => (formula.right - formula.left) * inList));
  if (column > body.width * 0.42) return false;
  const room = body.width - column - gap;
  const entries = named.map((term) => {
    const block = setBlock(term.label, { face: "read", size: 30, width: room, leading: 1.3, balanced: true });
    const ink = (term.formula.ascent + term.formula.descent) * inList;
    return block && { term, block, height: Math.max(block.height, ink) };
  });
  if (!entries.every((entry) => entry !== undefined)) return false;
  if (named.some(({ formula }) => formula.least * inList < minTextSize)) return false;
  const between = 22;
  const { bottom: tall } = stand(rows, size, body, 0);
  const list = entries.reduce((sum, { height }) => sum + height + between, -between);
  const above = entries.length > 0 ? 56 : 0;
  const height = tall + (entries.length > 0 ? above + list : 0);
  if (height > body.height) return false;
  const top = body.y + (body.height - height) * 0.36;
  const { terms: placed, bottom } = stand(rows, size, body, top);
  putTerms(stage, placed, size);
  // The list stands in the middle, as wide as it is.
  const widest = Math.max(0, ...entries.map(({ block }) => block.width));
  const left = body.x + (body.width - column - gap - widest) / 2;
  let y = bottom + above;
  for (const { term, block, height: tallEntry } of entries) {
    const { formula, part, from } = term;
    const wide = (formula.right - formula.left) * inList;
    const signX = rtl ? left + widest + gap : left + column - wide;
    const middle = y + tallEntry / 2;
    const oneLine = middle + 0.35 * block.size;
    const baseline = formula.ascent < 1 && block.lines.length === 1 ? oneLine : middle + ((formula.ascent - formula.descent) * inList) / 2;
    const at = { x: signX - formula.left * inList, baseline, part: `${part} named`, from };
    putFormula(stage, formula, inList, at, { colour: "ink", motion: "rise" });
    const blockY = middle - block.height / 2;
    putBlock(stage, block, {
      x: rtl ? left : left + column + gap,
      y: blockY,
      width: widest,
      colour: "ink-soft",
      part: `${part} named`,
      from,
      motion: "wipe",
      writes: writingTime(stage, block.lines.join(" "), from, undefined),
    });
    y += tallEntry + between;
  }
  return true;
}

/** A formula whose terms come to full ink as they are spoken of; what each means stands below. */
export function placeFormula(stage: Stage, { heading, terms }: SceneContent<"formula">): undefined {
  putHeading(stage, heading);
  const labels = terms.map(({ label }) => wordsOn(stage, label));
  const times = revealsOn(stage, labels);
  const set: Term[] = [];
  for (const [index, { tex }] of terms.entries()) {
    const formula = formulaOn(stage, tex);
    if (formula) set.push({ formula, label: labels[index] ?? "", from: times[index] ?? 0, part: `term ${index}` });
  }
  if (set.length < terms.length || stage.findings.length > 0) return;
  const least = Math.min(...set.map(({ formula }) => formula.least));
  const smallest = Math.max(40, minTextSize / least);
  const braces = (far: number) =>
    largest(stage.wide ? 88 : 72, Math.max(48, smallest), (size) => placeWithBraces(stage, set, size, far) || undefined);
  const list = () => largest(stage.wide ? 76 : 68, smallest, (size) => placeWithList(stage, set, size) || undefined);
  if (braces(farthest.usual) || list() || braces(farthest.most)) return;
  refuse(stage, `The formula is too large for the picture: ${quoted(terms.map(({ tex }) => tex).join(" "))}`);
}
