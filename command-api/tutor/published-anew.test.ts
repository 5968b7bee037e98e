import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { exportLines, type LedgerRecord } from "@colloquy/infra/ledger/export.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { sourceIdOf } from "@colloquy/projections/passages/queries.ts";
import { sessionSources } from "@colloquy/projections/tutor/queries.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { type TutorItem, tutorEvents, tutorStream } from "@colloquy/schemas/tutor/events.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { expect } from "chai";
import { draftOf } from "../explainers/explainer.fixture.ts";
import { tutorCourses } from "./course.ts";
import { filmEvidence } from "./film-evidence.ts";
import { type ServedTutor, serveTutor } from "./tutor.fixture.ts";

const failing = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "went through",
    (error: unknown) => (error instanceof ProblemError ? error.code : String(error)),
  );

/** Changes the block, or the summary of the page, that a question stands on. */
function changeSource({ topics }: AuthoredCourse, { citations }: TutorItem): void {
  const href = citations[0]?.href ?? "";
  const block = topics.flatMap(({ blocks }) => blocks).find(({ id }) => href.endsWith(`#${id}`));
  const topic = topics.find(({ slug }) => href.endsWith(`/${slug}`));
  if (block) block.source += "\n\nThis sentence is new.";
  else if (topic) topic.summary += " This sentence is new.";
  else throw new Error("the question stands on nothing");
}

describe("a tutoring session whose course is published anew", function () {
  this.timeout(120_000);
  let tutor: ServedTutor;
  beforeEach(async () => {
    tutor = await serveTutor();
  });
  afterEach(() => tutor.close());

  const itemOf = async ({ sessionId, current }: TutorSession): Promise<TutorItem> => {
    const item = (await tutor.sessions.load(sessionId)).state.items[current?.itemId ?? ""];
    if (!item) throw new Error("no question waits");
    return item;
  };
  /** Answers the waiting question rightly. */
  async function answer(session: TutorSession): Promise<TutorSession> {
    const { itemId, selection, right, rubric } = await itemOf(session);
    const given = selection === "text" ? { text: rubric.join(" ").split(" ").toSorted().join(" ") } : { choiceIds: right };
    return (await tutor.act(session, { type: "answer", itemId, ...given })).session;
  }

  it("moves to the live revision when the text it uses is unchanged", async () => {
    let { session } = await tutor.start();
    session = await answer(session);
    const { state } = await tutor.sessions.load(session.sessionId);
    const sources = new Set(sessionSources(state));
    const live = await tutor.publication.readLive("linear-maps");
    const other = live?.course.topics.flatMap(({ blocks }) => blocks).find(({ id }) => !sources.has(sourceIdOf("linear-maps", id)));
    if (!live || !other) throw new Error("the session stands on all of the course");
    other.source += "\n\nThis sentence is new.";
    const published = await tutor.publication.publishCourse({
      courseId: "linear-maps",
      course: live.course,
      base: live,
      requestId: "publish-beside-01",
      accountId: "acc_test_owner",
      origin: live.origin,
      readAsset: async () => null,
    });
    tutor.list({ courseId: "linear-maps", revisionId: published.revisionId, sequence: published.sequence });

    expect(await failing(tutor.act(session, { type: "pause" })), "with the revision that was live").to.equal("stale_course_revision");
    expect(await failing(tutor.act(session, { type: "pause" }, { courseRevisionId: "revision-made-up" }))).to.equal(
      "stale_course_revision",
    );
    const requestId = "request-goes-on-01";
    const on = (await tutor.act(session, { type: "pause" }, { courseRevisionId: published.revisionId, requestId })).session;
    expect(on).to.deep.include({ sessionId: session.sessionId, courseRevisionId: published.revisionId, paused: true });
    expect(on.mastery).to.deep.equal(session.mastery);
    expect(on.current).to.deep.equal(session.current);
    const again = await tutor.act(session, { type: "pause" }, { courseRevisionId: published.revisionId, requestId });
    expect(again.session.version).to.equal(on.version);
    const resumed = (await tutor.act(on, { type: "resume" })).session;
    const further = await answer(resumed);
    const { ledger } = (await tutor.sessions.load(session.sessionId)).state;
    expect(ledger.count).to.be.greaterThan(state.ledger.count);
    expect(further.courseRevisionId).to.equal(published.revisionId);
    const records: LedgerRecord[] = [];
    for await (const stored of tutor.store.read(tutorStream(session.sessionId))) {
      const event = tutorEvents.parse(stored);
      if (event.type === "EvidenceRecorded") records.push({ entry: event.data.entry });
      if (event.type === "CheckpointSigned") records.push({ checkpoint: event.data.checkpoint });
    }
    const exported = exportLines(session.sessionId, records, tutor.signer, new Date().toISOString());
    expect(verifyLedger(exported, tutor.signer.keys()).fault).to.equal(null);
    const revisions = new Set(records.flatMap((one) => ("entry" in one ? one.entry.courseRevisionId : [])));
    expect([...revisions]).to.deep.equal([session.courseRevisionId, published.revisionId]);
  });

  it("records no video's answer when a publication comes in between", async () => {
    const { session } = await tutor.start();
    const { state } = await tutor.sessions.load(session.sessionId);
    const item = await itemOf(session);
    const topicId = state.objectives.find(({ objectiveId }) => objectiveId === item.objectiveId)?.topicId ?? "";
    const courses = tutorCourses(tutor);
    /** Publishes while the session is held against the revision that was live. */
    const usesSameText: typeof courses.usesSameText = async (...asked) => {
      const answer = await courses.usesSameText(...asked);
      const live = await tutor.publication.readLive("linear-maps");
      if (!live) throw new Error("nothing is published");
      changeSource(live.course, item);
      const { revisionId, sequence } = await tutor.publication.publishCourse({
        courseId: "linear-maps",
        course: live.course,
        base: live,
        requestId: "publish-between-01",
        accountId: "acc_test_owner",
        origin: live.origin,
        readAsset: async () => null,
      });
      tutor.list({ courseId: "linear-maps", revisionId, sequence });
      return answer;
    };
    const evidence = filmEvidence({
      sessions: tutor.sessions,
      courses: { ...courses, usesSameText },
      library: tutor.library,
      openSessions: async () => [],
    });
    const { storyboard, questionKey: key, by } = draftOf();
    const drawn = storyboard.scenes.findLast((scene) => scene.layout === "question");
    if (!drawn || !key) throw new Error("the film asks nothing");
    const film = {
      jobId: "job-00000001",
      courseId: "linear-maps",
      topicId,
      courseRevisionId: session.courseRevisionId,
      question: { ...drawn, sourceIds: item.sourceIds },
      key,
      by,
      citations: storyboard.sources,
    };
    const context = { accountId: state.accountId, requestId: "request-film-01", correlationId: "request-film-01" };
    const counted = await evidence.record(context, film, { sessionId: session.sessionId, choice: 0 });
    expect(counted).to.deep.equal({ evidence: null, unrecorded: "other_revision" });
    expect((await tutor.sessions.load(session.sessionId)).state).to.deep.equal(state);
  });

  it("carries answers on unchanged text into a new session", async () => {
    let { session } = await tutor.start();
    const items: TutorItem[] = [];
    while (items.length < 4 && session.current) {
      items.push(await itemOf(session));
      session = await answer(session);
    }
    const [first] = items;
    const live = await tutor.publication.readLive("linear-maps");
    if (!first || !live) throw new Error("nothing was asked");
    changeSource(live.course, first);
    const published = await tutor.publication.publishCourse({
      courseId: "linear-maps",
      course: live.course,
      base: live,
      requestId: "publish-anew-01",
      accountId: "acc_test_owner",
      origin: live.origin,
      readAsset: async () => null,
    });
    tutor.list({ courseId: "linear-maps", revisionId: published.revisionId, sequence: published.sequence });
    const now = { courseRevisionId: published.revisionId };
    for (const change of [{}, now]) expect(await failing(tutor.act(session, { type: "pause" }, change))).to.equal("stale_course_revision");
    const refusal = async (change: object) => tutor.act(session, { type: "pause" }, change).catch((error: ProblemError) => error.detail);
    expect(await refusal({}), "it was not looked whether it goes on").to.include("goesOn");
    expect(await refusal(now), "it does not")
      .to.include("carryFrom")
      .and.not.include("goesOn");

    const next = (await tutor.start({ carryFrom: session.sessionId })).session;
    expect(next).to.deep.include({ carriedFrom: session.sessionId, courseRevisionId: published.revisionId });
    const carried = next.mastery.flatMap(({ objectiveId, evidence }) => evidence.map((one) => ({ objectiveId, carried: one.carried })));
    const kept = items.filter(({ sourceIds }) => !sourceIds.some((id) => first.sourceIds.includes(id)));
    expect(kept.length).to.be.greaterThan(0);
    expect(carried).to.have.deep.members(kept.map(({ objectiveId }) => ({ objectiveId, carried: true })));
    expect((await tutor.start({ carryFrom: session.sessionId })).session, "from another tab, too").to.deep.equal(next);
    const elsewhere = (await tutor.start({ carryFrom: session.sessionId, conversationId: "conversation-02" })).session;
    expect(elsewhere.sessionId, "in another conversation").not.to.equal(next.sessionId);
    const third = (await tutor.start({ carryFrom: next.sessionId })).session;
    expect(third.mastery.map(({ probability }) => probability)).to.deep.equal(next.mastery.map(({ probability }) => probability));
    for (const { objectiveId, probability } of next.mastery)
      if (kept.some((item) => item.objectiveId === objectiveId)) expect(probability).to.be.greaterThan(0.25);
  });

  it("counts questions that an earlier session asked as aided in a new one", async () => {
    let { session } = await tutor.start();
    const answered: TutorItem[] = [];
    for (let count = 0; count < 2 && session.current; count += 1) {
      answered.push(await itemOf(session));
      session = await answer(session);
    }
    const publish = async (requestId: string, change: (course: AuthoredCourse) => void) => {
      const live = await tutor.publication.readLive("linear-maps");
      if (!live) throw new Error("no course is live");
      change(live.course);
      const { revisionId, sequence } = await tutor.publication.publishCourse({
        courseId: "linear-maps",
        course: live.course,
        base: live,
        requestId,
        accountId: "acc_test_owner",
        origin: live.origin,
        readAsset: async () => null,
      });
      tutor.list({ courseId: "linear-maps", revisionId, sequence });
    };
    // What was taught or is asked now says more; every answer stands on text that stays.
    const quoted = new Set(answered.flatMap(({ sourceIds }) => sourceIds));
    const taught = session.messages.flatMap((message) => (message.kind === "teaching" ? message.citations : []));
    const read = new Set([...taught.map(({ sourceId }) => sourceId), ...(session.current ? (await itemOf(session)).sourceIds : [])]);
    await publish("publish-goes-on-01", ({ topics }) => {
      const block = topics
        .flatMap(({ blocks }) => blocks)
        .find(({ id, type }) => {
          const sourceId = sourceIdOf("linear-maps", id);
          return type === "core.theory" && read.has(sourceId) && !quoted.has(sourceId);
        });
      if (!block) throw new Error("answers stand on all that was read");
      block.source += "\n\nOne more sentence is read here.";
    });

    const next = (await tutor.start({ carryFrom: session.sessionId })).session;
    expect(next.mastery.flatMap(({ evidence }) => evidence).length, "every answer is carried").to.equal(answered.length);
    expect(next.messages.map(({ kind }) => kind)).to.deep.equal(["goal", "plan", "teaching", "question"]);
    const samenesses = new Set(answered.map(({ sameness }) => sameness));
    let going = next;
    for (let count = 0; count < 6 && going.current; count += 1) {
      const { sameness } = await itemOf(going);
      // Statements that were shown count as aided, too.
      if (samenesses.has(sameness)) expect(going.current.aided, "what is asked again counts as aided").to.equal(true);
      samenesses.add(sameness);
      going = await answer(going);
    }
    const { state } = await tutor.sessions.load(next.sessionId);
    expect(state.askedBefore?.map(({ statements: _, ...asked }) => asked)).to.deep.equal(
      answered.map(({ objectiveId, prompt, sameness }) => ({ objectiveId, prompt, sameness })),
    );
  });
});
