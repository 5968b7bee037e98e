import { boundedCache } from "@colloquy/infra/bounded-cache.ts";
import { readAuthoredCourse, readIdentity } from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { type PassageLibrary, type RankedPassage, sourceDigests, sourceIdOf } from "@colloquy/projections/passages/queries.ts";
import type { MetSource } from "@colloquy/projections/review/queries.ts";
import type { Topic } from "@colloquy/schemas/courses/authored.ts";
import type { Source } from "@colloquy/schemas/courses/revision.ts";
import type { CourseRevisions } from "../courses/revisions.ts";

/** A live revision as review needs it. */
export interface LiveCourse {
  courseId: string;
  title: string;
  language: string;
  /** By topic id, with its address. */
  topics: ReadonlyMap<string, Topic & { href: string }>;
  /** The topic that has an objective, by the objective's id. */
  topicOfObjective: ReadonlyMap<string, string>;
  /** The id that something has now: its own, or that it was renamed to. */
  present(id: string): string;
  /** The ids that something had before. */
  former(id: string): readonly string[];
  /** The place that was cited, where it is now; null when it is there no more. */
  source(cited: MetSource): Source | null;
  passages(sourceId: string): readonly RankedPassage[];
  /** Digest of a source's text. */
  digest(sourceId: string): string | undefined;
  hrefOfBlock(blockId: string): string | undefined;
}

export interface LiveCourses {
  /** The live revision of a course; null when it is not published. */
  live(courseId: string): Promise<LiveCourse | null>;
  /** The topics of a revision that is live no more, by id; none for the live one, or when it cannot be read. */
  former(courseId: string, revisionId: string): Promise<ReadonlyMap<string, Topic>>;
}

interface Needs {
  revisions: CourseRevisions;
  objectStore: ObjectStore;
  library: Pick<PassageLibrary, "resolve">;
}

export function liveCourses({ revisions, objectStore, library }: Needs): LiveCourses {
  const kept = boundedCache<LiveCourse>(20);
  const keptTopics = boundedCache<ReadonlyMap<string, Topic>>(20);
  return {
    async former(courseId, revisionId) {
      if ((await revisions.live(courseId))?.listing.revisionId === revisionId) return new Map();
      return keptTopics(`${courseId} ${revisionId}`, async () => {
        const { topics } = await readAuthoredCourse(objectStore, courseId, revisionId);
        return new Map(topics.map((topic) => [topic.id, topic]));
      }).catch(() => new Map());
    },

    async live(courseId) {
      const revision = await revisions.live(courseId);
      if (!revision) return null;
      const { revisionId } = revision.listing;
      return kept(`${courseId} ${revisionId}`, async () => {
        const [identity, found, topics] = await Promise.all([
          readIdentity(objectStore, courseId, revisionId),
          library.resolve({ href: `/courses/${courseId}` }),
          Promise.all(revision.contents.topics.map(async ({ id, href }) => ({ ...(await revision.topic(id)), href }))),
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
          present: (id) => renamed.get(id) ?? id,
          former: (id) => (former.get(id) ?? []).map(({ from }) => from),
          source: ({ sourceId }) => sources.get(sourceId) ?? sources.get(renamedSources.get(sourceId) ?? "") ?? null,
          passages: (sourceId) => bySource.get(sourceId) ?? [],
          digest: (sourceId) => digests.get(sourceId),
          hrefOfBlock: (blockId) => byEntity.get(blockId)?.href,
        };
      });
    },
  };
}
