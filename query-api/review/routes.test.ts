import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordStory, story } from "@colloquy/command-api/tutor/decider.fixture.ts";
import { tutorSessions } from "@colloquy/command-api/tutor/sessions.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { projection } from "@colloquy/projections/review/projection.ts";
import type { ReviewTables } from "@colloquy/projections/review/queries.ts";
import { type TemporaryReadModels, temporaryReadModels } from "@colloquy/projections/temporary.fixture.ts";
import { reviewResponse } from "@colloquy/schemas/review/requests.ts";
import { expect } from "chai";
import { Router } from "express";
import type { Kysely } from "kysely";
import { accountCards, reviewRoutes } from "./routes.ts";

const log = createLog("test", { LOG_LEVEL: "silent" });
const mira = "acc_mira0001";
const tomas = "acc_tomas001";

for (const engine of await enginesToTest())
  describeOn(engine, `reading what is reviewed over HTTP on ${engine.name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "review-keys-"));
    let models: TemporaryReadModels;
    let server: Server;
    let address: string;
    let position: string;

    before(async () => {
      models = await temporaryReadModels(engine, [projection]);
      const sessions = tutorSessions({
        store: models.store,
        signer: openLedgerSigner({ DATA_DIR: folder }),
        now: () => "2026-03-01T10:00:00Z",
      });
      const tale = story(["objective-a", "objective-b"]);
      tale.answer(false);
      tale.answer(false);
      tale.plan({ objectiveIds: ["objective-a"] }, { objectiveIds: ["objective-b"] });
      tale.teach();
      tale.ask("secret");
      const context = { accountId: mira, requestId: "request-0001", correlationId: "request-0001" };
      const goal = { textId: "text-goal-01", kind: "goal" as const, text: "Learn pipes", salt: "salt" };
      const appended = await recordStory(sessions, tale, { context, texts: [goal] });
      position = appended.position ?? "";
      const signedIn = Router().use((request, _response, next) => {
        const accountId = request.get("x-account");
        request.account = accountId ? { accountId, name: "Test", roles: ["learner"] } : null;
        next();
      });
      const cards = accountCards({
        database: models.database as unknown as Kysely<ReviewTables>,
        courses: { live: async () => null, formerTopics: async () => new Map() },
      });
      const app = createApp({
        config: readConfig({ NODE_ENV: "test" }),
        log,
        routers: [signedIn, reviewRoutes({ database: models.database, cards })],
      });
      const listening = await listen(app, 0);
      server = listening.server;
      address = `http://127.0.0.1:${listening.port}`;
    });
    after(async () => {
      await closeServer(server, 0);
      await models.close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Asks until the read models hold what is asked for: on a busy machine they may take longer than a request waits. */
    async function get(account: string | null, query = ""): Promise<Response> {
      for (;;) {
        const response = await fetch(`${address}/api/review${query}`, { headers: { ...(account !== null && { "x-account": account }) } });
        if (response.status !== 504) return response;
      }
    }

    it("returns what an account has studied, without unanswered questions", async () => {
      const response = await get(mira, `?after=${position}`);
      expect(response.headers.get("cache-control")).to.equal("private, no-store");
      const text = await response.text();
      const { cards, retired } = reviewResponse.parse(JSON.parse(text));
      expect([cards, retired.map(({ itemId, reason }) => [itemId, reason])]).to.deep.equal([[], [["objective-a", "unpublished"]]]);
      expect(text).to.not.include("secret");
    });

    it("shows other accounts nothing", async () => {
      const nothing = await (await get("acc_nobody01")).json();
      expect(await (await get(tomas, `?after=${position}`)).json()).to.deep.equal(nothing);
      expect(nothing).to.deep.equal({ schemaVersion: 1, cards: [], retired: [], more: false });
      expect((await get(null)).status).to.equal(401);
      expect((await get(mira, "?account=acc_tomas001")).status).to.equal(400);
    });
  });
