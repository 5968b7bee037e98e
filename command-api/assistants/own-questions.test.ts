import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { exportLines, type LedgerRecord } from "@colloquy/infra/ledger/export.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { tutorEvents, tutorStream } from "@colloquy/schemas/tutor/events.ts";
import { expect } from "chai";
import { askedCourse, responseOf } from "../tutor/asked-course.fixture.ts";
import { type Connected, type ServedConnector, serveConnector } from "./assistants.fixture.ts";
import { scriptedAssistant, type Told } from "./scripted-model.fixture.ts";

describe("questions of a course's own over the connector", function () {
  this.timeout(120_000);
  const course = askedCourse();
  let served: ServedConnector;
  let mira: Connected;
  let assistant: ReturnType<typeof scriptedAssistant>;
  before(async () => {
    served = await serveConnector({ others: [course] });
    mira = await served.connect();
    assistant = scriptedAssistant(mira, served.tutor.gateway);
  });
  after(async () => {
    await served.close();
    rmSync(dirname(course.folder), { recursive: true, force: true });
  });
  const start = (requestId: string) =>
    mira.call<Told>("start_tutor_session", { requestId, courseId: "pipes-asked", goal: "Join programs with pipes" });

  it("wait without their keys, and next_work asks for nothing", async () => {
    const { session } = await start("start-own-0001");
    expect(session.waitsFor).to.equal("answer");
    const item = (await served.tutor.sessions.load(session.sessionId)).state.items[session.current?.itemId ?? ""];
    const { explanation } = item ?? {};
    expect(explanation).to.be.a("string");
    expect(JSON.stringify(session))
      .to.not.match(/"correct"|"accepted"|"right"/)
      .and.to.not.include(explanation);
    const { work } = await mira.call<{ work: string }>("next_work", { sessionId: session.sessionId });
    expect(work).to.equal("none");
  });

  it("bring mastery to right answers passed on, in a ledger that verifies", async () => {
    let { session } = await start("start-own-0002");
    for (let turns = 0; session.phase !== "completed"; turns += 1) {
      expect(turns).to.be.lessThan(20);
      const { itemId = "" } = session.current ?? {};
      const item = (await served.tutor.sessions.load(session.sessionId)).state.items[itemId];
      if (item?.key) {
        const response = responseOf(item, true);
        ({ session } = await mira.call<Told>("submit_answer", { ...assistant.turnOf(session), itemId, response }));
      } else ({ session } = await assistant.step(session));
    }
    expect(session.mastery.map(({ mastered }) => mastered)).to.deep.equal([true]);
    const records: LedgerRecord[] = [];
    for await (const stored of served.tutor.store.read(tutorStream(session.sessionId))) {
      const event = tutorEvents.parse(stored);
      if (event.type === "EvidenceRecorded") records.push({ entry: event.data.entry });
      if (event.type === "CheckpointSigned") records.push({ checkpoint: event.data.checkpoint });
    }
    const { signer } = served.tutor;
    const { fault, entries } = verifyLedger(exportLines(session.sessionId, records, signer, new Date().toISOString()), signer.keys());
    expect(fault).to.equal(null);
    const answers = entries.filter(({ kind }) => kind === "probe" || kind === "check");
    expect(answers.map(({ model, via }) => [model, via?.kind])).to.deep.equal(answers.map(() => ["course/author", "connector"]));
  });
});
