import { accountIds, embeddedIssuer } from "@colloquy/infra/identity/accounts.ts";
import { hashOf } from "@colloquy/infra/ledger/chain.ts";
import { tutorEvents, tutorStream } from "@colloquy/schemas/tutor/events.ts";
import type { EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import type { TutorAction } from "@colloquy/schemas/tutor/requests.ts";
import { expect } from "chai";
import { tutorCourses } from "../tutor/course.ts";
import { type TutorHandlers, tutorHandlers } from "../tutor/handlers.ts";
import { tutorSessions } from "../tutor/sessions.ts";
import { type Connected, type ServedConnector, serveConnector } from "./assistants.fixture.ts";
import { type SessionRecord, scriptedAssistant, type Told } from "./scripted-model.fixture.ts";

describe("a session with concurrent turns of its learner and an assistant", function () {
  this.timeout(120_000);
  let served: ServedConnector;
  let mira: Connected;
  let assistant: ReturnType<typeof scriptedAssistant>;
  let accountId: string;
  before(async () => {
    served = await serveConnector();
    mira = await served.connect();
    assistant = scriptedAssistant(mira, served.tutor.gateway);
    accountId = accountIds(served.config)(embeddedIssuer, "learner");
  });
  after(() => served.close());

  let started = 0;
  async function begun(): Promise<{ session: SessionRecord; items: unknown[] }> {
    started += 1;
    const { session } = await mira.call<Told>("start_tutor_session", {
      requestId: `start-doors-${started}`,
      courseId: "linear-maps",
      goal: "Understand eigenvectors",
    });
    const { brief } = await mira.call<{ brief: string }>("next_work", { sessionId: session.sessionId });
    return { session, items: (await assistant.make("probe", brief)).items };
  }
  /** What the learner's own page sends. */
  function onThePage(session: SessionRecord, requestId: string, action: TutorAction, handlers: TutorHandlers = served.tutor.handlers) {
    const { sessionId, version, courseRevisionId } = session;
    return handlers.turn(
      { schemaVersion: 1, requestId, sessionId, expectedVersion: version, courseRevisionId, action },
      {
        context: { accountId, requestId, correlationId: requestId },
        signal: new AbortController().signal,
        streamed: false,
        emit: () => undefined,
      },
    );
  }
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "done",
      (error: Error & { code?: string }) => error.code ?? /[a-z]+(?:_[a-z]+)+/.exec(error.message)?.[0] ?? error.message,
    );

  async function expectWhole(sessionId: string): Promise<EvidenceEntry[]> {
    const entries: EvidenceEntry[] = [];
    for await (const stored of served.tutor.store.read(tutorStream(sessionId))) {
      const event = tutorEvents.parse(stored);
      if (event.type === "EvidenceRecorded") entries.push(event.data.entry);
    }
    for (const [index, entry] of entries.entries()) {
      const before = entries[index - 1];
      if (before) expect(entry.previousHash).to.equal(before.hash);
      expect(hashOf(entry, entry.previousHash)).to.equal(entry.hash);
    }
    return entries;
  }

  it("accepts one of them and rejects the other with stale_session", async () => {
    const { session, items } = await begun();
    const outcomes = await Promise.all([
      codeOf(mira.call("propose_probe", { ...assistant.turnOf(session), items })),
      codeOf(onThePage(session, "request-page-01", { type: "pause" })),
    ]);
    expect(outcomes.toSorted()).to.deep.equal(["done", "stale_session"]);
    await expectWhole(session.sessionId);
  });

  it("accepts one of two requests with the same id", async () => {
    const { session, items } = await begun();
    const turn = assistant.turnOf(session);
    const outcomes = await Promise.all([
      codeOf(mira.call("propose_probe", { ...turn, items })),
      codeOf(onThePage(session, turn.requestId, { type: "pause" })),
    ]);
    expect(outcomes.toSorted()).to.deep.equal(["done", "request_id_reused"]);
    await expectWhole(session.sessionId);
  });

  it("records a request once that three processes carry out at once", async () => {
    const { session } = await begun();
    const { store, signer, gateway, library, pages } = served.tutor;
    const elsewhere = () =>
      tutorHandlers({
        gateway,
        library,
        pages,
        courses: tutorCourses(served.tutor),
        sessions: tutorSessions({ store, signer }),
        clock: () => performance.now(),
        random: Math.random,
      });
    // Each stamps what it decides with its own clock.
    const processes = [elsewhere(), elsewhere(), elsewhere()];
    const outcomes = await Promise.all(
      processes.map((handlers) => codeOf(onThePage(session, "request-thrice", { type: "pause" }, handlers))),
    );
    expect(outcomes).to.include("done");
    for (const outcome of outcomes) expect(outcome).to.be.oneOf(["done", "stale_session"]);
    // Whoever answers next builds on what was recorded, whatever it had decided itself.
    for (const [index, handlers] of processes.entries()) {
      const { state } = await served.tutor.sessions.load(session.sessionId);
      const now = { ...session, version: state.version };
      await onThePage(now, `request-after-${index}`, { type: index % 2 ? "pause" : "resume" }, handlers);
    }
    expect(await expectWhole(session.sessionId)).to.have.lengthOf.at.least(4);
  });

  it("repeats the receipt of a request after a new publication of its course", async () => {
    const { session } = await begun();
    const pause = { ...assistant.turnOf(session), action: { type: "pause" } };
    const { receipt } = await mira.call<Told>("tutor_action", pause);
    const { publication, list } = served.tutor;
    const live = await publication.readLive("linear-maps");
    const block = live?.course.topics.at(-1)?.blocks[0];
    if (!live || !block) throw new Error("the course has no text");
    block.source += "\n\nThis sentence is new.";
    const { revisionId, sequence } = await publication.publishCourse({
      courseId: "linear-maps",
      course: live.course,
      base: live,
      requestId: "publish-doors-01",
      accountId: "acc_test_owner",
      origin: live.origin,
      readAsset: async () => null,
    });
    list({ courseId: "linear-maps", revisionId, sequence });
    expect((await mira.call<Told>("tutor_action", pause)).receipt).to.deep.equal(receipt);
  });
});
