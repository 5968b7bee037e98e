import { isOfTheText, leadsOver } from "../facts.ts";
import type { Question } from "../question.ts";
import { leansBack, rank } from "../ranking.ts";
import { type Passage, segmentsOf } from "../segments.ts";
import { type Stretch, wordsOf } from "../select.ts";

/** Longest excerpt: words of its sentences, and lines of its listings. */
const most = { words: 190, lines: 24 };
/** Words from which it is long enough, and fewer of which are no lesson. */
const enough = 110;
export const least = 45;
/** Share of what the best paragraph says of a subject from which another one is about it, too; what goes on from one that was chosen needs less. */
const about = { goingOn: 0.35, elsewhere: 0.6 };

/** A paragraph or list with the listings, formulas and tables right behind it. */
interface Unit {
  passages: Passage[];
  score: number;
  /** Whether it makes no sense without the one before it. */
  goesOn: boolean;
}

const belongsBehind: ReadonlySet<string> = new Set(["code", "math", "table"]);
/** The listings, formulas and tables right behind a passage. */
export function standingBehind(passage: Passage, all: readonly Passage[]): Passage[] {
  const next = all.find(({ follows, kind }) => follows === passage.id && belongsBehind.has(kind ?? ""));
  return next ? [next, ...standingBehind(next, all)] : [];
}
/** Whether two passages stand under one heading. */
export const sameHeading = (one: Passage, other: Passage): boolean =>
  one.title === other.title && one.trail.join("\n") === other.trail.join("\n");

/** Paragraphs that one is joined with, before it and behind it. */
const mostJoined = 2;
/** What a paragraph counts that goes on from one that is not there, and one that begins within a sentence, as behind a picture. */
const tornOff = { paragraph: 0.5, sentence: 0.1 };
/** What a passage counts more that a lesson is to stay with. */
const inFocus = 1.5;
/** What the paragraph counts more that says all words of the subject first: there the page introduces it. */
const introducing = 0.4;

/** The share of a subject's words that each text is the first to say, of those that come again; a word counts less the more texts have it. */
function introduced(passages: readonly Passage[], asked: Question): Map<Passage, number> {
  const texts = passages.filter(({ kind }) => !belongsBehind.has(kind ?? ""));
  const held = texts.map((passage) => new Set(segmentsOf(passage).flatMap((segment) => segment.terms)));
  const said = [...asked.terms].flatMap(([term, weight]) => {
    const at = held.flatMap((terms, index) => (terms.has(term) ? index : []));
    return at[0] === undefined || at.length === 1 ? [] : { first: texts[at[0]], worth: weight / Math.sqrt(at.length) };
  });
  const total = said.reduce((sum, { worth }) => sum + worth, 0) || 1;
  const shares = new Map<Passage, number>();
  for (const { first, worth } of said) if (first) shares.set(first, (shares.get(first) ?? 0) + worth / total);
  return shares;
}

/** How much each passage says of what is asked beyond what the heading above all of them does: by its words, and by the sentence that says most. */
export function scoresOf(passages: readonly Passage[], asked: Question, focus: readonly Passage[] = []): Map<Passage, number> {
  // A lesson is more than the one sentence that a question of its form is after.
  const { passages: ranked, best } = rank(passages, { ...asked, kind: "other" });
  const words = scaled(ranked.map(({ passage, score }) => [passage, score]));
  const said = scaled(passages.map((passage) => [passage, best.find(({ segment }) => segment.passage === passage)?.score ?? 0]));
  const first = introduced(passages, asked);
  return new Map(
    passages.map((passage) => {
      const score = (words.get(passage) ?? 0) + (said.get(passage) ?? 0) + introducing * (first.get(passage) ?? 0);
      return [passage, focus.includes(passage) ? score * inFocus : score];
    }),
  );
}

/** Scores from 0, of the text that says least, to 1. */
function scaled(scores: readonly (readonly [Passage, number])[]): Map<Passage, number> {
  const texts = scores.flatMap(([{ kind }, score]) => (belongsBehind.has(kind ?? "") ? [] : score));
  const least = Math.min(...texts);
  const range = Math.max(...scores.map(([, score]) => score)) - least;
  return new Map(scores.map(([passage, score]) => [passage, range > 0 ? Math.max(0, (score - least) / range) : 0]));
}

function unitsOf(passages: readonly Passage[], asked: Question, focus: readonly Passage[]): Unit[] {
  const scores = scoresOf(passages, asked, focus);
  const units: Unit[] = [];
  for (const passage of passages) {
    const score = scores.get(passage) ?? 0;
    const before = units.at(-1);
    const isBehind = before !== undefined && passage.follows === before.passages.at(-1)?.id;
    if (isBehind && belongsBehind.has(passage.kind ?? "")) {
      if (sizeOf({ passages: [...before.passages, passage] }).lines > most.lines) continue;
      before.passages.push(passage);
      before.score = Math.max(before.score, score);
      continue;
    }
    const [first] = segmentsOf(passage);
    const last = segmentsOf(before?.passages.at(-1) ?? passage).at(-1);
    const goesOnInList = isBehind && first?.kind === "item" && last?.kind === "item";
    const isWithin = first?.kind === "sentence" && /^\p{Ll}/u.test(first.text);
    const leans = first !== undefined && (isWithin || leansBack(first) || goesOnInList);
    const goesOn = leans && isBehind && sameHeading(passage, before.passages[0] ?? passage);
    const share = !leans || goesOn ? 1 : tornOff[isWithin ? "sentence" : "paragraph"];
    units.push({ passages: [passage], score: score * share, goesOn });
  }
  return units.filter((unit) => !isHollow(unit));
}

/** Whether a paragraph only speaks of the text, or announces what is not there. */
function isHollow({ passages: [only, ...others] }: Unit): boolean {
  const segments = only ? segmentsOf(only) : [];
  if (segments.every((segment) => segment.kind === "sentence" && isOfTheText(segment))) return true;
  return others.length === 0 && segments.length === 1 && segments[0]?.kind === "sentence" && announcing.test(segments[0].text);
}

const linesOf = (text: string): number => text.split("\n").length;
function sizeOf({ passages }: Pick<Unit, "passages">): { words: number; lines: number } {
  const segments = passages.flatMap((passage) => segmentsOf(passage));
  const listings = segments.filter(({ kind }) => kind === "code");
  const texts = segments.filter(({ kind }) => kind !== "code");
  return {
    words: texts.reduce((sum, { text }) => sum + wordsOf(text), 0),
    lines: listings.reduce((sum, { text }) => sum + linesOf(text), 0),
  };
}

/**
 * What a text too long to be taught whole says of a subject: its best paragraphs, each with the listings behind it and with those that it
 * goes on from, in reading order.
 * @param focus those of the passages to stay with
 */
export function excerpt(passages: readonly Passage[], asked: Question, focus: readonly Passage[]): Stretch[] {
  const units = unitsOf(passages, asked, focus);
  const chosen = new Set<number>();
  const left = { ...most };
  /** Those between two places that are not chosen yet. */
  const range = (from: number, to: number): number[] =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index).filter((index) => !chosen.has(index));
  const sizeOfAll = (indices: readonly number[]) => sizeOf({ passages: indices.flatMap((index) => units[index]?.passages ?? []) });
  const fits = (indices: readonly number[]): boolean => {
    const { words, lines } = sizeOfAll(indices);
    return words <= left.words && lines <= left.lines;
  };
  const isBehind = (at: number): boolean => units[at]?.passages[0]?.follows === units[at - 1]?.passages.at(-1)?.id;
  /** Takes a paragraph with those that it goes on from and that go on from it, if all of them fit. */
  function take(at: number): void {
    let [from, to] = [at, at];
    while (units[from]?.goesOn && from > 0 && at - from < mostJoined) from -= 1;
    while (units[to + 1]?.goesOn && to - at < mostJoined) to += 1;
    // What has code behind it can be read without what it goes on from.
    const starts = (units[at]?.passages.length ?? 0) > 1 ? [from, at] : [from];
    const added = starts.map((start) => range(start, to)).find((indices) => chosen.size === 0 || fits(indices));
    if (!added) return;
    const size = sizeOfAll(added);
    for (const index of added) chosen.add(index);
    left.words -= size.words;
    left.lines -= size.lines;
  }
  const best = [...units.keys()].toSorted((a, b) => (units[b]?.score ?? 0) - (units[a]?.score ?? 0));
  const top = units[best[0] ?? 0]?.score ?? 0;
  if (best[0] !== undefined) take(best[0]);
  /** Whether what was chosen leads there: the paragraph right behind one of them. */
  const isNext = (at: number): boolean => chosen.has(at - 1) && isBehind(at);
  const isAbout = (at: number): boolean => (units[at]?.score ?? 0) >= (isNext(at) ? about.goingOn : about.elsewhere) * top;
  const said = (): number => most.words - left.words;
  const tried = new Set(chosen);
  for (;;) {
    const open = best.filter((at) => !chosen.has(at) && !tried.has(at));
    // A few words teach nothing: what stands behind them goes on, whatever its words.
    const next = open.find((at) => isNext(at) && isAbout(at)) ?? open.find(isAbout) ?? (said() < least ? open.find(isNext) : undefined);
    if (next === undefined || said() >= enough) break;
    tried.add(next);
    take(next);
  }
  return units.flatMap((unit, at) => (chosen.has(at) ? asTaught(unit.passages) : []));
}

/** Sentences that something follows. */
const announcing =
  /:$|\b(?:like this|as follows|following|below)\b[^.]{0,20}\.$|^(?:in|see|look at|consider|take) the (?:\w+ ){0,2}(?:below|following)\b|^below\b/i;

/** A paragraph with what stands behind it, without a last sentence that announces what is not there. */
export function asTaught(passages: readonly Passage[]): Stretch[] {
  return passages.map((passage, index) => {
    const segments = segmentsOf(passage);
    const last = segments.at(-1);
    // What it announces is not there.
    const isCutOff = index === passages.length - 1 && last?.kind === "sentence" && announcing.test(last.text) && segments.length > 1;
    return withoutAsides({ passage, segments: isCutOff ? segments.slice(0, -1) : segments, announced: new Map() });
  });
}

/** What a text teaches: without sentences that speak of the text itself and paragraphs that lead over to it, where others are left. */
export function withoutAsides(stretch: Stretch): Stretch {
  const transitions = new Set(stretch.segments.flatMap(({ text, paragraph }) => (leadsOver(text) ? paragraph : [])));
  const teaching = stretch.segments.filter(
    (segment) => !transitions.has(segment.paragraph) && (segment.kind !== "sentence" || !isOfTheText(segment)),
  );
  return teaching.length > 0 ? { ...stretch, segments: teaching } : stretch;
}
