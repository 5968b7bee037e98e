import { setImmediate } from "node:timers/promises";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { DamagedRevision, readAuthoredCourse } from "@colloquy/infra/object-store/course-objects.ts";
import {
  type CourseQuestion,
  courseQuestions,
  pageQuestions,
  samenessOfWritten,
  writtenQuestions,
} from "@colloquy/infra/object-store/course-questions.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import {
  derivedObjectiveId,
  type PassageLibrary,
  type RankedPassage,
  revisionChanges,
  sourceDigests,
} from "@colloquy/projections/passages/queries.ts";
import { sessionSources } from "@colloquy/projections/tutor/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Topic } from "@colloquy/schemas/courses/authored.ts";
import type { SessionObjective } from "@colloquy/schemas/tutor/events.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import { derivedObjectiveTitle } from "@colloquy/schemas/tutor/words.ts";
import { countedAtOnce, pageText } from "../grounding/page-text.ts";
import { estimateTokens, type IsRevision, publishedRevisions, type TurnPassage } from "../grounding/retrieve.ts";
import { countTokens } from "../tokens.ts";
import { type PracticeQuestion, practiceQuestions } from "./practice-questions.ts";
import { revealedBy } from "./questioned.ts";
import type { Statement } from "./shown-texts.ts";

/** A question of the course's own that a session can ask. */
export interface AuthoredQuestion extends CourseQuestion {
  objectiveId: string;
  /** Of the blocks that its answer follows from. */
  sourceIds: readonly string[];
}

/** The live revision of a course as tutoring needs it. */
export interface TutorCourse {
  courseId: string;
  revisionId: string;
  title: string;
  language: string;
  /** Every objective, in reading order. */
  objectives: readonly SessionObjective[];
  passages: readonly RankedPassage[];
  /** Of a topic's passages their text as it was written, by passage id; none for a part of a longer paragraph. */
  markdownOf(topicId: string): Promise<Written>;
  /** Of each topic the topics that its text links to. */
  links: ReadonlyMap<string, ReadonlySet<string>>;
  /** Those of the course's own on these objectives. */
  questions: readonly AuthoredQuestion[];
  /** Those that the application makes of its text, for practice. */
  practice(): readonly PracticeQuestion[];
  /** The sameness of each question that is written in it, retired ones included: a model does not ask it again. */
  written: ReadonlySet<string>;
  /** The statements of questions on its pages, where their solutions stand: they are no evidence. */
  shownOnPages: readonly Statement[];
  /** Digest of all text of a source, by source id: equal in two revisions when the text is. */
  digests: ReadonlyMap<string, string>;
  /** Places of passages in the search for an objective, once it was asked for: the same for as long as the revision lives. */
  ranks: Map<string, Promise<ReadonlyMap<string, number>>>;
}

export interface TutorCourses {
  /** @throws {ProblemError} `not_found` for a course that is not published. */
  live(courseId: string): Promise<TutorCourse>;
  /** The live revision's id; null for a course that is not published. */
  liveRevision(courseId: string): Promise<string | null>;
  /** Whether a course was published as this revision. */
  isRevision: IsRevision;
  /** Whether a session can go on with a revision: it stands on that one, or nothing that it stands on is another there. */
  usesSameText(state: TutorState, revisionId: string): Promise<boolean>;
}

/** Courses whose live revision is kept at hand. */
const keptCourses = 20;

/** What teaches and can be asked about: solutions would give exercises away, pictures and lists of aims say little by themselves. */
const teaches: ReadonlySet<RankedPassage["role"]> = new Set(["prose", "key-points", "callout", "code", "math", "table"]);
/** What else there is to teach from where that did not suffice. */
const exemplifies: ReadonlySet<RankedPassage["role"]> = new Set([...teaches, "exercise", "solution", "figure"]);

export function tutorCourses({ objectStore, library }: { objectStore: ObjectStore; library: PassageLibrary }): TutorCourses {
  const kept = new Map<string, Promise<TutorCourse>>();
  const changes = revisionChanges(objectStore);
  const place = (courseId: string) => library.resolve({ href: `/courses/${courseId}` });

  async function open(courseId: string, revisionId: string, passages: readonly RankedPassage[]): Promise<TutorCourse> {
    const { manifest, topics } = await readAuthoredCourse(objectStore, courseId, revisionId);
    const byTopic = new Map(
      passages.flatMap(({ source }) => (source.topicId === null ? [] : [[source.topicId, source.href.split("#")[0] ?? source.href]])),
    );
    const texts = Map.groupBy(
      passages.filter(({ role }) => teaches.has(role)),
      ({ source }) => source.topicId,
    );
    const teachable = (topicId: string): boolean =>
      (texts.get(topicId) ?? []).reduce((length, { text }) => length + text.length, 0) >= leastTextLength;
    const authored = new Map(topics.map((topic) => [topic.id, topic]));
    const objectives = [...byTopic].flatMap(([topicId, href]) => {
      const topic = authored.get(topicId);
      if (!topic) return [];
      const common = { topicId, topicTitle: topic.title, href };
      if (topic.objectives.length === 0) return teachable(topicId) ? [{ ...common, ...derivedObjective(topicId, topic.title) }] : [];
      return topic.objectives.map(({ id, text }) => ({ ...common, objectiveId: id, title: text, derived: false }));
    });
    let practice: readonly PracticeQuestion[] | undefined;
    const markdowns = new Map<string, Promise<Written>>();
    return {
      courseId,
      revisionId,
      title: manifest.title,
      language: manifest.language,
      objectives,
      passages,
      markdownOf: (topicId) => {
        const known = markdowns.get(topicId) ?? topicMarkdown(authored.get(topicId) ?? null, passages);
        markdowns.set(topicId, known);
        known.catch(() => markdowns.delete(topicId));
        return known;
      },
      links: new Map(topics.map((topic) => [topic.id, linksIn(topic)])),
      questions: authoredQuestions(topics, passages),
      practice: () => {
        practice ??= practiceQuestions(topics, passages, manifest.language);
        return practice;
      },
      written: new Set(writtenQuestions(topics).map(samenessOfWritten)),
      shownOnPages: revealedBy(pageQuestions(topics).map((key) => ({ key }))),
      digests: sourceDigests(passages),
      ranks: new Map(),
    };
  }

  return {
    async live(courseId) {
      const found = await place(courseId);
      if (found?.source.kind !== "course") throw new ProblemError("not_found", { detail: "There is no such course." });
      const key = `${courseId} ${found.revisionId}`;
      let opened = kept.get(key);
      if (!opened) {
        opened = open(courseId, found.revisionId, found.passages);
        kept.set(key, opened);
        opened.catch(() => kept.delete(key));
        if (kept.size > keptCourses) kept.delete(kept.keys().next().value ?? "");
      }
      try {
        return await opened;
      } catch (error) {
        if (error instanceof DamagedRevision) throw new ProblemError("unavailable", { cause: error });
        throw error;
      }
    },
    isRevision: publishedRevisions(objectStore),
    liveRevision: async (courseId) => (await place(courseId))?.revisionId ?? null,
    async usesSameText(state, revisionId) {
      if (state.courseRevisionId === revisionId) return true;
      const changed = await changes(state.courseId, state.courseRevisionId, revisionId);
      return changed !== null && !sessionSources(state).some((sourceId) => changed.has(sourceId));
    },
  };
}

/** Texts as their authors wrote them, by passage id, with their counted tokens. */
export type Written = ReadonlyMap<string, { markdown: string; tokens: number }>;

/** Letters that Markdown may have for one of the text that a reader sees, and beyond: addresses and what is drawn from code can be long. */
const markdownLength = { times: 2, more: 300 };

/** The Markdown of a topic's passages, where each begins with a paragraph, an entry of a list or a block. */
async function topicMarkdown(topic: Topic | null, passages: readonly RankedPassage[]): Promise<Written> {
  const own = passages.filter(({ source }) => topic !== null && source.topicId === topic.id);
  const [first] = own;
  if (!first) return new Map();
  const { sections } = await pageText(first.source, topic, own);
  const written = new Map<string, { markdown: string; tokens: number }>();
  let counted = 0;
  for (const { passages: together, markdown: whole, parts, tokens: ofWhole } of sections.flatMap(({ items }) => items))
    for (const [at, { passageId, text }] of together.entries()) {
      const isWhole = together.length === 1;
      const markdown = isWhole ? whole : parts?.[at];
      if (markdown === undefined || markdown.length > markdownLength.times * text.length + markdownLength.more) continue;
      const tokens = isWhole ? ofWhole : countTokens(markdown);
      written.set(passageId, { markdown, tokens });
      if (isWhole) continue;
      counted += tokens;
      // The event loop gets a turn.
      if (counted >= countedAtOnce) {
        counted = 0;
        await setImmediate();
      }
    }
  return written;
}

function withMarkdown(passage: RankedPassage, written: Written): RankedPassage & { markdown?: string } {
  const own = written.get(passage.passageId);
  return own ? { ...passage, markdown: own.markdown } : passage;
}

/** Tokens of a passage in a prompt, with its tag. */
function countTokensOf({ passageId, text, heading, source }: RankedPassage, written: Written): number {
  const tag = estimateTokens(`${heading}${source.title}${source.trail.join("")}`) + tagTokens;
  return tag + (written.get(passageId)?.tokens ?? estimateTokens(text));
}
/** Of a tag without the names in it. */
const tagTokens = 24;

const linksIn = ({ blocks }: Topic): Set<string> =>
  new Set(blocks.flatMap(({ source }) => [...source.matchAll(/\]\(topic:([\w-]{8,64})/g)].flatMap(([, topicId]) => topicId ?? [])));

/** The questions of a course, with the sources of the blocks that their answers follow from. */
function authoredQuestions(topics: readonly Topic[], passages: readonly RankedPassage[]): AuthoredQuestion[] {
  const byBlock = Map.groupBy(passages, ({ source }) => source.entityId);
  return courseQuestions(topics).map((one) => ({
    ...one,
    objectiveId: one.objectiveId ?? derivedObjectiveId(one.topicId),
    sourceIds: [...new Set(one.question.about.flatMap((blockId) => byBlock.get(blockId)?.map(({ sourceId }) => sourceId) ?? []))],
  }));
}

/** A topic with less text (a title page, say) teaches nothing by itself. */
const leastTextLength = 600;

/** A topic without objectives of its own gets one, by its title: always the same for the same topic. */
const derivedObjective = (topicId: string, title: string) => ({
  objectiveId: derivedObjectiveId(topicId),
  title: derivedObjectiveTitle(title).slice(0, bounds.course.objectiveLength),
  derived: true,
});

/** A passage that ends so is followed by what it speaks of: code, say, or a formula. */
const announces = /:\s*$/;
/** Tokens that a prompt may have beyond its bound for what belongs together. */
const joinedTokens = 300;
/** A text of so few before code or a table says what that is. */
const introductionTokens = 80;

/**
 * Passages to ask about or teach objectives from, within the bounds of a prompt: of the sources a step was planned on, then of each
 * objective's topic those that speak most of it. `except`: passages that were tried already; `examples`: exercises with their solutions
 * and figures, too.
 */
export async function passagesFor(
  library: Pick<PassageLibrary, "search">,
  course: Pick<TutorCourse, "courseId" | "passages" | "ranks" | "markdownOf">,
  objectives: readonly SessionObjective[],
  {
    sourceIds = [],
    except = [],
    examples = false,
  }: { sourceIds?: readonly string[]; except?: readonly TurnPassage[]; examples?: boolean } = {},
): Promise<TurnPassage[]> {
  const roles = examples ? exemplifies : teaches;
  const { passageTokens, passagesEach } = bounds.tutor;
  const most = Math.max(bounds.tutor.passages, passagesEach * objectives.length);
  const chosen = new Map<string, RankedPassage>();
  const tried = new Set(except.map(({ passageId }) => passageId));
  const topics = new Set([
    ...objectives.map(({ topicId }) => topicId),
    ...course.passages.flatMap(({ sourceId, source }) => (sourceIds.includes(sourceId) ? (source.topicId ?? []) : [])),
  ]);
  const written: Written = new Map(
    (await Promise.all([...topics].map((topicId) => course.markdownOf(topicId)))).flatMap((one) => [...one]),
  );
  let spent = 0;
  const joined = (passage: RankedPassage, by: 1 | -1): RankedPassage | undefined => {
    const other = course.passages[course.passages.indexOf(passage) + by];
    return other && other.source.topicId === passage.source.topicId && roles.has(other.role) ? other : undefined;
  };
  /**
   * Code comes with the words that announce it, and the other way round: without, other code would be taken for it.
   * `within`: how many tokens and passages there may be then, with `room` for one that belongs to another.
   */
  const take = (passage: RankedPassage, within: { tokens: number; count: number }, room = { tokens: joinedTokens, count: 1 }): void => {
    const tokens = countTokensOf(passage, written);
    if (chosen.has(passage.passageId) || tried.has(passage.passageId)) return;
    if (spent + tokens > within.tokens || chosen.size >= within.count) return;
    chosen.set(passage.passageId, passage);
    spent += tokens;
    const more = { tokens: within.tokens + room.tokens, count: within.count + room.count };
    const none = { tokens: 0, count: 0 };
    const next = announces.test(passage.text) ? joined(passage, 1) : undefined;
    if (next) take(next, more, none);
    const before = passage.role === "prose" ? undefined : joined(passage, -1);
    if (before && (announces.test(before.text) || estimateTokens(before.text) <= introductionTokens)) take(before, more, none);
  };
  for (const passage of course.passages)
    if (sourceIds.includes(passage.sourceId) && roles.has(passage.role)) take(passage, { tokens: passageTokens * 0.6, count: most });
  for (const [index, objective] of objectives.entries()) {
    const own = course.passages.filter(({ source, role }) => source.topicId === objective.topicId && roles.has(role));
    const rank = await rankFor(library, course, objective);
    const place = ({ passageId }: RankedPassage): number => rank.get(passageId) ?? rank.size;
    const left = objectives.length - index;
    const share = { tokens: spent + (passageTokens - spent) / left, count: chosen.size + Math.ceil((most - chosen.size) / left) };
    for (const passage of own.toSorted((a, b) => place(a) - place(b))) take(passage, share);
  }
  return keyed(
    course.passages.map((passage) => withMarkdown(passage, written)),
    ({ passageId }) => chosen.has(passageId),
  );
}

/** Some of the passages of a page or course in their order, under keys of their own; each says whether the one before it is left out. */
export function keyed<Passage extends RankedPassage>(
  passages: readonly Passage[],
  isTaken: (passage: Passage) => boolean,
): (Passage & TurnPassage)[] {
  let count = 0;
  return passages.flatMap((passage, index) => {
    if (!isTaken(passage)) return [];
    count += 1;
    const before = passages[index - 1];
    const wasJoined = !("isJoined" in passage) || passage.isJoined !== false;
    return [{ ...passage, key: `s${count}`, isJoined: wasJoined && (before === undefined ? count === 1 : isTaken(before)) }];
  });
}

/** Of objectives of one topic the one that these sources speak of most, by the same search that finds what to ask about it; null for none. */
export async function objectiveOf(
  library: PassageLibrary,
  course: TutorCourse,
  objectives: readonly SessionObjective[],
  { topicId, sourceIds }: { topicId: string; sourceIds: readonly string[] },
): Promise<SessionObjective | null> {
  const passages = course.passages.filter(({ sourceId }) => sourceIds.includes(sourceId));
  const places = objectives
    .filter((objective) => objective.topicId === topicId)
    .map(async (objective) => {
      const rank = await rankFor(library, course, objective);
      return { objective, place: Math.min(Number.MAX_SAFE_INTEGER, ...passages.map(({ passageId }) => rank.get(passageId) ?? rank.size)) };
    });
  const [best] = (await Promise.all(places)).toSorted((one, other) => one.place - other.place);
  return best?.objective ?? null;
}

/** Places of passages in the search for an objective. */
export function rankFor(
  library: Pick<PassageLibrary, "search">,
  course: Pick<TutorCourse, "courseId" | "ranks">,
  { objectiveId, title, topicTitle }: SessionObjective,
): Promise<ReadonlyMap<string, number>> {
  const known = course.ranks.get(objectiveId);
  if (known) return known;
  const rank = library
    .search(`${title} ${topicTitle}`, { courseIds: [course.courseId], limit: 40 })
    .then((found) => new Map(found.map(({ passageId }, place) => [passageId, place])));
  course.ranks.set(objectiveId, rank);
  rank.catch(() => course.ranks.delete(objectiveId));
  return rank;
}

/** Whether a passage is code or a table, which the words before it announce. */
export const standsBehindWords = ({ role }: Pick<RankedPassage, "role">): boolean => role === "code" || role === "table";

/**
 * How near sources are to an objective in the search for it: 1 for its best passage, 0 for one that it does not find. Code, and what it
 * prints, is as near as the words that it stands behind.
 */
export async function nearnessTo(
  library: Pick<PassageLibrary, "search">,
  course: Pick<TutorCourse, "courseId" | "passages" | "ranks">,
  objective: SessionObjective,
): Promise<(sourceIds: readonly string[]) => number> {
  const rank = await rankFor(library, course, objective);
  const places = new Map<string, number>();
  let words: RankedPassage | undefined;
  let placeOfWords = rank.size;
  for (const passage of course.passages) {
    const own = rank.get(passage.passageId) ?? rank.size;
    const isBehind = standsBehindWords(passage);
    if (!isBehind) [words, placeOfWords] = [passage, own];
    const isOnPage = words?.source.topicId === passage.source.topicId;
    const place = isBehind && isOnPage ? Math.min(own, placeOfWords) : own;
    places.set(passage.sourceId, Math.min(place, places.get(passage.sourceId) ?? rank.size));
  }
  return (sourceIds) => 1 - Math.min(rank.size, ...sourceIds.map((id) => places.get(id) ?? rank.size)) / (rank.size || 1);
}
