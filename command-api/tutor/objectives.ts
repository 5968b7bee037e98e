import { languageOf, type PassageLibrary, queryTerms, type RankedPassage, termsOf } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { SessionObjective } from "@colloquy/schemas/tutor/events.ts";
import type { ChosenBecause } from "@colloquy/schemas/tutor/session.ts";
import { aimOf, isWholeCourse } from "./aim.ts";
import { rankFor, type TutorCourse } from "./course.ts";

/** An objective of a session with the reason why it was chosen. */
export type ChosenObjective = SessionObjective & { because: ChosenBecause };

type SearchedCourse = Pick<TutorCourse, "courseId" | "title" | "language" | "objectives" | "passages" | "questions" | "links" | "ranks">;

/** Passages that are searched for a goal. */
const searched = 20;
/** From this share of the best score on, an objective answers the goal. */
const answering = { byWords: 0.7, byMeaning: 0.75 };
/** How much the passages that a goal finds say beside the words of an objective. */
const passageWeight = 5;
/** How much a page without objectives of its own, such as a glossary, counts beside those with some. */
const derivedWeight = 0.5;
/** How much the meaning of an objective counts beside its words. */
const meaningWeight = 1;
/** Objectives that are less close to a goal in meaning have nothing to do with it. */
const leastCloseness = 0.2;
/** From this share of its words on, an earlier objective is used in what is to be taught. */
const used = 0.8;
/** What being on the same page, or on one that the page links to, adds to that share. */
const nearby = 0.2;
/** Passages of an objective that are looked through for earlier ones. */
const ownPassages = 6;
/** Letters of a weak word, such as "los", that is not told as a reason. */
const mostOfFunctionWord = 3;
/** Between the things that a goal joins, in the interface's languages. */
const joining = /[,;/&]|(?<!\p{L})(?:and|und|sowie)(?!\p{L})|(?<!\p{L})و\s?/u;
/** Joined things of a goal that are searched at most. */
const mostParts = 4;
/** Earlier objectives that are added at most. */
const mostNeeded = 2;

/**
 * The objectives of a session, in the course's order and at most `bounds.tutor.objectives`: those that answer the goal; those of what is attached; and earlier ones that these need. The course's first if the goal names none.
 */
export async function objectivesFor(
  library: PassageLibrary,
  course: SearchedCourse,
  goal: string,
  referenced: readonly Pick<RankedPassage, "source">[],
): Promise<ChosenObjective[]> {
  const aim = aimOf(goal);
  const most = bounds.tutor.objectives;
  const chosen = new Map<string, ChosenBecause>();
  const attached = new Set(referenced.flatMap(({ source }) => source.topicId ?? []));
  const { ranked } = await rankedFor(library, course, aim);
  // What the learner attached comes before what the words of the goal find.
  if (attached.size > 0 && attached.size < new Set(course.objectives.map(({ topicId }) => topicId)).size) {
    const own = ranked.filter(({ objective }) => attached.has(objective.topicId));
    for (const { objective } of own.slice(0, most)) chosen.set(objective.objectiveId, { kind: "attached" });
  }
  // A goal on the course by its name begins with the first objective of each topic.
  if (chosen.size === 0 && isTitle(course, aim))
    for (const { objectiveId } of inTurn([...Map.groupBy(course.objectives, ({ topicId }) => topicId).values()]).slice(0, most))
      chosen.set(objectiveId, { kind: "goal", words: [course.title] });
  for (const { objective, words } of inTurn(await Promise.all(partsOf(course, aim).map((part) => answeringTo(library, course, part)))))
    if (chosen.size < most && !chosen.has(objective.objectiveId)) chosen.set(objective.objectiveId, { kind: "goal", words });
  if (chosen.size === 0) for (const { objectiveId } of course.objectives.slice(0, most)) chosen.set(objectiveId, { kind: "course" });
  else for (const { objectiveId, needs } of await neededBy(library, course, chosen)) chosen.set(needs, { kind: "needed", objectiveId });
  return course.objectives.flatMap((objective) => {
    const because = chosen.get(objective.objectiveId);
    return because ? [{ ...objective, because }] : [];
  });
}

/** Whether a goal names the course, and nothing else. */
function isTitle({ title, language: tag }: SearchedCourse, aim: string): boolean {
  if (isWholeCourse(aim)) return true;
  const [named, own] = [aim, title].map((text) => new Set(termsOf(text, languageOf(tag))));
  return named !== undefined && own !== undefined && own.size > 0 && named.symmetricDifference(own).size === 0;
}

/** The things that a goal joins ("determinants and eigenvectors"), if the course speaks of more than one; else the goal. */
function partsOf(course: SearchedCourse, goal: string): string[] {
  const language = languageOf(course.language);
  const weights = weightsOf(course);
  const parts = goal
    .split(joining)
    .filter((part) => queryTerms(part, language).some((term) => weights(term) > 0 && !language.weakWords.has(term)));
  return parts.length > 1 ? parts.slice(0, mostParts) : [goal];
}

/** How close each objective of a course is to a goal in meaning; null where the search is by words. */
export const closenessOf = (
  library: Pick<PassageLibrary, "closeness">,
  { objectives, language }: Pick<TutorCourse, "objectives" | "language">,
  goal: string,
): Promise<readonly number[] | null> =>
  library.closeness(
    goal,
    objectives.map(({ title, topicTitle }) => `${title} ${topicTitle}`),
    language,
  );

/** Every objective, the best for a goal first, and the score from which on one answers it. */
async function rankedFor(library: PassageLibrary, course: SearchedCourse, goal: string): Promise<{ ranked: Scored[]; least: number }> {
  const close = await closenessOf(library, course, goal);
  const ranked = (await scoresOf(library, course, goal, close)).toSorted((one, other) => other.score - one.score);
  return { ranked, least: (close ? answering.byMeaning : answering.byWords) * (ranked[0]?.score ?? 0) };
}

/**
 * The objectives that answer a goal, the best first: those that do so nearly as well as the best one, and those of a topic that it names,
 * where no objective names the same.
 */
async function answeringTo(library: PassageLibrary, course: SearchedCourse, goal: string): Promise<Scored[]> {
  const { ranked, least } = await rankedFor(library, course, goal);
  const isNamed = ranked.some(({ named }) => named === "objective");
  return least > 0 ? ranked.filter(({ score, named }) => (named === "topic" && !isNamed) || score >= least) : [];
}

/** The first of each list, then the second of each, and so on. */
const inTurn = <One>(lists: readonly (readonly One[])[]): One[] =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();

interface Scored {
  objective: SessionObjective;
  score: number;
  /** Of the goal, as the learner wrote them, that the objective names. */
  words: string[];
  /** What has everything that the goal names: the objective, the title of its topic, or neither. */
  named: "objective" | "topic" | null;
}

/** How much each objective answers a goal: by its words, by the passages that the goal finds, and by how close it is in meaning. */
async function scoresOf(library: PassageLibrary, course: SearchedCourse, goal: string, close: readonly number[] | null): Promise<Scored[]> {
  const language = languageOf(course.language);
  const weights = weightsOf(course);
  const terms = queryTerms(goal, language).filter((term) => weights(term) > 0);
  const total = terms.reduce((sum, term) => sum + weights(term), 0);
  const shares = await passageShares(library, course, goal);
  const wordOf = new Map(
    [...goal.matchAll(/[\p{L}\p{N}\p{M}-]+/gu)].flatMap(([word]) => termsOf(word, language).map((term) => [term, word] as const)),
  );
  const areAllDerived = course.objectives.every(({ derived }) => derived);
  return course.objectives.map((objective, index) => {
    const own = new Set(termsOf(objective.title, language));
    const title = new Set(termsOf(objective.topicTitle, language));
    const names = (among: ReadonlySet<string>, term: string): boolean =>
      [term, ...(language.synonyms.get(term) ?? [])].some((one) => among.has(one));
    const byWords = terms.reduce((sum, term) => sum + weights(term) * (names(own, term) ? 1 : names(title, term) ? 0.5 : 0), 0);
    const words = terms
      .filter((term) => (names(own, term) || names(title, term)) && !(term.length <= mostOfFunctionWord && language.weakWords.has(term)))
      .map((term) => wordOf.get(term) ?? term);
    const closeness = close?.[index] ?? 0;
    const byMeaning = closeness < leastCloseness ? 0 : meaningWeight * closeness;
    const byPassages = passageWeight * (shares.get(objective.objectiveId) ?? 0);
    const hasAll = (among: ReadonlySet<string>): boolean => terms.length > 0 && terms.every((term) => names(among, term));
    const named = hasAll(own) ? "objective" : hasAll(title) ? "topic" : null;
    const weight = objective.derived && !areAllDerived && named === null ? derivedWeight : 1;
    const score = weight * ((total > 0 ? byWords / total : 0) + byPassages + byMeaning);
    return { objective, score, named, words: [...new Set(words)] };
  });
}

/** The weight of a term, by the number of topics that contain it; 0 for one that the course does not know. */
function weightsOf({ language: tag, objectives, passages }: SearchedCourse): (term: string) => number {
  const language = languageOf(tag);
  const topics = Map.groupBy(passages, ({ source }) => source.topicId);
  const sets = [...new Set(objectives.map(({ topicId }) => topicId))].map((topicId) => {
    const own = objectives.filter((one) => one.topicId === topicId);
    const texts = [...own.flatMap(({ title, topicTitle }) => [title, topicTitle]), ...(topics.get(topicId) ?? []).map(({ text }) => text)];
    return new Set(termsOf(texts.join("\n"), language));
  });
  return (term) => {
    const count = sets.filter((set) => set.has(term)).length;
    const rarity = Math.log(1 + (sets.length - count + 0.5) / (count + 0.5));
    return count === 0 ? 0 : rarity * (language.weakWords.has(term) ? 0.3 : 1);
  };
}

/**
 * The share of each objective in what the search for the goal finds: a passage is of the objectives that the course asks questions about it
 * for, else of the one whose own search finds it first.
 */
async function passageShares(library: PassageLibrary, course: SearchedCourse, goal: string): Promise<Map<string, number>> {
  const shares = new Map<string, number>();
  const found = await library.search(goal, { courseIds: [course.courseId], limit: searched });
  const sum = found.reduce((total, { score }) => total + score, 0);
  const add = (objectiveId: string, share: number): void => void shares.set(objectiveId, (shares.get(objectiveId) ?? 0) + share);
  for (const { passageId, sourceId, source, score } of found) {
    const asking = course.questions.filter(({ sourceIds }) => sourceIds.includes(sourceId));
    for (const { objectiveId } of asking) add(objectiveId, score / sum / asking.length);
    if (asking.length > 0) continue;
    const places = await Promise.all(
      course.objectives
        .filter(({ topicId }) => topicId === source.topicId)
        .map(async (objective) => ({
          objective,
          place: (await rankFor(library, course, objective)).get(passageId) ?? Number.POSITIVE_INFINITY,
        })),
    );
    const first = Math.min(...places.map(({ place }) => place));
    const owners = places.filter(({ place }) => place === first);
    for (const { objective } of owners) add(objective.objectiveId, score / sum / owners.length);
  }
  return shares;
}

/** Earlier objectives whose words are used in what is taught of the chosen ones; the most used first, then the nearest. */
async function neededBy(
  library: PassageLibrary,
  course: SearchedCourse,
  chosen: ReadonlyMap<string, ChosenBecause>,
): Promise<{ objectiveId: string; needs: string }[]> {
  const language = languageOf(course.language);
  const weights = weightsOf(course);
  const order = new Map(course.objectives.map(({ objectiveId }, index) => [objectiveId, index]));
  const placeOf = (objectiveId: string): number => order.get(objectiveId) ?? 0;
  const found = new Map<string, { objectiveId: string; needs: string; share: number }>();
  for (const target of course.objectives.filter(({ objectiveId }) => chosen.has(objectiveId))) {
    const rank = await rankFor(library, course, target);
    const own = course.passages
      .filter(({ source, passageId }) => source.topicId === target.topicId && rank.has(passageId))
      .toSorted((one, other) => (rank.get(one.passageId) ?? 0) - (rank.get(other.passageId) ?? 0));
    const title = new Set(termsOf(target.title, language));
    const texts = own.slice(0, ownPassages).map((passage) => new Set(termsOf(passage.text, language)));
    // A word in passing is no need: it stands in the objective itself or in two of its passages.
    const isUsed = (term: string): number => (title.has(term) ? 1 : Math.min(1, texts.filter((text) => text.has(term)).length / 2));
    for (const earlier of course.objectives.slice(0, placeOf(target.objectiveId))) {
      if (chosen.has(earlier.objectiveId)) continue;
      const terms = queryTerms(earlier.title, language);
      const total = terms.reduce((sum, term) => sum + weights(term), 0);
      const share = total === 0 ? 0 : terms.reduce((sum, term) => sum + isUsed(term) * weights(term), 0) / total;
      const isLinked = course.links.get(target.topicId)?.has(earlier.topicId) ?? false;
      const isNear = isLinked || earlier.topicId === target.topicId;
      const worth = share + (isNear ? nearby : 0);
      const before = found.get(earlier.objectiveId);
      if (worth >= used && worth > (before?.share ?? 0))
        found.set(earlier.objectiveId, { objectiveId: target.objectiveId, needs: earlier.objectiveId, share: worth });
    }
  }
  const room = Math.min(mostNeeded, bounds.tutor.objectives - chosen.size);
  return [...found.values()]
    .toSorted((one, other) => other.share - one.share || placeOf(other.needs) - placeOf(one.needs))
    .slice(0, Math.max(0, room));
}
