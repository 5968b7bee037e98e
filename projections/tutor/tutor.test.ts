import { story } from "@colloquy/command-api/tutor/decider-fixture.ts";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { describeOn, enginesToTest, type TemporaryDatabase } from "@colloquy/infra/database/temporary.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { sessionView } from "@colloquy/schemas/tutor/view.ts";
import { expect } from "chai";
import { type Kysely, sql } from "kysely";
import { migrate } from "../checkpoints/migrate.ts";
import type { CheckpointTables } from "../checkpoints/tables.ts";
import { projection as conversations } from "../conversations/projection.ts";
import type { ConversationTables } from "../conversations/queries.ts";
import { projection } from "./projection.ts";
import { getTutorSession, listTutorSessions, openTutorSessions } from "./queries.ts";
import type { TutorTables } from "./tables.ts";

const mira = "acc_mira0001";
const sessionId = "session-0001";
/** A conversation as far as nobody asks here. */
const nothingSaid = {
  ...{ version: 0, deleted: 0, title: "", title_search: "", mode: "tutor", archived: 0, pinned: 0, model: "{}", attached: "[]", turns: 0 },
  ...{ created_at: "", updated_at: "", updated_position: "", position: "" },
};

for (const engine of await enginesToTest())
  describeOn(engine, `tutoring sessions as rows on ${engine.name}`, () => {
    let place: TemporaryDatabase;
    let database: Kysely<TutorTables & CheckpointTables & ConversationTables>;
    beforeEach(async () => {
      place = await engine.create();
      database = openDatabase(place.config);
      await migrate(database, [projection, conversations]);
    });
    afterEach(async () => {
      await database.destroy();
      await place.drop();
    });

    let position = 0;
    const stored = (stream: string, revision: number, type: string, data: object): StoredEvent => {
      position += 1;
      const at = new Date(Date.UTC(2026, 0, 1) + position).toISOString();
      const metadata = { accountId: mira, requestId: `request-${position}`, correlationId: `request-${position}` };
      return {
        id: `00000000-0000-4000-8000-${String(position).padStart(12, "0")}`,
        type,
        data,
        metadata,
        stream,
        revision,
        position: String(position),
        created: at,
      };
    };
    const tale = story(["objective-a", "objective-b"]);
    tale.answer(true);
    const session = tale.events.map(({ type, data }, revision) => stored(`tutor-${sessionId}`, revision, type, data));
    const goal = { schemaVersion: 1, textId: "text-goal-01", kind: "goal", text: "Learn pipes", salt: "salt" };
    const kept = stored(`tutortext-${sessionId}`, 0, "TutorTextKept", goal);
    const deleted = stored(`tutortext-${sessionId}`, 1, "TutorTextsDeleted", { schemaVersion: 1 });
    const unknown = stored(`tutor-${sessionId}`, session.length, "SomethingLater", { schemaVersion: 1 });

    const apply = (...batches: StoredEvent[][]) =>
      database.transaction().execute(async (tx) => {
        for (const batch of batches) await projection.apply(tx, batch);
      });
    const dump = async () =>
      Promise.all(
        projection.tables.map(async (table) => (await sql`select * from ${sql.table(table)} order by 1, 2`.execute(database)).rows),
      );

    it("are the same from batches as one by one, and from events that come twice", async () => {
      await apply([kept, ...session]);
      const once = await dump();
      await apply([...session, kept], session.slice(3));
      expect(await dump()).to.deep.equal(once);
      await sql`delete from tutor_sessions`.execute(database);
      await apply(...session.map((one) => [one]));
      expect(await dump()).to.deep.equal(once);
      const found = await getTutorSession(database, mira, sessionId);
      expect(found?.session).to.deep.equal({ ...sessionView(tale.state, { "text-goal-01": "Learn pipes" }) });
    });

    it("pass over events of a later version of the program", async () => {
      await apply([...session, unknown]);
      expect((await getTutorSession(database, mira, sessionId))?.session.version).to.equal(session.length);
    });

    it("are open until they are completed or their conversation is deleted", async () => {
      await apply([...session]);
      const open = (accountId = mira, courseId = "course-01") => openTutorSessions(database, accountId, courseId);
      expect(await open()).to.deep.equal([sessionId]);
      expect([await open("acc_tomas001"), await open(mira, "course-02")]).to.deep.equal([[], []]);
      const { conversationId } = tale.state;
      const row = { conversation_id: conversationId, account_id: mira, ...nothingSaid };
      await database.insertInto("conversations").values(row).execute();
      expect(await open()).to.deep.equal([sessionId]);
      await database.updateTable("conversations").set({ deleted: 1 }).execute();
      expect(await open()).to.deep.equal([]);
      await database.deleteFrom("conversations").execute();
      await database.updateTable("tutor_sessions").set({ phase: "completed" }).execute();
      expect(await open()).to.deep.equal([]);
    });

    it("are one account's, and lose their learner's words for good", async () => {
      await apply([kept, ...session]);
      expect(await getTutorSession(database, "acc_tomas001", sessionId)).to.equal(null);
      expect((await listTutorSessions(database, mira, {})).map((one) => one.goal)).to.deep.equal(["Learn pipes"]);
      await apply([deleted]);
      expect(JSON.stringify(await dump()))
        .to.not.include("Learn pipes")
        .and.not.include('"salt":"salt"');
      expect((await listTutorSessions(database, mira, {})).map((one) => one.goal)).to.deep.equal([""]);
    });
  });
