import { type EventStore, eventIdFrom, WrongExpectedRevision } from "@colloquy/infra/event-store/client.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import {
  assertRevisionComplete,
  courseKeys,
  DamagedRevision,
  readManifest,
  readPointer,
} from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { inSpan } from "@colloquy/infra/telemetry/traces.ts";
import type { Asset, AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { inReadingOrder } from "@colloquy/schemas/courses/order.ts";
import type { CourseOrigin, IdentityIndex, LivePointer, RevisionManifest } from "@colloquy/schemas/courses/revision.ts";
import { validateCourse } from "@colloquy/schemas/courses/validate.ts";
import type { FieldError } from "@colloquy/schemas/errors.ts";
import { publicationEvents, publicationStream } from "@colloquy/schemas/publication/events.ts";
import { checkAsset } from "./assets.ts";
import { bytesOf, type CourseContent, contentOf, revisionIdOf } from "./content.ts";
import { decide, evolve, initial, type PublicationState, type Published, settledBy } from "./decider.ts";
import { type Before, checkIdentityChanges, type IdentityChanges, nextIdentity } from "./identity-index.ts";
import { factsOf, historyOf, type PublishedAt, readBefore, readRemains, readRevision, type WrittenRevision } from "./revisions.ts";
import { buildSearchIndex } from "./search-index.ts";

export interface PublishRequest extends Partial<IdentityChanges> {
  courseId: string;
  course: unknown;
  /** The revision the author began from; null for a course that was never published. */
  base: { sequence: number; revisionId: string } | null;
  requestId: string;
  /** Of the HTTP request that asked for it, where one did. */
  correlationId?: string;
  accountId: string;
  origin: CourseOrigin;
  /** The bytes of an asset the store may not hold yet; null when they were uploaded before. */
  readAsset: (asset: Asset) => Promise<Uint8Array | null>;
}

export interface PublishResult {
  sequence: number;
  revisionId: string;
  position: string;
  /** False when the same content was published already. */
  changed: boolean;
  /** Objects of that content which the store had lost, written again. */
  restored: number;
}

export interface Publication {
  /**
   * Publishes a whole course: its objects first, then the event (the commit), then the pointer.
   * @throws {ProblemError} `course_invalid` with every field that is wrong, `stale_base`, `request_id_reused`, `course_not_editable`.
   */
  publishCourse(request: PublishRequest): Promise<PublishResult>;
  /** What the stream says of the live revision; null for a course that was never published. */
  live(courseId: string): Promise<Published | null>;
  /** The live revision as its authors wrote it; null for a course that was never published, and for one whose objects are lost. */
  readLive(courseId: string): Promise<WrittenRevision | null>;
  /** The live revision as far as its objects are left, to tell ids by; null for a course that was never published. */
  readRemains(courseId: string): Promise<AuthoredCourse | null>;
  /** Every revision, the first one first. */
  history(courseId: string): Promise<PublishedAt[]>;
  /** A published revision as its authors wrote it; null when its objects are lost. */
  read(revision: Published): Promise<WrittenRevision | null>;
  /** Whether a published course has lost objects of its live revision: a restore may have left them behind. */
  isDamaged(courseId: string): Promise<boolean>;
  /** Moves the pointer to where the events say it should be: a crash may have come between the two. */
  repairPointer(courseId: string): Promise<void>;
  /** Moves the pointer to a published revision, unless it is at that or a later one. */
  advancePointer(revision: Omit<LivePointer, "schemaVersion">): Promise<void>;
}

/** Tries an append gets when others publish at the same moment; each try decides anew. */
const appendTries = 5;
/** Objects of a revision that are written at the same time. */
const writesAtOnce = 16;
/** Tries the pointer gets; it only ever moves forward, so each lost try means that it moved. */
const pointerTries = 20;

export function createPublication({ eventStore, objectStore }: { eventStore: EventStore; objectStore: ObjectStore }): Publication {
  const load = (courseId: string) =>
    eventStore.fold<PublicationState>(
      publicationStream(courseId),
      (state, event) =>
        evolve(state, { data: publicationEvents.parse(event).data, requestId: event.metadata.requestId, position: event.position }),
      initial,
    );

  const publishCourse = (request: PublishRequest): Promise<PublishResult> =>
    inSpan("command", { attributes: { "colloquy.category": "publication" } }, () => publish(request));

  async function publish(request: PublishRequest): Promise<PublishResult> {
    const course = validated(request);
    const content = contentOf(course, request.origin);
    for (let tries = 1; ; tries += 1) {
      const { state, revision } = await load(request.courseId);
      const before = state.live && (await readBefore(objectStore, state.live));
      const lost = state.live !== null && before === null;
      const settled = settledBy({ requestId: request.requestId, contentHash: content.contentHash, lost }, state);
      if (settled) {
        const restored = await restoreObjects(request, course, content);
        await movePointer(settledPointer(state, settled));
        return resultOf(settled, { changed: false, restored });
      }
      const prepared = prepare(request, course, content, { live: state.live, before });
      const [event] = decide(prepared.command, state);
      if (!event) throw new ProblemError("unavailable");
      if (prepared.wrong.length > 0) throw new ProblemError("course_invalid", { fields: prepared.wrong });
      await writeObjects(request, course, content, prepared, before?.assets ?? new Set());
      try {
        const { position } = await eventStore.append(
          publicationStream(request.courseId),
          [
            {
              id: eventIdFrom("publish", request.courseId, request.requestId),
              type: event.type,
              data: event.data,
              metadata: {
                accountId: request.accountId,
                requestId: request.requestId,
                correlationId: request.correlationId ?? request.requestId,
              },
            },
          ],
          revision < 0 ? "none" : revision,
        );
        await movePointer(event.data);
        return resultOf({ ...event.data, position }, { changed: true, restored: 0 });
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision) || tries >= appendTries) throw error;
      }
    }
  }

  /** Named by content: when it is there already, it is this. */
  async function create(key: string, bytes: Uint8Array): Promise<void> {
    await objectStore.put(key, bytes, { ifNoneMatch: true });
  }

  /** Writes again what the store has lost of content that is published already. Looks by the names alone. @returns how many objects */
  async function restoreObjects({ courseId, readAsset }: PublishRequest, course: AuthoredCourse, content: CourseContent): Promise<number> {
    const there = new Set(await namesOf(courseId));
    const units = [...content.units].filter(([sha256]) => !there.has(courseKeys.unit(courseId, sha256)));
    await severalAtOnce(units, ([sha256, bytes]) => create(courseKeys.unit(courseId, sha256), bytes));
    let restored = units.length;
    await severalAtOnce(course.assets, async (asset) => {
      const key = courseKeys.asset(courseId, asset.sha256);
      if (there.has(key)) return;
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
    // An error names the place in the course as it was sent, whose files may stand in another order.
    const sent = (request.course as AuthoredCourse).assets.map(({ path }) => path);
    await severalAtOnce(course.assets, async (asset) => {
      if (kept.has(factsOf(asset))) return;
      const key = courseKeys.asset(courseId, asset.sha256);
      const given = await request.readAsset(asset);
      const bytes = given ?? (await objectStore.get(key))?.bytes;
      const wrong = bytes ? checkAsset(asset, bytes) : "its bytes were not uploaded";
      if (wrong) fields.push({ path: `assets.${sent.indexOf(asset.path)}`, message: `${asset.path}: ${wrong}` });
      else if (given) await create(key, given);
    });
    if (fields.length > 0) throw new ProblemError("course_invalid", { fields });
    await severalAtOnce(content.units, ([sha256, bytes]) => create(courseKeys.unit(courseId, sha256), bytes));
    await create(courseKeys.identity(courseId, revisionId), bytesOf(identity));
    await create(courseKeys.search(courseId, revisionId), bytesOf(buildSearchIndex(course, revisionId)));
    await create(courseKeys.manifest(courseId, revisionId), bytesOf(manifest));
  }

  /** Never moves it back: whoever comes late finds a newer revision and leaves it. */
  async function movePointer({ courseId, sequence, revisionId }: Omit<LivePointer, "schemaVersion">): Promise<void> {
    const bytes = bytesOf({ schemaVersion: 1, courseId, sequence, revisionId } satisfies LivePointer);
    for (let tries = 0; tries < pointerTries; tries += 1) {
      const found = await readPointer(objectStore, courseId);
      if (found && found.value.sequence >= sequence) return;
      const moved = await objectStore.put(courseKeys.pointer(courseId), bytes, found ? { ifMatch: found.etag } : { ifNoneMatch: true });
      if (moved.ok) return;
    }
    throw new ProblemError("unavailable", {
      detail: "The course is published, but its readers do not see it yet. Send the same request again.",
    });
  }

  return {
    publishCourse,
    advancePointer: movePointer,
    live: async (courseId) => (await load(courseId)).state.live,
    async readLive(courseId) {
      const { state } = await load(courseId);
      return state.live && readRevision(objectStore, state.live);
    },
    async readRemains(courseId) {
      const { state } = await load(courseId);
      return state.live && readRemains(objectStore, state.live);
    },
    history: (courseId) => historyOf(eventStore, courseId),
    read: (revision) => readRevision(objectStore, revision),
    async isDamaged(courseId) {
      const { live } = (await load(courseId)).state;
      if (!live) return false;
      try {
        await assertRevisionComplete(objectStore, courseId, live.revisionId);
        const { topics, collections } = await readManifest(objectStore, courseId, live.revisionId);
        const there = new Set(await namesOf(courseId));
        return [...topics, ...collections].some(({ unit }) => !there.has(courseKeys.unit(courseId, unit)));
      } catch (error) {
        if (error instanceof DamagedRevision) return true;
        throw error;
      }
    },
    async repairPointer(courseId) {
      const { state } = await load(courseId);
      if (state.live) await movePointer(state.live);
    },
  };
}

/** Does the work for each, some at the same time: an object store answers many as fast as one. The first failure ends it. */
async function severalAtOnce<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: writesAtOnce }, worker));
}

interface Prepared {
  manifest: RevisionManifest;
  identity: IdentityIndex;
  /** Renames and aliases that do not fit. */
  wrong: FieldError[];
  command: Parameters<typeof decide>[0];
}

/** Everything that follows from a course and the revision before it, without writing anything. `before` is null where that is lost. */
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

/** The pointer goes to the live revision, which may be newer than the one that answers a repeated request. */
const settledPointer = (state: PublicationState, settled: Published): Published => state.live ?? settled;

const resultOf = ({ sequence, revisionId, position }: Published, done: Pick<PublishResult, "changed" | "restored">): PublishResult => ({
  sequence,
  revisionId,
  position,
  ...done,
});
