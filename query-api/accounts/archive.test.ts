import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { draftOf } from "@colloquy/command-api/explainers/explainer.fixture.ts";
import { explainerJobs } from "@colloquy/command-api/explainers/jobs.ts";
import { changeHandlers } from "@colloquy/command-api/sync/handlers.ts";
import { recordStory, story } from "@colloquy/command-api/tutor/decider.fixture.ts";
import { tutorSessions } from "@colloquy/command-api/tutor/sessions.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { waitForPosition } from "@colloquy/projections/checkpoints/queries.ts";
import { projection as conversations } from "@colloquy/projections/conversations/projection.ts";
import { projection as explainers } from "@colloquy/projections/explainers/projection.ts";
import { projection as sync } from "@colloquy/projections/sync/projection.ts";
import { temporaryReadModels } from "@colloquy/projections/temporary.fixture.ts";
import { projection as tutor } from "@colloquy/projections/tutor/projection.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { expect } from "chai";
import { Router } from "express";
import { strFromU8, unzipSync } from "fflate";
import { archiveRoutes } from "./archive.ts";

const accountId = "acc_mira0001";
const context = { accountId, requestId: "request-0001", correlationId: "request-0001" };
/** More than are read at a time, and more than a list of sessions shows. */
const count = { sessions: 205, films: 203, batches: 3, perBatch: 45 };

for (const engine of await enginesToTest())
  describeOn(engine, `the archive of an account on ${engine.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "archive-keys-"));
    after(() => rmSync(folder, { recursive: true, force: true }));

    it("contains every session with its ledger, every film and every change", async function () {
      this.timeout(120_000);
      const signer = openLedgerSigner({ DATA_DIR: folder });
      const models = await temporaryReadModels(engine, [conversations, explainers, sync, tutor]);
      const { store, database } = models;
      const sessions = tutorSessions({ store, signer, now: () => "2026-03-01T10:00:00Z" });
      const tale = story(["objective-a"]);
      tale.answer(true);
      let position = "";
      // The tale is of the first one; what the others hold only has to be there.
      for (let number = 1; number <= count.sessions; number += 1) {
        const sessionId = `session-${String(number).padStart(4, "0")}`;
        const appended = await recordStory(sessions, tale, { context, sessionId });
        position = appended.position ?? position;
      }
      await waitForPosition(database, "tutor", position, 60_000);
      const films = explainerJobs({ store });
      for (let number = 0; number < count.films; number += 1) {
        const [jobId, at] = [`job-${String(number).padStart(8, "0")}`, "2026-03-01T10:00:00Z"];
        const { position: filmed } = await films.handle(jobId, context, { type: "draft", digest: "d", at, jobId, ...draftOf() });
        position = filmed ?? position;
      }
      await waitForPosition(database, "explainers", position, 60_000);
      const { push } = changeHandlers({ store });
      for (let batch = 0; batch < count.batches; batch += 1) {
        const changes = Array.from({ length: count.perBatch }, (_, index): Change => {
          const number = batch * count.perBatch + index;
          const one = { changeId: `change-${number}`, domain: "preferences", entityId: "workspace", at: "2026-03-01T10:00:00Z" } as const;
          return { ...one, type: number % 2 ? "model_shown" : "model_hidden", data: { modelId: `p1/model-${number}` } };
        });
        const pushed = await push({ accountId, deviceId: "device-one", requestId: `request-${batch}-1` }, changes);
        expect(pushed.results.map(({ outcome }) => outcome)).to.deep.equal(changes.map(() => "accepted"));
        await waitForPosition(database, "sync", pushed.position, 60_000);
      }
      const signedIn = Router().use((request, _response, next) => {
        request.account = { accountId, name: "Mira", roles: ["learner"] };
        next();
      });
      const cards = async () => ({ cards: [], retired: [], seeds: [] }) as never;
      const routers = [signedIn, archiveRoutes({ database, store, signer, cards, publicUrl: "https://colloquy.example" })];
      const log = createLog("test", { LOG_LEVEL: "silent" });
      const { server, port } = await listen(createApp({ config: readConfig({ NODE_ENV: "test" }), log, routers }), 0);
      try {
        const sent = await fetch(`http://127.0.0.1:${port}/api/account/archive`);
        const files = unzipSync(new Uint8Array(await sent.arrayBuffer()));
        const textOf = (path: string) => strFromU8(files[path] ?? new Uint8Array());
        const named = (ending: RegExp) => Object.keys(files).filter((path) => ending.test(path));
        expect(named(/^tutor\/session-\d+\.json$/)).to.have.length(count.sessions);
        expect(named(/^tutor\/session-\d+\.ndjson$/)).to.have.length(count.sessions);
        const { keys } = JSON.parse(textOf("tutor/ledger-keys.json"));
        expect(verifyLedger(textOf("tutor/session-0001.ndjson"), keys)).to.deep.include({ fault: null, sessionId: "session-0001" });
        expect(named(/^films\/job-\d+\.json$/)).to.have.length(count.films);
        expect(JSON.parse(textOf("films/job-00000007.json")).job).to.deep.include({ state: "drafted", answered: null });
        expect(textOf("films/job-00000007.json"), "the answer of its question").to.not.include("Because the pipe");
        expect(JSON.parse(textOf("sign-ins.json"))).to.deep.equal({ schemaVersion: 1, signIns: [] });
        const { changes } = JSON.parse(textOf("preferences.json")) as { changes: { changeId: string }[] };
        const pushed = Array.from({ length: count.batches * count.perBatch }, (_, number) => `change-${number}`);
        expect(changes.map(({ changeId }) => changeId)).to.deep.equal(pushed);
        expect(JSON.parse(textOf("annotations.json"))).to.deep.equal({ schemaVersion: 1, changes: [] });
      } finally {
        await closeServer(server, 0);
        await models.close();
      }
    });
  });
