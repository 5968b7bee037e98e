import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { itemFor, story } from "@colloquy/command-api/tutor/decider.fixture.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { eventIdFrom } from "@colloquy/infra/event-store/client.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { learnerPseudonyms } from "@colloquy/infra/identity/pseudonyms.ts";
import { type LedgerSigner, openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { projection as audit } from "@colloquy/projections/audit/projection.ts";
import type { AuditTables } from "@colloquy/projections/audit/queries.ts";
import { type ReadModels, waitForPosition } from "@colloquy/projections/checkpoints/queries.ts";
import { type TemporaryReadModels, temporaryReadModels } from "@colloquy/projections/temporary.fixture.ts";
import { projection as tutor } from "@colloquy/projections/tutor/projection.ts";
import type { TutorTables } from "@colloquy/projections/tutor/queries.ts";
import type { Role } from "@colloquy/schemas/accounts/account.ts";
import { auditStream } from "@colloquy/schemas/audit/events.ts";
import { type AuditRecord, auditedSessionsResponse, auditRecordResponse } from "@colloquy/schemas/audit/requests.ts";
import { type TutorEvent, tutorStream } from "@colloquy/schemas/tutor/events.ts";
import { expect } from "chai";
import { Router } from "express";
import type { Kysely } from "kysely";
import { learnerKinds, seeded } from "../../checks/tutor-evaluation/learners.ts";
import { simulateSession } from "../../checks/tutor-evaluation/simulate.ts";
import { auditRoutes } from "./routes.ts";

const log = createLog("test", { LOG_LEVEL: "silent" });
const mira = "acc_mira0001";
const tomas = "acc_tomas001";
const nils = "acc_nils0001";

for (const engine of await enginesToTest())
  describeOn(engine, `auditing over HTTP on ${engine.name}`, () => {
    let models: TemporaryReadModels;
    let server: Server;
    let address: string;
    let folder: string;
    let signer: LedgerSigner;
    let last: string;
    const pseudonymOf = learnerPseudonyms({ ACCOUNT_SECRET: "a-secret-of-thirty-two-letters-or-more", DATA_DIR: "" });

    before(async () => {
      models = await temporaryReadModels(engine, [audit, tutor]);
      folder = mkdtempSync(join(tmpdir(), "audit-"));
      signer = openLedgerSigner({ DATA_DIR: folder });
      const who = Router().use((request, _response, next) => {
        const [accountId, role] = (request.get("x-account") ?? "").split(" ");
        request.account = accountId && role ? { accountId, name: "Mira Example", roles: [role as Role] } : null;
        next();
      });
      const database = models.database as unknown as Kysely<AuditTables & TutorTables> & ReadModels;
      const routers = [who, auditRoutes({ database, store: models.store, signer, pseudonymOf })];
      const listening = await listen(createApp({ config: readConfig({ NODE_ENV: "test" }), log, routers }), 0);
      server = listening.server;
      address = `http://127.0.0.1:${listening.port}`;
      await tutored("session-0001", mira, 1);
      await tutored("session-0002", mira, 2);
      last = await tutored("session-0003", tomas, 3, (event) =>
        event.type === "TutorSessionOpened"
          ? { ...event, data: { ...event.data, courseId: "course-02", courseTitle: "100% Shell" } }
          : event,
      );
      for (const name of ["audit", "tutor"]) expect(await waitForPosition(models.database, name, last, 60_000)).to.equal(true);
    });
    after(async () => {
      await closeServer(server, 0);
      await models.close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** A whole simulated session in its stream. */
    async function tutored(sessionId: string, accountId: string, seed: number, change = (event: TutorEvent) => event): Promise<string> {
      const kind = learnerKinds[0] as (typeof learnerKinds)[number];
      const { events } = simulateSession(kind, { sessionId, objectives: 2, random: seeded(seed), signer });
      const metadata = { accountId, requestId: "request-1", correlationId: "request-1", at: `2026-0${seed}-01T10:00:00.000Z` };
      const stored = events
        .map(change)
        .map(({ type, data }, index) => ({ id: eventIdFrom(sessionId, String(index)), type, data, metadata }));
      return (await models.store.append(tutorStream(sessionId), stored, "none")).position;
    }
    const get = (path: string, as: string | null = `${nils} auditor`, headers: Record<string, string> = {}) =>
      fetch(`${address}${path}`, { headers: { ...headers, ...(as !== null && { "x-account": as }) } });
    const found = async (query = "") => auditedSessionsResponse.parse(await (await get(`/api/audit/sessions${query}`)).json());
    const ids = async (query: string) => (await found(query)).sessions.map(({ sessionId }) => sessionId);
    const recordOf = async (sessionId: string): Promise<AuditRecord> =>
      auditRecordResponse.parse(await (await get(`/api/audit/sessions/${sessionId}`)).json()).record;
    const looked = async () => {
      const events = [];
      for await (const { type, data } of models.store.read(auditStream(nils))) events.push({ type, data });
      return events;
    };

    it("is for auditors only", async () => {
      const before = (await looked()).length;
      for (const path of ["", "/session-0001", "/session-0001/ledger", "/session-none", "/x"]) {
        for (const [as, status, code] of [
          [null, 401, "sign_in_required"],
          [`${mira} learner`, 403, "not_allowed"],
          ["acc_ada00001 owner", 403, "not_allowed"],
        ] as const) {
          const response = await get(`/api/audit/sessions${path}`, as);
          expect([response.status, ((await response.json()) as { code: string }).code], `${path} ${as}`).to.deep.equal([status, code]);
        }
      }
      for (const method of ["POST", "PUT", "DELETE"]) {
        const headers = { "x-account": `${nils} auditor`, "content-type": "application/json" };
        const response = await fetch(`${address}/api/audit/sessions/session-0001`, {
          method,
          headers,
          ...(method !== "DELETE" && { body: "{}" }),
        });
        expect(response.status, method).to.equal(404);
      }
      expect((await get("/api/audit/sessions", `${nils} auditor`, { "sec-fetch-site": "cross-site" })).status).to.equal(403);
      expect((await looked()).length).to.equal(before);
    });

    it("finds sessions by course, objective, time and pseudonym", async () => {
      const { sessions } = await found();
      expect(sessions.map(({ sessionId }) => sessionId)).to.have.members(["session-0001", "session-0002", "session-0003"]);
      expect(sessions.every(({ entries }) => entries > 3)).to.equal(true);
      expect(await ids("?course=course-02")).to.deep.equal(["session-0003"]);
      expect(await ids("?course=100%25%20sh")).to.deep.equal(["session-0003"]);
      expect(await ids("?course=1_0")).to.deep.equal([]);
      expect(await ids("?objective=OBJECTIVE-2")).to.have.lengthOf(3);
      expect(await ids("?objective=nothing")).to.deep.equal([]);
      expect(await ids(`?learner=${pseudonymOf(mira)}`)).to.have.members(["session-0001", "session-0002"]);
      expect(await ids(`?learner=${pseudonymOf("acc_nobody01")}`)).to.deep.equal([]);
      expect(await ids("?from=2026-02-15T00:00:00Z")).to.deep.equal([]);
      expect(await ids("?to=2026-02-15T00:00:00Z")).to.have.members(["session-0001", "session-0002"]);
      expect((await get("/api/audit/sessions?learner=acc_mira0001")).status).to.equal(400);
    });

    it("pages through the rest", async () => {
      const seen: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const page: Awaited<ReturnType<typeof found>> = await found(`?limit=1${cursor && `&cursor=${cursor}`}`);
        seen.push(...page.sessions.map(({ sessionId }) => sessionId));
        cursor = page.cursor;
      }
      expect(seen).to.have.members(["session-0001", "session-0002", "session-0003"]).and.have.lengthOf(3);
      expect((await get("/api/audit/sessions?cursor=abc")).status).to.equal(400);
    });

    it("returns what a replay needs, verified and equal to the live state", async () => {
      const { moments, verification, differences, session } = await recordOf("session-0001");
      expect(differences).to.deep.equal([]);
      expect(verification).to.deep.include({ fault: null, chain: "sound", tree: "sound", signatures: "sound", entries: session.entries });
      const entries = moments.flatMap(({ entry }) => entry ?? []);
      expect(entries.map(({ index }) => index)).to.deep.equal(entries.map((_, index) => index));
      expect(moments.map(({ event }) => event)).to.deep.equal(moments.map(({ event }) => event).toSorted((a, b) => a - b));
      const question = moments.find(({ message }) => message?.kind === "question");
      expect(question?.model).to.equal("p1/made-up");
      const answer = moments.find(({ message }) => message?.kind === "answer");
      expect(answer?.entry?.kind).to.be.oneOf(["probe", "check"]);
    });

    it("never names the learner", async () => {
      for (const path of ["", "/session-0001", "/session-0001/ledger"]) {
        const text = await (await get(`/api/audit/sessions${path}`)).text();
        expect(text).not.to.include(mira).and.not.to.include("Mira");
      }
    });

    it("returns a ledger that verifies offline", async () => {
      const response = await get("/api/audit/sessions/session-0002/ledger");
      expect(response.headers.get("content-type")).to.include("application/x-ndjson");
      expect(verifyLedger(await response.text(), signer.keys()).fault).to.equal(null);
    });

    it("shows an altered entry and that live state and replay differ", async () => {
      const position = await tutored("session-0004", tomas, 4, (event) =>
        event.type === "EvidenceRecorded" && event.data.entry.index === 1
          ? { ...event, data: { ...event.data, entry: { ...event.data.entry, correct: !event.data.entry.correct } } }
          : event,
      );
      for (const name of ["audit", "tutor"]) await waitForPosition(models.database, name, position, 60_000);
      const { verification, differences } = await recordOf("session-0004");
      expect(verification.fault).to.deep.include({ index: 1, code: "hash" });
      expect(verification).to.deep.include({ chain: "fault", tree: "unknown" });
      expect(differences.map(({ index, of, subject }) => [index, of, subject])).to.deep.include([1, "answer", "graded"]);
      expect(differences.some(({ index, of }) => index === 1 && of === "mastery")).to.equal(true);
    });

    it("replays the closing question of a film as in the live state", async () => {
      const tale = story(["objective-a"]);
      const item = itemFor("objective-a", "film", { film: "job-00000001" });
      tale.do({ type: "answer film", digest: "digest", item, choiceId: item.right[0] ?? "" });
      const metadata = { accountId: tomas, requestId: "request-1", correlationId: "request-1", at: "2026-03-01T10:00:00.000Z" };
      const sessionId = "session-0005";
      const stored = tale.events.map(({ type, data }, index) => ({
        id: eventIdFrom("filmed", String(index)),
        type,
        metadata,
        data: type === "TutorSessionOpened" ? { ...data, sessionId } : data,
      }));
      const { position } = await models.store.append(tutorStream(sessionId), stored, "none");
      for (const name of ["audit", "tutor"]) expect(await waitForPosition(models.database, name, position, 60_000)).to.equal(true);
      const { moments, differences } = await recordOf(sessionId);
      expect(differences).to.deep.equal([]);
      const [question, answer] = moments.slice(-2);
      expect(question?.message).to.deep.include({ kind: "question", film: "job-00000001" });
      expect(answer?.message).to.deep.include({ kind: "answer", correct: true, aided: true });
      expect(answer?.entry).to.deep.include({ kind: "check", film: "job-00000001", index: answer?.message?.receipt });
    });

    it("records an access before it is answered", async () => {
      const before = (await looked()).length;
      await found(`?course=course-02&learner=${pseudonymOf(mira)}`);
      await recordOf("session-0001");
      await get("/api/audit/sessions/session-0001/ledger", `${nils} auditor`, { "x-request-id": "the-same-id-again" });
      await get("/api/audit/sessions/session-0001/ledger", `${nils} auditor`, { "x-request-id": "the-same-id-again" });
      expect((await get("/api/audit/sessions/session-none")).status).to.equal(404);
      expect((await looked()).slice(before)).to.deep.equal([
        { type: "AuditSearched", data: { schemaVersion: 1, filters: { course: "course-02", learner: pseudonymOf(mira) } } },
        { type: "AuditSessionOpened", data: { schemaVersion: 1, sessionId: "session-0001" } },
        { type: "AuditLedgerExported", data: { schemaVersion: 1, sessionId: "session-0001" } },
        { type: "AuditLedgerExported", data: { schemaVersion: 1, sessionId: "session-0001" } },
        { type: "AuditSessionOpened", data: { schemaVersion: 1, sessionId: "session-none" } },
      ]);
    });
  });
