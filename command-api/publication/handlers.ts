import { type EventStore, eventIdFrom } from "@colloquy/infra/event-store/client.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import {
  assertRevisionComplete,
  courseKeys,
  DamagedRevision,
  readManifest,
  readPointer,
} from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { Asset, AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { inReadingOrder } from "@colloquy/schemas/courses/order.ts";
import { remark } from "@colloquy/schemas/courses/remarks.ts";
import type { CourseOrigin, IdentityIndex, LivePointer, RevisionManifest } from "@colloquy/schemas/courses/revision.ts";
import { validateCourse } from "@colloquy/schemas/courses/validate.ts";
import type { FieldError } from "@colloquy/schemas/errors.ts";
import { publicationEvents, publicationStream } from "@colloquy/schemas/publication/events.ts";
import { commandHandler, unlessRejected } from "../command-handler.ts";
import { checkAsset } from "./assets.ts";
import { bytesOf, type CourseContent, contentOf, revisionIdOf } from "./content.ts";
import { type PublicationState, type PublishCommand, type Published, publicationDecider, settledBy } from "./decider.ts";
import { type Before, checkIdentityChanges, type IdentityChanges, nextIdentity } from "./identity-index.ts";
import { factsOf, historyOf, type PublishedAt, readBefore, readRemains, readRevision, type WrittenRevision } from "./revisions.ts";
import { buildSearchIndex } from "./search-index.ts";

export interface PublishRequest extends Partial<IdentityChanges> {
  courseId: string;
  course: unknown;
  /** The revision that the author edited; null for a course that was never published. */
  base: { sequence: number; revisionId: string } | null;
  requestId: string;
  /** Of the HTTP request, if there was one. */
  correlationId?: string;
  accountId: string;
  origin: CourseOrigin;
  /** The bytes of an asset that the object store may not have yet; null if they were uploaded before. */
  readAsset: (asset: Asset) => Promise<Uint8Array | null>;
}

export interface PublishResult {
  sequence: number;
  revisionId: string;
  position: string;
  /** False if the same content was published already. */
  changed: boolean;
  /** How many lost objects of that content were written again. */
  restored: number;
}

export interface Publication {
  /**
   * Publishes a whole course: its objects first, then the event (the commit), then the pointer.
   * @throws {ProblemError} `course_invalid` with every field that is wrong, `stale_base`, `request_id_reused`, `course_not_editable`.
   */
  publishCourse(request: PublishRequest): Promise<PublishResult>;
  /** The live revision's event; null for a course that was never published. */
  live(courseId: string): Promise<Published | null>;
  /** The live revision as it was authored; null for a course that was never published or whose objects are lost. */
  readLive(courseId: string): Promise<WrittenRevision | null>;
  /** The ids of the live revision, as far as its objects are left; null for a course that was never published. */
  readRemains(courseId: string): Promise<AuthoredCourse | null>;
  /** The courses that have a live revision. */
  courseIds(): Promise<string[]>;
  /** Every revision, the first one first. */
  history(courseId: string): Promise<PublishedAt[]>;
  /** A published revision as it was authored; null if its objects are lost. */
  read(revision: Published): Promise<WrittenRevision | null>;
  /** Whether objects of the live revision are missing, for example after an incomplete restore. */
  isDamaged(courseId: string): Promise<boolean>;
  /** Moves the pointer to the last published revision, after a crash between event and pointer. */
  repairPointer(courseId: string): Promise<void>;
  /** Moves the pointer to a published revision, unless it is at that or a later one. */
  advancePointer(revision: Omit<LivePointer, "schemaVersion">): Promise<void>;
}

/** Bounds of the cache: courses, and their revisions together. */
const cache = { streams: 500, size: { most: 50_000, of: ({ live }: PublicationState) => live?.sequence ?? 0 } };
/** Objects of a revision that are written at the same time. */
const writesAtOnce = 16;
/** Attempts to move the pointer. It only moves forward, so each failed attempt means that another process moved it. */
const pointerAttempts = 20;

export function createPublication({ eventStore, objectStore }: { eventStore: EventStore; objectStore: ObjectStore }): Publication {
  const courses = commandHandler({
    store: eventStore,
    category: "publication",
    stream: publicationStream,
    decider: publicationDecider,
    events: publicationEvents,
    eventId: ({ id, command }) => eventIdFrom("publish", id, command.requestId),
    cache,
  });

  async function publishCourse(request: PublishRequest): Promise<PublishResult> {
    const course = validated(request);
    const content = contentOf(course, request.origin);
    const { courseId, requestId } = request;
    const { state, appended } = await courses.handleWith(courseId, request, async ({ state }) => {
      const before = state.live && (await readBefore(objectStore, state.live));
      const lost = state.live !== null && before === null;
      if (unlessRejected(settledBy({ requestId, contentHash: content.contentHash, lost }, state))) return null;
      const prepared = prepare(request, course, content, { live: state.live, before });
      // Nothing is written for a command that is rejected.
      unlessRejected(publicationDecider.decide(prepared.command, state));
      if (prepared.wrong.length > 0) throw new ProblemError("course_invalid", { fields: prepared.wrong });
      // Before the event is appended, so that a published revision always has its objects.
      await writeObjects(request, course, content, prepared, before?.assets ?? new Set());
      return prepared.command;
    });
    const settled = unlessRejected(settledBy({ requestId, contentHash: content.contentHash }, state));
    if (!state.live || !settled) throw new ProblemError("unavailable");
    const changed = appended.length > 0;
    const restored = changed ? 0 : await restoreObjects(request, course, content);
    // The live revision may be newer than the one that answers a repeated request.
    await movePointer(state.live);
    const { sequence, revisionId, position } = settled;
    return { sequence, revisionId, position, changed, restored };
  }

  /** Objects are named by their content, so an existing one is the same. */
  async function create(key: string, bytes: Uint8Array): Promise<void> {
    await objectStore.put(key, bytes, { ifNoneMatch: true });
  }

  /** Writes missing objects of published content again, comparing names only. @returns how many objects */
  async function restoreObjects({ courseId, readAsset }: PublishRequest, course: AuthoredCourse, content: CourseContent): Promise<number> {
    const present = new Set(await namesOf(courseId));
    const units = [...content.units].filter(([sha256]) => !present.has(courseKeys.unit(courseId, sha256)));
    await forEachConcurrently(units, ([sha256, bytes]) => create(courseKeys.unit(courseId, sha256), bytes));
    let restored = units.length;
    await forEachConcurrently(course.assets, async (asset) => {
      const key = courseKeys.asset(courseId, asset.sha256);
      if (present.has(key)) return;
      const given = await readAsset(asset);
      if (!given || checkAsset(asset, given)) return;
      await create(key, given);
      restored += 1;
    });
    return restored;
  }

  /** The units and assets of a course that the store has. */
  async function namesOf(courseId: string): Promise<string[]> {
    const lists = [courseKeys.units(courseId), courseKeys.assets(courseId)].map((prefix) => Array.fromAsync(objectStore.list(prefix)));
    return (await Promise.all(lists)).flat();
  }

  async function writeObjects(
    request: PublishRequest,
    course: AuthoredCourse,
    content: CourseContent,
    { manifest, identity, command: { revisionId } }: Prepared,
    kept: ReadonlySet<string>,
  ): Promise<void> {
    const { courseId } = request;
    const fields: FieldError[] = [];
    // Errors name the place in the course as it was sent, whose files may be in another order.
    const sent = (request.course as AuthoredCourse).assets.map(({ path }) => path);
    await forEachConcurrently(course.assets, async (asset) => {
      if (kept.has(factsOf(asset))) return;
      const key = courseKeys.asset(courseId, asset.sha256);
      const given = await request.readAsset(asset);
      const bytes = given ?? (await objectStore.get(key))?.bytes;
      const path = `assets.${sent.indexOf(asset.path)}`;
      const wrong = bytes && checkAsset(asset, bytes);
      if (!bytes) fields.push({ path, ...remark("file-lost", { path: asset.path }) });
      else if (wrong) fields.push({ path, ...remark("file-lost", { path: asset.path }), message: `${asset.path}: ${wrong}` });
      else if (given) await create(key, given);
    });
    if (fields.length > 0) throw new ProblemError("course_invalid", { fields });
    await forEachConcurrently(content.units, ([sha256, bytes]) => create(courseKeys.unit(courseId, sha256), bytes));
    await create(courseKeys.identity(courseId, revisionId), bytesOf(identity));
    await create(courseKeys.search(courseId, revisionId), bytesOf(buildSearchIndex(course, revisionId)));
    await create(courseKeys.manifest(courseId, revisionId), bytesOf(manifest));
  }

  /** Never moves the pointer back. */
  async function movePointer({ courseId, sequence, revisionId }: Omit<LivePointer, "schemaVersion">): Promise<void> {
    const bytes = bytesOf({ schemaVersion: 1, courseId, sequence, revisionId } satisfies LivePointer);
    for (let tries = 0; tries < pointerAttempts; tries += 1) {
      const found = await readPointer(objectStore, courseId);
      if (found && found.value.sequence >= sequence) return;
      const moved = await objectStore.put(courseKeys.pointer(courseId), bytes, found ? { ifMatch: found.etag } : { ifNoneMatch: true });
      if (moved.ok) return;
    }
    throw new ProblemError("unavailable", {
      detail: "The course is published, but readers do not see it yet. Send the same request again.",
    });
  }

  return {
    publishCourse,
    advancePointer: movePointer,
    live: async (courseId) => (await courses.load(courseId)).state.live,
    async readLive(courseId) {
      const { state } = await courses.load(courseId);
      return state.live && readRevision(objectStore, state.live);
    },
    async readRemains(courseId) {
      const { state } = await courses.load(courseId);
      return state.live && readRemains(objectStore, state.live);
    },
    async courseIds() {
      const ids: string[] = [];
      for await (const key of objectStore.list("courses/")) {
        const [, courseId] = /^courses\/([^/]+)\/live\.json$/.exec(key) ?? [];
        if (courseId !== undefined) ids.push(courseId);
      }
      return ids;
    },
    history: (courseId) => historyOf(eventStore, courseId),
    read: (revision) => readRevision(objectStore, revision),
    async isDamaged(courseId) {
      const { live } = (await courses.load(courseId)).state;
      if (!live) return false;
      try {
        await assertRevisionComplete(objectStore, courseId, live.revisionId);
        const { topics, collections } = await readManifest(objectStore, courseId, live.revisionId);
        const present = new Set(await namesOf(courseId));
        return [...topics, ...collections].some(({ unit }) => !present.has(courseKeys.unit(courseId, unit)));
      } catch (error) {
        if (error instanceof DamagedRevision) return true;
        throw error;
      }
    },
    async repairPointer(courseId) {
      const { state } = await courses.load(courseId);
      if (state.live) await movePointer(state.live);
    },
  };
}

/** Works on several items at a time, because an object store answers many requests as fast as one. The first failure ends it. */
async function forEachConcurrently<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: writesAtOnce }, worker));
}

interface Prepared {
  manifest: RevisionManifest;
  identity: IdentityIndex;
  /** Invalid renames and aliases. */
  wrong: FieldError[];
  command: PublishCommand;
}

/** What follows from a course and the revision before it; nothing is written. `before` is null if its objects are lost. */
function prepare(
  request: PublishRequest,
  course: AuthoredCourse,
  content: CourseContent,
  { live, before }: { live: Published | null; before: Before | null },
): Prepared {
  const changes: IdentityChanges = { renamedIds: request.renamedIds ?? [], aliases: request.aliases ?? [] };
  const sequence = (live?.sequence ?? 0) + 1;
  const manifest: RevisionManifest = { ...content.manifest, sequence };
  const identity = nextIdentity(course, before, changes, sequence);
  const { title, summary, language } = course.manifest;
  return {
    manifest,
    identity,
    wrong: checkIdentityChanges(course, changes, before),
    command: {
      courseId: request.courseId,
      requestId: request.requestId,
      base: request.base,
      contentHash: content.contentHash,
      revisionId: revisionIdOf(manifest, identity),
      title,
      summary,
      language,
      origin: request.origin,
      topics: course.topics.length,
      publishedBy: request.accountId,
      lost: live !== null && before === null,
    },
  };
}

function validated({ courseId, course }: PublishRequest): AuthoredCourse {
  const result = validateCourse(course);
  if (!result.ok) throw new ProblemError(result.unknown ? "unknown_field" : "course_invalid", { fields: result.fields });
  if (result.course.manifest.courseId !== courseId)
    throw new ProblemError("course_invalid", { fields: [{ path: "manifest.courseId", message: `expected "${courseId}"` }] });
  return inReadingOrder(result.course);
}
