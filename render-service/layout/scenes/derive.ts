import type { Affine, ColourRole, GlyphsItem } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { Path2D } from "@napi-rs/canvas";
import { cueAt } from "../cues.ts";
import { minTextSize } from "../limits.ts";
import { matchSigns } from "../match-signs.ts";
import { calm, putBlock, putHeading, quoted, refuse, type Stage, wordsOn } from "../stage.ts";
import { type Formula, NotSet, setFormula } from "../tex.ts";
import { type Block, largest, setBlock } from "../text.ts";

/** How long equal terms travel, when new ones begin to appear among them, and when those that were left are seen again. */
const travelTakes = 1_300;
const newAfter = 900;
const leftAfter = 700;
const part = "derivation";

interface Line {
  formula: Formula;
  reason: Block | undefined;
  from: number;
}
/** A line where it stands: the left end and the baseline of its formula. */
interface Standing extends Line {
  x: number;
  baseline: number;
  reasonAt: { x: number; y: number; width: number };
}

/** Lines below one another; reasons beside them, or above each where the picture is tall. Nothing when they do not fit. */
function stand(stage: Stage, formulas: readonly Formula[], reasons: readonly string[], times: readonly number[], size: number) {
  const { body, wide, rtl } = stage;
  const gap = { column: 56, row: size * (wide ? 0.75 : 0.9), reason: 22 };
  const widest = Math.max(...formulas.map(({ left, right }) => right - left)) * size;
  const hasReasons = reasons.some((reason) => reason !== "");
  const room = wide ? body.width - widest - gap.column : body.width;
  if (widest > body.width || (hasReasons && room < 240)) return undefined;
  const blocks = reasons.map((reason) =>
    reason ? setBlock(reason, { face: "read", size: wide ? 30 : 36, width: Math.min(room, wide ? 480 : room), leading: 1.25 }) : undefined,
  );
  if (blocks.some((block, index) => reasons[index] && (!block || block.lines.length > 2))) return undefined;
  const heights = formulas.map(({ ascent, descent }, index) => {
    const ink = (ascent + descent) * size;
    const words = blocks[index]?.height ?? 0;
    return wide ? Math.max(ink, words) : ink + (words > 0 ? gap.reason + words : 0);
  });
  const least = heights.reduce((sum, one) => sum + one + gap.row, -gap.row);
  if (least > body.height) return undefined;
  if (!wide && formulas.length > 1) gap.row += Math.min(size * 0.8, ((body.height - least) * 0.7) / (formulas.length - 1));
  const height = heights.reduce((sum, one) => sum + one + gap.row, -gap.row);
  const reasonWidth = Math.max(0, ...blocks.map((block) => block?.width ?? 0));
  const whole = wide && hasReasons ? widest + gap.column + reasonWidth : widest;
  const left = body.x + (body.width - whole) / 2;
  const column = wide && rtl && hasReasons ? left + reasonWidth + gap.column : left;
  let y = body.y + (body.height - height) * 0.4;
  return formulas.map((formula, index): Standing => {
    const { ascent, descent } = formula;
    const block = blocks[index];
    const tall = heights[index] ?? 0;
    const ink = (ascent + descent) * size;
    const top = wide ? y + (tall - ink) / 2 : y + tall - ink;
    const x = wide ? column : body.x + (body.width - (formula.right - formula.left) * size) / 2;
    const reasonAt = wide
      ? { x: rtl ? left : left + widest + gap.column, y: y + (tall - (block?.height ?? 0)) / 2, width: reasonWidth }
      : { x: body.x, y, width: body.width };
    y += tall + gap.row;
    return { formula, reason: block, from: times[index] ?? 0, x: x - formula.left * size, baseline: top + ascent * size, reasonAt };
  });
}

interface Sign {
  name: string;
  d: string;
  box: { x: number; y: number; width: number; height: number };
}

function signsOf({ formula, x, baseline }: Standing, size: number): Sign[] {
  return formula.signs.map(({ name, path }) => {
    const moved = new Path2D();
    moved.addPath(path, { a: size, b: 0, c: 0, d: size, e: x, f: baseline });
    const [left, top, right, bottom] = moved.computeTightBounds();
    return { name, d: moved.toSVGString(), box: { x: left, y: top, width: right - left, height: bottom - top } };
  });
}

/** The map that brings one sign to the place and size of an equal one. */
function travel(from: Sign["box"], to: Sign["box"]): Affine {
  const scale = from.height > 0.5 ? to.height / from.height : 1;
  const across = from.width > 0.5 ? to.width / from.width : scale;
  return [across, 0, 0, scale, to.x - across * from.x, to.y - scale * from.y];
}

interface Look {
  colour: ColourRole;
  from: number;
  until?: number;
  motion: GlyphsItem["motion"];
  takes: number;
  moves?: NonNullable<GlyphsItem["moves"]>;
}

/** Formulas below one another: equal terms travel down from the line before, new ones appear, and the reason stands beside the line. */
export function placeDerive(stage: Stage, { heading, steps }: SceneContent<"derive">): undefined {
  putHeading(stage, heading);
  const reasons = steps.map(({ reason }) => wordsOn(stage, reason));
  const times = steps.map(({ cue }, index) => (index === 0 ? 0 : cueAt(stage, cue)));
  const formulas: Formula[] = [];
  for (const { tex } of steps)
    try {
      // A group of its own: a minus at its beginning is a sign, no difference.
      formulas.push(setFormula(`{${tex}}`));
    } catch (error) {
      if (!(error instanceof NotSet)) throw error;
      refuse(stage, `The formula ${quoted(tex)} cannot be set: ${error.message}.`);
    }
  if (stage.findings.length > 0) return;
  for (const [index, from] of times.entries()) {
    const before = times[index - 1];
    if (before !== undefined && from < before + (index === 1 ? 600 : travelTakes))
      return refuse(stage, `Step ${index + 1} comes before the step before it has ended: say more between them.`);
  }
  const least = Math.min(...formulas.map((formula) => formula.least));
  const smallest = Math.max(34, minTextSize / least);
  const size = largest(stage.wide ? 66 : 88, smallest, (tried) => (stand(stage, formulas, reasons, times, tried) ? tried : undefined));
  const lines = size && stand(stage, formulas, reasons, times, size);
  if (!size || !lines) return refuse(stage, "The derivation is too large for the picture: take fewer or shorter steps.");
  const put = (sign: Sign, look: Look, d = sign.d): void => {
    stage.items.push({ kind: "glyphs", d, size: size * least, box: sign.box, part, ...look });
  };
  const written = lines.map((line) => signsOf(line, size));
  /** For each line and sign of it, the sign of the line before that it is. */
  const matches = written.map((signs, index) =>
    matchSigns(
      (written[index - 1] ?? []).map(({ name }) => name),
      signs.map(({ name }) => name),
    ),
  );
  lines.forEach((line, index) => {
    const next = lines[index + 1]?.from;
    const from = index === 0 ? 0 : line.from;
    const leaving = new Set(matches[index + 1]);
    written[index]?.forEach((sign, place) => {
      const source = written[index - 1]?.[matches[index]?.[place] ?? -1];
      const until = next === undefined ? {} : { until: next };
      if (index === 0) put(sign, { colour: "ink", from: 0, motion: "fade", takes: calm, ...until });
      else if (source) {
        const moves = [{ from, takes: travelTakes, to: travel(source.box, sign.box) }];
        put(
          sign,
          { colour: "accent", from: Math.max(1, from), until: from + travelTakes + 200, motion: "still", takes: calm, moves },
          source.d,
        );
        put(sign, { colour: "ink", from: from + travelTakes, motion: "fade", takes: calm, ...until });
      } else put(sign, { colour: "ink", from: from + newAfter, motion: "fade", takes: calm * 2, ...until });
      if (next === undefined) return;
      // What was read recedes when the next line comes; a term that travels there is seen here again once it is on its way.
      if (leaving.has(place)) put(sign, { colour: "ink-faint", from: next + leftAfter, motion: "fade", takes: calm * 2 });
      else put(sign, { colour: "ink-faint", from: next, motion: "still", takes: calm });
    });
    if (!line.reason) return;
    const { reasonAt } = line;
    putBlock(stage, line.reason, {
      ...reasonAt,
      ...(stage.wide ? {} : { align: "centre" as const }),
      colour: "ink-soft",
      part: `reason ${index}`,
      // Terms travel across the place of a reason that stands above its line.
      from: index === 0 ? 400 : from + (stage.wide ? 300 : travelTakes - 200),
      motion: "rise",
    });
  });
  putUnderline(stage, lines.at(-1), size);
}

/** A line below the result, once it stands. */
function putUnderline(stage: Stage, line: Standing | undefined, size: number): void {
  if (!line) return;
  const from = Math.min(line.from + travelTakes + 700, stage.durationMs - 900);
  const y = line.baseline + line.formula.descent * size + 12;
  const [left, right] = [line.x + line.formula.left * size, line.x + line.formula.right * size];
  stage.items.push({
    kind: "line",
    d: `M${left} ${y}H${right}`,
    width: 4,
    colour: "accent",
    box: { x: left, y: y - 2, width: right - left, height: 4 },
    part,
    from,
    motion: "draw",
    takes: 600,
  });
}
