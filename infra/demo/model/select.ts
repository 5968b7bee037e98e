import { asksPlainly, isDirect, namedIn, shareSaid } from "./direct.ts";
import { holdsCode } from "./markdown.ts";
import type { Question } from "./question.ts";
import { defines, entryLeansBack, isEntry, leansBack, presence, type Ranking, type Scored } from "./ranking.ts";
import type { Passage, Segment } from "./segments.ts";
import { terms, weightOf } from "./terms.ts";

/** How well the passages answer: plainly, only in part, or not at all. */
export type Verdict = "answered" | "partly" | "unanswered";

/** Tuned on the questions of `evaluation/questions.ts`. */
const thresholds = { passage: 0.62, segment: 0.5, partlyPassage: 0.45, partlySegment: 0.34 };

export function verdictOf(ranking: Ranking, question: Question): Verdict {
  if (!ranking.best.length) return "unanswered";
  if (question.kind === "summary" || question.kind === "section") return "answered";
  const strong = [...question.terms].filter(([term]) => weightOf(term) >= 1);
  const top = Math.max(...ranking.best.slice(0, 4).map((scored) => scored.coverage));
  if (strong.length === 0) return question.leans ? "partly" : "unanswered";
  if (ranking.missingNames.length) return "unanswered";
  const [first] = ranking.passages;
  const own = [...(first ? (ranking.byPassage.get(first.passage) ?? []) : [])].flatMap((segment) => segment.terms);
  const held = new Set([...own, ...ranking.best.slice(0, 3).flatMap((scored) => scored.segment.terms)]);
  const missing = question.focus.filter((term) => !presence(term, held)).length;
  if (question.focus.length && missing === question.focus.length)
    return question.leans && top >= thresholds.segment ? "partly" : "unanswered";
  const everywhere = new Set(
    [...ranking.byPassage].flatMap(([passage, segments]) => [...terms(passage.title), ...segments.flatMap((segment) => segment.terms)]),
  );
  const unheard = strong.filter(([term]) => !presence(term, everywhere)).length;
  // A course that never says one of the few words a question is about is about something else.
  if (unheard * 3 >= strong.length && !question.leans)
    return ranking.coverage >= thresholds.passage || isTitleFound(ranking, strong) ? "partly" : "unanswered";
  const together = [...ranking.byPassage].some(([passage, segments]) => {
    const heading = terms(passage.title);
    return segments.some((segment) => question.focus.every((term) => presence(term, new Set([...segment.terms, ...heading]))));
  });
  if (question.kind === "definition" && question.focus.length > 1 && !together) return unheard ? "unanswered" : "partly";
  if (ranking.coverage >= thresholds.passage && top >= thresholds.segment) return "answered";
  if (ranking.coverage >= thresholds.partlyPassage && top >= thresholds.partlySegment && missing * 2 <= question.focus.length)
    return "partly";
  // A follow-up says little; what is found about its topic comes closest.
  return question.leans && top >= thresholds.segment ? "partly" : "unanswered";
}

/** Whether one of the first passages that the application's search found is titled by half of what a question is about. */
function isTitleFound({ byPassage }: Ranking, strong: readonly [string, number][]): boolean {
  return [...byPassage.keys()].some(({ foundAt, title }) => {
    const named = new Set(terms(title));
    return foundAt !== undefined && foundAt < 3 && strong.filter(([term]) => named.has(term)).length * 2 >= strong.length;
  });
}

/** A stretch of an answer: segments of one passage, in the order they are said. */
export interface Stretch {
  passage: Passage;
  segments: Segment[];
  /** Code, a formula or a table of another passage that the last of a passage's sentences announces. */
  announced: ReadonlyMap<Segment, Segment>;
}

interface Limits {
  words: number;
  sentences: number;
}

/**
 * Chooses what is said: the most direct sentence, then what adds to it without saying it again (maximal marginal
 * relevance), sentences with the one they lean on, lists and code with the sentence that announces them.
 * @param said what was answered before: a question that leans on it does not want it again.
 */
export function choose(ranking: Ranking, question: Question, limits: Limits, said = ""): Stretch[] {
  const chosen = new Map<Segment, number>();
  let words = 0;
  let sentences = 0;
  const before = bare(said);
  const pool = directUp(ranking, question).filter(({ segment }) => !(question.leans && before.includes(bare(segment.text))));
  const top = pool[0]?.score ?? 0;
  // Another passage must be worth the jump; the third more than the second.
  const floor = (segment: Segment): number => {
    if (question.kind === "summary") return 0;
    const used = new Set([...chosen.keys()].map((other) => other.passage));
    // As long as little is said, more is welcome.
    const eager = words < 50 ? 0.7 : 1;
    if (used.has(segment.passage)) return top * 0.4 * eager;
    return used.size >= 3 ? Number.POSITIVE_INFINITY : top * (0.45 + 0.12 * used.size) * eager;
  };

  const take = (segment: Segment): boolean => {
    if (chosen.has(segment)) return true;
    const length = wordsOf(segment.text);
    if (chosen.size > 0 && words + length > limits.words) return false;
    chosen.set(segment, chosen.size);
    words += length;
    if (segment.kind === "sentence") sentences += 1;
    return true;
  };

  const candidates = [...pool];
  while (candidates.length && words < limits.words * 0.85 && sentences < limits.sentences) {
    const next = mostUseful(candidates, [...chosen.keys()]);
    if (!next) break;
    candidates.splice(candidates.indexOf(next.scored), 1);
    const { segment: found } = next.scored;
    if (next.scored.score < floor(found) || next.value <= 0) continue;
    const segment = announcerOf(found, ranking) ?? found;
    const own = ranking.byPassage.get(segment.passage) ?? [];
    const companions = companionsOf(segment, own, question);
    // Code or a formula nobody announces is said only when it was asked for.
    if (
      (segment.kind === "code" || segment.kind === "formula") &&
      companions[0] === segment &&
      question.kind !== "howto" &&
      question.kind !== "example" &&
      question.kind !== "formula"
    )
      continue;
    // What a diagram is drawn from shows nothing.
    if (segment.kind === "code" && segment.passage.kind === "figure") continue;
    // Half a sentence goes on in a block, or did.
    if (segment.kind === "sentence" && companions.length === 1 && (segment.text.endsWith(",") || /^[a-z]+ /.test(segment.text))) continue;
    // Few words that announce something are nothing without it.
    const isBare = companions.length === 1 && segment.text.endsWith(":") && segment.terms.length < 7;
    if (isBare && !announcedBy(segment, ranking, new Set(chosen.keys()))) continue;
    for (const companion of companions) if (!take(companion)) break;
  }
  for (const segment of shown(chosen, pool, question, ranking)) chosen.set(segment, chosen.size);
  return inReadingOrder(chosen, question, ranking);
}

/** The sentence that announces code, with code of its own passage, where code is asked for and none was chosen: the best one of the same page. */
function shown(chosen: ReadonlyMap<Segment, number>, pool: readonly Scored[], question: Question, ranking: Ranking): Segment[] {
  if (question.kind !== "example" && question.kind !== "howto") return [];
  const own = [...chosen.keys()];
  const [first] = own;
  const codeOf = (segment: Segment): Segment | undefined => {
    const next = announcedBy(segment, ranking, new Set()) ?? ranking.byPassage.get(segment.passage)?.[segment.order + 1];
    return segment.text.endsWith(":") && next?.kind === "code" && next.text.split("\n").length <= 14 ? next : undefined;
  };
  if (!first || own.some((segment) => segment.kind === "code" || codeOf(segment))) return [];
  const page = first.passage.trail.join("\n");
  const names = namedIn(question);
  const least = 0.8 * shareSaid(first, names);
  const fits = (segment: Segment): boolean => {
    const code = explains.has(segment.passage.kind ?? "") ? codeOf(segment) : undefined;
    // How something is done shows only code with a word of the sentence that says it.
    return (
      code !== undefined && (question.kind === "example" || overlap(code.terms, first.terms) > 0) && shareSaid(segment, names) >= least
    );
  };
  const best = pool.find(({ segment }) => segment.passage.trail.join("\n") === page && fits(segment))?.segment;
  const code = best && codeOf(best);
  return !best || !code ? [] : code.passage === best.passage ? [best, code] : [best];
}

/** What a sentence is worth more that answers by itself. */
const directWeight = 1.6;

/** Scored segments, with those further up that answer by themselves where a question's form tells. */
function directUp({ best, byPassage }: Ranking, question: Question): readonly Scored[] {
  if (!asksPlainly(question)) return best;
  return best
    .map((scored) => {
      const { segment, score } = scored;
      return isDirect(segment, question, byPassage.get(segment.passage) ?? []) ? { ...scored, score: score * directWeight } : scored;
    })
    .sort((x, y) => y.score - x.score);
}

/** Kinds of passages that explain; others set tasks, solve them, or are nothing without what stands around them. */
const explains: ReadonlySet<string> = new Set(["prose", "callout", "definition", "key-points", "table", ""]);

/**
 * Where no sentence answers: the beginnings of the passages that hold most of what the question names, then of those that the application's
 * search put first, each in one piece. Without such, the best sentences' passages.
 */
export function nearest({ byPassage, best }: Ranking, question: Question, limits: Limits): Stretch[] {
  const names = namedIn(question);
  /** In halves, how much of what the question names a passage holds; a table by itself says too little. */
  const holding = (passage: Passage): number => {
    const own = new Set((byPassage.get(passage) ?? []).flatMap((segment) => segment.terms));
    const held = names.filter((name) => presence(name, own) > 0).length;
    return Math.round((2 * held) / Math.max(1, names.length)) - (passage.kind === "table" ? 0.5 : 0);
  };
  const found = [...byPassage.keys()]
    .filter(({ foundAt, kind = "" }) => foundAt !== undefined && explains.has(kind))
    .toSorted((a, b) => holding(b) - holding(a) || (a.foundAt ?? 0) - (b.foundAt ?? 0));
  const close = found.filter(({ isClose }) => isClose);
  const passages = close.length > 0 ? close : found.length > 0 ? found : [...new Set(best.map(({ segment }) => segment.passage))];
  const least = passages[0] && holding(passages[0]);
  return passages
    .filter((passage) => least === undefined || holding(passage) >= least)
    .slice(0, 2)
    .map((passage) => ({ passage, segments: beginningOf(byPassage.get(passage) ?? [], limits.words / 2), announced: new Map() }));
}

/** Least likeness (0 to 1) of a heading and a question for the section to be named by it. */
const leastNamed = 0.75;

/**
 * The section that the question names by its heading, from its beginning in reading order: its prose with code, formulas and tables, or the
 * solution of an exercise of that name. Null if there is none.
 */
export function sectionNamed({ byPassage }: Ranking, question: Question, limits: Limits): Stretch[] | null {
  const names = namedIn(question);
  const likenessOf = (passage: Passage): number => {
    const title = new Set(terms(passage.title).filter((term) => weightOf(term) >= 1));
    // The name of a page stands above much that is about something else.
    if (title.size === 0 || passage.title === passage.trail.at(-1)) return 0;
    return (2 * names.filter((name) => presence(name, title) === 1).length) / (names.length + title.size);
  };
  const named = [...byPassage.keys()]
    .map((passage) => ({ passage, likeness: likenessOf(passage) }))
    .filter(({ likeness }) => likeness >= leastNamed);
  const place = ({ title, trail }: Passage): string => `${title}\n${trail.join("\n")}`;
  for (const own of [...Map.groupBy(named, ({ passage }) => place(passage)).values()].toSorted(
    (a, b) => (b[0]?.likeness ?? 0) - (a[0]?.likeness ?? 0),
  )) {
    const passages = own.map(({ passage }) => passage);
    const isShown = ({ kind = "" }: Passage): boolean => explains.has(kind) || /^(?:code|math)$/.test(kind);
    const from = passages.findIndex(({ kind = "" }) => explains.has(kind));
    const solution = passages.find(({ kind }) => kind === "solution");
    const stretches = fitting(from >= 0 ? passages.slice(from).filter(isShown) : solution ? [solution] : [], byPassage, limits.words);
    const segments = stretches.flatMap((stretch) => stretch.segments);
    const isHow = question.kind !== "howto" || segments.some(({ kind, text }) => kind === "code" || kind === "formula" || holdsCode(text));
    if (segments[0]?.kind === "sentence" && !segments[0].text.endsWith("?") && isHow) return stretches;
  }
  return null;
}

/** Passages in their order up to so many words; the first from its beginning, the others whole. */
function fitting(passages: readonly Passage[], byPassage: Ranking["byPassage"], words: number): Stretch[] {
  const stretches: Stretch[] = [];
  let left = words;
  for (const passage of passages) {
    const segments = beginningOf(byPassage.get(passage) ?? [], left);
    const length = segments.reduce((sum, { text }) => sum + wordsOf(text), 0);
    if (stretches.length > 0 && left < length) break;
    left -= length;
    stretches.push({ passage, segments, announced: new Map() });
  }
  return stretches;
}

/** The first segments up to so many words (a table counts half), at least one, and none that announces what is cut off. */
function beginningOf(segments: readonly Segment[], words: number): Segment[] {
  const kept: Segment[] = [];
  let left = words;
  for (const segment of segments) {
    left -= wordsOf(segment.text) / (segment.kind === "table" ? 2 : 1);
    if (left < 0 && kept.length > 0) break;
    kept.push(segment);
  }
  while (kept.length > 1 && kept.length < segments.length && kept.at(-1)?.text.endsWith(":")) kept.pop();
  return kept;
}

/**
 * The block a passage's last sentence announces: published courses keep code beside the prose, under the same heading. The one right
 * behind a colon; else the one that has most words in common with the sentence, when it has enough or is the only one there.
 */
function announcedBy(segment: Segment, ranking: Ranking, taken: ReadonlySet<Segment>): Segment | undefined {
  const own = ranking.byPassage.get(segment.passage) ?? [];
  if (segment.kind !== "sentence" || segment.order !== own.length - 1 || !/:$|\bfollow/i.test(segment.text)) return undefined;
  const place = (passage: Passage) => `${passage.title}\n${passage.trail.join("\n")}`;
  const beside = [...ranking.byPassage].flatMap(([passage, segments]) => {
    const [block] = segments;
    const alone = segments.length === 1 && block && (block.kind === "code" || block.kind === "formula" || block.kind === "table");
    return alone && place(passage) === place(segment.passage) && !taken.has(block) && block.text.split("\n").length <= 14 ? [block] : [];
  });
  const next = [...ranking.byPassage.keys()].find(({ follows }) => follows === segment.passage.id);
  if (segment.text.endsWith(":") && next) {
    // A note may stand between the two.
    const before = next.kind === "callout" ? next.id : segment.passage.id;
    return beside.find(({ passage }) => passage.follows === before);
  }
  const best = beside.toSorted((a, b) => overlap(b.terms, segment.terms) - overlap(a.terms, segment.terms))[0];
  return best && (beside.length === 1 || overlap(best.terms, segment.terms) >= 0.3) ? best : undefined;
}

/** The sentence that announces a block which is a passage by itself. */
function announcerOf(block: Segment, ranking: Ranking): Segment | undefined {
  if (block.kind !== "code" || ranking.byPassage.get(block.passage)?.length !== 1) return undefined;
  const before = [...ranking.byPassage].find(([{ id }]) => id === block.passage.follows)?.[1].at(-1);
  return before && announcedBy(before, ranking, new Set()) === block ? before : undefined;
}

/** Words without the marks an answer adds. */
export const bare = (text: string): string => text.replace(/[`\\]/g, "").replace(/\s+/g, " ");

function mostUseful(candidates: readonly Scored[], taken: readonly Segment[]): { scored: Scored; value: number } | undefined {
  let best: { scored: Scored; value: number } | undefined;
  for (const scored of candidates.slice(0, 60)) {
    const repetition = Math.max(0, ...taken.map((other) => overlap(scored.segment.terms, other.terms)));
    if (repetition > 0.72) continue;
    // Staying with a passage that was begun reads better than jumping.
    const sameText = taken.some((other) => other.passage === scored.segment.passage) ? 1.08 : 1;
    const value = scored.score * sameText * (1 - 0.6 * repetition);
    if (!best || value > best.value) best = { scored, value };
  }
  return best;
}

/** A segment with what it cannot stand without, in reading order. */
function companionsOf(segment: Segment, own: readonly Segment[], question: Question): Segment[] {
  // A formula and its caption are one thing.
  if (segment.passage.kind === "math" && own.length <= 3) return [...own];
  const before = own[segment.order - 1];
  const after = own[segment.order + 1];
  const group: Segment[] = [segment];
  if (
    segment.kind === "sentence" &&
    (leansBack(segment) || pointsBack.test(segment.text)) &&
    before?.kind === "sentence" &&
    before.paragraph === segment.paragraph &&
    !/\?$|^[a-z]+ /.test(before.text)
  )
    group.unshift(before);
  if (
    (segment.kind === "code" || segment.kind === "formula" || segment.kind === "table") &&
    before?.kind === "sentence" &&
    (question.kind === "formula" || /[:,]$|\bthis\b|\bfollow/i.test(before.text))
  )
    group.unshift(before);
  if (segment.kind === "sentence" && /[:,]$/.test(segment.text) && after) {
    if (after.kind === "code" || after.kind === "formula" || after.kind === "table") {
      if (wordsOf(after.text) <= 90 && after.text.split("\n").length <= 14) group.push(after);
    } else if (after.kind === "item") group.push(...run(own, after.order).slice(0, 6));
  } else if (segment.kind === "item") {
    const items = run(own, segment.order);
    const [first] = items;
    const intro = first ? own[first.order - 1] : undefined;
    const at = items.indexOf(segment);
    // The entries of a list that is asked for belong together; an entry may lean on the one before it.
    if (question.kind === "list" || question.kind === "section" || question.kind === "summary") group.splice(0, 1, ...items.slice(0, 6));
    else if (entryLeansBack(segment) && at > 0) group.splice(0, 1, ...items.slice(at - 1, at + 1));
    if (intro?.kind === "sentence" && introduces.test(intro.text)) group.unshift(intro);
  } else if (
    segment.kind === "sentence" &&
    (question.kind === "howto" || question.kind === "example") &&
    after?.paragraph === segment.paragraph &&
    leansBack(after) &&
    after.text.endsWith(":")
  ) {
    // "There is a way. It works as follows:"
    const next = own[after.order + 1];
    group.push(after, ...(next?.kind === "code" && next.text.split("\n").length <= 14 ? [next] : []));
  } else if (
    segment.kind === "sentence" &&
    (question.kind === "howto" || question.kind === "example") &&
    after?.kind === "code" &&
    segment.passage.kind !== "figure" &&
    after.text.split("\n").length <= 8 &&
    // Code under a question is what is asked about, not the answer.
    !own.some((other) => other.text.endsWith("?"))
  )
    group.push(after);
  return group;
}

/** A short sentence whose object stands in the one before: "Interleaving mixes them." */
const pointsBack = /^(?:\S+ ){1,6}(?:them|it|these|those)\.$/i;

/** A sentence that stands above a list and says what its entries are. */
const introduces = /:$|\b(?:follow|two|three|four|five|these|kinds|ways|steps|rules|things)\b/i;

/** The list around one of its entries. */
function run(own: readonly Segment[], order: number): Segment[] {
  return own.filter(({ paragraph }) => paragraph === own[order]?.paragraph);
}

/** Groups by passage, the passage of the most direct sentence first, and within one in reading order, begun by a sentence that stands alone. */
function inReadingOrder(chosen: ReadonlyMap<Segment, number>, question: Question, ranking: Ranking): Stretch[] {
  const groups = new Map<Passage, Segment[]>();
  for (const segment of chosen.keys()) groups.set(segment.passage, [...(groups.get(segment.passage) ?? []), segment]);
  const announced = new Map<Segment, Segment>();
  const taken = new Set(chosen.keys());
  for (const segment of chosen.keys()) {
    const block = announcedBy(segment, ranking, taken);
    if (!block) continue;
    announced.set(segment, block);
    taken.add(block);
  }
  const stretches = [...groups].map(([passage, segments]) => ({
    passage,
    segments: segments.toSorted((a, b) => a.order - b.order),
    announced,
  }));
  if (question.kind === "definition") {
    // What defines the thing comes before examples of it.
    const saying = ({ segments }: Stretch): number => Math.max(...segments.map((segment) => defines(segment, question.focus)));
    stretches.sort((a, b) => saying(b) - saying(a));
  }
  if (asksPlainly(question)) {
    const isAnswer = ({ passage, segments }: Stretch): boolean =>
      segments.some((segment) => isDirect(segment, question, ranking.byPassage.get(passage) ?? []));
    stretches.sort((a, b) => Number(isAnswer(b)) - Number(isAnswer(a)));
  }
  const entry = stretches.findIndex((stretch) => isEntry(stretch.passage, question));
  if (entry > 0) stretches.unshift(...stretches.splice(entry, 1));
  const [first] = stretches;
  if (first && question.kind !== "summary" && question.kind !== "section") first.segments = directFirst(first.segments, question, ranking);
  return stretches;
}

/** Puts a defining or best sentence at the front when it does not lean on what it would leave behind. */
function directFirst(segments: Segment[], question: Question, ranking: Ranking): Segment[] {
  const score = new Map(ranking.best.map((scored) => [scored.segment, scored.score]));
  const says = (segment: Segment): number =>
    question.kind === "definition"
      ? defines(segment, question.focus)
      : Number(asksPlainly(question) && isDirect(segment, question, ranking.byPassage.get(segment.passage) ?? []));
  const able = segments.filter(
    (segment) =>
      segment.kind === "sentence" &&
      !leansBack(segment) &&
      !pointsBack.test(segment.text) &&
      (question.kind === "example" || !segment.text.endsWith(":")),
  );
  const direct = able.toSorted((a, b) => says(b) - says(a) || (score.get(b) ?? 0) - (score.get(a) ?? 0) || a.order - b.order)[0];
  const [first, second] = segments;
  // "It is blocked. **Mixing** changes it." defines with what it leans on.
  const isDefinedByBoth =
    first && second && second.order === first.order + 1 && second.paragraph === first.paragraph && pointsBack.test(second.text);
  if (direct && isDefinedByBoth && says(second) > says(direct)) return segments;
  // A definition whose formula follows stays where it is.
  const isDefinition = first?.kind === "sentence" && !leansBack(first) && says(first) > 0 && direct && says(first) >= says(direct);
  if (!direct || first === direct || isDefinition) return segments;
  const rest = segments.filter((segment) => segment !== direct);
  const follower = rest.find((segment) => segment.order === direct.order + 1 && (leansBack(segment) || segment.kind !== "sentence"));
  // Moving it would tear it from what follows from it.
  if (follower)
    return [...segments.filter((segment) => segment.order >= direct.order), ...segments.filter((segment) => segment.order < direct.order)];
  return [direct, ...rest];
}

/** Sets of lists that are compared with many others. */
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();
function setOf(list: readonly string[]): ReadonlySet<string> {
  const set = sets.get(list) ?? new Set(list);
  sets.set(list, set);
  return set;
}

/** Share of the smaller set of terms that both hold. */
export function overlap(a: readonly string[], b: readonly string[]): number {
  const left = setOf(a);
  const right = setOf(b);
  const smaller = Math.min(left.size, right.size);
  if (!smaller) return 0;
  let shared = 0;
  for (const term of left) if (right.has(term)) shared += 1;
  return shared / smaller;
}

export const wordsOf = (text: string): number => text.split(/\s+/).filter(Boolean).length;
