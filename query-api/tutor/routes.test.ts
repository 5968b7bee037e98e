import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changeHandlers } from "@colloquy/command-api/sync/handlers.ts";
import { recordStory, story } from "@colloquy/command-api/tutor/decider.fixture.ts";
import { tutorSessions } from "@colloquy/command-api/tutor/sessions.ts";
import { textDeletion } from "@colloquy/command-api/tutor/text-deletion.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { waitForPosition } from "@colloquy/projections/checkpoints/queries.ts";
import { projection as conversations } from "@colloquy/projections/conversations/projection.ts";
import { type TemporaryReadModels, temporaryReadModels } from "@colloquy/projections/temporary.fixture.ts";
import { projection as tutor } from "@colloquy/projections/tutor/projection.ts";
import type { CourseListing } from "@colloquy/schemas/courses/revision.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { tutorTextStream } from "@colloquy/schemas/tutor/events.ts";
import { ledgerKeysResponse } from "@colloquy/schemas/tutor/ledger.ts";
import { tutorSessionResponse, tutorSessionsResponse } from "@colloquy/schemas/tutor/requests.ts";
import { expect } from "chai";
import { Router } from "express";
import { tutorSessionRoutes } from "./routes.ts";

const log = createLog("test", { LOG_LEVEL: "silent" });
const mira = "acc_mira0001";
const tomas = "acc_tomas001";
const sessionId = "session-0001";
const context = { accountId: mira, requestId: "request-0001", correlationId: "request-0001" };

for (const engine of await enginesToTest()) {
  describeOn(engine, `reading tutoring sessions over HTTP on ${engine.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "tutor-keys-"));
    const signer = openLedgerSigner({ DATA_DIR: folder });
    let models: TemporaryReadModels;
    let server: Server;
    let address: string;
    let position: string;
    let sessions: ReturnType<typeof tutorSessions>;
    let live: string | null;
    /** Sources that are other in the live revision; null where that cannot be told. */
    let changed: ReadonlySet<string> | null;
    after(() => rmSync(folder, { recursive: true, force: true }));

    beforeEach(async () => {
      models = await temporaryReadModels(engine, [conversations, tutor]);
      const { store, database } = models;
      sessions = tutorSessions({ store, signer, now: () => "2026-03-01T10:00:00Z" });
      const tale = story(["objective-a", "objective-b"]);
      tale.answer(true);
      const goal = { textId: "text-goal-01", kind: "goal" as const, text: "Learn pipes", salt: "salt" };
      const appended = await recordStory(sessions, tale, { context, sessionId, texts: [goal] });
      position = appended.position ?? "";
      const signedIn = Router().use((request, _response, next) => {
        const accountId = request.get("x-account");
        request.account = accountId ? { accountId, name: "Test", roles: ["learner"] } : null;
        next();
      });
      live = null;
      changed = new Set();
      const catalogue = { list: async () => [], get: async () => (live === null ? null : ({ revisionId: live } as CourseListing)) };
      const changes = async () => changed;
      const routers = [
        signedIn,
        tutorSessionRoutes({ database, store, catalogue, signer, changes, publicUrl: "https://colloquy.example" }),
      ];
      const listening = await listen(createApp({ config: readConfig({ NODE_ENV: "test" }), log, routers }), 0);
      server = listening.server;
      address = `http://127.0.0.1:${listening.port}`;
    });
    afterEach(async () => {
      await closeServer(server, 0);
      await models.close();
    });

    /** Asks until the read models hold what is asked for: on a busy machine they may take longer than a request waits. */
    async function get(path: string, account: string | null = mira): Promise<Response> {
      for (;;) {
        const response = await fetch(`${address}${path}`, { headers: { ...(account !== null && { "x-account": account }) } });
        if (response.status !== 504) return response;
      }
    }
    const read = `/api/tutor/sessions/${sessionId}`;

    it("lists an account's sessions and shows one", async () => {
      const listed = tutorSessionsResponse.parse(await (await get(`/api/tutor/sessions?after=${position}`)).json());
      expect(listed.sessions).to.have.length(1);
      expect(listed.sessions[0]).to.deep.include({ sessionId, goal: "Learn pipes", phase: "probing", objectives: 2, mastered: 0 });
      const shown = tutorSessionResponse.parse(await (await get(read)).json());
      const { state } = await sessions.load(sessionId);
      expect(shown.session).to.deep.include({ sessionId, goal: "Learn pipes", version: state.version });
      expect(shown.session.current?.itemId).to.equal("probe-objective-b-item-0001");
      expect(JSON.stringify(shown)).to.not.include('"right":["probe-objective-b');
      expect(shown.live).to.equal(null);
      const others = tutorSessionsResponse.parse(await (await get("/api/tutor/sessions?conversationId=conversation-02")).json());
      expect(others.sessions).to.deep.equal([]);
    });

    it("continues a session on the live revision if its sources are unchanged", async () => {
      const goesOn = async () => tutorSessionResponse.parse(await (await get(`${read}?after=${position}`)).json()).goesOn;
      expect(await goesOn(), "no course").to.equal(false);
      live = "revision-01";
      changed = null;
      expect(await goesOn(), "its own revision").to.equal(true);
      live = "revision-02";
      expect(await goesOn(), "nobody knows").to.equal(false);
      changed = new Set(["s_of_another_place_00001"]);
      expect(await goesOn(), "another place").to.equal(true);
      changed = new Set(["source-objective-b"]);
      expect(await goesOn(), "a question's text").to.equal(false);
    });

    it("exports a ledger that verifies, and statements without answer keys", async () => {
      const exported = await get(`${read}/ledger?after=${position}`);
      expect(exported.headers.get("content-type")).to.match(/^application\/x-ndjson/);
      const { keys } = ledgerKeysResponse.parse(await (await get("/api/tutor/ledger-keys", null)).json());
      const { fault, entries } = verifyLedger(await exported.text(), keys);
      expect([fault, entries.map(({ kind }) => kind)]).to.deep.equal([null, ["opened", "probe"]]);
      const first = await (await get(`${read}/ledger?format=xapi`)).text();
      expect(await (await get(`${read}/ledger?format=xapi`)).text()).to.equal(first);
      const statements = JSON.parse(first) as { verb: { id: string }; result?: { score?: object }; object: { id: string } }[];
      expect(statements.map(({ verb }) => verb.id.split("/").at(-1))).to.deep.equal(["initialized", "answered"]);
      expect(statements[1]?.result?.score).to.deep.equal({ scaled: 1, raw: 1, min: 0, max: 1 });
      expect(first).to.not.include("probe-objective-b-choice").and.not.include("Test");
    });

    it("hides sessions from other accounts", async () => {
      await get(`${read}?after=${position}`);
      for (const path of [read, `${read}/ledger`, "/api/tutor/sessions/no-such-session", "/api/tutor/sessions/x"]) {
        const response = await get(path, tomas);
        expect(response.status, path).to.equal(404);
        expect((await response.json()) as object).to.deep.include({ code: "not_found" });
      }
      expect((await get(read, null)).status).to.equal(401);
      expect(await (await get("/api/tutor/sessions", tomas)).json()).to.deep.include({ sessions: [] });
      expect((await get(`${read}/ledger?format=pdf`)).status).to.equal(400);
    });

    it("deletes the learner's texts with the conversation, but not the ledger", async () => {
      const { store, database } = models;
      const handlers = changeHandlers({ store });
      const change = (type: string, data: Change["data"]): Change => ({
        changeId: `change-${type}-1`,
        domain: "conversation",
        entityId: "conversation-01",
        type,
        at: "2026-03-01T10:00:00Z",
        data,
      });
      const started = change("started", { mode: "tutor", model: { choice: "automatic" }, references: [], title: "Pipes" });
      const push = await handlers.push({ accountId: mira, deviceId: "device-one", requestId: "request-1" }, [
        started,
        change("deleted", {}),
      ]);
      await waitForPosition(database, "conversations", push.position, 60_000);
      await waitForPosition(database, "tutor", position, 60_000);
      const stopping = new AbortController();
      const forgetting = textDeletion({ database, sessions, log }).sweepUntil(stopping.signal, 20);
      const rows = () => database.selectFrom("tutor_texts").selectAll().execute();
      while ((await rows()).length > 0) await new Promise((resolve) => setTimeout(resolve, 30));
      stopping.abort();
      await forgetting;
      const texts: string[] = [];
      for await (const { type } of store.read(tutorTextStream(sessionId))) texts.push(type);
      expect(texts).to.deep.equal(["TutorTextsDeleted"]);
      expect(await (await get(read)).json()).to.have.nested.property("session.goal", "");
      expect(verifyLedger(await (await get(`${read}/ledger`)).text(), signer.keys()).fault).to.equal(null);
    });
  });
}
