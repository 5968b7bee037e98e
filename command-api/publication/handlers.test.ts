import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import {
  courseKeys,
  readAuthoredCourse,
  readIdentity,
  readManifest,
  readPointer,
  readSearchIndex,
} from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { remark } from "@colloquy/schemas/courses/remarks.ts";
import { searchIndex } from "@colloquy/schemas/courses/revision.ts";
import { publicationStream } from "@colloquy/schemas/publication/events.ts";
import { expect } from "chai";
import { pictureAsset, readPicture, sampleCourse, topicOf } from "./course.fixture.ts";
import { createPublication, type Publication, type PublishRequest } from "./handlers.ts";
import { keepPointers } from "./pointers.ts";
import { type TemporaryStores, temporaryStores } from "./stores.fixture.ts";

class Crash extends Error {}

const publishingInto = (objects: "folder" | "bucket") => (): void => {
  let stores: TemporaryStores;
  let publication: Publication;
  let courseNumber = 0;
  before(async () => {
    stores = await temporaryStores(objects);
    publication = createPublication(stores);
  });
  after(() => stores.close());

  const freshId = (): string => `course-${++courseNumber}`.padEnd(12, "-");
  const courseOf = (courseId: string, title = "Sample", change?: (course: AuthoredCourse) => void): AuthoredCourse =>
    sampleCourse((course) => {
      course.manifest.courseId = courseId;
      course.manifest.title = title;
      change?.(course);
    });
  const requestOf = (courseId: string, more: Partial<PublishRequest> = {}): PublishRequest => ({
    courseId,
    course: courseOf(courseId),
    base: null,
    requestId: `request-${courseId}-1`,
    accountId: "acc_owner",
    origin: "object-store",
    readAsset: readPicture,
    ...more,
  });
  const events = async (courseId: string) => Array.fromAsync(stores.eventStore.read(publicationStream(courseId)));
  const problemOf = async (work: Promise<unknown>): Promise<ProblemError> => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ProblemError)) throw new Error(`Expected a problem, got ${error}`);
    return error;
  };

  it("writes the complete revision before it moves the pointer", async () => {
    const courseId = freshId();
    const { sequence, revisionId, changed } = await publication.publishCourse(requestOf(courseId));
    expect({ sequence, changed }).to.deep.equal({ sequence: 1, changed: true });
    expect((await readPointer(stores.objectStore, courseId))?.value).to.deep.equal({ schemaVersion: 1, courseId, sequence, revisionId });
    expect(await readAuthoredCourse(stores.objectStore, courseId, revisionId)).to.deep.equal(courseOf(courseId));
    expect(await readManifest(stores.objectStore, courseId, revisionId)).to.include({ sequence: 1, origin: "object-store" });
    expect((await readIdentity(stores.objectStore, courseId, revisionId)).entries.length).to.be.greaterThan(10);
    searchIndex.parse(await readSearchIndex(stores.objectStore, courseId, revisionId));
    expect(await stores.objectStore.get(courseKeys.asset(courseId, pictureAsset.sha256))).not.to.equal(null);
    expect((await publication.readLive(courseId))?.course).to.deep.equal(courseOf(courseId));
  });

  it("knows the audience of a revision published before indexes named it", async () => {
    const courseId = freshId();
    const course = sampleCourse((changed) => {
      changed.manifest.courseId = courseId;
      topicOf(changed, "topic-loops").blocks.push({
        id: "block-note",
        type: "core.callout",
        source: "---\nkind: instructor\n---\nTake time.",
      });
    });
    const { revisionId } = await publication.publishCourse(requestOf(courseId, { course }));
    const published = await readSearchIndex(stores.objectStore, courseId, revisionId);
    const { audienceMarked: _, ...earlier } = published;
    const sources = earlier.sources.map(({ audience: __, ...source }) => source);
    const bytes = new TextEncoder().encode(JSON.stringify({ ...earlier, sources }));
    await stores.objectStore.put(courseKeys.search(courseId, revisionId), bytes);
    const read = await readSearchIndex(stores.objectStore, courseId, revisionId);
    expect(read).to.deep.equal(published);
    expect(read.sources.filter(({ audience }) => audience !== undefined).map(({ entityId }) => entityId)).to.deep.equal(["block-note"]);
  });

  it("publishes equal content once", async () => {
    const courseId = freshId();
    const first = await publication.publishCourse(requestOf(courseId));
    const again = await publication.publishCourse(requestOf(courseId, { requestId: "request-other" }));
    expect(again).to.deep.equal({ ...first, changed: false });
    expect(await events(courseId)).to.have.length(1);
  });

  it("answers a repeated request as before", async () => {
    const courseId = freshId();
    const first = await publication.publishCourse(requestOf(courseId));
    const second = { course: courseOf(courseId, "Second"), base: first, requestId: "request-second" };
    const published = await publication.publishCourse(requestOf(courseId, second));
    await publication.publishCourse(
      requestOf(courseId, { course: courseOf(courseId, "Third"), base: published, requestId: "request-third" }),
    );
    expect(await publication.publishCourse(requestOf(courseId, second))).to.deep.equal({ ...published, changed: false });
    const reused = requestOf(courseId, { ...second, course: courseOf(courseId, "Other") });
    expect((await problemOf(publication.publishCourse(reused))).code).to.equal("request_id_reused");
    expect((await readPointer(stores.objectStore, courseId))?.value.sequence).to.equal(3);
  });

  it("accepts one of many authors and rejects the others as stale", async () => {
    const courseId = freshId();
    const base = await publication.publishCourse(requestOf(courseId));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        publication.publishCourse(
          requestOf(courseId, { course: courseOf(courseId, `Author ${index}`), base, requestId: `request-author-${index}` }),
        ),
      ),
    );
    const won = outcomes.filter((outcome) => outcome.status === "fulfilled");
    expect(won).to.have.length(1);
    for (const outcome of outcomes) if (outcome.status === "rejected") expect(outcome.reason).to.include({ code: "stale_base" });
    expect(await events(courseId)).to.have.length(2);
    expect((await readPointer(stores.objectStore, courseId))?.value.revisionId).to.equal(won[0]?.value.revisionId);
  });

  it("refuses an invalid course and writes nothing", async () => {
    const courseId = freshId();
    const broken = courseOf(
      courseId,
      "Broken",
      (course) => void topicOf(course, "topic-loops").blocks.push({ id: "block-broken", type: "core.math", source: "{" }),
    );
    const problem = await problemOf(publication.publishCourse(requestOf(courseId, { course: broken })));
    expect(problem.code).to.equal("course_invalid");
    expect(problem.fields?.map(({ path }) => path)).to.deep.equal(["topics.1.blocks.3.source:1"]);
    const elsewhere = await problemOf(publication.publishCourse(requestOf(courseId, { course: courseOf("course-elsewhere") })));
    expect(elsewhere.fields?.[0]?.path).to.equal("manifest.courseId");
    expect(await Array.fromAsync(stores.objectStore.list(`courses/${courseId}/`))).to.deep.equal([]);
    expect(await events(courseId)).to.deep.equal([]);
  });

  it("refuses assets that are missing or differ from their facts", async () => {
    const courseId = freshId();
    const missing = await problemOf(publication.publishCourse(requestOf(courseId, { readAsset: () => Promise.resolve(null) })));
    expect(missing.fields).to.deep.equal([{ path: "assets.0", ...remark("file-lost", { path: "assets/tree.svg" }) }]);
    const other = await problemOf(publication.publishCourse(requestOf(courseId, { readAsset: () => Promise.resolve(new Uint8Array(3)) })));
    expect(other.fields?.[0]?.message).to.match(/not the ones the course names/);
    expect(await events(courseId)).to.deep.equal([]);
  });

  it("refuses an asset that the live revision has under another type or size", async () => {
    const courseId = freshId();
    const { sequence, revisionId } = await publication.publishCourse(requestOf(courseId));
    const base = { sequence, revisionId };
    for (const wrong of [{ type: "image/png" as const }, { bytes: 1 }]) {
      const course = courseOf(courseId, "Sample", ({ assets }) => void assets.splice(0, 1, { ...pictureAsset, ...wrong }));
      const problem = await problemOf(publication.publishCourse(requestOf(courseId, { course, base, requestId: "request-wrong" })));
      expect([problem.code, problem.fields?.map(({ path }) => path)]).to.deep.equal(["course_invalid", ["assets.0"]]);
    }
  });

  it("needs no bytes of assets in the live revision", async () => {
    const courseId = freshId();
    const base = await publication.publishCourse(requestOf(courseId));
    const next = requestOf(courseId, {
      course: courseOf(courseId, "Next"),
      base,
      requestId: "request-next",
      readAsset: () => Promise.reject(new Error("not asked for")),
    });
    expect((await publication.publishCourse(next)).sequence).to.equal(2);
  });

  it("restores lost objects of equal content, and writes nothing else", async () => {
    const courseId = freshId();
    const first = await publication.publishCourse(requestOf(courseId));
    const written: string[] = [];
    const objectStore: ObjectStore = {
      ...stores.objectStore,
      put: (...given) => {
        written.push(given[0]);
        return stores.objectStore.put(...given);
      },
    };
    const watched = createPublication({ ...stores, objectStore });
    const again = () => watched.publishCourse(requestOf(courseId, { requestId: `request-${written.length}-again` }));
    expect(await again()).to.deep.equal({ ...first, changed: false, restored: 0 });
    expect(written).to.deep.equal([]);
    const { topics } = await readManifest(stores.objectStore, courseId, first.revisionId);
    const lost = [courseKeys.unit(courseId, topics[0]?.unit ?? ""), courseKeys.asset(courseId, pictureAsset.sha256)];
    for (const key of lost) await stores.objectStore.remove(key);
    expect(await publication.isDamaged(courseId)).to.equal(true);
    const remains = await publication.readRemains(courseId);
    expect(remains?.topics.map(({ id, blocks }) => [id, blocks.length])).to.deep.equal([
      ["topic-pipes", 0],
      ["topic-loops", 3],
    ]);
    expect(await again()).to.deep.equal({ ...first, changed: false, restored: 2 });
    expect(written).to.have.members(lost);
    expect(await publication.isDamaged(courseId)).to.equal(false);
    expect((await publication.readLive(courseId))?.course).to.deep.equal(courseOf(courseId));
    expect(await stores.objectStore.get(courseKeys.asset(courseId, pictureAsset.sha256))).not.to.equal(null);
  });

  it("publishes earlier content again as a new revision", async () => {
    const courseId = freshId();
    const first = await publication.publishCourse(requestOf(courseId));
    const changed = courseOf(courseId, "Sample", (course) => void topicOf(course, "topic-loops").blocks.pop());
    const second = await publication.publishCourse(requestOf(courseId, { course: changed, base: first, requestId: "request-second" }));
    const third = await publication.publishCourse(requestOf(courseId, { base: second, requestId: "request-third" }));
    expect(third.sequence).to.equal(3);
    expect(third.revisionId).not.to.equal(first.revisionId);
    const entry = (await readIdentity(stores.objectStore, courseId, third.revisionId)).entries.find(({ id }) => id === "block-loops-table");
    expect(entry).to.include({ state: "live", since: 3 });
  });

  describe("survives a crash", () => {
    /** Counts every write and dies at one of them: before it happens, or after it happened and before anyone was told. */
    function dyingAt(step: number, when: "before" | "after"): { publication: Publication; died: () => boolean } {
      let writes = 0;
      let dead = false;
      const guarded = async <Result>(write: () => Promise<Result>): Promise<Result> => {
        if (dead) throw new Crash();
        writes += 1;
        if (writes !== step) return write();
        dead = true;
        if (when === "after") await write();
        throw new Crash();
      };
      const objectStore: ObjectStore = { ...stores.objectStore, put: (...given) => guarded(() => stores.objectStore.put(...given)) };
      const eventStore: EventStore = { ...stores.eventStore, append: (...given) => guarded(() => stores.eventStore.append(...given)) };
      return { publication: createPublication({ eventStore, objectStore }), died: () => dead };
    }

    for (const when of ["before", "after"] as const)
      it(`${when} every single write: readers see a complete revision and a retry completes it`, async () => {
        for (let step = 1; ; step += 1) {
          const courseId = freshId();
          const first = await publication.publishCourse(requestOf(courseId));
          const change = requestOf(courseId, { course: courseOf(courseId, "Changed"), base: first, requestId: `request-${courseId}-2` });
          const dying = dyingAt(step, when);
          const outcome = await dying.publication.publishCourse(change).catch((error: unknown) => error);
          if (!dying.died()) {
            expect(step, "writes of one publication").to.be.greaterThan(5);
            return;
          }
          expect(outcome, `step ${step}`).to.be.instanceOf(Crash);

          const seen = await readPointer(stores.objectStore, courseId);
          const title = (await readAuthoredCourse(stores.objectStore, courseId, seen?.value.revisionId ?? "")).manifest.title;
          expect(title, `step ${step}`).to.equal(seen?.value.sequence === 1 ? "Sample" : "Changed");

          await publication.repairPointer(courseId);
          const committed = (await events(courseId)).length;
          expect((await readPointer(stores.objectStore, courseId))?.value.sequence, `step ${step}`).to.equal(committed);

          const retried = await publication.publishCourse(change);
          expect(retried.sequence).to.equal(2);
          expect(await events(courseId), `step ${step}`).to.have.length(2);
          expect((await readPointer(stores.objectStore, courseId))?.value.revisionId).to.equal(retried.revisionId);
        }
      });

    for (const [how, isKnown] of [
      ["by following the events", false],
      ["by looking at the courses known", true],
    ] as const)
      it(`${how}: moves a pointer that is behind and none that is ahead`, async () => {
        const courseId = freshId();
        const first = await publication.publishCourse(requestOf(courseId));
        const second = await publication.publishCourse(
          requestOf(courseId, { course: courseOf(courseId, "Changed"), base: first, requestId: "request-2nd" }),
        );
        const behind = { schemaVersion: 1, courseId, sequence: 1, revisionId: first.revisionId };
        await stores.objectStore.put(courseKeys.pointer(courseId), new TextEncoder().encode(JSON.stringify(behind)));

        const stop = new AbortController();
        const following = keepPointers({
          ...stores,
          publication,
          known: isKnown ? { courseIds: [courseId], position: second.position } : { courseIds: [], position: null },
          log: createLog("test", { LOG_LEVEL: "silent" }),
          signal: stop.signal,
        });
        while ((await readPointer(stores.objectStore, courseId))?.value.sequence !== 2)
          await new Promise((resolve) => setTimeout(resolve, 10));
        await publication.advancePointer({ courseId, sequence: 1, revisionId: first.revisionId });
        expect((await readPointer(stores.objectStore, courseId))?.value.revisionId).to.equal(second.revisionId);
        stop.abort();
        await following;
      });
  });
};

for (const objects of ["folder", "bucket"] as const) describe(`publishing a course into a ${objects}`, publishingInto(objects));
