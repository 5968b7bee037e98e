import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { exportLines, type LedgerRecord } from "@colloquy/infra/ledger/export.ts";
import { type Verified, verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { samenessOf } from "@colloquy/infra/object-store/course-questions.ts";
import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import { type TutorItem, tutorEvents, tutorStream } from "@colloquy/schemas/tutor/events.ts";
import { tutorReply } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { expect } from "chai";
import { askedCourse, responseOf } from "./asked-course.fixture.ts";
import { tutorCourses } from "./course.ts";
import { reviewAnswers } from "./review-answers.ts";
import { tutorSessions } from "./sessions.ts";
import { type ServedTutor, serveTutor } from "./tutor.fixture.ts";

describe("questions of a course's own", function () {
  this.timeout(120_000);
  let tutor: ServedTutor;
  const course = askedCourse();
  /** Since when the learner was answered beside the session. */
  let answeredSince: string | null = null;
  before(async () => {
    tutor = await serveTutor({
      others: [course],
      isAnsweredSince: async (_, { since }) => answeredSince !== null && answeredSince >= since,
    });
  });
  after(async () => {
    await tutor.close();
    rmSync(dirname(course.folder), { recursive: true, force: true });
  });

  const itemOf = async ({ sessionId, current }: TutorSession): Promise<TutorItem> => {
    const item = (await tutor.sessions.load(sessionId)).state.items[current?.itemId ?? ""];
    if (!item) throw new Error("no question waits");
    return item;
  };
  const start = async (): Promise<TutorSession> => (await tutor.start({ goal: "Join programs with pipes" })).session;
  async function answer(session: TutorSession, correct: boolean): Promise<TutorSession> {
    const item = await itemOf(session);
    return (await tutor.act(session, { type: "answer", itemId: item.itemId, response: responseOf(item, correct) })).session;
  }
  /** Answers every question so, as long as there is one. */
  async function finish(session: TutorSession, isRight: (count: number) => boolean): Promise<{ done: TutorSession; asked: TutorItem[] }> {
    let now = session;
    const asked: TutorItem[] = [];
    while (now.current) {
      asked.push(await itemOf(now));
      now = await answer(now, isRight(asked.length));
    }
    return { done: now, asked };
  }
  async function verified(sessionId: string): Promise<Verified> {
    const records: LedgerRecord[] = [];
    for await (const stored of tutor.store.read(tutorStream(sessionId))) {
      const event = tutorEvents.parse(stored);
      if (event.type === "EvidenceRecorded") records.push({ entry: event.data.entry });
      if (event.type === "CheckpointSigned") records.push({ checkpoint: event.data.checkpoint });
    }
    return verifyLedger(exportLines(sessionId, records, tutor.signer, new Date().toISOString()), tutor.signer.keys());
  }

  it("are asked first, each once and of several kinds, and bring provisional mastery without a capable model", async () => {
    const { done, asked } = await finish(await start(), () => true);
    expect(done.phase).to.equal("completed");
    expect(done.mastery.map(({ standing }) => standing)).to.deep.equal(["provisional"]);
    expect(asked.every(({ authored, evidence }) => authored !== undefined && evidence?.counts)).to.equal(true);
    expect(new Set(asked.map(({ authored }) => authored?.blockId)).size).to.equal(asked.length);
    expect(new Set(asked.slice(0, 3).map(({ evidence }) => evidence?.kind)).size).to.equal(3);
    expect((await verified(done.sessionId)).fault).to.equal(null);
  });

  it("count as answered with help when the learner asked beside the session meanwhile, and not later", async () => {
    const session = await start();
    answeredSince = new Date().toISOString();
    const first = await itemOf(session);
    const now = await answer(session, true);
    const next = await itemOf(now);
    await answer(now, true);
    answeredSince = null;
    const { state } = await tutor.sessions.load(session.sessionId);
    expect(state.answers[first.itemId]).to.deep.include({ correct: true, aided: true, help: "shown" });
    expect(state.answers[next.itemId]).to.deep.include({ correct: true, aided: false });
    expect((await verified(session.sessionId)).fault).to.equal(null);
  });

  it("are marked by their keys in every kind, and the ledger's grades are computed again", async () => {
    const { done, asked } = await finish(await start(), (count) => count % 2 === 0);
    const wrong = done.messages.filter((message) => message.kind === "answer" && !message.correct);
    expect(wrong.length).to.be.greaterThan(1);
    const { fault, entries, unproven } = await verified(done.sessionId);
    expect(fault).to.equal(null);
    const answers = entries.filter(({ itemId, correct }) => itemId !== undefined && correct !== undefined);
    expect(answers.map(({ correct }) => correct)).to.deep.equal(asked.map((_, index) => index % 2 === 1));
    expect(unproven.every(({ what }) => what === "own_words" || what === "question_counts")).to.equal(true);
    // What was written and is wrong is kept with the learner's texts alone.
    expect(JSON.stringify(entries)).to.not.include("Something only I would write");
  });

  it("answer by the contract, without the key before the answer and with the author's words after it", async () => {
    const reply = await tutor.start({ goal: "Join programs with pipes" });
    expect(tutorReply.safeParse(reply).error).to.equal(undefined);
    const item = await itemOf(reply.session);
    expect(JSON.stringify(reply)).to.not.include(item.explanation).and.not.include("to a file").and.not.include('"correct"');
    const answered = await tutor.act(reply.session, { type: "answer", itemId: item.itemId, response: responseOf(item, false) });
    expect(tutorReply.safeParse(answered).error).to.equal(undefined);
    const told = answered.session.messages.find((message) => message.kind === "answer");
    expect(told).to.deep.include({ correct: false, key: item.key, response: responseOf(item, false), explanation: item.explanation });
  });

  it("refuse a response that lacks a part or names what is not there", async () => {
    const session = await start();
    const { itemId } = await itemOf(session);
    for (const response of [{ choiceIds: [] }, { choiceIds: ["nowhere"] }, { text: "" }] as QuestionResponse[]) {
      const refused = await tutor.act(session, { type: "answer", itemId, response }).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(ProblemError).and.have.property("code", "invalid_request");
    }
  });

  it("are known to the check of what models write, retired ones as well", async () => {
    const { written } = await tutorCourses(tutor).live("pipes-asked");
    const choices = [{ text: "escape" }, { text: "Control and C" }];
    expect(written).to.include(samenessOf("Which key ends a program?", choices)).and.have.property("size", 9);
  });

  it("are answered in Review, where a right answer a day later confirms mastery, and an earlier one does not", async () => {
    const { done } = await finish(await start(), () => true);
    const accountId = "acc_mira_0001";
    const courses = tutorCourses(tutor);
    const later = (hours: number) =>
      reviewAnswers({
        courses,
        sessions: tutorSessions({ ...tutor, now: () => new Date(Date.now() + hours * 3_600_000).toISOString() }),
        sessionsOf: async () => [done],
      });
    const { state } = await tutor.sessions.load(done.sessionId);
    const seen = state.asked.map((itemId) => state.items[itemId]?.authored?.blockId);
    const [soon, next] = (await courses.live(done.courseId)).questions.filter(({ blockId }) => !seen.includes(blockId));
    if (!soon || !next) throw new Error("every question was asked");
    const asked = ({ blockId, digest, objectiveId, question }: typeof soon, requestId: string, correct: boolean) => ({
      schemaVersion: 1 as const,
      requestId,
      courseId: done.courseId,
      objectiveId,
      blockId,
      digest,
      response: responseOf({ key: question } as TutorItem, correct),
    });
    const context = (requestId: string) => ({ accountId, requestId, correlationId: requestId });
    const first = await later(1)(asked(soon, "request-review-1", true), context("request-review-1"));
    expect(first.evidence).to.deep.include({ before: "provisional", standing: "provisional" });
    const request = asked(next, "request-review-2", true);
    const second = await later(25)(request, context("request-review-2"));
    expect([second.correct, second.evidence?.before, second.evidence?.standing]).to.deep.equal([true, "provisional", "confirmed"]);
    expect(await later(26)(request, context("request-review-2")), "sent again").to.deep.equal(second);
    expect((await verified(done.sessionId)).fault).to.equal(null);
  });

  it("are not answered in Review by an account without a session on them", async () => {
    const courses = tutorCourses(tutor);
    const answers = reviewAnswers({ courses, sessions: tutor.sessions, sessionsOf: async () => [] });
    const asked = (await courses.live("pipes-asked")).questions.find(({ question }) => question.kind === "text");
    if (!asked) throw new Error("no such question");
    const { objectiveId, blockId, digest } = asked;
    const request = { schemaVersion: 1 as const, requestId: "review-000009", courseId: "pipes-asked", objectiveId, blockId, digest };
    const context = { accountId: "acc_mira_0001", requestId: "review-000009", correlationId: "review-000009" };
    for (const text of ["filter", "filtr", "banana"]) {
      const code = await answers({ ...request, response: { text } }, context).catch((error: ProblemError) => error.code);
      expect(code, text).to.equal("not_found");
    }
  });

  it("send a misspelled answer back once, without a record of it, and mark it as it stands when it is confirmed", async () => {
    let session = await start();
    while ((await itemOf(session)).key?.kind !== "text") session = await answer(session, false);
    const { itemId } = await itemOf(session);
    const action = { type: "answer" as const, itemId, response: { text: "filtr" } };
    const before = await tutor.sessions.load(session.sessionId);
    const texts = await tutor.sessions.texts(session.sessionId);
    const refused = await tutor.act(session, action).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(ProblemError).and.have.property("code", "check_spelling");
    expect((await tutor.sessions.load(session.sessionId)).state.version).to.equal(before.state.version);
    expect(await tutor.sessions.texts(session.sessionId)).to.deep.equal(texts);
    const { session: after } = await tutor.act(session, { ...action, confirmed: true });
    expect(after.messages.find((message) => message.kind === "answer" && message.itemId === itemId)).to.include({ correct: false });
    expect((await verified(session.sessionId)).fault).to.equal(null);
  });

  it("send a misspelled answer back once in Review", async () => {
    const { done } = await finish(await start(), () => false);
    const courses = tutorCourses(tutor);
    const asked = (await courses.live("pipes-asked")).questions.find(({ question }) => question.kind === "text");
    if (!asked) throw new Error("no such question");
    // A session on other text takes no answer, which is marked all the same.
    const answers = reviewAnswers({
      courses: { ...courses, usesSameText: async () => false },
      sessions: tutor.sessions,
      sessionsOf: async () => [done],
    });
    const { objectiveId, blockId, digest } = asked;
    const request = { schemaVersion: 1 as const, requestId: "review-000010", courseId: "pipes-asked", objectiveId, blockId, digest };
    const context = { accountId: "acc_mira_0001", requestId: "review-000010", correlationId: "review-000010" };
    const misspelled = { ...request, response: { text: "filtr" } };
    expect(await answers(misspelled, context).catch((error: ProblemError) => error.code)).to.equal("check_spelling");
    expect(await answers({ ...misspelled, confirmed: true }, context)).to.include({ correct: false });
  });

  it("say of one that was answered in Review that it was, also to a misspelled answer", async () => {
    const { done } = await finish(await start(), () => false);
    const courses = tutorCourses(tutor);
    const asked = (await courses.live("pipes-asked")).questions.find(({ question }) => question.kind === "text");
    if (!asked) throw new Error("no such question");
    const answers = reviewAnswers({ courses, sessions: tutor.sessions, sessionsOf: async () => [done] });
    const { objectiveId, blockId, digest } = asked;
    const codeOf = (requestId: string, more: { confirmed?: true } = {}) =>
      answers(
        { schemaVersion: 1, requestId, courseId: "pipes-asked", objectiveId, blockId, digest, response: { text: "filtr" }, ...more },
        { accountId: "acc_mira_0001", requestId, correlationId: requestId },
      ).then(
        ({ correct }) => correct,
        (error: ProblemError) => error.code,
      );
    expect(await codeOf("review-000011")).to.equal("check_spelling");
    expect(await codeOf("review-000011", { confirmed: true })).to.equal(false);
    expect(await codeOf("review-000012")).to.equal("wrong_phase");
  });

  it("mark another word of the course at once", async () => {
    let session = await start();
    while ((await itemOf(session)).key?.kind !== "text") session = await answer(session, false);
    const { itemId } = await itemOf(session);
    const { session: after } = await tutor.act(session, { type: "answer", itemId, response: { text: "filters" } });
    expect(after.messages.find((message) => message.kind === "answer" && message.itemId === itemId)).to.include({ correct: false });
  });

  it("leave the step for later when they run out and no model can check others", async () => {
    const { done } = await finish(await start(), () => false);
    expect(done.phase).to.equal("completed");
    expect(done.mastery.map(({ standing }) => standing)).to.deep.equal(["none"]);
    const items = Object.values((await tutor.sessions.load(done.sessionId)).state.items);
    expect(items.every(({ authored }) => authored !== undefined)).to.equal(true);
  });
});

describe("a course with two questions, without a model that can check others", function () {
  this.timeout(120_000);
  let tutor: ServedTutor;
  const course = askedCourse(2);
  before(async () => {
    tutor = await serveTutor({ others: [course] });
  });
  after(async () => {
    await tutor.close();
    rmSync(dirname(course.folder), { recursive: true, force: true });
  });

  it("says from the start that they are too few for mastery", async () => {
    const { session } = await tutor.start({ goal: "Join programs with pipes" });
    expect(session.mastery.map(({ tooFewQuestions }) => tooFewQuestions)).to.deep.equal([true]);
  });
});

describe("a course without questions of its own, without a model that can check any", function () {
  this.timeout(120_000);
  let tutor: ServedTutor;
  const course = askedCourse(0);
  before(async () => {
    tutor = await serveTutor({ others: [course] });
  });
  after(async () => {
    await tutor.close();
    rmSync(dirname(course.folder), { recursive: true, force: true });
  });

  it("says what is needed instead of asking", async () => {
    const refused = await tutor.start({ goal: "Join programs with pipes" }).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(ProblemError).and.have.property("code", "no_questions");
  });

  it("can be practised, which is said and counts nothing", async () => {
    const { session } = await tutor.start({ goal: "Join programs with pipes", practice: true });
    expect([session.practice, session.current?.counts]).to.deep.equal([true, false]);
  });
});
