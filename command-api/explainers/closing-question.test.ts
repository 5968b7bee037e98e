import type { Server } from "node:http";
import { readConfig } from "@colloquy/infra/config.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { exportLines, type LedgerRecord } from "@colloquy/infra/ledger/export.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { xapiStatements } from "@colloquy/infra/ledger/xapi.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import type { RankedPassage } from "@colloquy/projections/passages/queries.ts";
import { filmAnswerResponse } from "@colloquy/schemas/explainers/requests.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { tutorEvents, tutorStream } from "@colloquy/schemas/tutor/events.ts";
import { evidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import { type TutorSession, tutorSession } from "@colloquy/schemas/tutor/session.ts";
import { sessionView } from "@colloquy/schemas/tutor/view.ts";
import { expect } from "chai";
import { Router } from "express";
import { tutorCourses } from "../tutor/course.ts";
import { filmEvidence } from "../tutor/film-evidence.ts";
import { type ServedTutor, serveTutor } from "../tutor/tutor.fixture.ts";
import { account, approval, artifacts, draftOf, metrics, otherAccount } from "./explainer.fixture.ts";
import { type ExplainerHandlers, explainerHandlers } from "./handlers.ts";
import { explainerJobs } from "./jobs.ts";
import { explainerRoutes } from "./routes.ts";

describe("the closing question of a film", function () {
  this.timeout(120_000);
  let tutor: ServedTutor;
  let films: ExplainerHandlers;
  let server: Server;
  let address: string;
  let passages: readonly RankedPassage[];
  let revisionId: string;
  /** The account's sessions as the read model would list them. */
  let open: string[] = [];
  let requests = 0;
  const requestId = (): string => {
    requests += 1;
    return `request-film-${requests}`;
  };

  before(async () => {
    tutor = await serveTutor();
    const { store, sessions, library, objectStore } = tutor;
    const courses = tutorCourses({ objectStore, library });
    ({ passages, revisionId } = await courses.live("linear-maps"));
    const now = (): string => new Date().toISOString();
    const cached = async () => [{ fromJobId: "job-00000009", milliseconds: 50_000, artifacts, metrics }];
    films = explainerHandlers({
      jobs: explainerJobs({ store }),
      cached,
      isIntact: async () => true,
      countInProgress: async () => 0,
      voices: false,
      offers: () => true,
      now,
      evidence: filmEvidence({ sessions, courses, library, openSessions: async () => open }),
    });
    const log = createLog("test", { LOG_LEVEL: "silent" });
    const signedIn = Router().use((request, _response, next) => {
      request.account = { accountId: request.get("x-account") ?? account, name: "Test", roles: ["learner"] };
      next();
    });
    const app = createApp({
      config: readConfig({ NODE_ENV: "test" }),
      log,
      routers: [signedIn, explainerRoutes({ handlers: films, jobOfCorrection: async () => null })],
    });
    const listening = await listen(app, 0);
    server = listening.server;
    address = `http://127.0.0.1:${listening.port}/api/visual-explainers/jobs`;
  });
  after(async () => {
    await closeServer(server, 0);
    await tutor.close();
  });
  beforeEach(() => {
    open = [];
  });

  /** A film of the topic an objective belongs to, whose question stands on what the tutor would ask about that objective. */
  async function filmOf({
    topicId,
    sourceIds,
    courseRevisionId = revisionId,
  }: {
    topicId: string;
    sourceIds: string[];
    courseRevisionId?: string;
  }) {
    requests += 1;
    const draft = draftOf(String(1_000 + requests));
    const scenes = draft.storyboard.scenes.map((scene) => (scene.layout === "question" ? { ...scene, sourceIds } : scene));
    const job = { ...draft, courseId: "linear-maps", topicId, courseRevisionId, storyboard: { ...draft.storyboard, scenes } };
    const context = () => ({ accountId: account, requestId: requestId(), correlationId: "" });
    const { jobId } = await films.draft(context(), { ...job, content: { topicId, requests } });
    await films.render(context(), jobId, { settings: approval.settings });
    return jobId;
  }
  const post = (jobId: string, body: object, as = account) =>
    fetch(`${address}/${jobId}/answer`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-account": as },
      body: JSON.stringify(versioned({ requestId: requestId(), ...body })),
    });
  const answered = async (jobId: string, body: object) => filmAnswerResponse.parse(await (await post(jobId, body)).json());
  const stateOf = async (sessionId: string) => (await tutor.sessions.load(sessionId)).state;
  /** A session, one of its objectives, and sources of that objective's topic. */
  async function tutored() {
    const { session } = await tutor.start();
    const [objective] = (await stateOf(session.sessionId)).objectives;
    if (!objective) throw new Error("a session without objectives");
    const sourceIds = passages.flatMap(({ source, sourceId }) => (source.topicId === objective.topicId ? sourceId : [])).slice(0, 1);
    return { session, film: { topicId: objective.topicId, sourceIds }, topicId: objective.topicId };
  }
  const entriesOf = (session: TutorSession) => session.mastery.flatMap(({ evidence }) => evidence);

  it("counts as aided evidence in the open session and verifies in its ledger", async () => {
    const { session, film, topicId } = await tutored();
    const jobId = await filmOf(film);
    const before = await stateOf(session.sessionId);
    const { evidence, ...told } = await answered(jobId, { choice: 1, sessionId: session.sessionId });
    expect(told).to.deep.include({ correct: true, right: 1, recorded: true, unrecorded: null });
    if (!evidence) throw new Error("nothing was recorded");
    const objective = before.objectives.find(({ objectiveId }) => objectiveId === evidence.objectiveId);
    expect(objective).to.deep.include({ topicId, title: evidence.objective });
    const after = await stateOf(session.sessionId);
    expect([after.current, after.ledger.phase, after.ledger.path]).to.deep.equal([before.current, before.ledger.phase, before.ledger.path]);

    const records: LedgerRecord[] = [];
    for await (const stored of tutor.store.read(tutorStream(session.sessionId))) {
      const event = tutorEvents.parse(stored);
      if (event.type === "EvidenceRecorded") records.push({ entry: event.data.entry });
      if (event.type === "CheckpointSigned") records.push({ checkpoint: event.data.checkpoint });
    }
    const { fault, state, entries } = verifyLedger(
      exportLines(session.sessionId, records, tutor.signer, new Date().toISOString()),
      tutor.signer.keys(),
    );
    expect(fault).to.equal(null);
    expect(state).to.deep.equal(after.ledger);
    const entry = evidenceEntry.parse(entries[evidence.receipt]);
    expect(entry).to.deep.include({ kind: "check", aided: true, correct: true, film: jobId, objectiveIds: [evidence.objectiveId] });
    const view = tutorSession.parse(sessionView(after, {}));
    const [statement] = xapiStatements([entry], { publicUrl: "https://learn.example", learner: "amber-heron-7kq2xdm", session: view });
    expect(statement?.result).to.deep.include({ success: true });
    expect(statement?.object.definition).to.deep.include({ description: { und: "What does it do?" } });
    // The lesson goes on from there.
    const next = await tutor.act(view, { type: "answer", itemId: after.current ?? "", text: "A vector that keeps its direction." });
    expect(entriesOf(next.session)).to.have.lengthOf(2);
  });

  it("counts once, in the session used last if none is named", async () => {
    const { session, film } = await tutored();
    const other = (await tutor.start()).session;
    open = [session.sessionId, other.sessionId];
    const jobId = await filmOf(film);
    const body = { choice: 0, requestId: requestId() };
    const [first, second] = await Promise.all([answered(jobId, body), answered(jobId, body)]);
    expect(first).to.deep.include({ correct: false, right: 1, recorded: true });
    expect(second).to.deep.equal(first);
    open = [other.sessionId];
    expect(await answered(jobId, body)).to.deep.equal(first);
    expect((await post(jobId, { choice: 1 })).status).to.equal(409);
    expect(entriesOf(sessionView(await stateOf(session.sessionId), {}))).to.have.lengthOf(1);
    expect(entriesOf(sessionView(await stateOf(other.sessionId), {}))).to.have.lengthOf(0);
  });

  it("continues an interrupted answer in its first session", async () => {
    const { session, film } = await tutored();
    const jobId = await filmOf(film);
    const body = { choice: 1, sessionId: session.sessionId, requestId: requestId() };
    const { takeTurn } = tutor.sessions;
    tutor.sessions.takeTurn = async () => {
      throw new Error("the store is away");
    };
    try {
      expect((await post(jobId, body)).ok).to.equal(false);
    } finally {
      tutor.sessions.takeTurn = takeTurn;
    }
    open = [(await tutor.start()).session.sessionId];
    expect((await answered(jobId, body)).evidence?.sessionId).to.equal(session.sessionId);
  });

  it("says why it does not count: no session, topic, pause, older revision", async () => {
    const { session, film } = await tutored();
    const { sessionId } = session;
    expect(await answered(await filmOf(film), { choice: 1 })).to.deep.include({
      recorded: false,
      evidence: null,
      unrecorded: "no_session",
    });
    const taught = new Set((await stateOf(sessionId)).objectives.map(({ topicId }) => topicId));
    const elsewhere = passages.find(({ source }) => source.topicId !== null && !taught.has(source.topicId));
    const another = await filmOf({ topicId: elsewhere?.source.topicId ?? "", sourceIds: [elsewhere?.sourceId ?? ""] });
    expect(await answered(another, { choice: 1, sessionId })).to.deep.include({ recorded: false, unrecorded: "no_objective" });
    const old = await filmOf({ ...film, courseRevisionId: "revision-before" });
    expect(await answered(old, { choice: 1, sessionId })).to.deep.include({ unrecorded: "other_revision" });
    await tutor.act(session, { type: "pause" });
    expect(await answered(await filmOf(film), { choice: 1, sessionId })).to.deep.include({ unrecorded: "paused" });
    expect(entriesOf(sessionView(await stateOf(sessionId), {}))).to.have.lengthOf(0);
  });

  it("refuses videos and sessions of another account", async () => {
    const { film } = await tutored();
    const theirs = (await tutor.start({}, { accountId: otherAccount })).session.sessionId;
    const jobId = await filmOf(film);
    expect((await post(jobId, { choice: 1 }, otherAccount)).status).to.equal(404);
    expect((await post(jobId, { choice: 1, sessionId: theirs })).status).to.equal(404);
    expect((await answered(jobId, { choice: 1 })).recorded).to.equal(false);
  });
});
