import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { GeneratedProbe } from "@colloquy/schemas/generation/tutor.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import { expect } from "chai";
import { briefFor } from "../assistants/briefs.ts";
import { askedCourse, responseOf } from "./asked-course.fixture.ts";
import { assistantProposals, type Proposal } from "./assistant-proposals.ts";
import type { TutorCourse, TutorCourses } from "./course.ts";
import { tutorHandlers } from "./handlers.ts";
import { learnerWords } from "./learner-words.ts";
import { type ServedTutor, serveTutor } from "./tutor.fixture.ts";

const by = { clientId: "client-robin", name: "Robin" };
const accountId = "acc_mira_0001";

describe("questions of a course's own in a session that an assistant leads", function () {
  this.timeout(120_000);
  let tutor: ServedTutor;
  let shown: { at: string; quiz: never }[] = [];
  const course = askedCourse();
  before(async () => {
    tutor = await serveTutor({ others: [course] });
  });
  beforeEach(() => {
    shown = [];
  });
  after(async () => {
    await tutor.close();
    rmSync(dirname(course.folder), { recursive: true, force: true });
  });

  /** The course with something changed in what its sessions see. */
  const withCourse = (change: (live: TutorCourse) => Partial<TutorCourse>): TutorCourses => ({
    ...tutor.courses,
    live: async (courseId) => {
      const live = await tutor.courses.live(courseId);
      return { ...live, ...change(live) };
    },
  });
  const second = (live: TutorCourse): Partial<TutorCourse> => ({
    objectives: live.objectives.flatMap((one) => [one, { ...one, objectiveId: "obj-pipes-more", title: one.title }]),
  });

  /** Names nothing of the course, so that all of it is taught. */
  const everything = "Xyzzy";

  let requests = 0;
  const runOf = () => {
    requests += 1;
    const requestId = `assistant-${String(requests).padStart(4, "0")}`;
    return { context: { accountId, requestId, correlationId: requestId }, signal: new AbortController().signal, by };
  };
  async function start(courses: TutorCourses = tutor.courses, goal = "Join programs with pipes"): Promise<TutorSession> {
    const run = runOf();
    const { requestId } = run.context;
    const handlers = tutorHandlers({ ...tutor, courses, clock: () => 0, random: Math.random, quizzesOf: async () => shown });
    const request = {
      schemaVersion: 1 as const,
      requestId,
      conversationId: "conversation-01",
      courseId: "pipes-asked",
      goal,
      references: [],
      model: { choice: "automatic" as const },
    };
    return (await handlers.start(request, { ...run, streamed: false, emit: () => undefined })).session;
  }
  async function propose({ sessionId, version }: TutorSession, proposal: Proposal, courses: TutorCourses = tutor.courses, run = runOf()) {
    const proposals = assistantProposals({
      ...tutor,
      courses,
      tickets: { issue: async () => "ticket", isFor: async () => true },
      verifier: "assistant",
      clock: () => 0,
      random: Math.random,
    });
    return proposals({ sessionId, requestId: run.context.requestId, expectedVersion: version, proposal }, run);
  }
  const stateOf = async ({ sessionId }: TutorSession): Promise<TutorState> => (await tutor.sessions.load(sessionId)).state;
  const written = {
    prompt: "Which sign would you type between two filters?",
    selection: "single" as const,
    choices: ["|", "<", "#", "%"].map((text, index) => ({ text, correct: index === 0 })),
    rubric: [],
    modelAnswer: "",
    hint: "It is a bar.",
    explanation: "The bar joins them.",
    passages: ["s1"],
  };
  const probeOn = (...objectiveIds: string[]): GeneratedProbe => {
    const { hint: _hint, rubric: _rubric, modelAnswer: _answer, ...item } = written;
    return { items: objectiveIds.map((objectiveId) => ({ objectiveId, breadth: "broad", ...item })) };
  };
  async function briefOf(session: TutorSession) {
    const state = await stateOf(session);
    const learner = learnerWords(state, await tutor.sessions.texts(session.sessionId));
    return briefFor(tutor.library, await tutor.courses.live(state.courseId), state, { learner, revealed: [] });
  }
  const authoredIn = ({ items }: TutorState) => Object.values(items).map(({ authored }) => authored !== undefined);

  it("are asked at the start without a proposal", async () => {
    const session = await start();
    expect(session.current?.question).to.not.equal(undefined);
    expect(session.current?.counts).to.equal(true);
    expect(authoredIn(await stateOf(session))).to.not.include(false);
  });

  it("are asked after a lesson that the assistant proposed", async () => {
    let session = await start();
    while (session.current) {
      const item = (await stateOf(session)).items[session.current.itemId];
      if (!item) throw new Error("no question waits");
      const run = { ...runOf(), streamed: false, emit: () => undefined };
      ({ session } = await tutor.handlers.turn(
        {
          requestId: run.context.requestId,
          sessionId: session.sessionId,
          expectedVersion: session.version,
          schemaVersion: 1,
          action: { type: "answer", itemId: item.itemId, response: responseOf(item, false) },
        },
        run,
      ));
    }
    expect(session.phase).to.equal("planning");
    const steps = [
      { key: "p1", title: "Pipes", objectiveIds: ["obj-pipes-join"], passages: ["s1"], prerequisites: [], reason: "It comes first." },
    ];
    const verification = { found: { unsupported: [], prerequisiteGaps: [] }, ticket: "ticket" };
    ({ session } = (await propose(session, { work: "plan", plan: { steps }, verification })).reply);
    expect(session.current).to.equal(null);
    const { work, brief } = await briefOf(session);
    ({ session } = (await propose(session, { work: "teach", text: "Programs are joined there. [s1]" })).reply);
    expect(session.current?.kind).to.equal("check");
    expect(session.current?.question).to.not.equal(undefined);
    const { prompt = "" } = (await stateOf(session)).items[session.current?.itemId ?? ""] ?? {};
    expect(work).to.equal("teach");
    expect(brief).to.include(JSON.stringify(prompt).slice(1, -1));
  });

  it("stand beside proposals on the objectives that have none", async () => {
    const courses = withCourse(second);
    const session = await start(courses, everything);
    expect(session.current).to.equal(null);
    const { reply, findings } = await propose(session, { work: "probe", probe: probeOn("obj-pipes-more") }, courses);
    expect(findings).to.deep.equal([]);
    const { items } = await stateOf(reply.session);
    const ofAssistant = Object.values(items).filter(({ authored }) => !authored);
    expect(ofAssistant.map(({ objectiveId, by: writer }) => [objectiveId, writer.provider])).to.deep.equal([
      ["obj-pipes-more", "connector"],
    ]);
    expect(Object.values(items).some(({ authored, objectiveId }) => authored && objectiveId === "obj-pipes-join")).to.equal(true);
  });

  it("are known to say the same as a proposal beside them", async () => {
    const courses = withCourse(second);
    const session = await start(courses, everything);
    const [item] = probeOn("obj-pipes-more").items;
    if (!item) throw new Error("nothing is proposed");
    const choices = ["filter", "folder", "shell", "file"].map((text, index) => ({ text, correct: index === 0 }));
    const reworded = { ...item, prompt: "What is the program called that reads lines and writes lines?", choices };
    const { reply } = await propose(session, { work: "probe", probe: { items: [reworded] } }, courses);
    const items = Object.values((await stateOf(reply.session)).items);
    const statements = (authored: boolean) =>
      items.filter((one) => (one.authored !== undefined) === authored).flatMap((one) => one.statements ?? []);
    expect(statements(true)).to.include.members(statements(false));
  });

  it("take the place of a proposal on an objective that has some", async () => {
    const courses = withCourse(second);
    const session = await start(courses, everything);
    const said = await propose(session, { work: "probe", probe: probeOn("obj-pipes-join") }, courses).catch((error) => error.detail);
    expect(said).to.include("not one that questions are wanted on");
  });

  it("are asked instead of what is proposed where the session came to wait without them", async () => {
    const session = await start(withCourse(() => ({ questions: [] })));
    expect(session.current).to.equal(null);
    const run = runOf();
    const made = await propose(session, { work: "probe", probe: probeOn("obj-pipes-join") }, tutor.courses, run);
    expect(made.findings.join()).to.include("course's own");
    expect(authoredIn(await stateOf(session))).to.not.include(false);
    expect(await propose(session, { work: "probe", probe: probeOn("obj-pipes-join") }, tutor.courses, run)).to.deep.equal(made);
  });

  it("are not asked for where the session came to wait without them, but asked when it is resumed", async () => {
    const session = await start(withCourse(() => ({ questions: [] })));
    const { work, brief } = await briefOf(session);
    expect(work).to.equal("none");
    expect(brief).to.include("resume");
    const run = { ...runOf(), streamed: false, emit: () => undefined };
    const { sessionId, version: expectedVersion } = session;
    const request = { requestId: run.context.requestId, sessionId, expectedVersion, schemaVersion: 1 as const };
    const resumed = await tutor.handlers.turn({ ...request, action: { type: "resume" } }, run);
    expect(resumed.session.current?.question).to.not.equal(undefined);
  });

  it("are not asked where a quiz showed them", async () => {
    const { questions } = await tutor.courses.live("pipes-asked");
    const key = questions.map(({ question }) => ({ key: question }));
    shown = [{ at: new Date().toISOString(), quiz: { questions: key } as never }];
    expect((await start()).current).to.equal(null);
  });
});
