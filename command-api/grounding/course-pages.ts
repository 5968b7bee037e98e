import { boundedCache } from "@colloquy/infra/bounded-cache.ts";
import { limitConcurrency } from "@colloquy/infra/limit-concurrency.ts";
import { readManifest, readUnit } from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import type { Topic } from "@colloquy/schemas/courses/authored.ts";
import type { RevisionManifest, Source } from "@colloquy/schemas/courses/revision.ts";
import { type PageText, pageText } from "./page-text.ts";

/** The pages of live revisions as a model reads them. */
export interface CoursePages {
  /** The titles and languages (BCP 47, without regions) of these courses, or of all courses if none are named. */
  described(courseIds: readonly string[]): Promise<{ titles: string[]; languages: string[] }>;
  /** The page (a topic, a collection or a course by itself) that a place belongs to; null if it is no longer live. */
  pageOf(place: { courseId: string; revisionId: string; source: Pick<Source, "href"> }): Promise<PageText | null>;
}

/** The address of the page that a place belongs to. */
export const pageHrefOf = ({ href }: Pick<Source, "href">): string => href.split("#")[0] ?? href;

/** Pages and manifests in memory; a page takes some 50 kB. */
const cached = { pages: 400, manifests: 20 };

/** Reads pages by their passages in the library and their authored text in the object store. */
export function openCoursePages({
  objectStore,
  library,
  catalogue,
  log,
}: {
  objectStore: ObjectStore;
  catalogue: Pick<CourseCatalogue, "list">;
  library: Pick<PassageLibrary, "resolve">;
  log?: Pick<Logger, "warn">;
}): CoursePages {
  const manifests = boundedCache<RevisionManifest>(cached.manifests);
  const pages = boundedCache<PageText | null>(cached.pages);
  /** Pages are made one at a time, because several would share the turns of the event loop. */
  const make = limitConcurrency(1);

  /** The authored text; null if the store lost it: the passages still have its words. */
  async function authored(courseId: string, revisionId: string, topicId: string): Promise<Topic | null> {
    try {
      const manifest = await manifests(`${courseId} ${revisionId}`, () => readManifest(objectStore, courseId, revisionId));
      const found = manifest.topics.find(({ id }) => id === topicId);
      const unit = found && (await readUnit(objectStore, courseId, found.unit));
      return unit?.kind === "topic" ? unit.topic : null;
    } catch (error) {
      log?.warn({ err: error, courseId, revisionId, topicId }, "a page's authored text cannot be read");
      return null;
    }
  }

  return {
    async described(courseIds) {
      const listings = (await catalogue.list()).filter(({ courseId }) => courseIds.length === 0 || courseIds.includes(courseId));
      return {
        titles: listings.map(({ title }) => title),
        languages: [...new Set(listings.map(({ language }) => language.split("-", 1)[0] ?? language))],
      };
    },

    pageOf({ courseId, revisionId, source: { href } }) {
      const address = pageHrefOf({ href });
      return pages(`${courseId} ${revisionId} ${address}`, async () => {
        const place = await library.resolve({ href: address });
        if (place?.revisionId !== revisionId || place.source.href !== address) return null;
        const own = place.passages.filter(({ source }) => pageHrefOf(source) === address);
        const topic = place.source.topicId === null ? null : await authored(courseId, revisionId, place.source.topicId);
        return own.length > 0 ? make(() => pageText(place.source, topic, own)) : null;
      });
    },
  };
}
