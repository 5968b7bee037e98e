import { isOfTheText, leadsOver } from "../facts.ts";
import type { Question } from "../question.ts";
import { leansBack, rank } from "../ranking.ts";
import { type Passage, segmentsOf } from "../segments.ts";
import { type Stretch, wordsOf } from "../select.ts";

/** Longest excerpt: words of its sentences, and lines of its listings. */
const most = { words: 190, lines: 24 };
/** Words from which it is long enough. */
const enough = 110;
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
const isUnderSame = (one: Passage, other: Passage | undefined): boolean =>
  other !== undefined && one.title === other.title && one.trail.join("\n") === other.trail.join("\n");

/** What a paragraph counts that goes on from one that is not there. */
const tornOff = 0.5;
/** What a passage counts more that a lesson is to stay with. */
const inFocus = 1.5;

/** How much each passage says of what is asked beyond what the heading above all of them does: by its words, and by the sentence that says most. */
export function scoresOf(passages: readonly Passage[], asked: Question, focus: readonly Passage[] = []): Map<Passage, number> {
  // A lesson is more than the one sentence that a question of its form is after.
  const { passages: ranked, best } = rank(passages, { ...asked, kind: "other" });
  const words = scaled(ranked.map(({ passage, score }) => [passage, score]));
  const said = scaled(passages.map((passage) => [passage, best.find(({ segment }) => segment.passage === passage)?.score ?? 0]));
  return new Map(
    passages.map((passage) => {
      const score = (words.get(passage) ?? 0) + (said.get(passage) ?? 0);
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
      before.passages.push(passage);
      before.score = Math.max(before.score, score);
      continue;
    }
    const [first] = segmentsOf(passage);
    const leans = first !== undefined && (/^\p{Ll}/u.test(first.text) || leansBack(first));
    const goesOn = leans && isBehind && isUnderSame(passage, before.passages[0]);
    units.push({ passages: [passage], score: leans && !goesOn ? score * tornOff : score, goesOn });
  }
  return units;
}

const linesOf = (text: string): number => text.split("\n").length;
function sizeOf({ passages }: Unit): { words: number; lines: number } {
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
  /** Takes a paragraph with those that it goes on from, if all of them fit. */
  function take(at: number): void {
    let from = at;
    while (units[from]?.goesOn && from > 0) from -= 1;
    const added = Array.from({ length: at - from + 1 }, (_, index) => from + index).filter((index) => !chosen.has(index));
    const sizes = added.flatMap((index) => units[index] ?? []).map(sizeOf);
    const size = { words: sizes.reduce((sum, { words }) => sum + words, 0), lines: sizes.reduce((sum, { lines }) => sum + lines, 0) };
    if (chosen.size > 0 && (size.words > left.words || size.lines > left.lines)) return;
    for (const index of added) chosen.add(index);
    left.words -= size.words;
    left.lines -= size.lines;
  }
  const best = [...units.keys()].toSorted((a, b) => (units[b]?.score ?? 0) - (units[a]?.score ?? 0));
  const top = units[best[0] ?? 0]?.score ?? 0;
  if (best[0] !== undefined) take(best[0]);
  /** Whether what was chosen leads there: the paragraph behind one of them, on the same subject. */
  const isNext = (at: number): boolean => chosen.has(at - 1) && isUnderSameAs(units[at], units[at - 1]);
  const isAbout = (at: number): boolean => (units[at]?.score ?? 0) >= (isNext(at) ? about.goingOn : about.elsewhere) * top;
  const tried = new Set(chosen);
  for (;;) {
    const open = best.filter((at) => !chosen.has(at) && !tried.has(at) && isAbout(at));
    const next = open.find(isNext) ?? open[0];
    if (next === undefined || most.words - left.words >= enough) break;
    tried.add(next);
    take(next);
  }
  return units.flatMap((unit, at) => (chosen.has(at) ? stretchesOf(unit) : []));
}

const isUnderSameAs = (one: Unit | undefined, other: Unit | undefined): boolean =>
  one?.passages[0] !== undefined && isUnderSame(one.passages[0], other?.passages[0]);

const announcing = /:$|\b(?:like this|as follows|following|below)\b[^.]{0,20}\.$/i;

function stretchesOf({ passages }: Unit): Stretch[] {
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
    ({ kind, text, paragraph }) => !transitions.has(paragraph) && (kind !== "sentence" || !isOfTheText(text)),
  );
  return teaching.length > 0 ? { ...stretch, segments: teaching } : stretch;
}
