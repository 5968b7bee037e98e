import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import type { CourseQuestion } from "@colloquy/infra/object-store/course-questions.ts";
import { derivedObjectiveId, type RankedPassage } from "@colloquy/projections/passages/queries.ts";
import type { StudiedObjective, StudiedQuestion, StudiedSession, StudiedSource } from "@colloquy/projections/review/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Block, Topic } from "@colloquy/schemas/courses/authored.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { withoutKey } from "@colloquy/schemas/questions/shown.ts";
import type { RetiredCard, ReviewAsk, ReviewCard, ReviewPassage, ReviewQuestion } from "@colloquy/schemas/review/requests.ts";
import { authoredEvidence, masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import type { LiveCourse } from "./live-course.ts";

/** What an account has studied of an objective, over all sessions. */
interface StudiedInCourse {
  objective: StudiedObjective;
  courseTitle: string;
  metAt: string;
  taughtAt: string | null;
  sources: readonly StudiedSource[];
  /** Answered and not disputed, the latest first. */
  questions: readonly StudiedQuestion[];
}

/**
 * The cards of an account: each studied objective, and after the first one of a topic the key points of that topic, once taught. Their text
 * is from the live revisions; what was removed from these is retired. Pure.
 * @param courses the live revisions by course id; null: not published
 * @param former topics of revisions that are no longer live
 */
export function cardsOf(
  sessions: readonly StudiedSession[],
  courses: ReadonlyMap<string, LiveCourse | null>,
  former: FormerTopics = () => undefined,
): { cards: ReviewCard[]; retired: RetiredCard[]; more: boolean } {
  const cards = new Map<string, ReviewCard>();
  const retired = new Map<string, RetiredCard>();
  for (const [courseId, own] of Map.groupBy(sessions, (session) => session.courseId)) {
    const course = courses.get(courseId) ?? null;
    const answered = new Set(own.flatMap(({ questions }) => Object.values(questions).flatMap(({ blockId }) => blockId ?? [])));
    for (const met of objectivesStudiedIn(own, course)) {
      const { objective, courseTitle } = met;
      const card = course && objectiveCard(course, met, answered);
      if (card) {
        if (!cards.has(card.itemId)) cards.set(card.itemId, card);
        const topic = course.topics.get(topicIdOf(course, objective) ?? "");
        if (topic && met.taughtAt !== null)
          for (const point of keyPointCards(course, topic, met.taughtAt)) if (!cards.has(point.itemId)) cards.set(point.itemId, point);
      } else {
        const { title, topicTitle } = objective;
        const itemId = currentIdOf(course, objective);
        retired.set(itemId, { itemId, kind: "objective", title, topicTitle, courseTitle, reason: course ? "deleted" : "unpublished" });
      }
    }
    if (course) for (const point of formerPoints(own, course, former)) if (!cards.has(point.itemId)) retired.set(point.itemId, point);
  }
  const all = [...cards.values()];
  return { cards: all.slice(0, bounds.review.cards), retired: [...retired.values()], more: all.length > bounds.review.cards };
}

/** A topic in an earlier revision of a course; undefined if unknown. */
export type FormerTopics = (courseId: string, revisionId: string, topicId: string) => Topic | undefined;

/** Taught key points that are no longer in the live revision, with their former text. */
function formerPoints(sessions: readonly StudiedSession[], course: LiveCourse, former: FormerTopics): RetiredCard[] {
  return sessions.flatMap(({ courseRevisionId, objectives }) => {
    const taught = objectives.flatMap(({ topicId, taughtAt, taughtOn = courseRevisionId }) =>
      taughtAt === null || taughtOn === undefined ? [] : (former(course.courseId, taughtOn, topicId) ?? []),
    );
    return [...new Set(taught)].flatMap((topic) => {
      return topic.blocks.flatMap((block) =>
        (keyPointsOf(block)?.points ?? []).map((point): RetiredCard => {
          const about = {
            kind: "key-point" as const,
            topicTitle: topic.title,
            courseTitle: course.title,
            reason: "deleted" as const,
          };
          return { itemId: pointId(course.currentId(block.id), point), title: point, ...about };
        }),
      );
    });
  });
}

/** The current id of an objective. */
function currentIdOf(course: LiveCourse | null, { objectiveId, topicId, derived }: StudiedObjective): string {
  if (!course) return objectiveId;
  return derived ? derivedObjectiveId(course.currentId(topicId)) : course.currentId(objectiveId);
}

/** The objectives studied in the sessions of one course, in the order in which they were studied. */
function objectivesStudiedIn(sessions: readonly StudiedSession[], course: LiveCourse | null): StudiedInCourse[] {
  const byId = new Map<string, StudiedInCourse>();
  for (const { objectives, questions, courseTitle } of sessions)
    for (const objective of objectives) {
      if (objective.metAt === null) continue;
      const { objectiveId } = objective;
      const id = currentIdOf(course, objective);
      const before = byId.get(id);
      const own = Object.values(questions).filter(
        (question) => question.objectiveId === objectiveId && question.answered && !question.disputed,
      );
      byId.set(id, {
        objective,
        courseTitle,
        metAt: before?.metAt ?? objective.metAt,
        taughtAt: before?.taughtAt ?? objective.taughtAt,
        sources: objective.sources.length > 0 ? objective.sources : (before?.sources ?? []),
        questions: [...own.toReversed(), ...(before?.questions ?? [])],
      });
    }
  return [...byId.values()].sort((one, other) => (one.metAt < other.metAt ? -1 : one.metAt > other.metAt ? 1 : 0));
}

function topicIdOf(course: LiveCourse, { objectiveId, topicId, derived }: StudiedObjective): string | undefined {
  if (!derived) return course.topicOfObjective.get(course.currentId(objectiveId));
  return course.currentId(topicId);
}

function objectiveCard(
  course: LiveCourse,
  { objective, metAt, sources, questions }: StudiedInCourse,
  answered: ReadonlySet<string>,
): ReviewCard | null {
  const topic = course.topics.get(topicIdOf(course, objective) ?? "");
  if (!topic) return null;
  const itemId = currentIdOf(course, objective);
  const title = topic.objectives.find(({ id }) => id === itemId)?.text ?? objective.title;
  const sound = questions.filter((question) => isUnchanged(course, question));
  const ask = askOf(course, topic.id, itemId, answered);
  return {
    itemId,
    kind: "objective",
    courseId: course.courseId,
    courseTitle: course.title,
    topicTitle: topic.title,
    formerIds: objective.derived ? course.formerIds(topic.id).map(derivedObjectiveId) : [...course.formerIds(itemId)],
    language: course.language,
    href: topic.href,
    title,
    metAt,
    questions: distinct(sound.filter(isRecalled)).slice(0, bounds.review.questionsPerCard),
    ...(ask && { ask }),
    answer: passagesOf(course, [...sources, ...sound.flatMap((question) => question.sources)]),
  };
}

/** A question of the course's own on an objective that the account was not asked; those whose keys no page shows first, the hardest to guess before others. */
function askOf(course: LiveCourse, topicId: string, objectiveId: string, answered: ReadonlySet<string>): ReviewAsk | null {
  const own = course.questions.filter(
    (one) => (one.objectiveId ?? derivedObjectiveId(one.topicId)) === objectiveId && one.topicId === topicId && !answered.has(one.blockId),
  );
  const guess = ({ question }: CourseQuestion): number => authoredEvidence(question, masteryParameters).guess;
  const isPublic = ({ question }: CourseQuestion): number => Number(question.place !== "bank");
  const [best] = own.toSorted((one, other) => isPublic(one) - isPublic(other) || guess(one) - guess(other));
  return best ? { blockId: best.blockId, digest: best.digest, question: withoutKey(best.question, best.digest) } : null;
}

/** What a question asks can be told without what was put in order or matched. */
const isRecalled = ({ selection }: StudiedQuestion): boolean => selection !== "order" && selection !== "match";

/** Whether the sources of a question are unchanged. */
const isUnchanged = (course: LiveCourse, { digests, sources }: StudiedQuestion): boolean => {
  const cited = new Map(sources.map((source) => [source.sourceId, source]));
  return Object.entries(digests).every(([sourceId, digest]) => {
    const place = course.source(cited.get(sourceId) ?? { sourceId, href: "", quote: "" });
    return place !== null && course.digest(place.sourceId) === digest;
  });
};

function distinct(questions: readonly StudiedQuestion[]): ReviewQuestion[] {
  const byPrompt = new Map<string, ReviewQuestion>();
  for (const { prompt, choices } of questions) if (!byPrompt.has(prompt)) byPrompt.set(prompt, { prompt, choices });
  return [...byPrompt.values()];
}

/** The cited passages with their current text. */
function passagesOf(course: LiveCourse, sources: readonly StudiedSource[]): ReviewPassage[] {
  const found = new Map<string, ReviewPassage>();
  const places = sources.map((cited) => ({ cited, place: course.source(cited) }));
  // If no cited passage can answer, use those that were cited.
  const sound = places.some(({ place }) => place && course.passages(place.sourceId).some(canAnswer)) ? canAnswer : () => true;
  for (const { cited, place } of places) {
    if (!place || found.has(place.sourceId) || found.size >= bounds.review.answerPassages) continue;
    const own = course.passages(place.sourceId).filter(sound);
    const words = inOneLine(cited.quote);
    const passage = own.find(({ text }) => words !== "" && inOneLine(text).includes(words)) ?? own[0];
    if (passage) found.set(place.sourceId, { href: place.href, title: place.title, text: passage.text, format: "plain" });
  }
  return [...found.values()];
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** A card for each key point of a topic. Its id includes the block, so the same text in another block is another card. */
function keyPointCards(course: LiveCourse, topic: Topic & { href: string }, metAt: string): ReviewCard[] {
  return topic.blocks.flatMap((block) => {
    const data = keyPointsOf(block);
    const href = course.hrefOfBlock(block.id) ?? topic.href;
    return (data?.points ?? []).map((point, index, points): ReviewCard => {
      const title = data?.title ?? topic.title;
      return {
        itemId: pointId(block.id, point),
        kind: "key-point",
        courseId: course.courseId,
        courseTitle: course.title,
        formerIds: course.formerIds(block.id).map((former) => pointId(former, point)),
        topicTitle: topic.title,
        language: course.language,
        href,
        title,
        place: { number: index + 1, of: points.length },
        metAt,
        questions: [],
        answer: [{ href, title, text: point, format: "markdown" }],
      };
    });
  });
}

function keyPointsOf(block: Block): { title?: string | undefined; points: string[] } | null {
  if (block.type !== "core.key-points") return null;
  const parsed = parseBlock(block);
  return parsed.ok && parsed.block.type === "core.key-points" ? parsed.block.data : null;
}

/** The id ignores changes of emphasis marks, case and white space. */
const pointId = (blockId: string, point: string): string =>
  eventIdFrom(
    "key point",
    blockId,
    point
      .normalize("NFC")
      .toLowerCase()
      .replaceAll(/[\s*_]+/g, " ")
      .trim(),
  );

/** Roles that answer nothing by themselves. */
const rolesWithoutAnswer = new Set<RankedPassage["role"]>(["exercise", "solution", "objectives", "figure"]);
/** Headings of text about a lesson, not of its subject. */
const aboutLessons = /\b(?:instructors?|teachers|learner profiles|licen[cs]es?|acknowledge?ments|overview|questions|objectives|setup)\b/i;
/** Durations of a lesson: "10 minutes of teaching", "Teaching: 15 min, Exercises: 10 min". */
const durations = /\bminutes of (?:teaching|exercises)\b|\b(?:teaching|exercises):?\**\s*\d+\s*min/i;

/** Whether a passage can answer a card: it must be about the subject, not about the lesson's duration, objectives or teachers. */
export function canAnswer({ role, heading, text, source }: Pick<RankedPassage, "role" | "heading" | "text" | "source">): boolean {
  if (rolesWithoutAnswer.has(role) || aboutLessons.test(heading || source.title) || durations.test(text)) return false;
  // A list of questions answers nothing.
  const sentences = text.split(/(?<=[.?!])\s+|\n+/).filter((sentence) => /\p{L}/u.test(sentence));
  return sentences.filter((sentence) => sentence.trimEnd().endsWith("?")).length * 2 <= sentences.length;
}
