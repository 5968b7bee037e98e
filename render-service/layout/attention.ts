import type { Item, LineItem, Placed, TextItem } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneLayout } from "@colloquy/schemas/explainers/storyboard.ts";
import type { Speech } from "@colloquy/schemas/explainers/timing.ts";
import { poseOf } from "../frames/moves.ts";
import { lengthOf, type Stretch, stillStretches } from "./stillness.ts";
import { measure } from "./text.ts";
import { type SpokenWord, sameWord, spokenWords, wordsIn } from "./timing.ts";

/** Milliseconds. `still`: stretches that are shorter are a rest. `apart`: from one mark to the next. */
const pace = { still: 1_200, unmarked: 2_600, before: 100, apart: 500, shortest: 400, longest: 7_000, pause: 450, echo: 900 };
/** Letters of a word that tells something. */
const telling = 4;
/** Scenes in which what came last is what is spoken of. */
const pointed: ReadonlySet<SceneLayout> = new Set(["points", "recap", "formula", "diagram", "compare", "code", "plot", "table"]);
/** Scenes that draw attention themselves: only where they do not for long is there room for more. */
const directed: ReadonlySet<SceneLayout> = new Set([
  "plane",
  "number-line",
  "build",
  "derive",
  "timeline",
  "forgetting",
  "trace",
  "figure",
]);
/** Parts that name things beside what is spoken of. */
const aside: ReadonlySet<string> = new Set(["axes", "axis names", "chances", "plane"]);
/** Parts that name the whole picture, its units or its signs: the eye belongs to what they are about. */
const unmarked: ReadonlySet<string> = new Set(["heading", "footnote", "axis", "kinds"]);
/** In a scene that draws attention itself, so much of a label is said where it is meant. */
const meantShare = 0.5;

interface Told {
  layout: SceneLayout;
  narration: string;
  speech: Speech;
}

/** A line below what is spoken of, drawn from one time to another. */
interface Mark {
  item: Item;
  lines: { from: { x: number; y: number }; to: { x: number; y: number } }[];
  from: number;
  takes: number;
}

/**
 * Draws attention to what is spoken of wherever a picture would stand still: words that are said and stand there are underlined as they are
 * said; else what came last is underlined for as long as it is spoken of. One thing at a time. Pure.
 */
export function attend(placed: Placed, { layout, narration, speech }: Told): Placed {
  const words = spokenWords(narration, speech);
  const marks = stillStretches(placed)
    .filter((stretch) => lengthOf(stretch) > (directed.has(layout) ? pace.unmarked : pace.still))
    .flatMap((stretch) => {
      const said = phrasesIn(placed, words, stretch, directed.has(layout) ? meantShare : 0);
      return until(pointed.has(layout) ? withPointers(placed, said, stretch, speech.to) : said, stretch, placed.durationMs);
    });
  if (marks.length === 0) return placed;
  const below = Map.groupBy(marks, ({ item }) => item);
  const items = placed.items.flatMap((item) => [...(below.get(item) ?? []).flatMap(linesOf), item]);
  return { ...placed, items };
}

/** Marks each of which goes when the next comes, or something else. */
function until(marks: readonly Mark[], { to }: Stretch, durationMs: number): (Mark & { until?: number })[] {
  return marks.map((mark, index) => {
    const next = marks[index + 1]?.from ?? to;
    return next < durationMs ? { ...mark, until: next } : mark;
  });
}

function linesOf({ item, lines, from, takes, until: goes }: Mark & { until?: number }): LineItem[] {
  const whole = lines.reduce((sum, one) => sum + Math.abs(one.to.x - one.from.x), 0) || 1;
  let before = 0;
  return lines.map(({ from: start, to: end }) => {
    const share = Math.abs(end.x - start.x) / whole;
    const line: LineItem = {
      kind: "line",
      d: `M${start.x.toFixed(1)} ${start.y.toFixed(1)}H${end.x.toFixed(1)}`,
      width: lineWidth,
      colour: "accent",
      box: { x: Math.min(start.x, end.x), y: start.y - lineWidth / 2, width: Math.abs(end.x - start.x), height: lineWidth },
      part: item.part,
      from: Math.round(from + takes * before),
      takes: Math.max(1, Math.round(takes * share)),
      motion: "draw",
      mark: true,
      ...(goes !== undefined && { until: Math.round(goes) }),
    };
    before += share;
    return line;
  });
}
const lineWidth = 4;

const isShown = ({ from, takes, motion, until: goes, leaves, mark }: Item, time: number): boolean =>
  !leaves && !mark && from + (motion === "still" ? 0 : takes) <= time && (goes === undefined || goes > time);
const isResting = ({ moves = [] }: Item, time: number): boolean => moves.every(({ from, takes }) => from + takes <= time || from > time);
const textsAt = ({ items }: Placed, time: number): TextItem[] =>
  items.filter((item) => item.kind === "text").filter((item) => !unmarked.has(item.part) && isShown(item, time) && isResting(item, time));

interface Token {
  stem: string;
  begin: number;
  end: number;
}
const tokensOf = (text: string): Token[] =>
  [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].flatMap(({ 0: word, index }) => {
    const [stem] = wordsIn(word);
    return stem === undefined ? [] : [{ stem, begin: index, end: index + word.length }];
  });
const tells = (stem: string): boolean => stem.length >= telling || /\d/.test(stem);

interface Phrase {
  item: TextItem;
  tokens: Token[];
  weight: number;
}

const lettersOf = (tokens: readonly Token[]): number => tokens.reduce((sum, { stem }) => sum + stem.length, 0);

/** The longest run of words on screen that begins with a word of the narration, goes on as that does, and is so much of its line. */
function phraseAt(texts: readonly TextItem[], words: readonly SpokenWord[], leastShare: number): Phrase | undefined {
  let best: Phrase | undefined;
  for (const item of texts) {
    const tokens = tokensOf(item.text);
    const least = lettersOf(tokens) * leastShare;
    for (const start of tokens.keys()) {
      let count = 0;
      while (words[count] && tokens[start + count] && sameWord(tokens[start + count]?.stem ?? "", words[count]?.stem ?? "")) count += 1;
      while (count > 0 && !tells(tokens[start + count - 1]?.stem ?? "")) count -= 1;
      const run = tokens.slice(start, start + count);
      const weight = lettersOf(run) - (aside.has(item.part) ? 1 : 0);
      if (run.length > 0 && lettersOf(run) >= least && weight >= (best?.weight ?? 1)) best = { item, tokens: run, weight };
    }
  }
  return best;
}

/** Whether a phrase is only the last word of what was being written as it was said. */
const isEcho = ({ item, tokens }: Phrase, time: number): boolean =>
  item.motion === "wipe" && tokens.length === 1 && time - item.from - item.takes < pace.echo;

/** What is said in a stretch and stands there, in its order. */
function phrasesIn(placed: Placed, words: readonly SpokenWord[], stretch: Stretch, leastShare: number): Mark[] {
  const marks: Mark[] = [];
  let free = stretch.from + pace.before;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (!word || !tells(word.stem) || word.at < free || word.at > stretch.to - pace.shortest) continue;
    const phrase = phraseAt(textsAt(placed, word.at), words.slice(index), leastShare);
    if (!phrase || isEcho(phrase, word.at)) continue;
    const end = words[index + phrase.tokens.length]?.at ?? word.at + pace.shortest;
    const takes = Math.min(Math.max(pace.shortest, end - word.at), stretch.to - word.at);
    marks.push({ item: phrase.item, lines: [underline(phrase, word.at)], from: word.at - pace.before, takes });
    free = word.at + Math.max(takes, pace.apart);
    index += phrase.tokens.length - 1;
  }
  return marks;
}

/** Below some words of a line, where its moves have brought it. */
function underline({ item, tokens }: Pick<Phrase, "item" | "tokens">, time: number): Mark["lines"][number] {
  const { text, face, size, x, baseline, direction, moves = [] } = item;
  const width = (piece: string): number => measure(piece, face, size, direction).advance;
  const [first, last] = [tokens[0], tokens.at(-1)];
  const whole = width(text);
  // Within a line that is read from the right, words of both directions may stand: all of it is meant.
  const [begin, end] = direction === "rtl" ? [whole, 0] : [width(text.slice(0, first?.begin ?? 0)), width(text.slice(0, last?.end))];
  const y = baseline + Math.max(7, size * 0.2);
  const [a, b, c, d, e, f] = poseOf(moves, time) ?? [1, 0, 0, 1, 0, 0];
  const moved = (at: number) => ({ x: a * (x + at) + c * y + e, y: b * (x + at) + d * y + f });
  return { from: moved(begin), to: moved(end) };
}

/** The same marks, and where a picture would still stand still for long a line below what came last, drawn for as long as it is spoken of. */
function withPointers(placed: Placed, marks: readonly Mark[], stretch: Stretch, spokenTo: number): Mark[] {
  const ends = [...marks, { from: stretch.to, takes: 0, item: undefined }];
  let free = stretch.from;
  let current: Item | undefined;
  return ends.flatMap(({ item, from, takes, ...mark }): Mark[] => {
    const begin = free + pace.pause;
    const end = Math.min(from - pace.pause / 2, spokenTo, begin + pace.longest);
    const pointer = from - free > pace.unmarked && end - begin > pace.shortest * 2 ? pointerAt(placed, current, begin) : undefined;
    free = from + takes;
    if (item && !aside.has(item.part)) current = item;
    const own = item && "lines" in mark ? [{ ...mark, item, from, takes } as Mark] : [];
    return pointer ? [{ ...pointer, from: begin, takes: end - begin }, ...own] : own;
  });
}

/** What is pointed at: the part of an item, or of what came last. */
function pointerAt(placed: Placed, current: Item | undefined, time: number): Pick<Mark, "item" | "lines"> | undefined {
  const shown = placed.items.filter(
    (item) =>
      (item.kind === "text" || item.kind === "glyphs") &&
      !aside.has(item.part) &&
      !unmarked.has(item.part) &&
      isShown(item, time) &&
      !item.moves,
  );
  const arrival = ({ from, takes }: Item): number => from + takes;
  const latest = current ?? shown.toSorted((one, other) => arrival(one) - arrival(other)).at(-1);
  if (!latest) return undefined;
  const ofPart = shown.filter(({ part }) => part === latest.part);
  const texts = ofPart.filter((item) => item.kind === "text");
  // Its scene has drawn attention to it already.
  if (texts.length === 0 && placed.items.some((one) => one.kind === "line" && one.part === latest.part && isShown(one, time)))
    return undefined;
  // So has a comparison, which marks the cells that differ.
  if (placed.items.some((one) => one.kind === "box" && one.stroke !== undefined && one.part === "table" && isShown(one, time)))
    return undefined;
  const target = texts.length > 0 ? texts : ofPart;
  const [item] = target;
  if (!item) return undefined;
  const all = texts.length > 0 ? [...Map.groupBy(texts, ({ baseline }) => baseline).values()] : [ofPart];
  const rows = all.length > mostRows ? all.filter((row) => row.some((one) => one === latest)) : all;
  const lines = rows.map((row) => {
    const left = Math.min(...row.map(({ box }) => box.x));
    const right = Math.max(...row.map(({ box }) => box.x + box.width));
    const y = Math.max(
      ...row.map((one) => (one.kind === "text" ? one.baseline + Math.max(7, one.size * 0.2) : one.box.y + one.box.height + 14)),
    );
    const isFromRight = row.some((one) => one.kind === "text" && one.direction === "rtl");
    const [start, end] = isFromRight ? [right, left] : [left, right];
    return { from: { x: start, y }, to: { x: end, y } };
  });
  return { item, lines };
}
/** A part of more lines is not looked at as a whole. */
const mostRows = 4;
