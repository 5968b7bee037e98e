import { readConfig } from "@colloquy/infra/config.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import { expect } from "chai";
import { Router } from "express";
import type { ChangeHandlers } from "./handlers.ts";
import { embedRecordRoutes } from "./routes.ts";

const at = "2026-11-21T10:00:00Z";
const started = { changeId: "change-started", at, type: "started" };
const opening = { mode: "tutor", model: { choice: "automatic" }, references: [], title: "Tutor: pipes" };
const attempted = { changeId: "change-attempt", at, type: "quiz_attempted", data: { quizId: "quiz-0001", answers: {}, score: 0.5 } };

describe("POST /api/embed/record", () => {
  let server: Awaited<ReturnType<typeof listen>>;
  let account: string | null = null;
  let pushed: { context: object; changes: readonly Change[] }[] = [];

  before(async () => {
    const handlers: Pick<ChangeHandlers, "push"> = {
      push: async (context, changes) => {
        pushed.push({ context, changes });
        return { results: changes.map(({ changeId }) => ({ changeId, outcome: "accepted" as const })), position: "7" };
      },
    };
    const config = readConfig({ NODE_ENV: "test", LOG_LEVEL: "silent" });
    const signIn = Router().use((request, _response, next) => {
      if (account) request.account = { accountId: account, name: "", roles: ["learner"] };
      next();
    });
    server = await listen(createApp({ config, log: createLog("test", config), routers: [signIn, embedRecordRoutes({ handlers })] }), 0);
  });
  after(() => closeServer(server.server, 0));
  beforeEach(() => {
    account = "acc_mira_0001";
    pushed = [];
  });

  const record = async (body: object) => {
    const response = await fetch(`http://127.0.0.1:${server.port}/api/embed/record`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ schemaVersion: 1, conversationId: "conversation-1", ...body }),
    });
    return { status: response.status, body: await response.json() };
  };

  it("starts a conversation of the account and records a quiz attempt", async () => {
    const { status, body } = await record({ changes: [{ ...started, data: opening }, attempted] });
    expect([status, body.position, body.results.length]).to.deep.equal([200, "7", 2]);
    expect(pushed[0]?.context).to.include({ accountId: "acc_mira_0001", deviceId: "embedded" });
    expect(pushed[0]?.changes[1]).to.deep.equal({ ...attempted, domain: "conversation", entityId: "conversation-1" });
  });

  it("rejects renaming, deletion, turns and other domains", async () => {
    const turn = { turnId: "turn-0001", question: "?", answer: "!", citations: [], outcome: "finished" };
    for (const change of [
      { changeId: "change-title", at, type: "renamed", data: { title: "Mine" } },
      { changeId: "change-gone", at, type: "deleted", data: {} },
      { changeId: "change-turn", at, type: "turn_recorded", data: { ...turn, provider: "p1", model: "m", fallbackDepth: 0 } },
      { ...attempted, domain: "preferences" },
      { ...attempted, entityId: "conversation-2" },
    ])
      expect((await record({ changes: [change] })).status, change.type).to.equal(400);
    expect((await record({ changes: [] })).status).to.equal(400);
    expect(pushed).to.deep.equal([]);
  });

  it("requires a session", async () => {
    account = null;
    expect((await record({ changes: [attempted] })).status).to.equal(401);
  });
});
