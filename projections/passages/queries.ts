import { DamagedRevision, readIdentity, readSearchIndex } from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { ReferenceResult } from "@colloquy/schemas/ask/references.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { CourseListing, IdentityIndex, SearchIndex, Source } from "@colloquy/schemas/courses/revision.ts";
import type { CourseCatalogue } from "../courses/queries.ts";
import { createPassageIndex, type PassageIndex, type RankedPassage } from "./passage-index.ts";
import { createReferenceSearch, type ReferenceSearch } from "./reference-search.ts";

export type { RankedPassage } from "./passage-index.ts";
export { type RevisionChanges, revisionChanges } from "./revision-changes.ts";
export { derivedObjectiveId, sourceDigests, sourceIdOf } from "./source-identity.ts";
export { languageOf, queryTerms, termsOf } from "./tokens.ts";

export interface ResolvedReference {
  source: Source;
  courseId: string;
  revisionId: string;
  /** Every passage under the place, in reading order. */
  passages: RankedPassage[];
}

export interface PassageLibrary {
  /** The passages that fit a question best, best first, of the live revisions. */
  search(query: string, options?: { courseIds?: string[]; limit?: number }): Promise<RankedPassage[]>;
  /** Places by name, while somebody types; for an empty query the recently published courses and their first topics. */
  references(query: string): Promise<ReferenceResult[]>;
  /**
   * Where a reference leads in the live revisions: by its address (anchors of blocks count, other anchors lead to their topic,
   * the query does not count, addresses that moved are followed), else by its source id. Null when it leads nowhere.
   */
  resolve(reference: { href: string; sourceId?: string; revisionId?: string }): Promise<ResolvedReference | null>;
}

interface Options {
  objectStore: Pick<ObjectStore, "get" | "put" | "list" | "stream" | "remove">;
  catalogue: CourseCatalogue;
  /** The site's own address: whole addresses that begin with it are resolved like paths. */
  publicUrl?: string;
  /** Told of a revision that cannot be read, at each try; the other courses go on. */
  onDamaged?: (courseId: string, error: unknown) => void;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

/** A live revision, opened. */
interface Opened {
  listing: CourseListing;
  index: SearchIndex;
  references: ReferenceSearch;
  byHref: Map<string, Source>;
  byEntityId: Map<string, Source>;
  bySourceId: Map<string, Source>;
  identity: () => Promise<IdentityIndex>;
}

/** A revision that could not be opened. */
interface Failed {
  revisionId: string;
  times: number;
  /** By `now`. */
  notBefore: number;
}

/** How long a revision that cannot be read is left alone; doubles with each try. */
const retryMs = { first: 1_000, longest: 300_000 };
const defaultLimit = 20;
/** Topics shown of each course before anything is typed. */
const firstTopics = 3;

/** Opens the search indexes of live revisions when they are first asked for, and anew when a course is published. */
export function openPassageLibrary(options: Options): PassageLibrary {
  const { objectStore, catalogue, publicUrl, onDamaged, now = () => performance.now() } = options;
  const opened = new Map<string, Opened>();
  const failed = new Map<string, Failed>();
  const indexes = new Map<string, PassageIndex>();
  const indexOf = (language: string): PassageIndex => {
    const base = language.split("-", 1)[0] ?? language;
    const index = indexes.get(base) ?? createPassageIndex(base);
    indexes.set(base, index);
    return index;
  };

  async function open(listing: CourseListing): Promise<void> {
    const { courseId, revisionId } = listing;
    const before = opened.get(courseId);
    const index = await readSearchIndex(objectStore, courseId, revisionId);
    if (index.courseId !== courseId || index.revisionId !== revisionId)
      throw new DamagedRevision(`The search index of ${courseId} is another's`);
    await indexOf(index.language).add(index);
    let identity: Promise<IdentityIndex> | undefined;
    opened.set(courseId, {
      listing,
      index,
      references: createReferenceSearch(index),
      byHref: new Map(index.sources.map((source) => [source.href, source])),
      byEntityId: new Map(index.sources.map((source) => [source.entityId, source])),
      bySourceId: new Map(index.sources.map((source) => [source.sourceId, source])),
      identity: () => {
        identity ??= readIdentity(objectStore, courseId, revisionId);
        return identity;
      },
    });
    if (before) indexOf(before.index.language).remove(courseId, before.listing.revisionId);
  }

  let refreshing: Promise<void> = Promise.resolve();
  /** Brings what is opened up to date with the catalogue; one at a time. */
  function refresh(): Promise<void> {
    refreshing = refreshing
      .catch(() => undefined)
      .then(async () => {
        const listings = await catalogue.list();
        for (const listing of listings) {
          const { courseId, revisionId } = listing;
          if (opened.get(courseId)?.listing.revisionId === revisionId) continue;
          const before = failed.get(courseId);
          const times = before?.revisionId === revisionId ? before.times : 0;
          if (before && times > 0 && now() < before.notBefore) continue;
          try {
            await open(listing);
            failed.delete(courseId);
          } catch (error) {
            failed.set(courseId, {
              revisionId,
              times: times + 1,
              notBefore: now() + Math.min(retryMs.first * 2 ** times, retryMs.longest),
            });
            onDamaged?.(courseId, error);
          }
        }
      });
    return refreshing;
  }

  function findInPath(path: string, anchor: string): { course: Opened; source: Source } | null {
    const course = opened.get(/^\/courses\/([^/]+)/.exec(path)?.[1] ?? "");
    const source = course && ((anchor && course.byHref.get(`${path}#${anchor}`)) || course.byHref.get(path));
    return course && source ? { course, source } : null;
  }

  /** Where a path leads that is live no more: aliases for what moved, renames for blocks that got other ids; a block may stand on another page. */
  async function findMoved(path: string, anchor: string): Promise<{ course: Opened; source: Source } | null> {
    const [, courseId = "", rest = ""] = /^\/courses\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
    const course = opened.get(courseId);
    if (!course) return null;
    const identity = await course.identity();
    const present = (id: string): string => identity.renames.find((rename) => rename.from === id)?.to ?? id;
    const block = anchor ? course.byEntityId.get(present(anchor)) : undefined;
    if (block?.kind === "block") return { course, source: block };
    const target = identity.aliases.find((alias) => alias.from === rest)?.to;
    const place = course.byHref.get(path) ?? (target === undefined ? undefined : course.byEntityId.get(present(target)));
    return place ? { course, source: place } : null;
  }

  async function find(reference: { href: string; sourceId?: string }): Promise<{ course: Opened; source: Source } | null> {
    const address = pathOf(reference.href, publicUrl);
    if (address) {
      const found = findInPath(address.path, address.anchor);
      const isExact = found && (!address.anchor || found.source.href.endsWith(`#${address.anchor}`));
      if (isExact) return found;
      const moved = await findMoved(address.path, address.anchor);
      if (moved) return moved;
      if (found) return found;
    }
    if (reference.sourceId !== undefined)
      for (const course of opened.values()) {
        const source = course.bySourceId.get(reference.sourceId);
        if (source) return { course, source };
      }
    return null;
  }

  function search(query: string, courseIds: string[] | undefined, limit: number): RankedPassage[] {
    const among = courseIds && new Set(courseIds);
    const accept = (courseId: string, revisionId: string): boolean =>
      opened.get(courseId)?.listing.revisionId === revisionId && (!among || among.has(courseId));
    const found = [...indexes.values()].flatMap((index) => index.search(query, accept, limit));
    return indexes.size > 1 ? found.sort((a, b) => b.score - a.score).slice(0, limit) : found;
  }

  /** Every course in turn, newest first: the courses, then the first page of each, then the second, so that none takes all the places. */
  function startingPoints(): ReferenceResult[] {
    const ofCourses = [...opened.values()]
      .sort((a, b) => (a.listing.publishedAt < b.listing.publishedAt ? 1 : -1))
      .map(({ index, references }) => {
        const topics = index.sources.filter((source) => source.kind === "topic").slice(0, firstTopics);
        return [...index.sources.filter((source) => source.kind === "course"), ...topics].map(references.resultOf);
      });
    const inTurn = Array.from({ length: firstTopics + 1 }, (_, turn) => ofCourses.flatMap((places) => places[turn] ?? []));
    return inTurn.flat().slice(0, bounds.references.results);
  }

  return {
    async search(query, { courseIds, limit = defaultLimit } = {}) {
      await refresh();
      return search(query, courseIds, limit);
    },

    async references(query) {
      await refresh();
      if (query.trim() === "") return startingPoints();
      const byName = [...opened.values()]
        .flatMap(({ references }) => references.search(query).map(({ source, score }) => ({ score, result: references.resultOf(source) })))
        .sort((a, b) => b.score - a.score)
        .map(({ result }) => result);
      const results = new Map(byName.slice(0, bounds.references.results).map((result) => [result.sourceId, result]));
      for (const passage of search(query, undefined, bounds.references.results)) {
        if (results.size >= bounds.references.results) break;
        const course = opened.get(passage.courseId);
        if (course && !results.has(passage.sourceId)) results.set(passage.sourceId, course.references.resultOf(passage.source));
      }
      return [...results.values()];
    },

    async resolve(reference) {
      await refresh();
      const found = await find(reference);
      if (!found) return null;
      const { source, course } = found;
      const { courseId, revisionId } = course.index;
      return { source, courseId, revisionId, passages: passagesUnder(course, source) };
    },
  };
}

function passagesUnder({ index, bySourceId }: Opened, place: Source): RankedPassage[] {
  const { courseId, revisionId } = index;
  return index.passages.flatMap((passage) => {
    const source = bySourceId.get(passage.sourceId);
    const within =
      source && (source.href === place.href || source.href.startsWith(`${place.href}/`) || source.href.startsWith(`${place.href}#`));
    return within ? [{ ...passage, source, courseId, revisionId, score: 0 }] : [];
  });
}

/** The path and anchor of an address of our own site; null for any other address. */
function pathOf(href: string, publicUrl: string | undefined): { path: string; anchor: string } | null {
  const base = publicUrl ?? "http://own.invalid";
  if (!URL.canParse(href, base)) return null;
  const url = new URL(href, base);
  if (url.origin !== new URL(base).origin) return null;
  try {
    const path = decodeURIComponent(url.pathname).replace(/\/+$/, "");
    return { path, anchor: decodeURIComponent(url.hash.slice(1)) };
  } catch {
    return null;
  }
}
