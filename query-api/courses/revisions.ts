import { boundedCache } from "@colloquy/infra/bounded-cache.ts";
import { courseKeys, DamagedRevision, readIdentity, readManifest, readUnit } from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import { type Account, isOwner } from "@colloquy/schemas/accounts/account.ts";
import { instructorsPlaces, isBankQuestion, isForInstructors } from "@colloquy/schemas/courses/audience.ts";
import type { Asset, Topic } from "@colloquy/schemas/courses/authored.ts";
import type { CourseListing, RevisionManifest } from "@colloquy/schemas/courses/revision.ts";
import { type Contents, contentsOf } from "./contents.ts";

/** A published revision; its parts are read on demand. */
export interface CourseRevision {
  listing: CourseListing;
  /** "learners": without what is for instructors. */
  audience: "everyone" | "learners";
  manifest: RevisionManifest;
  contents: Contents;
  assets: Map<string, Asset>;
  topic(id: string): Promise<Topic>;
  /** Moved addresses, and renamed and deleted ids. */
  identity(): Promise<Identity>;
  /** The bytes of a file of the course; null if there is none of that hash. */
  asset(sha256: string): Promise<Uint8Array | null>;
  /** Whether a topic or collection is for instructors. */
  isForInstructors(id: string): boolean;
  /** The revision as learners read it: without collections, topics and blocks for instructors, and without questions of the bank. */
  forLearners(): CourseRevision;
}

export interface Identity {
  /** Former addresses: from a path to the id of what was there. */
  aliases: ReadonlyMap<string, string>;
  /** Renames, from a former id to the current one. */
  renames: readonly { from: string; to: string }[];
  /** Deleted ids, without renamed ones. */
  deleted: readonly string[];
  /** The topic of each block and objective that there is or was. */
  topicOf: ReadonlyMap<string, string>;
}

export interface CourseRevisions {
  /** The live revision of a course; null if there is no such course. */
  live(courseId: string): Promise<CourseRevision | null>;
  /** A revision that was published before another one of its course; null if there is none. */
  earlier(of: CourseRevision, revisionId: string): Promise<CourseRevision | null>;
}

/** A revision as an account may read it: owners read what is for instructors, too. */
export const readableBy = (account: Pick<Account, "roles"> | null | undefined, revision: CourseRevision): CourseRevision =>
  isOwner(account) ? revision : revision.forLearners();

/** Published courses from the object store. Revisions and units are immutable and therefore cached. */
export function courseRevisions({ catalogue, objectStore }: { catalogue: CourseCatalogue; objectStore: ObjectStore }): CourseRevisions {
  const manifests = boundedCache<RevisionManifest>(60);
  const units = boundedCache<Topic>(600);
  const identities = boundedCache<Identity>(60);

  async function open(listing: CourseListing): Promise<CourseRevision> {
    const { courseId, revisionId } = listing;
    const manifest = await manifests(`${courseId} ${revisionId}`, () => readManifest(objectStore, courseId, revisionId));
    const unitOf = new Map(manifest.topics.map(({ id, unit }) => [id, unit]));
    const forInstructors = instructorsPlaces(manifest);
    const revision: CourseRevision = {
      listing: { ...listing, sequence: manifest.sequence },
      audience: "everyone",
      isForInstructors: (id) => forInstructors.has(id),
      forLearners: () => ({
        ...revision,
        audience: "learners",
        contents: contentsOf(manifest, forInstructors),
        topic: async (id) => {
          const topic = await revision.topic(id);
          return { ...topic, blocks: topic.blocks.filter((block) => !isForInstructors(block) && !isBankQuestion(block)) };
        },
      }),
      manifest,
      contents: contentsOf(manifest),
      assets: new Map(manifest.assets.map((asset) => [asset.path, asset])),
      topic: (id) =>
        units(`${courseId} ${unitOf.get(id)}`, async () => {
          const unit = await readUnit(objectStore, courseId, unitOf.get(id) ?? "");
          if (unit.kind !== "topic") throw new DamagedRevision(`The unit of topic ${id} holds a collection`);
          return unit.topic;
        }),
      identity: () =>
        identities(`${courseId} ${revisionId}`, async () => {
          const { entries, aliases, renames } = await readIdentity(objectStore, courseId, revisionId);
          const renamed = new Set(renames.map(({ from }) => from));
          const deleted = entries.filter(({ id, state }) => state === "tombstone" && !renamed.has(id)).map((entry) => entry.id);
          const parents = entries.flatMap(({ id, parent }) => (parent === null ? [] : [[id, parent] as const]));
          return { aliases: new Map(aliases.map(({ from, to }) => [from, to])), renames, deleted, topicOf: new Map(parents) };
        }),
      asset: async (sha256) => (await objectStore.get(courseKeys.asset(courseId, sha256)))?.bytes ?? null,
    };
    return revision;
  }

  return {
    async live(courseId) {
      const listing = await catalogue.get(courseId);
      return listing && open(listing);
    },
    async earlier({ listing }, revisionId) {
      try {
        return await open({ ...listing, revisionId });
      } catch (error) {
        // Nobody but whoever made up an address asks for a revision that never was.
        if (error instanceof DamagedRevision) return null;
        throw error;
      }
    },
  };
}
