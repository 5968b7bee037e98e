import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { exportLines, type LedgerRecord } from "@colloquy/infra/ledger/export.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { type TutorItem, tutorEvents, tutorStream, tutorTextStream } from "@colloquy/schemas/tutor/events.ts";
import { type TutorFrame, tutorReply } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { expect } from "chai";
import type { ModelGateway } from "../model-gateway/gateway.ts";
import { type TutorCourse, tutorCourses } from "./course.ts";
import { tutorHandlers } from "./handlers.ts";
import { proposeCheck } from "./proposals.ts";
import { tutorSessions } from "./sessions.ts";
import { type ServedTutor, serveTutor } from "./tutor.fixture.ts";

const failing = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "went through",
    (error: unknown) => (error instanceof ProblemError ? error.code : String(error)),
  );

/** The words of a rubric, put so that no text that was shown has them in this order. */
const inOtherOrder = (rubric: readonly string[]): string => rubric.join(" ").split(" ").toSorted().join(" ");

describe("a tutoring session over the demonstration model", function () {
  this.timeout(120_000);
  let tutor: ServedTutor;
  /** What the gateway does instead, for as long as it is set. */
  let instead: Partial<ModelGateway> = {};
  before(async () => {
    tutor = await serveTutor({
      around: (gateway) => new Proxy(gateway, { get: (target, name: keyof ModelGateway) => instead[name] ?? target[name] }),
    });
  });
  after(() => tutor.close());
  afterEach(() => {
    instead = {};
  });

  const itemOf = async ({ sessionId, current }: TutorSession): Promise<TutorItem> => {
    const item = (await tutor.sessions.load(sessionId)).state.items[current?.itemId ?? ""];
    if (!item) throw new Error("no question waits");
    return item;
  };
  const events = async (sessionId: string): Promise<string[]> => {
    const types: string[] = [];
    for await (const { type } of tutor.store.read(tutorStream(sessionId))) types.push(type);
    return types;
  };
  /** An answer to a question, in choices or in words. */
  function answerTo({ itemId, selection, rubric, choices, right }: TutorItem, correct = true) {
    if (selection === "text") return { type: "answer" as const, itemId, text: correct ? inOtherOrder(rubric) : "No idea." };
    const wrong = choices.filter(({ choiceId }) => !right.includes(choiceId)).map(({ choiceId }) => choiceId);
    return { type: "answer" as const, itemId, choiceIds: correct ? right : wrong.slice(0, 1) };
  }
  /** Answers the waiting question. */
  async function answer(session: TutorSession, correct: boolean, change: object = {}, run: Parameters<ServedTutor["act"]>[3] = {}) {
    return (await tutor.act(session, answerTo(await itemOf(session), correct), change, run)).session;
  }
  /** Goes on with right or wrong answers until something is so. */
  async function until(session: TutorSession, so: (session: TutorSession) => boolean, correct = true): Promise<TutorSession> {
    let now = session;
    for (let turn = 0; turn < 80 && !so(now); turn += 1)
      now = now.current ? await answer(now, correct) : (await tutor.act(now, { type: "resume" })).session;
    expect(so(now)).to.equal(true);
    return now;
  }
  const checking = async (): Promise<TutorSession> => until((await tutor.start()).session, ({ phase }) => phase === "checking", false);

  it("runs from the first lesson to the end with a ledger that verifies", async () => {
    const { session } = await tutor.start();
    expect(session).to.deep.include({ phase: "checking", goal: "Understand eigenvectors", paused: false });
    const done = await until(session, ({ phase }) => phase === "completed");
    // The demonstration model's questions are practice: they certify nothing, and the learner is told why.
    expect(done.mastery.every(({ standing, evidence }) => standing === "none" && evidence.every(({ counts }) => !counts))).to.equal(true);
    expect(done.path.every(({ state }) => state === "skipped")).to.equal(true);
    const reasons = done.messages.flatMap((message) =>
      message.kind === "decision" && message.decision === "advance" ? message.reason : [],
    );
    expect(reasons).to.include("practice_only");
    const taught = done.messages.filter((message) => message.kind === "teaching");
    expect(taught.length).to.be.greaterThan(0);
    for (const { text, citations } of taught) {
      expect(citations.length).to.be.greaterThan(0);
      for (const [, number] of text.matchAll(/\[\^(\d+)\]/g))
        expect(citations.some((citation) => citation.number === Number(number))).to.equal(true);
    }
    const records: LedgerRecord[] = [];
    for await (const stored of tutor.store.read(tutorStream(done.sessionId))) {
      const event = tutorEvents.parse(stored);
      if (event.type === "EvidenceRecorded") records.push({ entry: event.data.entry });
      if (event.type === "CheckpointSigned") records.push({ checkpoint: event.data.checkpoint });
    }
    const { fault, state } = verifyLedger(
      exportLines(done.sessionId, records, tutor.signer, new Date().toISOString()),
      tutor.signer.keys(),
    );
    expect(fault).to.equal(null);
    expect([state.phase, state.path]).to.deep.equal([done.phase, done.path]);
    expect(state).to.deep.equal((await tutor.sessions.load(done.sessionId)).state.ledger);
  });

  it("answers by the contract without the key of the waiting question", async () => {
    const reply = await tutor.start();
    expect(tutorReply.safeParse(reply).error).to.equal(undefined);
    const item = await itemOf(reply.session);
    expect(JSON.stringify(reply)).to.not.include('"right"').and.not.include(item.explanation);
    const answered = await tutor.act(reply.session, answerTo(item));
    expect(tutorReply.safeParse(answered).error).to.equal(undefined);
  });

  it("carries out a repeated request once and rejects another with its id", async () => {
    const requestId = "request-twice-01";
    const [first, second] = await Promise.all([tutor.start({ requestId }), tutor.start({ requestId })]);
    expect(second).to.deep.equal(first);
    expect(await failing(tutor.start({ requestId, goal: "Another goal" }))).to.equal("request_id_reused");
    const action = answerTo(await itemOf(first.session));
    const again = { requestId: "request-twice-02" };
    const once = await tutor.act(first.session, action, again);
    const types = await events(first.session.sessionId);
    expect(await tutor.act(first.session, action, again)).to.deep.equal(once);
    expect(await events(first.session.sessionId)).to.deep.equal(types);
    expect(await failing(tutor.act(once.session, { type: "pause" }, again))).to.equal("request_id_reused");
  });

  it("answers a repeated request whose first sending was appended meanwhile", async () => {
    const { gateway, library, pages, objectStore, store, signer } = tutor;
    /** A request sent twice, or two requests, the first of which arrives between what the second reads and what it writes. */
    const overtaken = async (first: string, second: string): Promise<{ came: string; events: string[] }> => {
      const { session } = await tutor.start();
      const action = answerTo(await itemOf(session));
      let isOvertaken = false;
      const append: typeof store.append = async (...given) => {
        if (!isOvertaken) {
          isOvertaken = true;
          await tutor.act(session, action, { requestId: first });
        }
        return store.append(...given);
      };
      const handlers = tutorHandlers({
        gateway,
        library,
        pages,
        courses: tutorCourses({ objectStore, library }),
        sessions: tutorSessions({ store: { ...store, append }, signer }),
        clock: () => performance.now(),
        random: Math.random,
      });
      const { sessionId, version, courseRevisionId } = session;
      const request = { schemaVersion: 1 as const, requestId: second, sessionId, expectedVersion: version, courseRevisionId, action };
      const context = { accountId: "acc_mira_0001", requestId: second, correlationId: second };
      const run = { context, signal: new AbortController().signal, streamed: true, emit: () => undefined };
      const came = await failing(handlers.turn(request, run));
      return { came, events: (await events(sessionId)).filter((type) => type === "TurnTaken") };
    };
    const [same, another] = [await overtaken("request-late-01", "request-late-01"), await overtaken("request-late-02", "request-late-03")];
    expect([same.came, another.came]).to.deep.equal(["went through", "stale_session"]);
    // The start, and one answer.
    expect([same.events.length, another.events.length]).to.deep.equal([2, 2]);
  });

  it("derives an event's id from its request, its index and its content", async () => {
    const { session } = await tutor.start();
    await tutor.act(session, { type: "pause" });
    const places = new Map<string, number>();
    for await (const { id, data, metadata } of tutor.store.read(tutorStream(session.sessionId))) {
      const { requestId = "" } = metadata;
      const place = places.get(requestId) ?? 0;
      places.set(requestId, place + 1);
      expect(id).to.equal(eventIdFrom("tutor", session.sessionId, requestId, String(place), JSON.stringify(data)));
      expect(Object.keys(metadata)).to.deep.equal(["accountId", "requestId", "correlationId", "at"]);
    }
    expect(places.size).to.equal(2);
  });

  it("does not exist for another account", async () => {
    const { session } = await tutor.start();
    const other = { accountId: "acc_other_001" };
    expect(await failing(tutor.act(session, { type: "pause" }, {}, other))).to.equal("not_found");
    expect(await failing(tutor.start({ carryFrom: session.sessionId }, other))).to.equal("not_found");
    expect(await failing(tutor.start({ courseId: "no-such-course" }))).to.equal("not_found");
  });

  it("rejects the second of two tabs with stale_session", async () => {
    const { session } = await tutor.start();
    const action = answerTo(await itemOf(session));
    const both = [1, 2].map(() => failing(tutor.act(session, action)));
    expect((await Promise.all(both)).toSorted()).to.deep.equal(["stale_session", "went through"]);
  });

  it("is unchanged when a model fails, and accepts the same request later", async () => {
    const { session } = await tutor.start();
    const before = await events(session.sessionId);
    const action = answerTo(await itemOf(session));
    const fails = async (): Promise<never> => {
      throw new ProblemError("ai_timeout");
    };
    instead = { generateObject: fails, streamText: fails };
    const requestId = "request-fails-01";
    expect(await failing(tutor.act(session, action, { requestId }))).to.equal("ai_timeout");
    expect(await events(session.sessionId)).to.deep.equal(before);
    instead = {};
    expect(
      (await tutor.act(session, action, { requestId })).session.messages.filter((message) => message.kind === "answer"),
    ).to.have.length(session.messages.filter((message) => message.kind === "answer").length + 1);
  });

  it("keeps an answer that was marked, and text that was taught, of a turn that is stopped", async () => {
    const session = await checking();
    const { itemId = "" } = session.current ?? {};
    const stopped = AbortSignal.abort(new Error("stopped"));
    const marked = await answer(session, false, {}, { signal: stopped });
    expect(marked.messages.findLast((message) => message.kind === "answer")).to.deep.include({ itemId, correct: false });
    expect([marked.current, (await tutor.act(marked, { type: "resume" })).session.current?.kind]).to.deep.equal([null, "check"]);

    const leaving = new AbortController();
    const stopOnText = (frame: TutorFrame): void => {
      if (frame.kind === "text_delta") leaving.abort(new Error("stopped"));
    };
    const half = (await tutor.start({}, { signal: leaving.signal, emit: stopOnText })).session;
    const taught = half.messages.findLast((message) => message.kind === "teaching");
    expect(taught).to.deep.include({ outcome: "stopped" });
    expect([half.phase, half.current]).to.deep.equal(["teaching", null]);
    const on = (await tutor.act(half, { type: "resume" })).session;
    expect([on.phase, on.current?.kind]).to.deep.equal(["checking", "check"]);

    const late = new AbortController();
    let hasRead = false;
    const afterwards = (frame: TutorFrame): void => {
      hasRead ||= frame.kind === "text_delta";
      if (hasRead && frame.kind === "status" && frame.phase === "checking") late.abort(new Error("stopped"));
    };
    const whole = await answer(on, false, {}, { signal: late.signal, emit: afterwards });
    expect(whole.messages.findLast((message) => message.kind === "teaching")).to.deep.include({ outcome: "finished" });
    expect(whole.current).to.equal(null);
    expect((await tutor.act(whole, { type: "resume" })).session.current?.kind).to.equal("check");
  });

  it("records nothing of a stopped turn without streamed text", async () => {
    const session = await checking();
    const before = await events(session.sessionId);
    const leaving = new AbortController();
    const real = tutor.gateway.streamText;
    instead = {
      streamText: async (request) => {
        const run = await real(request);
        leaving.abort(new Error("stopped"));
        return run;
      },
    };
    expect(await failing(answer(session, false, {}, { signal: leaving.signal, streamed: false }))).to.not.equal("went through");
    expect(await events(session.sessionId)).to.deep.equal(before);
  });

  it("records no session that was stopped while its first questions were made", async () => {
    const leaving = new AbortController();
    const requestId = "request-stopped-start";
    const real = tutor.gateway.generateObject;
    instead = {
      generateObject: async (request) => {
        // The gateway does not notice the stop: all of the answer is there.
        const run = await real({ ...request, signal: new AbortController().signal });
        leaving.abort(new Error("stopped"));
        return run;
      },
    };
    expect(await failing(tutor.start({ requestId }, { signal: leaving.signal }))).to.not.equal("went through");
    instead = {};
    const frames: TutorFrame[] = [];
    await tutor.start({ requestId }, { emit: (frame) => frames.push(frame) });
    expect(frames.length, "the same request is carried out now").to.be.above(0);
  });

  it("rejects a model that cannot tutor without calling it", async () => {
    const choices = tutor.gateway
      .choices()
      .map((choice) => ({ ...choice, id: "p1/ask-only", capabilities: { ...choice.capabilities, tutor: false } }));
    let asked = 0;
    instead = {
      choices: () => choices,
      generateObject: async () => {
        asked += 1;
        throw new ProblemError("ai_unavailable");
      },
    };
    const model = { choice: "pinned" as const, id: "p1/ask-only", allowFallbackWhenPinned: true };
    expect(await failing(tutor.start({ model }))).to.equal("model_not_capable");
    expect(asked).to.equal(0);
  });

  it("rejects an unknown model without calling one", async () => {
    let asked = 0;
    instead = {
      generateObject: async () => {
        asked += 1;
        throw new ProblemError("ai_unavailable");
      },
    };
    const model = { choice: "pinned" as const, id: "p9/never-heard-of", allowFallbackWhenPinned: false };
    const refused = await tutor.start({ model }).catch((error: unknown) => error);
    expect(refused).to.include({ code: "model_not_capable", detail: "This model is not available. Choose another, or Automatic." });
    expect(asked).to.equal(0);
  });

  it("waits after two unverified plans and plans again when resumed", async () => {
    let looked = 0;
    const real = tutor.gateway.generateObject;
    instead = {
      generateObject: (async (request: Parameters<ModelGateway["generateObject"]>[0]) => {
        const made = await real(request);
        if (request.name !== "verification") return made;
        looked += 1;
        return { ...made, object: { unsupported: [{ step: "A step", claim: "Nobody says so." }], prerequisiteGaps: [] } };
      }) as ModelGateway["generateObject"],
    };
    const { session } = await tutor.start();
    expect([session.phase, session.path, looked]).to.deep.equal(["planning", [], 2]);
    expect(await failing(tutor.act(session, { type: "resume" }))).to.equal("plan_unverified");
    instead = {};
    const waiting = { ...session, version: (await tutor.sessions.load(session.sessionId)).state.version };
    const planned = (await tutor.act(waiting, { type: "resume" })).session;
    expect(planned.phase).to.equal("checking");
    const plans = planned.messages.filter((message) => message.kind === "plan").map(({ verified }) => verified);
    expect(plans).to.deep.equal([false, false, false, false, true]);
  });

  describe("when a model finds no question in the passages", () => {
    const none = { selection: "none", prompt: "", choices: [], rubric: [], modelAnswer: "", hint: "", explanation: "", passages: [] };
    /** Refuses while `refuses` says so of the prompt; all else is the demonstration model's. */
    function refusing(name: "probe" | "check", refuses: (system: string) => boolean): string[] {
      const asked: string[] = [];
      const real = tutor.gateway.generateObject;
      instead = {
        generateObject: (async (request: Parameters<ModelGateway["generateObject"]>[0]) => {
          const made = await real(request);
          if (request.name !== name) return made;
          asked.push(request.system);
          return refuses(request.system) ? { ...made, object: name === "probe" ? { items: [] } : none } : made;
        }) as ModelGateway["generateObject"],
      };
      return asked;
    }

    it("rejects a start without any question with nothing_to_ask", async () => {
      const asked = refusing("probe", () => true);
      // First questions are asked where a model can check them.
      const able = tutor.gateway.choices().map((choice) => ({ ...choice, id: "p1/able" }));
      instead.choices = () => able;
      const requestId = "request-nothing-01";
      expect(await failing(tutor.start({ requestId }))).to.equal("nothing_to_ask");
      expect(asked.length).to.be.within(1, 2);
      instead = {};
      expect((await tutor.start({ requestId })).session.phase).to.equal("checking");
    });

    it("asks from other passages of the topic", async () => {
      const { session } = await tutor.start();
      const { state } = await tutor.sessions.load(session.sessionId);
      const [objective] = state.objectives;
      const found = await tutor.library.resolve({ href: "/courses/linear-maps" });
      const [one, other] = (found?.passages ?? []).map((passage) => ({ ...passage, key: "s1" }));
      if (!objective || !one || !other) throw new Error("the course holds too little");
      const question = {
        prompt: "What is it?",
        selection: "single",
        rubric: [],
        modelAnswer: "",
        hint: "Think.",
        explanation: "So.",
        passages: ["s1"],
        choices: [true, false].map((correct) => ({ text: `It is ${correct}`, correct })),
      };
      let asked = 0;
      const gateway = {
        generateObject: async () => {
          asked += 1;
          return { object: asked === 1 ? none : question, run: { provider: "p1", model: "m", modelName: "M", fallbackDepth: 0 } };
        },
      } as unknown as ModelGateway;
      const asking = {
        gateway,
        model: state.model,
        signal: new AbortController().signal,
        streamed: false,
        emit: () => undefined,
        elapsedMs: () => 0,
      };
      const course = { digests: new Map(), written: new Set() } as unknown as TutorCourse;
      const maker = {
        passages: [one],
        elsewhere: async () => [other],
        gate: { look: async (_: unknown, items: readonly TutorItem[]) => items.map((item) => ({ fit: true as const, item })) },
        course,
        newId: () => `id-${Math.random()}`,
        random: Math.random,
        shown: { statements: [], texts: [] },
      };
      const target = {
        objective,
        stepId: "step-1",
        selection: "single" as const,
        focus: ["s1"],
        nearest: [],
        learner: { goal: "Learn", said: [] },
      };
      const item = await proposeCheck(asking, maker, state, target);
      expect([asked, item?.prompt, item?.sourceIds]).to.deep.equal([2, question.prompt, [other.sourceId]]);
      asked = 0;
      const nowhere = await proposeCheck(asking, { ...maker, elsewhere: async () => [] }, state, target);
      expect([asked, nowhere?.prompt]).to.not.include(question.prompt);
    });

    it("ends a step of which something was asked as practised, and completes", async () => {
      const session = await until((await tutor.start()).session, ({ phase }) => phase === "planning" || phase === "checking", false);
      refusing("check", () => true);
      let now = session;
      for (let turn = 0; turn < 40 && now.phase !== "completed"; turn += 1)
        now = now.current ? await answer(now, false) : (await tutor.act(now, { type: "resume" })).session;
      expect(now.phase).to.equal("completed");
      const left = now.messages.filter((message) => message.kind === "decision" && message.reason === "practice_only");
      expect(left.length).to.be.greaterThan(0);
      expect(now.path.some(({ state }) => state === "skipped")).to.equal(true);
    });
  });

  it("keeps the learner's texts apart from the ledger so they can be deleted", async () => {
    const session = await until(await checking(), ({ current }) => current?.selection === "text");
    const words = "Something only I would write";
    const { itemId } = await itemOf(session);
    const answered = (await tutor.act(session, { type: "answer", itemId, text: words })).session;
    const { sessionId } = answered;
    expect(answered.messages.find((message) => message.kind === "answer" && message.itemId === itemId)).to.deep.include({
      text: words,
      gradedBy: "model",
    });
    const stream: string[] = [];
    for await (const { data } of tutor.store.read(tutorStream(sessionId))) stream.push(JSON.stringify(data));
    expect(stream.join()).to.not.include(words).and.not.include("Understand eigenvectors");
    const context = { accountId: "acc_mira_0001", requestId: "request-delete-1", correlationId: "request-delete-1" };
    await tutor.sessions.deleteTexts(context, sessionId);
    const left: string[] = [];
    for await (const { data } of tutor.store.read(tutorTextStream(sessionId))) left.push(JSON.stringify(data));
    expect(left).to.deep.equal(['{"schemaVersion":1}']);
    const on = (await tutor.act(answered, { type: "pause" })).session;
    expect(on.goal).to.equal("");
    expect(on.messages.find((message) => message.kind === "answer" && message.itemId === itemId)).to.deep.include({ text: null });
  });
});
