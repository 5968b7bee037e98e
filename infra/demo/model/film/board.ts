import { isFormula, isPicture } from "@colloquy/schemas/explainers/emphasis.ts";
import { type Emphasis, emphases } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmSeconds } from "@colloquy/schemas/explainers/timing.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import {
  type GeneratedScene,
  type GeneratedStoryboard,
  generatedStoryboard,
  sceneContent,
} from "@colloquy/schemas/generation/storyboard.ts";
import type { Passage } from "../segments.ts";
import { overlap, wordsOf } from "../select.ts";
import { terms } from "../terms.ts";
import { codeScenes } from "./code.ts";
import { contrastScenes } from "./contrast.ts";
import { definitionScenes } from "./definitions.ts";
import { diagramScenes } from "./diagrams.ts";
import { missingOf, shows, showsMistake } from "./emphasis.ts";
import { figureScenes } from "./figures.ts";
import { formulaScenes } from "./formulas.ts";
import { strayCode } from "./goes-on.ts";
import { imperative, type Line, linesOf, summaryOf } from "./lines.ts";
import { spoken } from "./plain-math.ts";
import { listScenes, titleOf } from "./points.ts";
import { closing } from "./question.ts";
import { recapScenes } from "./recap.ts";
import { type Candidate, candidate, sceneOf, secondsOf, unread } from "./scene.ts";
import { showsWhatIsSaid } from "./shows-what-is-said.ts";
import { statementScenes } from "./statements.ts";
import { tableScenes } from "./tables.ts";
import { type FilmWords, filmWords } from "./words.ts";

const { min: leastSeconds, max: mostSeconds } = filmBounds.seconds;
/** How much a film says, in words, and how much room is left for what follows: a scene of the shortest kind, the closing question. */
const budget = {
  least: 66,
  most: 108,
  shortest: { words: 11, seconds: 5.5 },
  question: { words: 9, seconds: [7, 10, 13, 16, 19] as const },
  middle: { least: 4, most: 7, usual: 5 },
};

/** How welcome a layout is for an emphasis. */
const layoutWeights: Record<Emphasis, Partial<Record<Candidate["layout"], number>>> = {
  // The picture before the exact form.
  intuition: { figure: 5, table: 4.4, trace: 5.4, diagram: 4.6, plot: 4, compare: 3, formula: 2.6, code: 2.6, points: 1 },
  "worked-example": { figure: 3, table: 4.4, trace: 6, code: 4, formula: 3.6, plot: 2.4, diagram: 2, compare: 1.4, points: 0.6 },
  "common-mistakes": { figure: 2, table: 4.4, trace: 3.2, compare: 4.4, code: 3, formula: 2.2, diagram: 2, points: 1.2, plot: 1 },
  "exam-recap": { figure: 3, table: 4.4, trace: 3.2, recap: 4, formula: 3.4, compare: 2.6, code: 2.6, diagram: 2, points: 1.2, plot: 1 },
};
const cues: Record<Emphasis, RegExp> = {
  intuition: /\b(?:because|like|idea|picture|means|why|only|know|everything|always)\b/i,
  "worked-example": /\b(?:example|instance|first|then|result|compute|returns?|prints?|shows?|output|if)\b/i,
  "common-mistakes":
    /\b(?:mistakes?|mistake|careful|caution|wrong|not|\w+n't|cannot|never|instead|however|but|without|only|overwritten|loss|lost|lose|fails?|errors?|nothing|bad|poor|mere|err|unlike|confus\w+|delet\w+)\b/i,
  "exam-recap": /\b(?:is called|called|means|exactly when|is the|are the|always|every|must|can)\b/i,
};
/** Where the course itself says what an emphasis wants. */
const roles: Record<Emphasis, Partial<Record<string, number>>> = {
  intuition: { prose: 0.3, callout: 0.4, "key-points": -0.3 },
  "worked-example": { code: 0.6, math: 0.4, callout: -0.3, "key-points": -0.5 },
  "common-mistakes": { callout: 0.8 },
  "exam-recap": { "key-points": 0.9, math: 0.4, prose: -0.1 },
};
/** What it is worth that code goes on with code that is shown. */
const steps = 1.2;
/** What it costs a scene that another film of the topic tells it already. */
const repetitionCost = 1.4;
const most: Partial<Record<Candidate["layout"], number>> = {
  points: 3,
  figure: 2,
  trace: 5,
  table: 3,
  code: 5,
  formula: 4,
  compare: 3,
  diagram: 3,
  plot: 1,
  recap: 1,
};

/** Less code is typed at once, and then stands still. */
const leastCode = 20;
/** A picture that stands still for longer while it is spoken of is a slide. */
const mostStill = 4;
/** About how long a scene that is written while it is spoken of stands still, in seconds. */
function stillSeconds({ layout, narration, content }: Candidate): number {
  const texts =
    layout === "points" || layout === "recap"
      ? (content.points ?? [])
      : layout === "code"
        ? [(content.code ?? "").replace(/\s+/g, " ")]
        : null;
  if (!texts) return 0;
  const { wordsPerMinute } = filmBounds.timing;
  const said = (wordsOf(narration) / wordsPerMinute) * 60;
  return said - (texts.join("").length * 60) / (wordsPerMinute * 5);
}

/** So many scenes of a film show more than sentences, at least, and at least half of those between title and question. */
const leastShown = 2;

interface Wanted {
  /** `language`: BCP 47, of the course. `whole`: the passages are all of the topic. */
  topic: { title: string; emphasis: Emphasis; language: string; whole: boolean };
  /** Code language of the course, where its text names none. */
  language: string;
  /** Sentences and code that something was found with. */
  avoid: readonly string[];
  /** Mermaid text by passage. */
  diagrams: ReadonlyMap<string, string>;
  /** Words in pictures by passage. */
  pictures: ReadonlyMap<string, readonly string[]>;
}

/**
 * A film drawn up from the course's own words; where the page has too little for one, or shows nothing else than for an emphasis before this
 * one, the reason, and the emphases it has enough for.
 */
export function draftStoryboard(passages: readonly Passage[], wanted: Wanted): GeneratedStoryboard {
  const { emphasis, language, whole } = wanted.topic;
  const page = pageOf(passages, wanted);
  const board = draftOf(page, emphasis);
  // Of a long topic another emphasis is drawn up from other passages, and may be refused.
  if (!whole) return board;
  const kept = new Map<Emphasis, GeneratedStoryboard>();
  for (const one of emphases) {
    const other = one === emphasis ? board : draftOf(page, one);
    const isOwn = other.refusal === "" && ![...kept.values()].some((film) => showsNothingElse(film, other));
    if (isOwn && generatedStoryboard.safeParse(other).success) kept.set(one, other);
    if (kept.has(emphasis)) return board;
  }
  const { instead, same } = filmWords(language).refusals;
  const refusal = board.refusal || same;
  return { ...board, refusal: kept.size > 0 ? `${refusal} ${instead([...kept.keys()])}` : refusal, scenes: [] };
}

/** What films of a page are drawn up from, whatever their emphasis. */
interface Page {
  passages: readonly Passage[];
  topic: Wanted["topic"];
  avoid: readonly string[];
  title: string;
  own: FilmWords;
  lines: readonly Line[];
  plain: ReadonlySet<string>;
  central: ReadonlyMap<string, number>;
  scenes: readonly Candidate[];
}

function pageOf(passages: readonly Passage[], { topic, language, avoid, diagrams, pictures }: Wanted): Page {
  const own = filmWords(topic.language);
  const lines = linesOf(passages);
  const scenes = [
    ...codeScenes(lines, passages, language, own),
    ...formulaScenes(lines, passages),
    ...contrastScenes(lines, passages),
    ...listScenes(passages),
    ...diagramScenes(passages, diagrams),
    ...figureScenes(lines, passages, pictures),
    ...tableScenes(lines, passages, own),
    ...statementScenes(lines, passages),
    ...definitionScenes(lines, passages),
    ...recapScenes(lines, passages, own.recap),
  ]
    .map((one) => withRecapHeading(one, own.recap))
    .filter(
      (one) =>
        !avoid.includes(one.narration) &&
        !avoid.includes(one.content.code ?? "") &&
        !/[{}]|^\s*[,;:.)]/.test(one.narration) &&
        one.words <= 38 &&
        one.heading !== "" &&
        /[.!?]["'”)]*$/.test(one.narration) &&
        unread(one) === 0 &&
        `${one.content.code ?? one.narration}${one.content.printed ?? ""}`.length >= leastCode &&
        stillSeconds(one) <= mostStill &&
        (shows(one) || showsWhatIsSaid(one)),
    );
  return {
    passages,
    topic,
    avoid,
    title: shortTitle(spoken(topic.title) ?? topic.title, readAtAGlance),
    own,
    lines,
    plain: new Set(lines.flatMap((line) => (line.plain ? line.said : []))),
    central: centralTerms(passages, topic.title),
    scenes,
  };
}

/** Whether all scenes between title and question of a film are in another. */
function showsNothingElse(film: GeneratedStoryboard, other: GeneratedStoryboard): boolean {
  const [known, own] = [film, other].map(({ scenes }) => scenes.slice(1, -1));
  const isIn = (scene: GeneratedScene): boolean =>
    known?.some(({ narration, code }) => narration === scene.narration || (code !== "" && code === scene.code)) === true;
  return (own ?? []).every(isIn);
}

/** The opening, what serves the emphasis best in reading order, and a question. */
function draftOf(page: Page, emphasis: Emphasis): GeneratedStoryboard {
  const { passages, avoid, title, own, lines, plain, central } = page;
  const topic = { ...page.topic, emphasis };
  const refused = (refusal: string): GeneratedStoryboard => ({ title, refusal, scenes: [] });
  const opening = openingOf(lines, title, passages, own.opens[emphasis]);
  if (!opening) return refused(own.refusals.noOpening);
  let all = page.scenes.filter(({ layout }) => emphasis === "exam-recap" || layout !== "recap");
  // What the whole page lacks, no choice from it has.
  const lacking = all.filter(shows).length < leastShown ? own.refusals.tooFew : missingOf(emphasis, all, topic.language, own.refusals);
  if (lacking !== null) return refused(lacking);
  const wanted = { emphasis, language: topic.language, plain, central };
  const told = usedByEarlierEmphases(all, opening, wanted);
  // Where the best leave no room for as many as a film has, or give nothing to ask about, shorter ones do; where they are too short, longer ones.
  let refusal = own.refusals.tooFew;
  // A question that takes longer to read leaves less room for them.
  const ways = (["words", "seconds"] as const).flatMap((by) =>
    [0, 0.1, 0.25, 0.5, -0.1, -0.25].flatMap((brevity) => budget.question.seconds.map((asks) => ({ by, brevity, asks }))),
  );
  const tried = new Set<string>();
  for (const way of ways) {
    let chosen = chooseScenes(all, opening, { ...wanted, told, ...way });
    // What does not belong there is left out, and others are chosen.
    for (let cut = misplaced(chosen, emphasis); cut.length > 0; cut = misplaced(chosen, emphasis)) {
      all = all.filter((one) => !cut.includes(one));
      chosen = chooseScenes(all, opening, { ...wanted, told, ...way });
    }
    const which = chosen.map((one) => page.scenes.indexOf(one)).join();
    if (chosen.length < budget.middle.least || tried.has(which)) continue;
    tried.add(which);
    const shown = chosen.filter(shows).length;
    const missing =
      shown < Math.max(leastShown, chosen.length / 2) ? own.refusals.list : missingOf(emphasis, chosen, topic.language, own.refusals);
    if (missing !== null) {
      refusal = missing;
      continue;
    }
    const question = closing([opening, ...chosen], lines, passages, { ...topic, title, avoid });
    if (!question) {
      refusal = own.refusals.noQuestion;
      continue;
    }
    const scenes = [opening, ...ordered(chosen, emphasis), question].map(sceneOf);
    if (filmSeconds(scenes.map(sceneContent)) <= mostSeconds) return { title, refusal: "", scenes };
    refusal = own.refusals.noQuestion;
  }
  return refused(refusal);
}

/** Scenes that are only understood right behind code that is not shown there, and code that is no step of a worked example. */
function misplaced(chosen: readonly Candidate[], emphasis: Emphasis): Candidate[] {
  const scenes = ordered(chosen, emphasis);
  const code = scenes.filter(({ layout }) => layout === "code" || layout === "trace");
  const cutOff = code.filter(({ after }, index) => after !== undefined && !isShownIn(code[index - 1], after));
  return cutOff.length > 0 || emphasis !== "worked-example" ? cutOff : strayCode(scenes);
}

const isShownIn = (scene: Candidate | undefined, code: Passage | undefined): boolean =>
  scene?.quotes.some(({ passage }) => passage === code) === true;

/** Key points stand at a topic's end, under whatever heading comes last there: that is not what they are about. */
function withRecapHeading(one: Candidate, recap: string): Candidate {
  const [first] = one.quotes;
  return first?.passage.kind === "key-points" && one.heading === titleOf(first.passage) ? { ...one, heading: recap } : one;
}

/** So many signs are read in the three seconds that a title stands for. */
const readAtAGlance = 42;

/** A topic's title as a film can show it: whole, or up to where it could end, or the words there is room for. */
export function shortTitle(title: string, titleLength: number = filmBounds.titleLength): string {
  if (title.length <= titleLength) return title;
  const [first = ""] = title.split(/\s*[:;–—(]\s*|,\s+|\s-\s/u);
  if (first.length >= 8 && first.length <= titleLength) return first;
  const room = title.slice(0, titleLength + 1);
  return room.slice(0, Math.max(room.lastIndexOf(" "), 0) || titleLength).replace(/(?:\s+\p{L}{1,3}|[\s,;:.–—-])+$/u, "");
}

/** In reading order; a recap gathers up what was said, and an intuition begins with its first picture. */
function ordered(scenes: readonly Candidate[], emphasis: Emphasis): Candidate[] {
  const read = scenes.toSorted((a, b) => Number(a.layout === "recap") - Number(b.layout === "recap") || a.at - b.at);
  const picture = emphasis === "intuition" ? read.find(({ layout }) => isPicture(layout)) : undefined;
  // Code that runs is one of several steps: they stay in their order.
  if (picture?.layout === "trace" && !read.some(({ layout }) => isFormula(layout))) return read;
  return picture ? [picture, ...read.filter((one) => one !== picture)] : read;
}

/** The title with a question, on what the topic says of itself first, or a sentence that names it. */
function openingOf(lines: readonly Line[], title: string, passages: readonly Passage[], asks: string): Candidate | null {
  const named = new Set(terms(title));
  const summary = summaryOf(passages);
  if (summary)
    return candidate({
      layout: "title",
      heading: title,
      content: { subtitle: "" },
      narration: asks,
      quotes: [{ passage: summary.passage, quote: summary.quote }],
      at: -1,
      says: [],
    });
  const worth = (line: Line): number => {
    const early = 1 / (1 + passages.indexOf(line.passage) / 3 + line.order / 8);
    const ofTitle = line.fact.segment.terms.filter((term) => named.has(term)).length / Math.max(1, named.size);
    const isFirst = passages.indexOf(line.passage) === 0 && line.passage.kind === "prose" ? 0.6 : 0;
    return (
      early * 1.4 +
      ofTitle * 1.2 +
      isFirst +
      (line.plain ? 0.5 : 0) -
      Math.max(0, line.words - 18) * 0.05 -
      (imperative.test(line.said) ? 1.5 : 0)
    );
  };
  const line = lines.filter(({ words }) => words <= 24).toSorted((a, b) => worth(b) - worth(a))[0];
  if (!line) return null;
  const { next } = line;
  const more = next && line.words + next.words <= 24 ? [next] : [];
  return candidate({
    layout: "title",
    heading: title,
    content: { subtitle: "" },
    narration: asks,
    quotes: [line, ...more].map(({ quote }) => ({ passage: line.passage, quote })),
    at: -1,
    says: [],
  });
}

/** What the topic's films of the emphases before this one say: each is to tell its own. */
function usedByEarlierEmphases(
  all: readonly Candidate[],
  opening: Candidate,
  wanted: Omit<Choice, "brevity" | "by" | "told" | "asks">,
): ReadonlySet<string> {
  const told = new Set<string>();
  for (const emphasis of emphases.slice(0, emphases.indexOf(wanted.emphasis)))
    for (const { says } of chooseScenes(all, opening, {
      ...wanted,
      emphasis,
      told,
      brevity: 0,
      by: "words",
      asks: budget.question.seconds[0],
    }))
      for (const said of says) told.add(said);
  return told;
}

/** What the scenes of a film are chosen by. */
interface Choice {
  emphasis: Emphasis;
  /** BCP 47. */
  language: string;
  plain: ReadonlySet<string>;
  central: ReadonlyMap<string, number>;
  /** What other films of the topic say already. */
  told: ReadonlySet<string>;
  /** What a word costs, or the time in which it is said. */
  brevity: number;
  by: "words" | "seconds";
  /** Seconds that are left for the closing question. */
  asks: number;
}

/** The best that go together within the words of a film: no sentence twice, no layout too often. */
function chooseScenes(
  all: readonly Candidate[],
  opening: Candidate,
  { emphasis, language, plain, central, told, brevity, by, asks }: Choice,
): Candidate[] {
  const chosen: Candidate[] = [];
  const words = () => opening.words + budget.question.words + chosen.reduce((sum, one) => sum + one.words, 0);
  const seconds = (more: readonly Candidate[]) =>
    [opening, ...chosen, ...more].reduce((tenths, one) => tenths + Math.round(secondsOf(one) * 10), 0) / 10 + asks;
  const headings = () => new Set(chosen.map(({ heading }) => heading.toLowerCase()));
  const fits = (one: Candidate): boolean => {
    const like = chosen.filter(({ layout }) => layout === one.layout).length;
    if (like >= (most[one.layout] ?? 1)) return false;
    if (chosen.some((other) => showsTheSame(other, one))) return false;
    const repeats = (other: Candidate): boolean => {
      if (other.says.some((said) => one.says.includes(said))) return true;
      // A recap gathers up what was said, and does not say it again.
      if (one.layout === "recap") return overlap(other.terms, one.terms) > 0.85;
      return other.layout === "recap" ? overlap(one.terms, other.terms) > 0.85 : overlap(other.terms, one.terms) > 0.55;
    };
    if ([opening, ...chosen].some(repeats)) return false;
    if (one.after !== undefined && !chosen.some((other) => isShownIn(other, one.after))) return false;
    // Room is left for as many scenes as a film has at least.
    const missing = Math.max(0, budget.middle.least - chosen.length - 1);
    if (words() + one.words + missing * budget.shortest.words > budget.most) return false;
    return seconds([one]) + missing * budget.shortest.seconds <= mostSeconds;
  };
  while (chosen.length < budget.middle.most) {
    const enough = chosen.length >= budget.middle.usual && words() >= budget.least;
    if (enough) break;
    const known = headings();
    const next = all
      .filter((one) => !chosen.includes(one) && fits(one))
      .map((one) => ({
        one,
        worth:
          worth(one, emphasis, language) +
          centrality(one, central) +
          (isPlain(one, plain) ? 0.5 : 0) +
          (one.after === undefined ? 0 : steps) -
          (one.says.some((said) => told.has(said)) ? (isPicture(one.layout) ? 0.5 : 1) * repetitionCost : 0) -
          (known.has(one.heading.toLowerCase()) ? 0.8 : 0) -
          nearness(one, chosen) -
          (by === "words" ? one.words : secondsOf(one) * wordsInSecond) * brevity,
      }))
      .toSorted((a, b) => b.worth - a.worth)[0]?.one;
    if (!next) break;
    chosen.push(next);
  }
  return seconds([]) >= leastSeconds ? chosen : [];
}

/** What is shown costs time as words do. */
const wordsInSecond = 1.5;

/** Whether two scenes show the same code or the same words, or one of them more of the same. */
const showsTheSame = ({ content: one }: Candidate, { content: other }: Candidate): boolean => {
  if (one.code && one.code === other.code) return true;
  const [points, others] = [one, other].map(({ points: shown }) => (shown ?? []).map((point) => point.toLowerCase()));
  return (points ?? []).some((point) => others?.some((text) => text.includes(point) || point.includes(text)));
};

/** What a topic speaks of most: its title's words, and those that many of its passages share. */
function centralTerms(passages: readonly Passage[], title: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const passage of passages)
    for (const term of new Set(terms(`${passage.title} ${passage.text}`))) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const term of terms(title)) counts.set(term, (counts.get(term) ?? 0) + passages.length / 2);
  return new Map([...counts].map(([term, count]) => [term, Math.min(1, count / passages.length)]));
}

const centrality = ({ terms: own }: Candidate, central: ReadonlyMap<string, number>): number => {
  const shares = [...new Set(own)].map((term) => central.get(term) ?? 0).toSorted((a, b) => b - a);
  return shares.slice(0, 4).reduce((sum, share) => sum + share, 0) * 0.6;
};

const isPlain = ({ narration }: Candidate, plain: ReadonlySet<string>): boolean =>
  plain.has(narration) || [...plain].some((said) => narration.startsWith(said));

/** Scenes of a long topic stay near each other, so that the film has a thread. */
function nearness(one: Candidate, chosen: readonly Candidate[]): number {
  if (chosen.length === 0) return 0;
  const gap = Math.min(...chosen.map(({ at }) => Math.abs(at - one.at))) / 1_000;
  return Math.min(1, Math.max(0, gap - 2) / 20);
}

/** What a scene is worth to an emphasis, the more the less it serves the others: so that each tells its own. */
function worth(one: Candidate, emphasis: Emphasis, language: string): number {
  const elsewhere = Math.max(...emphases.filter((other) => other !== emphasis).map((other) => scoreFor(one, other, language)));
  return scoreFor(one, emphasis, language) * 1.6 - elsewhere * 0.6;
}

function scoreFor(scene: Candidate, emphasis: Emphasis, language: string): number {
  const { layout, narration, words, content, at, heading, quotes, whole } = scene;
  const cued = narration.match(new RegExp(cues[emphasis].source, "gi"))?.length ?? 0;
  const points = content.points?.length ?? 0;
  const early = 1 / (1 + at / 9_000);
  const cue = emphasis === "common-mistakes" ? 0.9 : 0.35;
  return (
    (layoutWeights[emphasis][layout] ?? 0.5) +
    (emphasis === "common-mistakes" && showsMistake(scene, language) ? 3 : 0) +
    (roles[emphasis][quotes[0]?.passage.kind ?? ""] ?? 0) +
    Math.min(2, cued) * cue +
    (layout === "points" ? Math.min(points, 3) * 0.45 - 2.5 : 0) +
    (whole ? 1.1 : 0) -
    // A name alone tells nothing of what it names.
    (layout === "points" && !whole && (content.points ?? []).every((point) => wordsOf(point) <= 3) ? 3.5 : 0) +
    (content.steps?.length ?? 0) * 0.2 +
    early * 0.4 -
    Math.abs(words - 16) / 30 -
    (wordsOf(heading) > 8 ? 0.4 : 0)
  );
}
