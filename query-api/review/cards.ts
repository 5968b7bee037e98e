import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { derivedObjectiveId } from "@colloquy/projections/passages/queries.ts";
import type { MetObjective, MetQuestion, MetSession, MetSource } from "@colloquy/projections/review/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Block, Topic } from "@colloquy/schemas/courses/authored.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import type { RetiredCard, ReviewCard, ReviewPassage, ReviewQuestion } from "@colloquy/schemas/review/requests.ts";
import { answers } from "./lesson-text.ts";
import type { LiveCourse } from "./live-course.ts";

/** An objective over all sessions that brought it. */
interface Met {
  objective: MetObjective;
  courseTitle: string;
  metAt: string;
  taughtAt: string | null;
  sources: readonly MetSource[];
  /** Answered and not disputed, the latest first. */
  questions: readonly MetQuestion[];
}

/**
 * The cards of an account: each objective it met, and after the first of a topic the key points of that topic once it was taught. Their
 * words are those of the live revisions; what is in them no more is retired. Pure.
 * @param courses the live revisions by course id; null: not published
 * @param former topics as they were in revisions that are not live any more
 */
export function cardsOf(
  sessions: readonly MetSession[],
  courses: ReadonlyMap<string, LiveCourse | null>,
  former: FormerTopics = () => undefined,
): { cards: ReviewCard[]; retired: RetiredCard[]; more: boolean } {
  const cards = new Map<string, ReviewCard>();
  const retired = new Map<string, RetiredCard>();
  for (const [courseId, own] of Map.groupBy(sessions, (session) => session.courseId)) {
    const course = courses.get(courseId) ?? null;
    for (const met of metIn(own, course)) {
      const { objective, courseTitle } = met;
      const card = course && objectiveCard(course, met);
      if (card) {
        if (!cards.has(card.itemId)) cards.set(card.itemId, card);
        const topic = course.topics.get(topicIdOf(course, objective) ?? "");
        if (topic && met.taughtAt !== null)
          for (const point of keyPointCards(course, topic, met.taughtAt)) if (!cards.has(point.itemId)) cards.set(point.itemId, point);
      } else {
        const { title, topicTitle } = objective;
        const itemId = presentId(course, objective);
        retired.set(itemId, { itemId, kind: "objective", title, topicTitle, courseTitle, reason: course ? "deleted" : "unpublished" });
      }
    }
    if (course) for (const point of formerPoints(own, course, former)) if (!cards.has(point.itemId)) retired.set(point.itemId, point);
  }
  const all = [...cards.values()];
  return { cards: all.slice(0, bounds.review.cards), retired: [...retired.values()], more: all.length > bounds.review.cards };
}

/** A topic as it was in a revision of a course; undefined when that is not known. */
export type FormerTopics = (courseId: string, revisionId: string, topicId: string) => Topic | undefined;

/** The key points that were taught and are in the live revision no more, in the words they had. */
function formerPoints(sessions: readonly MetSession[], course: LiveCourse, former: FormerTopics): RetiredCard[] {
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
          return { itemId: pointId(course.present(block.id), point), title: point, ...about };
        }),
      );
    });
  });
}

/** The id an objective has now. */
function presentId(course: LiveCourse | null, { objectiveId, topicId, derived }: MetObjective): string {
  if (!course) return objectiveId;
  return derived ? derivedObjectiveId(course.present(topicId)) : course.present(objectiveId);
}

/** What was met in the sessions of one course, in the order it was met. */
function metIn(sessions: readonly MetSession[], course: LiveCourse | null): Met[] {
  const byId = new Map<string, Met>();
  for (const { objectives, questions, courseTitle } of sessions)
    for (const objective of objectives) {
      if (objective.metAt === null) continue;
      const { objectiveId } = objective;
      const id = presentId(course, objective);
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

function topicIdOf(course: LiveCourse, { objectiveId, topicId, derived }: MetObjective): string | undefined {
  if (!derived) return course.topicOfObjective.get(course.present(objectiveId));
  return course.present(topicId);
}

function objectiveCard(course: LiveCourse, { objective, metAt, sources, questions }: Met): ReviewCard | null {
  const topic = course.topics.get(topicIdOf(course, objective) ?? "");
  if (!topic) return null;
  const itemId = presentId(course, objective);
  const title = topic.objectives.find(({ id }) => id === itemId)?.text ?? objective.title;
  const sound = questions.filter((question) => isUnchanged(course, question));
  return {
    itemId,
    kind: "objective",
    courseId: course.courseId,
    courseTitle: course.title,
    topicTitle: topic.title,
    formerIds: objective.derived ? course.former(topic.id).map(derivedObjectiveId) : [...course.former(itemId)],
    language: course.language,
    href: topic.href,
    title,
    metAt,
    questions: distinct(sound).slice(0, bounds.review.questionsPerCard),
    answer: passagesOf(course, [...sources, ...sound.flatMap((question) => question.sources)]),
  };
}

/** Whether the text a question stands on is as it was. */
const isUnchanged = (course: LiveCourse, { digests, sources }: MetQuestion): boolean => {
  const cited = new Map(sources.map((source) => [source.sourceId, source]));
  return Object.entries(digests).every(([sourceId, digest]) => {
    const place = course.source(cited.get(sourceId) ?? { sourceId, href: "", quote: "" });
    return place !== null && course.digest(place.sourceId) === digest;
  });
};

function distinct(questions: readonly MetQuestion[]): ReviewQuestion[] {
  const byPrompt = new Map<string, ReviewQuestion>();
  for (const { prompt, choices } of questions) if (!byPrompt.has(prompt)) byPrompt.set(prompt, { prompt, choices });
  return [...byPrompt.values()];
}

/** The passages that were cited, in the words they have now. */
function passagesOf(course: LiveCourse, sources: readonly MetSource[]): ReviewPassage[] {
  const found = new Map<string, ReviewPassage>();
  const places = sources.map((cited) => ({ cited, place: course.source(cited) }));
  // Where nothing else was cited, what was is better than nothing.
  const sound = places.some(({ place }) => place && course.passages(place.sourceId).some(answers)) ? answers : () => true;
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

/** A card for each point of a topic's lists of key points. Its id is scoped by the block: the same words in another block are another card. */
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
        formerIds: course.former(block.id).map((former) => pointId(former, point)),
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

/** Marks of emphasis, capitals and white space may change without its being another point. */
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
