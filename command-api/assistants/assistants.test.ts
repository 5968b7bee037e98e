import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { readConfig } from "@colloquy/infra/config.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import type { AccessToken } from "@colloquy/infra/identity/access-tokens.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { assistantResponse, assistantsResponse } from "@colloquy/schemas/assistants/assistant.ts";
import { assistantStream } from "@colloquy/schemas/assistants/events.ts";
import { connectorBounds } from "@colloquy/schemas/connector-bounds.ts";
import { expect } from "chai";
import { Router } from "express";
import { type ServedTutor, serveTutor } from "../tutor/tutor.fixture.ts";
import { assistantsOf } from "./assistants.ts";
import { assistantRoutes } from "./routes.ts";

const at = "2026-11-21T08:00:00.000Z";
const later = "2026-11-21T09:00:00.000Z";
const mira = "acc_mira_0001";
const noor = "acc_noor_0002";
describe("an account's assistants", function () {
  this.timeout(120_000);
  let tutor: ServedTutor;
  let servers: Server[];
  let now = new Date(at);
  const routes = async (more: Record<string, string> = {}) => {
    const config = readConfig({ NODE_ENV: "test", ...more });
    const signedIn = Router().use((request, _response, next) => {
      const accountId = request.get("x-account");
      request.account = accountId ? { accountId, name: "Mira", roles: ["learner"] } : null;
      next();
    });
    const assistants = assistantsOf(tutor.store, () => now);
    const log = createLog("test", { LOG_LEVEL: "silent" });
    const { server, port } = await listen(createApp({ config, log, routers: [signedIn, assistantRoutes({ config, assistants })] }), 0);
    servers.push(server);
    const call = async (account: string | null, body?: object, search = "") => {
      const response = await fetch(`http://127.0.0.1:${port}/api/ai/assistants${search}`, {
        ...(body && { method: "POST", body: JSON.stringify({ schemaVersion: 1, ...body }) }),
        headers: { "content-type": "application/json", ...(account !== null && { "x-account": account }) },
      });
      return { status: response.status, cache: response.headers.get("cache-control"), body: await response.json() };
    };
    return { assistants, call };
  };
  const token = (accountId: string, clientId: string, issuedAt: string): AccessToken => ({
    accountId,
    clientId,
    clientName: "Robin",
    scopes: ["sources:read"],
    onlyReads: false,
    issuedAt: Date.parse(issuedAt) / 1000,
    expiresAt: Date.parse(issuedAt) / 1000 + 600,
  });
  before(async () => {
    servers = [];
    tutor = await serveTutor();
  });
  after(async () => {
    for (const server of servers) await closeServer(server, 0);
    await tutor.close();
  });

  it("lists only the account's own and hides that another's exist", async () => {
    const { assistants, call } = await routes();
    expect(await assistants.admit(token(mira, "robin", at), "request-1")).not.to.equal(null);
    const own = await call(mira);
    expect(own.cache).to.equal("private, no-store");
    expect(assistantsResponse.parse(own.body).assistants.map(({ clientId }) => clientId)).to.deep.equal(["robin"]);
    expect((await call(noor)).body.assistants).to.deep.equal([]);
    expect((await call(null)).status).to.equal(401);
    expect((await call(null, { requestId: randomUUID(), clientId: "robin", allowed: false })).status).to.equal(401);
    const [others, nobodys] = [
      await call(noor, { requestId: randomUUID(), clientId: "robin", allowed: false }),
      await call(noor, { requestId: randomUUID(), clientId: "no-such-client", allowed: false }),
    ];
    expect(others.status).to.equal(404);
    const told = ({ requestId: _own, ...rest }: Record<string, unknown>) => rest;
    expect(told(others.body)).to.deep.equal(told(nobodys.body));
    expect((await call(mira)).body.assistants[0].disconnectedAt).to.equal(null);
  });

  it("limits requests per minute and account with 429", async () => {
    const { call } = await routes();
    const statuses: number[] = [];
    for (let asked = 0; asked < connectorBounds.looksPerMinute; asked += 1) statuses.push((await call(mira)).status);
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect([
      (await call(mira)).status,
      (await call(mira, { requestId: randomUUID(), clientId: "robin", allowed: true })).status,
    ]).to.deep.equal([429, 429]);
    expect((await call(noor)).status).to.equal(200);
  });

  it("revokes access at once and rejects unknown fields with 400", async () => {
    const { assistants, call } = await routes();
    await assistants.admit(token(mira, "wren", at), "request-2");
    const ended = await call(mira, { requestId: randomUUID(), clientId: "wren", allowed: false });
    expect(assistantResponse.parse(ended.body).assistant).to.deep.include({ clientId: "wren", disconnectedAt: at });
    expect(await assistants.admit(token(mira, "wren", at), "request-3")).to.equal(null);
    expect((await call(mira, { requestId: randomUUID(), clientId: "wren", allowed: true })).body.assistant.disconnectedAt).to.equal(null);
    expect(await assistants.admit(token(mira, "wren", at), "request-4")).not.to.equal(null);
    for (const body of [{ clientId: "wren" }, { clientId: "", allowed: true }, { clientId: "wren", allowed: true, accountId: noor }])
      expect((await call(mira, body)).status).to.equal(400);
    expect((await call(mira, undefined, "?account=other")).status).to.equal(400);
  });

  it("lists all of them page by page in a stable order", async () => {
    const { assistants, call } = await routes();
    const account = "acc_many_0005";
    const all = Array.from({ length: connectorBounds.assistants * 2 + 1 }, (_, index) => `client-${String(index).padStart(4, "0")}`);
    for (const [index, clientId] of all.entries()) {
      now = new Date(Date.parse(at) + index);
      await assistants.admit(token(account, clientId, at), `request-many-${index}`);
    }
    now = new Date(at);
    const told: string[] = [];
    const pages: number[] = [];
    for (let next: string | null = null; next !== null || pages.length === 0; ) {
      const { status, body } = await call(account, undefined, next === null ? "" : `?after=${next}`);
      expect(status).to.equal(200);
      const page = assistantsResponse.parse(body);
      pages.push(page.assistants.length);
      told.push(...page.assistants.map(({ clientId }) => clientId));
      // What is disconnected meanwhile moves nobody.
      await call(account, { clientId: told[0], allowed: false });
      next = page.next;
    }
    expect(pages).to.deep.equal([connectorBounds.assistants, connectorBounds.assistants, 1]);
    expect(told).to.deep.equal(all.toReversed());
    expect((await call(account, undefined, "?after=nobody")).status).to.equal(400);
  });

  it("only lets assistants of an auditor read, also after a deletion", async () => {
    const { assistants } = await routes();
    const account = { accountId: "acc_nils_0006", name: "Nils", roles: ["learner" as const] };
    const given: AccessToken = {
      ...token(account.accountId, "robin", at),
      scopes: ["sources:read", "tutor:read", "tutor:write", "tutor:answer"],
    };
    const may = async (of = assistants) => (await of.admit(given, "request-roles"))?.scopes;
    await assistants.signedIn(account, "request-in-1");
    expect(await may()).to.deep.equal(given.scopes);
    await assistants.signedIn({ ...account, roles: ["auditor"] }, "request-in-2");
    expect(await may()).to.deep.equal(["sources:read", "tutor:read"]);
    expect(await may(assistantsOf(tutor.store)), "in another process").to.deep.equal(["sources:read", "tutor:read"]);
    await assistants.forget(account.accountId, "request-forget");
    given.issuedAt = Date.now() / 1000 + 60;
    expect(await may(assistantsOf(tutor.store)), "after a deletion").to.deep.equal(["sources:read", "tutor:read"]);
    await assistants.signedIn({ ...account, roles: ["learner", "auditor"] }, "request-in-3");
    expect(await may()).to.deep.equal(given.scopes);
  });

  it("gives the connector's address, null while it is off", async () => {
    expect((await (await routes({ PUBLIC_URL: "http://localhost:8126" })).call(mira)).body.address).to.equal("http://localhost:8126/mcp");
    expect((await (await routes({ CONNECTOR: "off" })).call(mira)).body.address).to.equal(null);
  });

  it("deletes all of them with the account's data and rejects earlier tokens", async () => {
    const { assistants, call } = await routes();
    const account = "acc_gone_0003";
    await assistants.admit(token(account, "robin", at), "request-5");
    now = new Date(later);
    await assistants.forget(account, "request-6");
    expect((await call(account)).body.assistants).to.deep.equal([]);
    expect(await assistants.admit(token(account, "robin", at), "request-7")).to.equal(null);
    const types: string[] = [];
    for await (const { type } of tutor.store.read(assistantStream(account))) types.push(type);
    expect(types).to.deep.equal(["AssistantsForgotten"]);
    await assistants.forget(account, "request-8");
    expect(await assistants.admit(token(account, "robin", "2026-11-21T09:00:01.000Z"), "request-9")).not.to.equal(null);
    // Another process, which has seen nothing of it yet.
    const elsewhere = assistantsOf(tutor.store);
    expect(await elsewhere.admit(token(account, "robin", at), "request-10")).to.equal(null);
    now = new Date(at);
  });
});
