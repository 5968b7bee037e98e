import { DamagedRevision, readIdentity, readSearchIndex } from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { passageSearches } from "@colloquy/infra/telemetry/metrics.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { passagesForLearners } from "@colloquy/schemas/courses/audience.ts";
import type { CourseListing, IdentityIndex, SearchIndex, Source } from "@colloquy/schemas/courses/revision.ts";
import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";
import type { CourseCatalogue } from "../courses/queries.ts";
import { createPassageIndex, type PassageIndex, partsOf, type SearchQuery } from "./passage-index.ts";
import { type RankedPassage, rank } from "./ranking.ts";
import { createReferenceSearch, type ReferenceSearch } from "./reference-search.ts";
import type { MeaningSearch, VectorTarget } from "./vectors/meaning.ts";
import type { QuestionVector } from "./vectors/question.ts";

export type { SearchQuery, WeightedQuery } from "./passage-index.ts";
export type { RankedPassage } from "./ranking.ts";
export { type RevisionChanges, revisionChanges } from "./revision-changes.ts";
export { derivedObjectiveId, sourceDigests, sourceIdOf } from "./source-identity.ts";
export { languageOf, queryTerms, termsOf } from "./tokens.ts";
export { meaningSearch, measureVectors } from "./vectors/meaning.ts";
export { shippedVectors } from "./vectors/shipped-vectors.ts";

export interface ResolvedReference {
  source: Source;
  courseId: string;
  revisionId: string;
  /** Every passage of the place, in reading order. */
  passages: RankedPassage[];
}

export interface PassageLibrary {
  /** The passages of the live revisions that match a question best, best first. */
  search(query: SearchQuery, options?: { courseIds?: string[]; limit?: number }): Promise<RankedPassage[]>;
  /** How close titles in a language are to a question in meaning, as `MeaningSearch.closeness`. */
  closeness: MeaningSearch["closeness"];
  /** Places by name, as the user types; for an empty query the recently published courses and their first topics. */
  references(query: string): Promise<ReferenceResult[]>;
  /**
   * Resolves a reference in the live revisions by its address (an anchor of a block leads to the block, any other anchor to its topic, the
   * query is ignored, moved addresses are followed), otherwise by its source id. Null if there is no such place.
   */
  resolve(reference: { href: string; sourceId?: string; revisionId?: string }): Promise<ResolvedReference | null>;
}

interface Options {
  objectStore: Pick<ObjectStore, "get" | "put" | "list" | "stream" | "remove">;
  catalogue: CourseCatalogue;
  /** The site's own address: absolute addresses that begin with it are resolved like paths. */
  publicUrl?: string;
  /** Embeds what is searched for; null means a search by words. Without it, every search is by words. */
  embedQuestion?: MeaningSearch["embedQuestion"];
  closeness?: MeaningSearch["closeness"];
  /** Called at each failed attempt to read a revision; other courses are not affected. */
  onDamaged?: (courseId: string, error: unknown) => void;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/** A live revision whose search index is loaded. */
interface OpenRevision {
  listing: CourseListing;
  index: SearchIndex;
  references: ReferenceSearch;
  byHref: Map<string, Source>;
  byEntityId: Map<string, Source>;
  bySourceId: Map<string, Source>;
  identity: () => Promise<IdentityIndex>;
}

/** A revision that could not be loaded. */
interface FailedRevision {
  revisionId: string;
  attempts: number;
  /** Time of the next attempt, by `now`. */
  notBefore: number;
}

/** Pause before an unreadable revision is read again; doubles with each attempt. */
const retryMs = { first: 1_000, longest: 300_000 };
const defaultLimit = 20;
/** Topics of each course that are suggested before anything is typed. */
const firstTopics = 3;

/** Loads the search indexes of live revisions at the first search, and again after a publication. */
export function openPassageLibrary(options: Options): PassageLibrary & VectorTarget {
  const { objectStore, catalogue, publicUrl, onDamaged, now = () => performance.now() } = options;
  const { embedQuestion = async () => null, closeness = async () => null } = options;
  const opened = new Map<string, OpenRevision>();
  const failed = new Map<string, FailedRevision>();
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
    const index = passagesForLearners(await readSearchIndex(objectStore, courseId, revisionId));
    if (index.courseId !== courseId || index.revisionId !== revisionId)
      throw new DamagedRevision(`The search index of ${courseId} belongs to another revision`);
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
  /** Loads revisions that are new in the catalogue; one refresh at a time. */
  function refresh(): Promise<void> {
    refreshing = refreshing
      .catch(() => undefined)
      .then(async () => {
        const listings = await catalogue.list();
        for (const listing of listings) {
          const { courseId, revisionId } = listing;
          if (opened.get(courseId)?.listing.revisionId === revisionId) continue;
          const before = failed.get(courseId);
          const attempts = before?.revisionId === revisionId ? before.attempts : 0;
          if (before && attempts > 0 && now() < before.notBefore) continue;
          try {
            await open(listing);
            failed.delete(courseId);
          } catch (error) {
            failed.set(courseId, {
              revisionId,
              attempts: attempts + 1,
              notBefore: now() + Math.min(retryMs.first * 2 ** attempts, retryMs.longest),
            });
            onDamaged?.(courseId, error);
          }
        }
      });
    return refreshing;
  }

  function findInPath(path: string, anchor: string): { course: OpenRevision; source: Source } | null {
    const course = opened.get(/^\/courses\/([^/]+)/.exec(path)?.[1] ?? "");
    const source = course && ((anchor && course.byHref.get(`${path}#${anchor}`)) || course.byHref.get(path));
    return course && source ? { course, source } : null;
  }

  /** Resolves a path that is no longer live by aliases of moved pages and renames of blocks; a block may be on another page now. */
  async function findMoved(path: string, anchor: string): Promise<{ course: OpenRevision; source: Source } | null> {
    const [, courseId = "", rest = ""] = /^\/courses\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
    const course = opened.get(courseId);
    if (!course) return null;
    const identity = await course.identity();
    const currentId = (id: string): string => identity.renames.find((rename) => rename.from === id)?.to ?? id;
    const block = anchor ? course.byEntityId.get(currentId(anchor)) : undefined;
    if (block?.kind === "block") return { course, source: block };
    const target = identity.aliases.find((alias) => alias.from === rest)?.to;
    const place = course.byHref.get(path) ?? (target === undefined ? undefined : course.byEntityId.get(currentId(target)));
    return place ? { course, source: place } : null;
  }

  async function find(reference: { href: string; sourceId?: string }): Promise<{ course: OpenRevision; source: Source } | null> {
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

  function search(query: SearchQuery, courseIds: string[] | undefined, limit: number, question: QuestionVector | null): RankedPassage[] {
    const among = courseIds && new Set(courseIds);
    const accept = (courseId: string, revisionId: string): boolean =>
      opened.get(courseId)?.listing.revisionId === revisionId && (!among || among.has(courseId));
    const found = [...indexes.values()].flatMap((index) => index.candidates(query, accept, question));
    return rank(found, limit, question);
  }

  /** Round-robin over the courses, newest first: the courses, then the first topic of each, then the second. */
  function suggestions(): ReferenceResult[] {
    const placesByCourse = [...opened.values()]
      .sort((a, b) => (a.listing.publishedAt < b.listing.publishedAt ? 1 : -1))
      .map(({ index, references }) => {
        const topics = index.sources.filter(({ kind, audience }) => kind === "topic" && audience === undefined).slice(0, firstTopics);
        return [...index.sources.filter((source) => source.kind === "course"), ...topics].map(references.resultOf);
      });
    const roundRobin = Array.from({ length: firstTopics + 1 }, (_, turn) => placesByCourse.flatMap((places) => places[turn] ?? []));
    return roundRobin.flat().slice(0, bounds.references.results);
  }

  return {
    async search(query, { courseIds, limit = defaultLimit } = {}) {
      const began = performance.now();
      const [question] = await Promise.all([embedQuestion(partsOf(query)), refresh()]);
      const found = search(query, courseIds, limit, question);
      passageSearches.observe({ by: question ? "meaning" : "words" }, (performance.now() - began) / 1_000);
      return found;
    },

    closeness,

    async references(query) {
      await refresh();
      if (query.trim() === "") return suggestions();
      const byName = [...opened.values()]
        .flatMap(({ references }) => references.search(query).map(({ source, score }) => ({ score, result: references.resultOf(source) })))
        .sort((a, b) => b.score - a.score)
        .map(({ result }) => result);
      const results = new Map(byName.slice(0, bounds.references.results).map((result) => [result.sourceId, result]));
      for (const passage of search(query, undefined, bounds.references.results, null)) {
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

    async liveIndexes() {
      await refresh();
      return [...opened.values()].map(({ index }) => index);
    },

    setVectors(revision, made, vectors) {
      indexOf(revision.language).setVectors(revision.courseId, revision.revisionId, made, vectors);
    },

    clearVectors() {
      for (const index of indexes.values()) index.clearVectors();
    },
  };
}

function passagesUnder({ index, bySourceId }: OpenRevision, place: Source): RankedPassage[] {
  const { courseId, revisionId } = index;
  return index.passages.flatMap((passage) => {
    const source = bySourceId.get(passage.sourceId);
    const within =
      source && (source.href === place.href || source.href.startsWith(`${place.href}/`) || source.href.startsWith(`${place.href}#`));
    return within ? [{ ...passage, source, courseId, revisionId, score: 0 }] : [];
  });
}

/** Path and anchor of an address of this site; null for any other address. */
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
