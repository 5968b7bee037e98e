import { inSpan } from "@colloquy/infra/telemetry/traces.ts";
import type { PassageLibrary, RankedPassage, ResolvedReference, WeightedQuery } from "@colloquy/projections/passages/queries.ts";
import type { Source } from "@colloquy/schemas/courses/revision.ts";
import { modelBounds } from "@colloquy/schemas/model-bounds.ts";
import { type Brief, type BriefPage, renderBrief } from "./brief-text.ts";
import { type CoursePages, pageHrefOf } from "./course-pages.ts";
import type { PageItem, PageSection, PageText } from "./page-text.ts";
import { type HistoryEntry, isVague, searchQueries, topicQueries } from "./topic-of-conversation.ts";

export interface BriefRequest {
  message: string;
  history: readonly HistoryEntry[];
  references: readonly ResolvedReference[];
  /** The question by itself in the course's language, once a model has written it; the search by words does not wait for it. */
  rewritten?: Promise<readonly WeightedQuery[]>;
  /** Most tokens of the text. */
  tokens?: number;
}

export interface BriefSources {
  library: Pick<PassageLibrary, "search">;
  pages: Pick<CoursePages, "pageOf">;
}

/**
 * Makes the brief of a turn: what is attached first, whole if it fits (a selection with its section, then pages, collections, courses),
 * then the sections that the question finds in the same courses, or in all courses if nothing is attached, then the likeliest pages.
 */
export function makeBrief(sources: BriefSources, request: BriefRequest): Promise<Brief> {
  return inSpan("brief", { attributes: { "colloquy.references": request.references.length } }, async (span) => {
    const brief = await choose(sources, request);
    span.set({ "colloquy.passages": brief.passages.length, "colloquy.brief_tokens": brief.tokens });
    return brief;
  });
}

async function choose({ library, pages }: BriefSources, request: BriefRequest): Promise<Brief> {
  const { message, history, references, tokens = modelBounds.brief.tokens } = request;
  const courseIds = [...new Set(references.map(({ courseId }) => courseId))];
  const options = { limit: modelBounds.brief.passages, ...(courseIds.length > 0 && { courseIds }) };
  const queries = searchQueries(message, history);
  const byWords = search(library, queries, options);
  const rewritten = (await request.rewritten) ?? [];
  const besides = queries.map(({ text, weight }) => ({ text, weight: weight * modelBounds.rewriting.ownWeight }));
  const ranked = rewritten.length > 0 ? await search(library, [...rewritten, ...besides], options) : await byWords;

  const selection = createSelection(readOnce(pages), tokens);
  await attach(selection, references, ranked, isVague(message));
  const topic = topicQueries(message, history);
  if (topic.length > 0) await addTopicPage(selection, await search(library, topic, options));
  // A question without a topic is about what is attached, and about nothing else.
  if (references.length === 0 || !isVague(message) || history.length > 0) {
    const [own, others] = partedBy(attachedIn(references), ranked);
    // Of attached courses a question without a topic has not chosen sections yet.
    await selection.addFound(isVague(message) ? ranked : others, modelBounds.brief.found);
    await fillUp(selection, own);
    await fillUp(selection, others);
  }
  const rendered = renderBrief(selection.chosen());
  const looksAt = references.map(({ source }) => {
    const isBlock = source.kind === "block";
    const keys = rendered.passages.filter((passage) => passage.sourceId === source.sourceId).map(({ key }) => key);
    return {
      title: (isBlock && source.trail.at(-1)) || source.title,
      trail: isBlock ? source.trail.slice(0, -1) : source.trail,
      keys: isBlock ? keys : [],
    };
  });
  return { ...rendered, looksAt, ...foundKeys(rendered.passages, ranked), tokens: tokens - selection.tokensLeft };
}

/** Passages of a brief that a prompt names as found: in reading order, a long brief does not show what the search put first. */
const namedAsFound = 12;

/**
 * Standard deviations above unrelated texts from which a passage counts as close in meaning: with the shipped model the nearest passage of
 * 2 of 24 questions that no course answers, and of half of those in own words (tuning).
 */
const closeFrom = 4;

function foundKeys(passages: Brief["passages"], ranked: readonly RankedPassage[]): Pick<Brief, "found" | "close"> {
  const keys = new Map(passages.flatMap(({ key, courseId, passageIds }) => passageIds.map((id) => [`${courseId} ${id}`, key] as const)));
  const keysOf = (some: readonly RankedPassage[]): string[] => [
    ...new Set(some.flatMap(({ courseId, passageId }) => keys.get(`${courseId} ${passageId}`) ?? [])),
  ];
  const found = keysOf(ranked).slice(0, namedAsFound);
  const close = new Set(keysOf(ranked.filter(({ closeness = 0 }) => closeness >= closeFrom)));
  return { found, close: found.filter((key) => close.has(key)) };
}

/** Adds the page that a conversation is about, unless it is long: the answer to “why?” or “can it ask me first?” often stands elsewhere on it. */
async function addTopicPage(selection: Selection, ranked: readonly RankedPassage[]): Promise<void> {
  const byPage = Map.groupBy(ranked.slice(0, topicPassages), (passage) => pageOfPassage(passage));
  const weightOf = (passages: readonly RankedPassage[]): number => passages.reduce((sum, { score }) => sum + score, 0);
  const [best] = [...byPage.values()].sort((a, b) => weightOf(b) - weightOf(a));
  const page = best?.[0] && (await selection.pageOf(best[0]));
  if (page && page.tokens <= modelBounds.brief.topicPage) selection.add(page, allItems(page));
}

/** Passages found for the topic of a conversation that tell its page. */
const topicPassages = 8;

/** The same page object for every passage of a page, throughout a turn. */
function readOnce({ pageOf }: Pick<CoursePages, "pageOf">): Pick<CoursePages, "pageOf"> {
  const read = new Map<string, Promise<PageText | null>>();
  return {
    pageOf(place) {
      const key = `${place.courseId} ${pageHrefOf(place.source)}`;
      const page = read.get(key) ?? pageOf(place);
      read.set(key, page);
      return page;
    },
  };
}

/**
 * Results of several searches as one ranking: each score relative to the best of its search, times the weight of the query. Close in
 * meaning is what is close to the first query, the question itself.
 */
async function search(
  library: BriefSources["library"],
  queries: readonly WeightedQuery[],
  options: { limit: number; courseIds?: string[] },
): Promise<RankedPassage[]> {
  const joined = new Map<string, RankedPassage>();
  for (const [index, { text, weight }] of queries.entries()) {
    const results = await library.search(text, options);
    const best = results[0]?.score || 1;
    for (const { closeness, ...passage } of results) {
      const key = `${passage.courseId} ${passage.passageId}`;
      const before = joined.get(key) ?? { ...passage, score: 0, ...(index === 0 && closeness !== undefined && { closeness }) };
      joined.set(key, { ...before, score: before.score + (weight * passage.score) / best });
    }
  }
  return [...joined.values()].sort((a, b) => b.score - a.score).slice(0, options.limit);
}

interface FoundBounds {
  tokens: number;
  sections: number;
  relevance: number;
  parts?: { tokens: number; keyPoints: number };
}

type Marks = Partial<Pick<BriefPage, "attached" | "outline">>;

/** The items chosen so far, by page. */
interface Selection {
  readonly tokensLeft: number;
  pageOf: CoursePages["pageOf"];
  /** Adds these items if all of them fit; true if they are part of the selection now. */
  add(page: PageText, items: readonly PageItem[], marks?: Marks): boolean;
  /** Adds the sections of found passages, best first; see `modelBounds.brief.found`. */
  addFound(ranked: readonly RankedPassage[], most: FoundBounds): Promise<void>;
  /** Marks items that the learner selected. */
  select(items: readonly PageItem[]): void;
  chosen(): BriefPage[];
}

/** Tokens of a page's tag and of the gaps between its parts. */
const pageTags = 60;

function createSelection(pages: Pick<CoursePages, "pageOf">, tokens: number): Selection {
  const chosen = new Map<PageText, BriefPage & { items: Set<PageItem>; selected: Set<PageItem> }>();
  let left = tokens;

  /** Of a section what was found, best first, with what stands around it, up to `most` tokens. */
  function addPart({ page, section, items }: FoundSection, most: number): boolean {
    const part = around(section, items, most);
    return part.length > 0 && selection.add(page, part);
  }

  const selection: Selection = {
    get tokensLeft() {
      return left;
    },
    pageOf: pages.pageOf,
    add(page, items, marks: Marks = {}) {
      const known = chosen.get(page);
      const fresh = items.filter((item) => !known?.items.has(item));
      const outline = known?.outline ? 0 : outlineTokens(marks.outline ?? []);
      const cost = tokensOf(fresh) + (known ? 0 : pageTags) + outline;
      if (cost > left) return false;
      left -= cost;
      const entry = known ?? { page, attached: false, outline: null, items: new Set(), selected: new Set() };
      for (const item of fresh) entry.items.add(item);
      chosen.set(page, Object.assign(entry, { ...marks, attached: entry.attached || marks.attached === true }));
      return true;
    },
    async addFound(ranked, { tokens: most, sections: wholeSections, relevance, parts }) {
      const sections = await foundSections(pages, ranked);
      const least = (sections[0]?.score ?? 0) * relevance;
      const relevant = sections.filter(({ score }) => score >= least);
      const end = Math.max(0, left - most);
      const spare = (): number => left - end;
      let added = 0;
      const later: FoundSection[] = [];
      for (const one of relevant) {
        const { page, section, items } = one;
        if (items.every((item) => chosen.get(page)?.items.has(item))) continue;
        if (added >= wholeSections) {
          later.push(one);
          continue;
        }
        const whole = section.tokens <= modelBounds.brief.longestSection ? section.items : around(section, items);
        const fits = section.tokens <= spare() && selection.add(page, whole);
        if (!fits && !addPart({ ...one, items: items.slice(0, 1) }, spare() - pageTags)) continue;
        added += 1;
        const { within } = section;
        if (within && within.tokens <= modelBounds.brief.longestSection && within.tokens <= spare()) selection.add(page, within.items);
      }
      if (!parts) return;
      const keyPointsEnd = left - parts.keyPoints;
      for (const page of new Set(relevant.map((one) => one.page))) {
        const items = keyPointsOf(page);
        if (items.length > 0 && tokensOf(items) + pageTags <= Math.min(spare(), left - keyPointsEnd)) selection.add(page, items);
      }
      for (const one of later) addPart(one, Math.min(parts.tokens, spare() - pageTags));
    },
    select(items) {
      for (const { items: own, selected } of chosen.values()) for (const item of items) if (own.has(item)) selected.add(item);
    },
    chosen: () => [...chosen.values()],
  };
  return selection;
}

const tokensOf = (items: readonly PageItem[]): number => items.reduce((sum, item) => sum + item.tokens, 0);
const outlineTokens = (outline: readonly string[]): number => Math.ceil(outline.reduce((sum, line) => sum + line.length / 3 + 3, 0));

interface FoundSection {
  page: PageText;
  section: PageSection;
  /** The items that were found, best first. */
  items: PageItem[];
  score: number;
}

/** The sections that hold the found passages, best first. */
async function foundSections(pages: Pick<CoursePages, "pageOf">, ranked: readonly RankedPassage[]): Promise<FoundSection[]> {
  const places = new Map<string, Promise<PageText | null>>();
  for (const passage of ranked) {
    const key = pageOfPassage(passage);
    if (!places.has(key) && places.size < modelBounds.brief.pagesRead) places.set(key, pages.pageOf(passage));
  }
  const read = new Map(await Promise.all([...places].map(async ([key, page]) => [key, await page] as const)));
  const bySection = new Map<PageSection, FoundSection>();
  for (const passage of ranked) {
    const page = read.get(pageOfPassage(passage));
    const section = page?.sections.find(({ items }) => items.some(({ passages }) => holds(passages, passage)));
    const item = section?.items.find(({ passages }) => holds(passages, passage));
    if (!page || !section || !item) continue;
    const known = bySection.get(section);
    if (!known) bySection.set(section, { page, section, items: [item], score: passage.score });
    else {
      // More passages of a section make it a little more likely that it is the right one.
      known.score += passage.score * 0.05;
      if (!known.items.includes(item)) known.items.push(item);
    }
  }
  return [...bySection.values()].sort((a, b) => b.score - a.score);
}

const holds = (passages: readonly RankedPassage[], { passageId }: RankedPassage): boolean =>
  passages.some((passage) => passage.passageId === passageId);

/** Of a long section the items around those that were found, each whole. */
function around(section: PageSection, found: readonly PageItem[], most: number = modelBounds.brief.longestSection): PageItem[] {
  const { items } = section;
  const chosen = new Set<PageItem>();
  let spent = 0;
  const take = (item: PageItem | undefined): boolean => {
    if (!item || chosen.has(item)) return item !== undefined;
    if (spent + item.tokens > most) return false;
    chosen.add(item);
    spent += item.tokens;
    return true;
  };
  for (const item of found) take(item);
  const open = new Map([...chosen].map((item) => [items.indexOf(item), { before: true, after: true }]));
  for (let distance = 1; [...open.values()].some(({ before, after }) => before || after); distance += 1)
    for (const [at, sides] of open) {
      sides.before &&= take(items[at - distance]);
      sides.after &&= take(items[at + distance]);
    }
  return items.filter((item) => chosen.has(item));
}

const breadth: Record<Source["kind"], number> = { block: 0, topic: 1, collection: 2, course: 3 };

/** Adds what is attached, the narrowest first. */
async function attach(
  selection: Selection,
  references: readonly ResolvedReference[],
  ranked: readonly RankedPassage[],
  vague: boolean,
): Promise<void> {
  for (const reference of references.toSorted((a, b) => breadth[a.source.kind] - breadth[b.source.kind])) {
    const { source } = reference;
    if (source.kind === "block") await attachSelection(selection, reference);
    else if (source.kind === "topic") {
      const page = await selection.pageOf(reference);
      if (page) await attachPage(selection, page, ranked, vague);
    } else await attachPages(selection, reference, ranked, vague);
  }
}

/** A selected block with the section around it; of a long section the part around it. */
async function attachSelection(selection: Selection, reference: ResolvedReference): Promise<void> {
  const page = await selection.pageOf(reference);
  if (!page) return;
  const selected = page.sections.flatMap(({ items }) =>
    items.filter(({ passages }) => passages.some(({ sourceId }) => sourceId === reference.source.sourceId)),
  );
  const sections = page.sections.filter(({ items }) => items.some((item) => selected.includes(item)));
  selection.add(page, selected, { attached: true });
  for (const section of sections)
    for (const one of [section, section.within])
      if (one && !selection.add(page, one.items))
        selection.add(
          page,
          around(
            one,
            one.items.filter((item) => selected.includes(item)),
            selection.tokensLeft,
          ),
        );
  selection.select(selected);
}

const allItems = (page: PageText): PageItem[] => page.sections.flatMap(({ items }) => items);
const outlineOf = (page: PageText): string[] => [
  ...new Set(page.sections.flatMap(({ kind, title }) => (kind === "text" || kind === "exercise" ? title : []))),
];
const keyPointsOf = (page: PageText): PageItem[] => page.sections.flatMap(({ kind, items }) => (kind === "key-points" ? items : []));

/** A page, whole if it fits; else its outline, its key points and the sections that are found, then others from all over it. */
async function attachPage(selection: Selection, page: PageText, ranked: readonly RankedPassage[], vague: boolean): Promise<void> {
  if (selection.add(page, allItems(page), { attached: true })) return;
  selection.add(page, keyPointsOf(page), { attached: true, outline: outlineOf(page) });
  const own = ranked.filter(({ source, courseId }) => courseId === page.courseId && pageHrefOf(source) === page.source.href);
  await selection.addFound(own, { ...modelBounds.brief.found, tokens: selection.tokensLeft, relevance: 0.2 });
  if (vague || own.length === 0) for (const section of coarseToFine(page.sections)) selection.add(page, section.items);
}

/** The pages of a collection or course: all if they fit; else their outline, their key points and the sections that are found. */
async function attachPages(
  selection: Selection,
  reference: ResolvedReference,
  ranked: readonly RankedPassage[],
  vague: boolean,
): Promise<void> {
  const own = new Map(reference.passages.map((passage) => [pageHrefOf(passage.source), passage]));
  const isOwn = (passage: RankedPassage): boolean => own.has(pageHrefOf(passage.source));
  // Four characters are about one token: what is far too long is not read.
  const likelyTokens = reference.passages.reduce((sum, { text }) => sum + text.length / 4, 0);
  if (likelyTokens <= selection.tokensLeft || vague) {
    const read = await Promise.all([...own.values()].slice(0, modelBounds.brief.pagesAttached).map(selection.pageOf));
    const pages = read.filter((page) => page !== null);
    if (pages.reduce((sum, page) => sum + page.tokens + pageTags, 0) <= selection.tokensLeft) {
      for (const page of pages) selection.add(page, allItems(page), { attached: true });
      return;
    }
    if (vague) {
      for (const page of pages) selection.add(page, keyPointsOf(page), { attached: true, outline: outlineOf(page) });
      for (const page of pages) for (const section of page.sections.slice(0, 1)) selection.add(page, section.items);
      return;
    }
  }
  await selection.addFound(ranked.filter(isOwn), modelBounds.brief.found);
}

/** Whether a passage stands on a page that is attached, by itself or with its collection or course: its sections are chosen with it. */
function attachedIn(references: readonly ResolvedReference[]): (passage: RankedPassage) => boolean {
  const pages = references.filter(({ source }) => source.kind !== "block").flatMap(({ passages }) => passages.map(pageOfPassage));
  const attached = new Set(pages);
  return (passage) => attached.has(pageOfPassage(passage));
}

const pageOfPassage = ({ courseId, source }: RankedPassage): string => `${courseId} ${pageHrefOf(source)}`;

function partedBy<Entry>(isFirst: (entry: Entry) => boolean, entries: readonly Entry[]): [Entry[], Entry[]] {
  return [entries.filter(isFirst), entries.filter((entry) => !isFirst(entry))];
}

/** Adds whole pages of what was found, as long as they fit. */
async function fillUp(selection: Selection, found: readonly RankedPassage[]): Promise<void> {
  for (const page of await likelyPages(selection, found)) selection.add(page, allItems(page));
}

/**
 * The pages of what was found, the likeliest first: each of the first passages counts by its rank (reciprocal rank fusion, Cormack, Clarke
 * and Büttcher 2009; the constant is small because what comes first matters most here).
 */
async function likelyPages({ pageOf }: Pick<CoursePages, "pageOf">, found: readonly RankedPassage[]): Promise<PageText[]> {
  const weights = new Map<PageText, number>();
  for (const [rank, passage] of found.slice(0, 40).entries()) {
    const page = await pageOf(passage);
    if (page) weights.set(page, (weights.get(page) ?? 0) + 1 / (rank + 5));
  }
  return [...weights].sort(([, a], [, b]) => b - a).map(([page]) => page);
}

/** Sections in an order whose beginning is spread over the whole page: the first, the middle one, the quarters, and so on. */
function coarseToFine<Entry>(entries: readonly Entry[]): Entry[] {
  const bits = Math.ceil(Math.log2(Math.max(2, entries.length)));
  const reversed = (index: number): number => Number.parseInt(index.toString(2).padStart(bits, "0").split("").reverse().join(""), 2);
  return Array.from({ length: 2 ** bits }, (_, index) => entries[reversed(index)]).filter((entry) => entry !== undefined);
}
