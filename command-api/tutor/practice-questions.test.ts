import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { exportLines, type LedgerRecord } from "@colloquy/infra/ledger/export.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { tutorEvents, tutorStream } from "@colloquy/schemas/tutor/events.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { expect } from "chai";
import { askedCourse } from "./asked-course.fixture.ts";
import { type ServedTutor, serveTutor } from "./tutor.fixture.ts";

const points = `<!-- core.key-points pip-points -->
- \`wc\` counts lines, words, and characters in its inputs.
- \`head\` displays the first ten lines of what it reads.

<!-- core.callout pip-teachers -->
---
kind: instructor
---
**Plumbing** is a name that some teachers give to this lesson.
`;

describe("practice questions made of a course's text", function () {
  this.timeout(60_000);
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
    expect(practice.map(({ question }) => (question.kind === "gap" ? question.gaps : question.kind))).to.deep.equal([[["wc"]], [["head"]]]);
    expect(practice.every(({ sourceIds }) => sourceIds.length === 1)).to.equal(true);
  });

  it("come before what the demonstration model writes, and count nothing", async () => {
    const { current } = await practise();
    expect(current).to.deep.include({ selection: "gap", counts: false, gradedBy: "application" });
    expect(current?.prompt).to.match(/^\[…\] (?:counts|displays)/);
  });

  it("are asked once each, and then the demonstration model's", async () => {
    const first = await practise();
    const second = await answer(first, "something else");
    expect(second.current).to.deep.include({ selection: "gap", counts: false });
    expect(second.current?.prompt).to.not.equal(first.current?.prompt);
    const third = await answer(second, "something else");
    expect(third.current?.question).to.equal(undefined);
    expect(third.current?.counts).to.equal(false);
  });

  it("leave a ledger that verifies, without any mastery", async () => {
    const session = await answer(await practise(), "wc");
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
