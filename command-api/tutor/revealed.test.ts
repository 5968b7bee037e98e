import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { KnownSession } from "@colloquy/projections/tutor/queries.ts";
import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { expect } from "chai";
import { askedCourse, responseOf } from "./asked-course.fixture.ts";
import { revealedTo } from "./revealed.ts";
import { tutorSessions } from "./sessions.ts";
import { type ServedTutor, serveTutor } from "./tutor.fixture.ts";

describe("what other sessions of an account showed", function () {
  this.timeout(120_000);
  const course = askedCourse();
  /** As the read model lists them, which knows of their beginning only. */
  const known: KnownSession[] = [];
  let tutor: ServedTutor;
  before(async () => {
    tutor = await serveTutor({ others: [course], sessionsOf: async () => known });
  });
  beforeEach(() => {
    known.length = 0;
  });
  after(async () => {
    await tutor.close();
    rmSync(dirname(course.folder), { recursive: true, force: true });
  });

  async function start(carryFrom?: TutorSession): Promise<TutorSession> {
    const { session } = await tutor.start({ goal: "Join programs with pipes", ...(carryFrom && { carryFrom: carryFrom.sessionId }) });
    known.unshift({ sessionId: session.sessionId, version: session.version });
    return session;
  }
  async function waiting({ sessionId, current }: TutorSession): Promise<TutorItem> {
    const item = (await tutor.sessions.load(sessionId)).state.items[current?.itemId ?? ""];
    if (!item) throw new Error("no question waits");
    return item;
  }
  async function answer(session: TutorSession, correct: boolean): Promise<{ session: TutorSession; item: TutorItem }> {
    const item = await waiting(session);
    return {
      item,
      session: (await tutor.act(session, { type: "answer", itemId: item.itemId, response: responseOf(item, correct) })).session,
    };
  }
  /** Answers every question, as long as there is one. @returns the blocks that were asked */
  async function finish(session: TutorSession, correct: boolean): Promise<{ done: TutorSession; blocks: (string | undefined)[] }> {
    const blocks: (string | undefined)[] = [];
    let now = session;
    while (now.current) {
      const answered = await answer(now, correct);
      blocks.push(answered.item.authored?.blockId);
      now = answered.session;
    }
    return { done: now, blocks };
  }

  it("is not asked again in a new one", async () => {
    const first = await finish(await start(), false);
    const second = await finish(await start(), true);
    expect(first.blocks.length).to.be.greaterThan(1);
    expect(second.blocks.filter((block) => first.blocks.includes(block))).to.deep.equal([]);
  });

  it("is said to be all there is, where nothing else is left that no model can add to", async () => {
    await finish(await start(), false);
    await finish(await start(), false);
    const code = await start().catch((error: ProblemError) => error.code);
    expect(code).to.equal("questions_shown");
  });

  it("can be asked again a month after the session was used last", async () => {
    const { done } = await finish(await start(), false);
    const accountId = "acc_mira_0001";
    const courseOf = { courseId: "pipes-asked", shownOnPages: [] };
    const shownAfter = async (days: number): Promise<number> => {
      const at = new Date(Date.parse(done.updatedAt) + days * 86_400_000).toISOString();
      const needs = { sessions: tutor.sessions, sessionsOf: async () => known };
      return (await revealedTo(needs, accountId, courseOf, { sessionId: "another", at })).length;
    };
    expect(await shownAfter(29)).to.be.greaterThan(3);
    expect(await shownAfter(31)).to.equal(0);
  });

  it("is no evidence in one that was open already", async () => {
    const open = await start();
    const asked = await waiting(open);
    const other = await start();
    expect((await waiting(other)).authored?.blockId).to.equal(asked.authored?.blockId);
    await answer(other, false);
    const { session } = await answer(open, true);
    const { state } = await tutor.sessions.load(session.sessionId);
    expect(state.answers[asked.itemId]).to.deep.include({ correct: true, aided: true, help: "shown" });
  });

  it("is read again from no session that has not changed", async () => {
    const { done } = await finish(await start(), false);
    let reads = 0;
    const store = {
      ...tutor.store,
      read: (...given: Parameters<typeof tutor.store.read>) => {
        reads += 1;
        return tutor.store.read(...given);
      },
    };
    const sessions = tutorSessions({ store, signer: tutor.signer });
    const first = await sessions.shown(done.sessionId, done.version);
    expect(first?.statements).to.have.lengthOf.at.least(3);
    expect([await sessions.shown(done.sessionId, done.version), reads]).to.deep.equal([first, 1]);
    await sessions.shown(done.sessionId, done.version + 1);
    expect(reads).to.equal(2);
  });

  it("is known as soon as the turn that showed it was taken, whatever revision is known", async () => {
    const session = await start();
    const before = await tutor.sessions.shown(session.sessionId, session.version);
    expect(before?.statements).to.deep.equal([]);
    await answer(session, false);
    const after = await tutor.sessions.shown(session.sessionId, session.version);
    expect(after?.statements.length).to.be.greaterThan(0);
  });

  it("is never that of another account's session, though the list named it", async () => {
    const { done } = await finish(await start(), false);
    const needs = { sessions: tutor.sessions, sessionsOf: async () => known };
    const of = (accountId: string) =>
      revealedTo(needs, accountId, { courseId: "pipes-asked", shownOnPages: [] }, { sessionId: "another", at: done.updatedAt });
    expect((await of("acc_mira_0001")).length).to.be.greaterThan(0);
    expect(await of("acc_robin_0001")).to.deep.equal([]);
  });

  it("is carried over with what was explained and never answered", async () => {
    const session = await start();
    const item = await waiting(session);
    const explained = (await tutor.act(session, { type: "explanation", itemId: item.itemId })).session;
    const replaced = (await tutor.act(explained, { type: "replace", itemId: item.itemId })).session;
    known.length = 0;
    const next = await finish(await start(replaced), true);
    expect(next.blocks).to.not.include(item.authored?.blockId);
  });
});

describe("questions that stand on pages with their solutions", function () {
  this.timeout(120_000);

  it("are not asked as evidence, so a course of these alone says what is needed", async () => {
    const course = askedCourse();
    const file = join(course.folder, "topics", "pipes.md");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("place: bank\n", ""));
    const tutor = await serveTutor({ others: [course] });
    const code = await tutor.start({ goal: "Join programs with pipes" }).catch((error: ProblemError) => error.code);
    expect(code).to.equal("no_questions");
    await tutor.close();
    rmSync(dirname(course.folder), { recursive: true, force: true });
  });
});
