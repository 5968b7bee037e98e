import type { Server } from "node:http";
import { readConfig } from "@colloquy/infra/config.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { type TutorFrame, tutorFrame, tutorGoalResponse, tutorReply } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { expect } from "chai";
import { Router } from "express";
import { NoModelAvailable } from "../model-gateway/failures.ts";
import type { ModelGateway } from "../model-gateway/gateway.ts";
import { modelStreamLimit } from "../model-gateway/stream-limit.ts";
import { tutorRoutes } from "./routes.ts";
import { type ServedTutor, serveTutor } from "./tutor.fixture.ts";

const log = createLog("test", { LOG_LEVEL: "silent" });
const mira = "acc_mira_0001";

describe("the tutor's routes", function () {
  this.timeout(120_000);
  let tutor: ServedTutor;
  let server: Server;
  let address: string;
  let requests = 0;
  /** No model can be asked. */
  let away = false;
  before(async () => {
    tutor = await serveTutor({
      around: (gateway) => ({
        ...gateway,
        check(request) {
          if (away) throw new NoModelAvailable(7);
          return gateway.check(request);
        },
        generateObject: (async (request: Parameters<ModelGateway["generateObject"]>[0]) => {
          if (away) throw new NoModelAvailable(7);
          return gateway.generateObject(request);
        }) as ModelGateway["generateObject"],
      }),
    });
    const signedIn = Router().use((request, _response, next) => {
      const accountId = request.get("x-account");
      request.account = accountId ? { accountId, name: "Mira", roles: ["learner"] } : null;
      next();
    });
    const app = createApp({
      config: readConfig({ NODE_ENV: "test" }),
      log,
      routers: [signedIn, tutorRoutes({ handlers: tutor.handlers, log, stopping: new AbortController().signal })],
    });
    const listening = await listen(app, 0);
    server = listening.server;
    address = `http://127.0.0.1:${listening.port}`;
  });
  after(async () => {
    await closeServer(server, 0);
    await tutor.close();
  });

  const post = (path: string, body: object, headers: Record<string, string> = {}, account: string | null = mira) =>
    fetch(`${address}/api/ai/tutor/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(account !== null && { "x-account": account }), ...headers },
      body: JSON.stringify({ schemaVersion: 1, requestId: requestId(), ...body }),
    });
  const requestId = (): string => {
    requests += 1;
    return `request-http-${requests}`;
  };
  const opening = {
    conversationId: "conversation-01",
    courseId: "linear-maps",
    goal: "Eigenvectors",
    references: [],
    model: { choice: "automatic" },
    practice: true,
  };
  const start = async (): Promise<TutorSession> => tutorReply.parse(await (await post("start", opening)).json()).session;
  const turn = ({ sessionId, version, courseRevisionId }: TutorSession, action: object) => ({
    sessionId,
    expectedVersion: version,
    courseRevisionId,
    action,
  });
  const problem = async (response: Response): Promise<[number, string]> => [
    response.status,
    ((await response.json()) as { code: string }).code,
  ];
  const frames = async (response: Response): Promise<TutorFrame[]> =>
    (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => tutorFrame.parse(JSON.parse(line)));
  const ndjson = { accept: "application/x-ndjson" };

  it("answer with one private JSON body", async () => {
    const response = await post("start", opening);
    expect([response.status, response.headers.get("cache-control")]).to.deep.equal([200, "private, no-store"]);
    const { session } = tutorReply.parse(await response.json());
    const paused = await post("turn", turn(session, { type: "pause" }));
    expect(tutorReply.parse(await paused.json()).session.paused).to.equal(true);
  });

  it("do not count turns that no model could take against the limit", async () => {
    const account = "acc_patient_001";
    const { session } = tutorReply.parse(await (await post("start", opening, {}, account)).json());
    away = true;
    for (let pressed = 0; pressed <= bounds.tutor.turnsPerMinute; pressed += 1) {
      if (pressed % 2) expect(await problem(await post("start", opening, {}, account))).to.deep.equal([503, "ai_unavailable"]);
      else expect((await frames(await post("start", opening, ndjson, account))).at(-1)).to.include({ code: "ai_unavailable" });
    }
    away = false;
    expect((await post("turn", turn(session, { type: "pause" }), {}, account)).status).to.equal(200);
  });

  it("end a turn with an error when the service stops", async () => {
    const stopping = new AbortController();
    const asked = Promise.withResolvers<void>();
    let underWay = 0;
    const start: typeof tutor.handlers.start = (_asked, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        underWay += 1;
        if (underWay === 2) asked.resolve();
      });
    const signedIn = Router().use((request, _response, next) => {
      request.account = { accountId: mira, name: "Mira", roles: ["learner"] };
      next();
    });
    const routers = [signedIn, tutorRoutes({ handlers: { ...tutor.handlers, start }, log, stopping: stopping.signal })];
    const other = await listen(createApp({ config: readConfig({ NODE_ENV: "test" }), log, routers }), 0);
    try {
      const body = JSON.stringify({ schemaVersion: 1, requestId: requestId(), ...opening });
      const send = (headers: Record<string, string>) =>
        fetch(`http://127.0.0.1:${other.port}/api/ai/tutor/start`, {
          method: "POST",
          body,
          headers: { "content-type": "application/json", ...headers },
        });
      const [inFrames, inOne] = [send(ndjson), send({})];
      await asked.promise;
      stopping.abort();
      expect((await frames(await inFrames)).at(-1)).to.include({
        kind: "error",
        code: "unavailable",
        retryable: true,
        retryAfterSeconds: 2,
      });
      const refused = await inOne;
      expect(refused.headers.get("retry-after")).to.equal("2");
      expect(await problem(refused)).to.deep.equal([503, "unavailable"]);
    } finally {
      await closeServer(other.server, 0);
    }
  });

  it("limit the turns of an account at the same time", async () => {
    const start: typeof tutor.handlers.start = (_asked, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const signedIn = Router().use((request, _response, next) => {
      request.account = { accountId: mira, name: "Mira", roles: ["learner"] };
      next();
    });
    const stopping = new AbortController();
    const streams = modelStreamLimit(2);
    const routers = [signedIn, tutorRoutes({ handlers: { ...tutor.handlers, start }, log, stopping: stopping.signal, streams })];
    const other = await listen(createApp({ config: readConfig({ NODE_ENV: "test" }), log, routers }), 0);
    const send = (signal?: AbortSignal) =>
      fetch(`http://127.0.0.1:${other.port}/api/ai/tutor/start`, {
        method: "POST",
        body: JSON.stringify({ schemaVersion: 1, requestId: requestId(), ...opening }),
        headers: { "content-type": "application/json", ...ndjson },
        ...(signal && { signal }),
      });
    try {
      const leaving = new AbortController();
      expect([(await send(leaving.signal)).status, (await send()).status]).to.deep.equal([200, 200]);
      const refused = await send();
      expect(refused.headers.get("retry-after")).to.equal("5");
      expect(await problem(refused)).to.deep.equal([429, "rate_limited"]);
      leaving.abort();
      let next = await send();
      while (next.status === 429) next = await send();
      expect(next.status).to.equal(200);
    } finally {
      stopping.abort();
      await closeServer(other.server, 0);
    }
  });

  it("answer whether a goal is related to its course", async () => {
    const asked = async (goal: string) => {
      const body = JSON.stringify({ schemaVersion: 1, courseId: "linear-maps", goal });
      const headers = { "content-type": "application/json", "x-account": mira };
      const response = await fetch(`${address}/api/ai/tutor/goal`, { method: "POST", headers, body });
      expect(response.headers.get("cache-control")).to.equal("private, no-store");
      return tutorGoalResponse.parse(await response.json());
    };
    expect((await asked("Know which directions a map leaves alone")).related).to.equal(true);
    expect((await asked("Learn it all, from the beginning")).related, "words of no subject are of every course").to.equal(true);
    expect(await asked("Bake sourdough bread at home")).to.deep.include({ related: false, elsewhere: [], language: "en" });
    expect((await post("goal", { courseId: "linear-maps", goal: "Eigenvectors" })).status, "it has no request id").to.equal(400);
    expect(await problem(await fetch(`${address}/api/ai/tutor/goal`, { method: "POST" }))).to.deep.equal([415, "json_required"]);
  });

  it("reject a choice named twice and a body that is no object", async () => {
    const session = await start();
    const { itemId = "", choices = [] } = session.current ?? {};
    const [choiceId = ""] = choices.map((choice) => choice.choiceId);
    const twice = turn(session, { type: "answer", itemId, choiceIds: [choiceId, choiceId] });
    expect(await problem(await post("turn", twice))).to.deep.equal([400, "invalid_request"]);
    for (const [body, told] of [
      ["null", "The body must be a JSON object."],
      ["{", "The body is not JSON. Send one JSON object."],
    ] as const) {
      const headers = { "content-type": "application/json", "x-account": mira };
      const refused = await fetch(`${address}/api/ai/tutor/turn`, { method: "POST", headers, body });
      expect([refused.status, ((await refused.json()) as { detail: string }).detail]).to.deep.equal([400, told]);
    }
  });

  it("stream progress, the taught text with citations, then the reply", async () => {
    const all = await frames(await post("start", opening, ndjson));
    const last = all.at(-1);
    if (last?.kind !== "complete") throw new Error(`it ended with ${last?.kind}`);
    const { session } = last;
    const works = all.flatMap((frame) => (frame.kind === "status" ? frame.phase : []));
    expect(works).to.include.members(["planning", "verifying", "teaching", "checking"]);
    const text = all.map((frame) => (frame.kind === "text_delta" ? frame.text : "")).join("");
    const taught = session.messages.findLast((message) => message.kind === "teaching");
    expect(taught).to.deep.include({ text });
    const first = all.findIndex((frame) => frame.kind === "text_delta" && frame.text.includes("[^1]"));
    expect(all.findIndex((frame) => frame.kind === "citation")).to.be.lessThan(first);
  });

  for (const accept of [{}, ndjson])
    it(`record nothing of what was stopped before anything came, though no model was to be asked (${accept === ndjson ? "frames" : "JSON"})`, async () => {
      const session = await start();
      const [held, noticed, arrived] = [0, 1, 2].map(() => Promise.withResolvers<void>());
      const { turn: carryOut } = tutor.handlers;
      let carriedOut: Promise<unknown> = Promise.resolve();
      tutor.handlers.turn = (asked, run) => {
        run.signal.addEventListener("abort", () => noticed?.resolve());
        const reply = Promise.resolve(held?.promise).then(() => carryOut(asked, run));
        carriedOut = reply.catch((error: Error) => error.name);
        arrived?.resolve();
        return reply;
      };
      const headers = { "content-type": "application/json", "x-account": mira, ...accept };
      const body = JSON.stringify({ schemaVersion: 1, requestId: requestId(), ...turn(session, { type: "pause" }) });
      const send = (signal?: AbortSignal) =>
        fetch(`${address}/api/ai/tutor/turn`, { method: "POST", headers, body, signal: signal ?? null });
      try {
        const leaving = new AbortController();
        const lost = send(leaving.signal)
          .then((response) => response.text())
          .catch(() => undefined);
        await arrived?.promise;
        leaving.abort();
        await lost;
        await noticed?.promise;
        held?.resolve();
        expect(await carriedOut).to.equal("AbortError");
      } finally {
        tutor.handlers.turn = carryOut;
      }
      expect((await tutor.sessions.load(session.sessionId)).state.version).to.equal(session.version);
      // The same request may come again, and is carried out then.
      const again = await send();
      expect(again.status).to.equal(200);
      await again.text();
      expect((await tutor.sessions.load(session.sessionId)).state.version).to.be.greaterThan(session.version);
    });

  it("answer with the contract's error codes, also in frames", async () => {
    const session = await start();
    const { sessionId } = session;
    expect(await problem(await post("start", opening, {}, null))).to.deep.equal([401, "sign_in_required"]);
    expect(await problem(await post("start", { ...opening, surprise: 1 }))).to.deep.equal([400, "unknown_field"]);
    expect(await problem(await post("start", { ...opening, goal: "x".repeat(501) }))).to.deep.equal([400, "too_long"]);
    expect(await problem(await post("start", { ...opening, courseId: "no-such-course" }))).to.deep.equal([404, "not_found"]);
    expect(await problem(await post("start", { ...opening, references: [{ href: "/courses/nowhere" }] }))).to.deep.equal([
      422,
      "unknown_reference",
    ]);
    expect(await problem(await post("turn", turn(session, { type: "pause" }), {}, "acc_other_001"))).to.deep.equal([404, "not_found"]);
    expect(await problem(await post("turn", { ...turn(session, { type: "pause" }), expectedVersion: 0 }))).to.deep.equal([
      409,
      "stale_session",
    ]);
    const stale = { ...turn(session, { type: "pause" }), courseRevisionId: "another-revision" };
    expect(await problem(await post("turn", stale))).to.deep.equal([409, "stale_course_revision"]);
    expect(await problem(await post("turn", turn(session, { type: "resume" })))).to.deep.equal([409, "wrong_phase"]);
    expect(await problem(await post("turn", turn({ ...session, sessionId: "no-such-session" }, { type: "pause" })))).to.deep.equal([
      404,
      "not_found",
    ]);
    const [last] = (await frames(await post("turn", stale, ndjson))).slice(-1);
    expect(last).to.deep.include({ kind: "error", code: "stale_course_revision", retryable: false });
    expect((await tutor.sessions.load(sessionId)).state.version).to.equal(session.version);
    const cross = await post("turn", turn(session, { type: "pause" }), { "sec-fetch-site": "cross-site" });
    expect(await problem(cross)).to.deep.equal([403, "cross_site"]);
  });
});
