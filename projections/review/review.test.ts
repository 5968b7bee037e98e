import { itemFor, story } from "@colloquy/command-api/tutor/decider.fixture.ts";
import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { learnerErased, learnerStream } from "@colloquy/schemas/learner/events.ts";
import { expect } from "chai";
import { type Rows, rowsOf, storedEvents } from "../rows.fixture.ts";
import { projection } from "./projection.ts";
import { type ReviewTables, studiedSessions } from "./queries.ts";

const mira = "acc_mira0001";
const tomas = "acc_tomas001";
const sessionId = "session-0001";

for (const engine of await enginesToTest())
  describeOn(engine, `what was met in tutoring, on ${engine.name}`, () => {
    let rows: Rows<ReviewTables>;
    beforeEach(async () => {
      rows = await rowsOf(engine, projection);
    });
    afterEach(() => rows.close());

    const stored = storedEvents();
    const eventsOf = (tale: ReturnType<typeof story>) =>
      tale.events
        .map((event, revision) => stored(mira, `tutor-${sessionId}`, revision, event))
        .filter(({ type }) => projection.events.includes(type));
    const met = async (accountId = mira) =>
      (await studiedSessions(rows.database, accountId)).flatMap(({ objectives }) =>
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

    it("includes what was taught or checked, not what was probed or planned", async () => {
      const { tale, planned, lesson } = taught();
      const events = tale.events.map((event, revision) => stored(mira, `tutor-${sessionId}`, revision, event));
      const known = (to: number, from = 0) => events.slice(from, to).filter(({ type }) => projection.events.includes(type));
      await rows.apply(known(planned));
      expect(await met()).to.deep.equal([]);
      await rows.apply(known(lesson, planned));
      expect(await met()).to.deep.equal(["objective-a"]);
      const [session] = await studiedSessions(rows.database, mira);
      expect(session?.objectives[0]?.taughtAt).to.equal(events.find(({ type }) => type === "StepTaught")?.created);
    });

    it("names the revision on which it was taught, if it changed", async () => {
      const { tale } = taught();
      const opened = tale.events.findIndex(({ type }) => type === "StepTaught");
      const on = (from: number) =>
        eventsOf(tale).map((event) => {
          const { entry } = event.data as { entry?: object };
          return entry && event.revision > from
            ? { ...event, data: { schemaVersion: 1, entry: { ...entry, courseRevisionId: "revision-02" } } }
            : event;
        });
      const revisions = async () =>
        (await studiedSessions(rows.database, mira)).flatMap(({ objectives }) => objectives.map(({ taughtOn }) => taughtOn));
      await rows.apply(on(Number.POSITIVE_INFINITY));
      expect(await revisions()).to.deep.equal([undefined, undefined]);
      await rows.empty();
      await rows.apply(on(opened));
      expect(await revisions()).to.deep.equal(["revision-02", undefined]);
    });

    it("leaves out a stopped lesson", async () => {
      const { tale, lesson } = taught();
      const events = eventsOf(tale).map((event) =>
        event.type === "StepTaught" ? { ...event, data: { ...(event.data as object), outcome: "stopped" } } : event,
      );
      await rows.apply(events.filter(({ revision }) => revision < lesson));
      expect(await met()).to.deep.equal([]);
    });

    it("hides unanswered questions and marks disputed ones", async () => {
      const { tale } = taught();
      await rows.apply(eventsOf(tale));
      const prompts = async () =>
        (await studiedSessions(rows.database, mira)).flatMap(({ questions }) => Object.values(questions).map(({ prompt }) => prompt));
      expect(await prompts()).to.deep.equal(["What of probe-objective-a?", "What of probe-objective-b?"]);
      tale.answer(true);
      const answered = eventsOf(tale);
      await rows.apply(answered);
      expect(await prompts()).to.include("What of pipes?");
      const disputed = stored(mira, `tutor-${sessionId}`, tale.events.length, {
        type: "GradeDisputed",
        data: { schemaVersion: 1, itemId: itemFor("objective-a", "pipes").itemId, textId: null },
      });
      await rows.apply([disputed]);
      const [session] = await studiedSessions(rows.database, mira);
      expect(Object.values(session?.questions ?? {}).filter((question) => question.disputed)).to.have.length(1);
    });

    it("gives the same rows from batches, single events and repeated events", async () => {
      const { tale } = taught();
      tale.answer(true);
      const events = eventsOf(tale);
      await rows.apply(events);
      const once = await rows.dump();
      await rows.apply(events, events.slice(4));
      expect(await rows.dump()).to.deep.equal(once);
      await rows.empty();
      await rows.apply(...events.map((one) => [one]));
      expect(await rows.dump()).to.deep.equal(once);
    });

    it("belongs to one account and is erased with it, in any order of streams", async () => {
      const events = eventsOf(taught().tale);
      const erased = stored(mira, learnerStream(mira), 0, { type: learnerErased, data: { schemaVersion: 1 } });
      await rows.apply(events);
      expect(await met(tomas)).to.deep.equal([]);
      await rows.apply([erased]);
      expect(await met()).to.deep.equal([]);
      expect(JSON.stringify(await rows.dump())).to.not.include("What of");
      await rows.apply(events);
      expect(await met(), "a rebuild that reads the erasure first").to.deep.equal([]);
      const later = eventsOf(taught().tale).map((event) => ({ ...event, stream: "tutor-session-0002" }));
      await rows.apply(later, [erased]);
      expect(await met(), "what is met afterwards stays").to.deep.equal(["objective-a"]);
    });
  });
