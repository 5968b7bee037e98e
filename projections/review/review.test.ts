import { itemFor, story } from "@colloquy/command-api/tutor/decider-fixture.ts";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { describeOn, enginesToTest, type TemporaryDatabase } from "@colloquy/infra/database/temporary.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { learnerErased, learnerStream } from "@colloquy/schemas/events/learner.ts";
import { expect } from "chai";
import { type Kysely, sql } from "kysely";
import { migrate } from "../checkpoints/migrate.ts";
import type { CheckpointTables } from "../checkpoints/tables.ts";
import { projection } from "./projection.ts";
import { metSessions, type ReviewTables } from "./queries.ts";

const mira = "acc_mira0001";
const tomas = "acc_tomas001";
const sessionId = "session-0001";

for (const engine of await enginesToTest())
  describeOn(engine, `what was met in tutoring, on ${engine.name}`, () => {
    let place: TemporaryDatabase;
    let database: Kysely<ReviewTables & CheckpointTables>;
    beforeEach(async () => {
      place = await engine.create();
      database = openDatabase(place.config);
      await migrate(database, [projection]);
    });
    afterEach(async () => {
      await database.destroy();
      await place.drop();
    });

    let position = 0;
    const stored = (stream: string, revision: number, type: string, data: object): StoredEvent => {
      position += 1;
      const metadata = { accountId: mira, requestId: `request-${position}`, correlationId: `request-${position}` };
      const created = new Date(Date.UTC(2026, 0, 1) + position).toISOString();
      const id = `00000000-0000-4000-8000-${String(position).padStart(12, "0")}`;
      return { id, type, data, metadata, stream, revision, position: String(position), created };
    };
    const apply = (...batches: StoredEvent[][]) =>
      database.transaction().execute(async (tx) => {
        for (const batch of batches) await projection.apply(tx, batch);
      });
    const eventsOf = (tale: ReturnType<typeof story>) =>
      tale.events
        .map(({ type, data }, revision) => stored(`tutor-${sessionId}`, revision, type, data))
        .filter(({ type }) => projection.events.includes(type));
    const dump = async () =>
      Promise.all(projection.tables.map(async (table) => (await sql`select * from ${sql.table(table)} order by 1`.execute(database)).rows));
    const met = async (accountId = mira) =>
      (await metSessions(database, accountId)).flatMap(({ objectives }) =>
        objectives.flatMap(({ objectiveId, metAt }) => (metAt === null ? [] : [objectiveId])),
      );

    /** Two objectives probed, the first taught; its check asked. */
    function taught() {
      const tale = story(["objective-a", "objective-b"]);
      tale.answer(false);
      tale.answer(false);
      tale.plan({ objectiveIds: ["objective-a"] }, { objectiveIds: ["objective-b"] });
      const planned = tale.events.length;
      tale.teach();
      const lesson = tale.events.length;
      tale.ask("pipes");
      return { tale, planned, lesson };
    }

    it("is what was taught to its end or checked, not what was only probed, planned or promised", async () => {
      const { tale, planned, lesson } = taught();
      const events = tale.events.map(({ type, data }, revision) => stored(`tutor-${sessionId}`, revision, type, data));
      const known = (to: number, from = 0) => events.slice(from, to).filter(({ type }) => projection.events.includes(type));
      await apply(known(planned));
      expect(await met()).to.deep.equal([]);
      await apply(known(lesson, planned));
      expect(await met()).to.deep.equal(["objective-a"]);
      const [session] = await metSessions(database, mira);
      expect(session?.objectives[0]?.taughtAt).to.equal(events.find(({ type }) => type === "StepTaught")?.created);
    });

    it("is not a lesson that was stopped", async () => {
      const { tale, lesson } = taught();
      const events = eventsOf(tale).map((event) =>
        event.type === "StepTaught" ? { ...event, data: { ...(event.data as object), outcome: "stopped" } } : event,
      );
      await apply(events.filter(({ revision }) => revision < lesson));
      expect(await met()).to.deep.equal([]);
    });

    it("gives no question away before it was answered, and keeps which were disputed", async () => {
      const { tale } = taught();
      await apply(eventsOf(tale));
      const prompts = async () =>
        (await metSessions(database, mira)).flatMap(({ questions }) => Object.values(questions).map(({ prompt }) => prompt));
      expect(await prompts()).to.deep.equal(["What of probe-objective-a?", "What of probe-objective-b?"]);
      tale.answer(true);
      const answered = eventsOf(tale);
      await apply(answered);
      expect(await prompts()).to.include("What of pipes?");
      const disputed = stored(`tutor-${sessionId}`, tale.events.length, "GradeDisputed", {
        schemaVersion: 1,
        itemId: itemFor("objective-a", "pipes").itemId,
        textId: null,
      });
      await apply([disputed]);
      const [session] = await metSessions(database, mira);
      expect(Object.values(session?.questions ?? {}).filter((question) => question.disputed)).to.have.length(1);
    });

    it("is the same from batches as one by one, and from events that come twice", async () => {
      const { tale } = taught();
      tale.answer(true);
      const events = eventsOf(tale);
      await apply(events);
      const once = await dump();
      await apply(events, events.slice(4));
      expect(await dump()).to.deep.equal(once);
      await sql`delete from review_sessions`.execute(database);
      await apply(...events.map((one) => [one]));
      expect(await dump()).to.deep.equal(once);
    });

    it("is one account's, and goes with everything it owned, in whatever order the streams are read", async () => {
      const events = eventsOf(taught().tale);
      const erased = stored(learnerStream(mira), 0, learnerErased, { schemaVersion: 1 });
      await apply(events);
      expect(await met(tomas)).to.deep.equal([]);
      await apply([erased]);
      expect(await met()).to.deep.equal([]);
      expect(JSON.stringify(await dump())).to.not.include("What of");
      await apply(events);
      expect(await met(), "a rebuild that reads the erasure first").to.deep.equal([]);
      const later = eventsOf(taught().tale).map((event) => ({ ...event, stream: "tutor-session-0002" }));
      await apply(later, [erased]);
      expect(await met(), "what is met afterwards stays").to.deep.equal(["objective-a"]);
    });
  });
