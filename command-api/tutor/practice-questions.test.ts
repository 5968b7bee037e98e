import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { exportLines, type LedgerRecord } from "@colloquy/infra/ledger/export.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import type { RankedPassage } from "@colloquy/projections/passages/queries.ts";
import type { Topic } from "@colloquy/schemas/courses/authored.ts";
import { type TutorItem, tutorEvents, tutorStream } from "@colloquy/schemas/tutor/events.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { expect } from "chai";
import { askedCourse } from "./asked-course.fixture.ts";
import { practiceItem } from "./practice-item.ts";
import { practiceQuestions } from "./practice-questions.ts";
import { type ServedTutor, serveTutor } from "./tutor.fixture.ts";

const points = `<!-- core.key-points pip-points -->
- \`wc\` counts the lines of programs that pipes join.
- \`head\` displays the first lines of programs that pipes join.
- Use \`more\` to read a long file of programs that pipes join.
- Use \`less\` to read a long file of programs that pipes join.
- \`Join\` puts the lines of two programs side by side, as pipes do.

<!-- core.callout pip-teachers -->
---
kind: instructor
---
**Plumbing** is a name that some teachers give to this lesson.
`;

describe("practice questions made of a course's text", () => {
  let tutor: ServedTutor;
  const course = askedCourse(0, points);
  before(async () => {
    tutor = await serveTutor({ others: [course] });
  });
  after(async () => {
    await tutor.close();
    rmSync(dirname(course.folder), { recursive: true, force: true });
  });

  const practise = async (): Promise<TutorSession> =>
    (await tutor.start({ goal: "Join programs with pipes", practice: true, conversationId: crypto.randomUUID() })).session;
  const answer = async (session: TutorSession, text: string): Promise<TutorSession> =>
    (await tutor.act(session, { type: "answer", itemId: session.current?.itemId ?? "", response: { texts: [text] } })).session;

  it("are made of what learners may read", async () => {
    const practice = (await tutor.courses.live("pipes-asked")).practice();
    expect(practice.map(({ question }) => (question.kind === "gap" ? question.gaps : question.kind))).to.deep.equal([
      [["wc"]],
      [["head"]],
      [["more"]],
      [["less"]],
      [["Join"]],
    ]);
    expect(practice.every(({ sourceIds }) => sourceIds.length === 1)).to.equal(true);
  });

  it("are about each objective of the page that has most of their words", () => {
    const blocks: Topic["blocks"] = [
      { id: "block-joins", type: "core.theory", source: "We can combine tables with the `JOIN` keyword of a query:" },
      { id: "block-query", type: "core.code", source: "```sql\nSELECT * FROM Site JOIN Visited;\n```" },
    ];
    const objectives = [
      { id: "objective-explain", text: "Explain a query that joins tables." },
      { id: "objective-write", text: "Write a query that joins tables." },
      { id: "objective-sort", text: "Sort the rows of a table by a field." },
    ];
    const topic = { id: "topic-joins", slug: "joins", title: "Joins", objectives, blocks };
    const readable = blocks.map(({ id }) => ({ sourceId: id, source: { entityId: id } }) as RankedPassage);
    const [question] = practiceQuestions([topic], readable, "en");
    expect([...(question?.about.keys() ?? [])]).to.deep.equal(["objective-explain", "objective-write"]);
  });

  it("come before what the demonstration model writes, and count nothing", async () => {
    const { current } = await practise();
    expect(current).to.deep.include({ selection: "gap", counts: false, gradedBy: "application" });
    expect(current?.prompt).to.match(/^(?:Use )?\[…\] (?:counts|displays|to read)/);
  });

  it("are asked behind a lesson, and nothing before: no answer could change the path", async () => {
    const { messages } = await practise();
    expect(messages.map(({ kind }) => kind)).to.deep.equal(["goal", "plan", "teaching", "question"]);
  });

  /** All that a session asks of its own, each answered wrongly. */
  async function asked(): Promise<{ session: TutorSession; prompts: string[] }> {
    const prompts: string[] = [];
    let session = await practise();
    for (let turn = 0; turn < 8 && session.current?.question; turn += 1) {
      prompts.push(session.current.prompt);
      session = await answer(session, "something else");
    }
    return { session, prompts };
  }

  it("are asked once each", async () => {
    const { prompts } = await asked();
    expect(prompts.length).to.be.within(2, 3);
    expect(new Set(prompts).size).to.equal(prompts.length);
  });

  it("are one question where they read the same, and none where the objective's name answers", async () => {
    const course = await tutor.courses.live("pipes-asked");
    const { state } = await tutor.sessions.load((await practise()).sessionId);
    const place = { kind: "check" as const, stepId: null, breadth: "narrow" as const };
    const shown = { statements: [], texts: [] };
    const [objective] = state.objectives;
    if (!objective) throw new Error("no objective");
    const items: TutorItem[] = [];
    for (let count = 0; count < 6; count += 1) {
      const before = Object.fromEntries(items.map((item) => [item.itemId, item]));
      const needs = { course, shown, sourceIds: [], nearness: () => 1 };
      const item = practiceItem({ ...state, items: { ...state.items, ...before } }, objective, place, () => crypto.randomUUID(), needs);
      if (item) items.push(item);
    }
    const all = [...Object.values(state.items), ...items].filter(({ key }) => key !== undefined);
    expect(all.filter(({ prompt }) => prompt.includes("a long file"))).to.have.length(1);
    expect(all.some(({ prompt }) => prompt.includes("side by side"))).to.equal(false);
  });

  it("leave out short code that stands in an objective's name", async () => {
    const course = await tutor.courses.live("pipes-asked");
    const { state } = await tutor.sessions.load((await practise()).sessionId);
    const [objective] = state.objectives;
    if (!objective) throw new Error("no objective");
    const [first] = course.practice();
    const about = new Map([[objective.objectiveId, 1]]);
    const isAsked = (title: string): boolean => {
      const needs = { course: { ...course, practice: () => (first ? [{ ...first, about }] : []) }, sourceIds: [], nearness: () => 1 };
      const named = { ...state, items: {}, objectives: [{ ...objective, title }] };
      const place = { kind: "check" as const, stepId: null, breadth: "narrow" as const };
      return practiceItem(named, objective, place, () => crypto.randomUUID(), { ...needs, shown: { statements: [], texts: [] } }) !== null;
    };
    expect([isAsked("Explain what wc does."), isAsked("Explain what it does.")]).to.deep.equal([false, true]);
  });

  it("have most of the objective's words, or some where the search for it finds them first", async () => {
    const course = await tutor.courses.live("pipes-asked");
    const { state } = await tutor.sessions.load((await practise()).sessionId);
    const [objective] = state.objectives;
    if (!objective) throw new Error("no objective");
    const isAsked = (share: number, near: number): boolean => {
      const about = new Map([[objective.objectiveId, share]]);
      const practice = course.practice().map((one) => ({ ...one, about }));
      const place = { kind: "check" as const, stepId: null, breadth: "narrow" as const };
      const shown = { statements: [], texts: [] };
      const needs = { course: { ...course, practice: () => practice }, shown, sourceIds: [], nearness: () => near };
      return practiceItem({ ...state, items: {} }, objective, place, () => crypto.randomUUID(), needs) !== null;
    };
    expect([isAsked(0.7, 0), isAsked(0.3, 0.95), isAsked(0.2, 0.95), isAsked(0.3, 0.8)]).to.deep.equal([true, true, false, false]);
  });

  it("come first that rest on what the search for the objective finds first", async () => {
    const course = await tutor.courses.live("pipes-asked");
    const { state } = await tutor.sessions.load((await practise()).sessionId);
    const [objective] = state.objectives;
    if (!objective) throw new Error("no objective");
    const practice = course.practice().map((one) => ({ ...one, about: new Map([[objective.objectiveId, 0.5]]) }));
    const place = { kind: "check" as const, stepId: null, breadth: "narrow" as const };
    for (const best of practice.filter(({ question }) => /counts|displays/.test(question.markdown))) {
      const nearness = (sourceIds: readonly string[]): number => (sourceIds === best.sourceIds ? 1 : 0);
      const needs = {
        course: { ...course, practice: () => practice },
        shown: { statements: [], texts: [] },
        sourceIds: [],
        nearness,
      };
      const item = practiceItem({ ...state, items: {}, asked: [] }, objective, place, () => crypto.randomUUID(), needs);
      expect(item?.key?.markdown).to.equal(best.question.markdown);
    }
  });

  it("leave a ledger that verifies, without any mastery", async () => {
    const { session } = await asked();
    const records: LedgerRecord[] = [];
    for await (const stored of tutor.store.read(tutorStream(session.sessionId))) {
      const event = tutorEvents.parse(stored);
      if (event.type === "EvidenceRecorded") records.push({ entry: event.data.entry });
      if (event.type === "CheckpointSigned") records.push({ checkpoint: event.data.checkpoint });
    }
    const at = new Date().toISOString();
    const { fault } = verifyLedger(exportLines(session.sessionId, records, tutor.signer, at), tutor.signer.keys());
    expect([fault, session.mastery.map(({ standing }) => standing)]).to.deep.equal([null, ["none"]]);
  });
});
