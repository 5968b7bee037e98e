import { openDatabase } from "@colloquy/infra/database/open.ts";
import { describeOn, enginesToTest, type TemporaryDatabase } from "@colloquy/infra/database/temporary.fixture.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { type CoursePublished, publicationStream } from "@colloquy/schemas/publication/events.ts";
import { expect } from "chai";
import type { Kysely } from "kysely";
import type { CheckpointTables } from "../checkpoints/tables.ts";
import { migrate } from "../migrate.ts";
import { projection } from "./projection.ts";
import { courseCatalogue } from "./queries.ts";
import type { CourseTables } from "./tables.ts";

function published(courseId: string, sequence: number, position: number, more: Partial<CoursePublished> = {}): StoredEvent {
  const data: CoursePublished = {
    schemaVersion: 1,
    courseId,
    sequence,
    revisionId: `revision-${sequence}`,
    contentHash: "a".repeat(64),
    base: null,
    title: `${courseId} ${sequence}`,
    summary: "A summary",
    language: "en",
    origin: "object-store",
    topics: 3,
    publishedBy: "acc_owner01",
    ...more,
  };
  return {
    id: `00000000-0000-4000-8000-${String(position).padStart(12, "0")}`,
    type: "CoursePublished",
    data,
    metadata: {},
    stream: publicationStream(courseId),
    revision: sequence - 1,
    position: String(position),
    created: new Date(Date.UTC(2026, 0, 1, 0, 0, position)).toISOString(),
  };
}

for (const engine of await enginesToTest()) {
  describeOn(engine, `the catalogue of courses on ${engine.name}`, () => {
    let place: TemporaryDatabase;
    let database: Kysely<CourseTables & CheckpointTables>;
    beforeEach(async () => {
      place = await engine.create();
      database = openDatabase(place.config);
      await migrate(database, [projection]);
    });
    afterEach(async () => {
      await database.destroy();
      await place.drop();
    });
    const apply = (...events: StoredEvent[]) => database.transaction().execute((tx) => projection.apply(tx, events));

    it("lists the live revisions, most recently published first", async () => {
      await apply(published("course-one", 1, 9), published("course-two", 1, 10, { origin: "compiled" }), published("course-one", 2, 101));
      const catalogue = courseCatalogue(database);
      expect((await catalogue.list()).map(({ courseId, sequence }) => `${courseId} ${sequence}`)).to.deep.equal([
        "course-one 2",
        "course-two 1",
      ]);
      expect(await catalogue.get("course-one")).to.deep.equal({
        courseId: "course-one",
        title: "course-one 2",
        summary: "A summary",
        language: "en",
        origin: "object-store",
        sequence: 2,
        revisionId: "revision-2",
        topics: 3,
        publishedAt: "2026-01-01T00:01:41.000Z",
        position: "101",
      });
      expect(await catalogue.get("course-gone")).to.equal(null);
    });

    it("ignores repeated and older events", async () => {
      await apply(published("course-one", 1, 9), published("course-one", 2, 10));
      const before = await courseCatalogue(database).list();
      await apply(published("course-one", 2, 10), published("course-one", 1, 9));
      expect(await courseCatalogue(database).list()).to.deep.equal(before);
    });

    it("stops at an unreadable event", async () => {
      const broken = { ...published("course-one", 1, 9), data: { schemaVersion: 1, courseId: "course-one" } };
      expect(await projection.apply(database as never, [broken]).catch((error: unknown) => error)).to.be.instanceOf(Error);
    });
  });
}
