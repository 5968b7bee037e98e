import { boundedCache } from "@colloquy/infra/bounded-cache.ts";
import { readAuthoredCourse, readIdentity } from "@colloquy/infra/object-store/course-objects.ts";
import { type CourseQuestion, courseQuestions } from "@colloquy/infra/object-store/course-questions.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { type PassageLibrary, type RankedPassage, sourceDigests, sourceIdOf } from "@colloquy/projections/passages/queries.ts";
import type { StudiedSource } from "@colloquy/projections/review/queries.ts";
import type { Topic } from "@colloquy/schemas/courses/authored.ts";
import type { Source } from "@colloquy/schemas/courses/revision.ts";
import type { CourseRevisions } from "../courses/revisions.ts";

/** A live revision, indexed for review. */
export interface LiveCourse {
  courseId: string;
  title: string;
  language: string;
  /** By topic id, with its address. */
  topics: ReadonlyMap<string, Topic & { href: string }>;
  /** Topic id by objective id. */
  topicOfObjective: ReadonlyMap<string, string>;
  /** The current id of something that may have been renamed. */
  currentId(id: string): string;
  /** The ids that something had before its renames. */
  formerIds(id: string): readonly string[];
  /** The current source of a citation; null if it was removed. */
  source(cited: StudiedSource): Source | null;
  passages(sourceId: string): readonly RankedPassage[];
  /** Digest of a source's text. */
  digest(sourceId: string): string | undefined;
  hrefOfBlock(blockId: string): string | undefined;
  /** The questions of the course's own that are marked by their keys, those of the bank first. */
  questions: readonly CourseQuestion[];
}

export interface LiveCourses {
  /** The live revision of a course; null if it is not published. */
  live(courseId: string): Promise<LiveCourse | null>;
  /** The topics of an earlier revision, by id; empty for the live one, or if it cannot be read. */
  formerTopics(courseId: string, revisionId: string): Promise<ReadonlyMap<string, Topic>>;
}

interface Needs {
  revisions: CourseRevisions;
  objectStore: ObjectStore;
  library: Pick<PassageLibrary, "resolve">;
}

export function liveCourses({ revisions, objectStore, library }: Needs): LiveCourses {
  const courses = boundedCache<LiveCourse>(20);
  const topicsByRevision = boundedCache<ReadonlyMap<string, Topic>>(20);
  return {
    async formerTopics(courseId, revisionId) {
      if ((await revisions.live(courseId))?.listing.revisionId === revisionId) return new Map();
      return topicsByRevision(`${courseId} ${revisionId}`, async () => {
        const { topics } = await readAuthoredCourse(objectStore, courseId, revisionId);
        return new Map(topics.map((topic) => [topic.id, topic]));
      }).catch(() => new Map());
    },

    async live(courseId) {
      const whole = await revisions.live(courseId);
      const revision = whole?.forLearners();
      if (!whole || !revision) return null;
      const { revisionId } = revision.listing;
      return courses(`${courseId} ${revisionId}`, async () => {
        const [identity, found, topics, authored] = await Promise.all([
          readIdentity(objectStore, courseId, revisionId),
          library.resolve({ href: `/courses/${courseId}` }),
          Promise.all(revision.contents.topics.map(async ({ id, href }) => ({ ...(await revision.topic(id)), href }))),
          Promise.all(revision.contents.topics.map(({ id }) => whole.topic(id))),
        ]);
        const renamed = new Map(identity.renames.map(({ from, to }) => [from, to]));
        const former = Map.groupBy(identity.renames, ({ to }) => to);
        const passages = found?.passages ?? [];
        const bySource = Map.groupBy(passages, ({ sourceId }) => sourceId);
        const sources = new Map(passages.map(({ source }) => [source.sourceId, source]));
        const byEntity = new Map(passages.map(({ source }) => [source.entityId, source]));
        const renamedSources = new Map(identity.renames.map(({ from, to }) => [sourceIdOf(courseId, from), sourceIdOf(courseId, to)]));
        const digests = sourceDigests(passages);
        return {
          courseId,
          title: revision.manifest.title,
          language: revision.manifest.language,
          topics: new Map(topics.map((topic) => [topic.id, topic])),
          topicOfObjective: new Map(topics.flatMap((topic) => topic.objectives.map(({ id }) => [id, topic.id] as const))),
          currentId: (id) => renamed.get(id) ?? id,
          formerIds: (id) => (former.get(id) ?? []).map(({ from }) => from),
          source: ({ sourceId }) => sources.get(sourceId) ?? sources.get(renamedSources.get(sourceId) ?? "") ?? null,
          passages: (sourceId) => bySource.get(sourceId) ?? [],
          digest: (sourceId) => digests.get(sourceId),
          hrefOfBlock: (blockId) => byEntity.get(blockId)?.href,
          questions: courseQuestions(authored)
            .filter(({ question }) => question.kind !== "free")
            .toSorted((one, other) => Number(one.question.place === "page") - Number(other.question.place === "page")),
        };
      });
    },
  };
}
