import { story } from "@colloquy/command-api/tutor/decider.fixture.ts";
import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { sessionView } from "@colloquy/schemas/tutor/view.ts";
import { expect } from "chai";
import type { Kysely } from "kysely";
import { projection as conversations } from "../conversations/projection.ts";
import type { ConversationTables } from "../conversations/queries.ts";
import { type Rows, rowsOf, storedEvents } from "../rows.fixture.ts";
import { projection } from "./projection.ts";
import { countLearnersTaughtFrom, getTutorSession, listTutorSessions, openTutorSessions, sessionSources } from "./queries.ts";
import type { TutorTables } from "./tables.ts";

const mira = "acc_mira0001";
const sessionId = "session-0001";
/** A conversation as far as nobody asks here. */
const nothingSaid = {
  version: 0,
  deleted: 0,
  title: "",
  title_search: "",
  mode: "tutor",
  archived: 0,
  pinned: 0,
  model: "{}",
  attached: "[]",
  turns: 0,
  created_at: "",
  updated_at: "",
  updated_position: "",
  position: "",
};

for (const engine of await enginesToTest())
  describeOn(engine, `tutoring sessions as rows on ${engine.name}`, () => {
    let rows: Rows<TutorTables>;
    let database: Kysely<TutorTables & ConversationTables>;
    beforeEach(async () => {
      rows = await rowsOf(engine, projection, [conversations]);
      database = rows.database as unknown as typeof database;
    });
    afterEach(() => rows.close());

    const stored = storedEvents();
    const tale = story(["objective-a", "objective-b"]);
    tale.answer(true);
    const session = tale.events.map((event, revision) => stored(mira, `tutor-${sessionId}`, revision, event));
    const goal = { schemaVersion: 1, textId: "text-goal-01", kind: "goal", text: "Learn pipes", salt: "salt" };
    const kept = stored(mira, `tutortext-${sessionId}`, 0, { type: "TutorTextKept", data: goal });
    const deleted = stored(mira, `tutortext-${sessionId}`, 1, { type: "TutorTextsDeleted", data: { schemaVersion: 1 } });
    const unknown = stored(mira, `tutor-${sessionId}`, session.length, { type: "SomethingLater", data: { schemaVersion: 1 } });

    it("gives the same rows from batches, single events and repeated events", async () => {
      await rows.apply([kept, ...session]);
      const once = await rows.dump();
      await rows.apply([...session, kept], session.slice(3));
      expect(await rows.dump()).to.deep.equal(once);
      await rows.empty();
      await rows.apply(...[kept, ...session].map((one) => [one]));
      expect(await rows.dump()).to.deep.equal(once);
      const found = await getTutorSession(database, mira, sessionId);
      expect(found?.session).to.deep.equal({ ...sessionView(tale.state, { "text-goal-01": "Learn pipes" }) });
    });

    it("skips unknown event types", async () => {
      await rows.apply([...session, unknown]);
      expect((await getTutorSession(database, mira, sessionId))?.session.version).to.equal(session.length);
    });

    it("are open until they are completed or their conversation is deleted", async () => {
      await rows.apply([...session]);
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

    it("count the learners of a source once, until completion or deletion", async () => {
      const second = session.map((event) => ({ ...event, stream: "tutor-session-0002" }));
      const others = tale.events.map((event, revision) => stored("acc_tomas001", "tutor-session-0003", revision, event));
      const goals = [2, 3].map((number) => ({ ...kept, stream: `tutortext-session-000${number}` }));
      await rows.apply([...session, ...second, ...others, kept, ...goals]);
      const asks = tale.state.items[tale.state.current ?? ""]?.sourceIds ?? [];
      expect(asks).to.have.length(1);
      const on = (sourceIds: readonly string[], courseId = "course-01") => countLearnersTaughtFrom(database, courseId, sourceIds);
      expect(await on(asks)).to.equal(2);
      expect(await on(sessionSources(tale.state))).to.equal(2);
      expect([await on(["s_of_another_place_00001"]), await on([]), await on(asks, "course-02")]).to.deep.equal([0, 0, 0]);
      const row = { conversation_id: tale.state.conversationId, account_id: "acc_tomas001", ...nothingSaid, deleted: 1 };
      await database.insertInto("conversations").values(row).execute();
      expect(await on(asks)).to.equal(1);
      await database.deleteFrom("conversations").execute();
      await rows.apply([{ ...deleted, stream: "tutortext-session-0003" }]);
      expect(await on(asks), "nothing was kept of the conversation, and what was written is erased").to.equal(1);
      const last = tale.events.findLast((event) => event.type === "EvidenceRecorded");
      if (!last) throw new Error("the session has no ledger");
      const entry = { ...last.data.entry, phase: "completed" };
      const ends = stored(mira, `tutor-${sessionId}`, session.length, { type: "EvidenceRecorded", data: { schemaVersion: 1, entry } });
      await rows.apply([ends], [{ ...ends, stream: "tutor-session-0002" }]);
      expect(await on(asks)).to.equal(0);
    });

    it("count sessions that are older than the table of sources", async () => {
      await rows.apply([kept, ...session]);
      const whole = await rows.dump();
      await database.deleteFrom("tutor_sources").execute();
      const asks = tale.state.items[tale.state.current ?? ""]?.sourceIds ?? [];
      expect(await countLearnersTaughtFrom(database, "course-01", asks)).to.equal(0);
      await rows.apply([unknown]);
      expect(await countLearnersTaughtFrom(database, "course-01", asks)).to.equal(1);
      expect((await rows.dump())[1]).to.deep.equal(whole[1]);
    });

    it("belong to one account and lose the learner's texts for good", async () => {
      await rows.apply([kept, ...session]);
      expect(await getTutorSession(database, "acc_tomas001", sessionId)).to.equal(null);
      expect((await listTutorSessions(database, mira, {})).map((one) => one.goal)).to.deep.equal(["Learn pipes"]);
      await rows.apply([deleted]);
      expect(JSON.stringify(await rows.dump()))
        .to.not.include("Learn pipes")
        .and.not.include('"salt":"salt"');
      expect((await listTutorSessions(database, mira, {})).map((one) => one.goal)).to.deep.equal([""]);
    });
  });
