import { readFileSync } from "node:fs";
import { createServer as createNetServer } from "node:net";
import { join } from "node:path";
import { accountIds, embeddedIssuer } from "@colloquy/infra/identity/accounts.ts";
import { connectorBounds } from "@colloquy/schemas/connector-bounds.ts";
import { expect } from "chai";
import { agreeTo, type Connected, type ServedConnector, serveConnector } from "./assistants.fixture.ts";
import { scriptedAssistant, type Told } from "./scripted-model.fixture.ts";

describe("the connector's door", () => {
  let served: ServedConnector;
  let mira: Connected;
  before(async function () {
    this.timeout(120_000);
    served = await serveConnector();
    mira = await served.connect();
  });
  after(() => served.close());

  const post = (headers: Record<string, string>, body: object = { jsonrpc: "2.0", id: 1, method: "tools/list" }) =>
    fetch(`${served.home}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify(body),
    });
  const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it("tells who is not let in where to ask, and what for", async () => {
    const response = await post({});
    expect(response.status).to.equal(401);
    const challenge = response.headers.get("www-authenticate") ?? "";
    const url = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? "";
    expect(url).to.equal(`${served.home}/.well-known/oauth-protected-resource/mcp`);
    const metadata = await (await fetch(url)).json();
    expect(metadata).to.deep.include({ resource: `${served.home}/mcp`, authorization_servers: [`${served.home}/oidc`] });
    expect(await (await fetch(`${served.home}/.well-known/oauth-protected-resource`)).json()).to.deep.equal(metadata);
    for (const path of ["/.well-known/oauth-authorization-server/oidc", "/oidc/.well-known/openid-configuration"]) {
      const server = await (await fetch(served.home + path)).json();
      expect(server).to.deep.include({
        issuer: `${served.home}/oidc`,
        code_challenge_methods_supported: ["S256"],
        client_id_metadata_document_supported: true,
      });
      expect(server.registration_endpoint).to.equal(`${served.home}/oidc/reg`);
    }
  });

  it("lets in a client of the official SDK of either generation, and lists its tools with what they do", async () => {
    const old = await served.connect({ modern: false });
    for (const { client } of [mira, old]) {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).to.include.members(["search_sources", "open_tutor_session", "propose_check", "submit_answer"]);
      for (const { name, annotations, inputSchema, outputSchema } of tools) {
        expect(annotations?.readOnlyHint, name).to.equal(/^(list|search|read|open|next)_/.test(name));
        expect(annotations?.destructiveHint, name).to.equal(false);
        expect(inputSchema.additionalProperties, name).to.equal(false);
        expect(outputSchema?.type, name).to.equal("object");
      }
    }
  });

  it("refuses a token that is altered, of a sign-in, or for another audience", async () => {
    const token = mira.tokens().access_token;
    expect((await post(bearer(token))).status).to.equal(200);
    const [head = "", body = "", signature = ""] = token.split(".");
    const claims = JSON.parse(Buffer.from(body, "base64url").toString());
    expect(claims).to.include({ aud: `${served.home}/mcp`, iss: `${served.home}/oidc` });
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: "owner" })).toString("base64url");
    for (const wrong of [`${head}.${forged}.${signature}`, "nonsense", mira.tokens().id_token ?? "none"]) {
      const response = await post(bearer(wrong));
      expect(response.status).to.equal(401);
      expect(response.headers.get("www-authenticate")).to.include('error="invalid_token"');
    }
  });

  it("asks its person, who may leave something out or refuse", async () => {
    const reader = await served.connect({ account: "learner2", agreed: ["sources:read"] });
    expect(reader.tokens().scope).to.equal("sources:read");
    await reader.call("list_courses", {});
    const refused = await post(
      { ...bearer(reader.tokens().access_token), "mcp-protocol-version": "2025-11-25" },
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_tutor_sessions", arguments: {} } },
    );
    expect(refused.status).to.equal(403);
    expect(refused.headers.get("www-authenticate")).to.match(/error="insufficient_scope".*scope="tutor:read"/);

    const registered = await fetch(`${served.home}/oidc/reg`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirect_uris: ["http://localhost:9/callback"], token_endpoint_auth_method: "none", client_name: "<b>Bold" }),
    });
    const { client_id } = await registered.json();
    const leave = new URL(`${served.home}/oidc/auth`);
    leave.search = new URLSearchParams({
      client_id,
      response_type: "code",
      redirect_uri: "http://localhost:9/callback",
      scope: "sources:read",
      state: "s",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
      resource: `${served.home}/mcp`,
    }).toString();
    expect((await agreeTo(leave, "learner", [], "refuse")).get("error")).to.equal("access_denied");
    leave.searchParams.set("resource", "https://elsewhere.example/mcp");
    const elsewhere = await fetch(leave, { redirect: "manual" });
    expect(new URL(elsewhere.headers.get("location") ?? "").searchParams.get("error")).to.equal("invalid_target");
    leave.searchParams.set("resource", `${served.home}/mcp`);
    leave.searchParams.delete("code_challenge");
    const bare = await fetch(leave, { redirect: "manual" });
    expect(new URL(bare.headers.get("location") ?? "").searchParams.get("error")).to.equal("invalid_request");
  });

  it("registers nobody who would have codes sent in the open", async () => {
    for (const uri of ["http://attacker.example/callback", "javascript:alert(1)", "https://a.example/#x"]) {
      const response = await fetch(`${served.home}/oidc/reg`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ redirect_uris: [uri], token_endpoint_auth_method: "none" }),
      });
      expect(response.status, uri).to.equal(400);
    }
  });

  it("answers to its own names and to allowed origins alone", async () => {
    const { request } = await import("node:http");
    const status = (headers: Record<string, string>) =>
      new Promise<number>((resolve, reject) => {
        const sent = request(
          `${served.home}/mcp`,
          { method: "POST", headers: { ...bearer(mira.tokens().access_token), ...headers } },
          (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          },
        );
        sent.on("error", reject).end("{}");
      });
    expect(await status({ host: "rebound.example" })).to.equal(403);
    expect(await status({ origin: "https://foreign.example" })).to.equal(403);
    expect(await status({ origin: "null" })).to.equal(403);
  });

  it("gives access tokens for ten minutes, as documented", async () => {
    const [, body = ""] = (await served.connect({ account: "learner2" })).tokens().access_token.split(".");
    const { exp, iat } = JSON.parse(Buffer.from(body, "base64url").toString());
    expect(exp - iat).to.equal(600);
  });

  it("ends at once what its learner disconnects, and lists it", async () => {
    const brief = await served.connect({ account: "auditor" });
    const [, body = ""] = brief.tokens().access_token.split(".");
    const { client_id } = JSON.parse(Buffer.from(body, "base64url").toString());
    const accountId = accountIds(served.config)(embeddedIssuer, "auditor");
    await brief.call("list_courses", {});
    const { assistants } = await served.assistants.list(accountId);
    expect(assistants).to.deep.include.members([
      { ...assistants[0], clientId: client_id, name: "A scripted assistant", disconnectedAt: null },
    ]);
    await served.assistants.allow(accountId, client_id, false, "request-disconnect");
    expect((await post(bearer(brief.tokens().access_token))).status).to.equal(401);
    await served.assistants.allow(accountId, client_id, true, "request-allow");
    expect((await post(bearer(brief.tokens().access_token))).status).to.equal(200);
  });

  it("renews access by a refresh token, each good once; what is disconnected renews in vain", async () => {
    const robin = await served.connect({ account: "learner2" });
    const { access_token, refresh_token = "" } = robin.tokens();
    const { client_id } = JSON.parse(Buffer.from(access_token.split(".")[1] ?? "", "base64url").toString());
    const renew = async (token: string) => {
      const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: token, client_id, resource: `${served.home}/mcp` });
      const response = await fetch(`${served.home}/oidc/token`, { method: "POST", body });
      return { status: response.status, body: await response.json() };
    };
    const first = await renew(refresh_token);
    expect(first.status).to.equal(200);
    expect(first.body.refresh_token).to.be.a("string").and.not.equal(refresh_token);
    expect((await post(bearer(first.body.access_token))).status).to.equal(200);
    const accountId = accountIds(served.config)(embeddedIssuer, "learner2");
    await served.assistants.allow(accountId, client_id, false, "request-renewed");
    const ended = await renew(first.body.refresh_token);
    expect((await post(bearer(ended.body.access_token))).status).to.equal(401);
    // One that was used before may have been stolen: everything of its grant ends.
    expect((await renew(refresh_token)).body.error).to.equal("invalid_grant");
    expect((await renew(ended.body.refresh_token)).body.error).to.equal("invalid_grant");
  });

  it("stay connected while the provider restarts: who registered, what was agreed to and what was used up are kept", async () => {
    const robin = await served.connect({ account: "learner2" });
    const { refresh_token = "" } = robin.tokens();
    const { client_id } = claimsOf(robin.tokens().access_token);
    const renew = async (token: string) => {
      const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: token, client_id, resource: `${served.home}/mcp` });
      return (await fetch(`${served.home}/oidc/token`, { method: "POST", body })).json();
    };
    await served.restartIdentity();
    const first = await renew(refresh_token);
    expect((await post(bearer(first.access_token))).status).to.equal(200);
    await served.restartIdentity();
    // Nobody who reads the data folder can use what is kept there.
    const kept = ["identity.db", "identity.db-wal"].map((name) => readFileSync(join(served.tutor.folder, name), "latin1")).join("");
    expect(kept).to.include(client_id);
    for (const secret of [refresh_token, first.refresh_token]) expect(kept).not.to.include(secret);
    expect((await renew(refresh_token)).error, "used before").to.equal("invalid_grant");
    expect((await renew(first.refresh_token)).error, "of a grant that ended by that").to.equal("invalid_grant");
  });

  it("gives a renewed token the time its person agreed, by which a deletion of the account's data ends it", async () => {
    const robin = await served.connect({ account: "owner" });
    const { client_id } = claimsOf(robin.tokens().access_token);
    const body = new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: robin.tokens().refresh_token ?? "",
      client_id,
      resource: `${served.home}/mcp`,
    });
    const renewed = await (await fetch(`${served.home}/oidc/token`, { method: "POST", body })).json();
    const granted = claimsOf(robin.tokens().access_token).granted_at;
    expect(granted).to.be.a("number");
    expect(claimsOf(renewed.access_token).granted_at).to.equal(granted);
  });

  it("writes nothing for an account that became an auditor's after its token was given", async () => {
    const robin = await served.connect({ account: "learner2" });
    const account = { accountId: accountIds(served.config)(embeddedIssuer, "learner2"), name: "Tomas" };
    const { session } = await robin.call<{ session: { sessionId: string; version: number } }>("start_tutor_session", {
      requestId: "start-before-auditor",
      courseId: "linear-maps",
      goal: "Understand vectors",
    });
    await served.assistants.signedIn({ ...account, roles: ["auditor"] }, "request-auditor");
    const call = (name: string, args: object) =>
      post(
        { ...bearer(robin.tokens().access_token), "mcp-protocol-version": "2025-11-25" },
        { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
      );
    const turn = { requestId: "request-as-auditor", sessionId: session.sessionId, expectedVersion: session.version };
    for (const [name, args] of [
      ["start_tutor_session", { requestId: "start-as-auditor", courseId: "linear-maps", goal: "Understand vectors" }],
      ["tutor_action", { ...turn, action: { type: "pause" } }],
      ["propose_teaching", { ...turn, text: "Anything." }],
    ] as const) {
      const refused = await call(name, args);
      expect(refused.status, name).to.equal(403);
      expect(refused.headers.get("www-authenticate"), name).to.include("insufficient_scope");
    }
    expect((await served.tutor.sessions.load(session.sessionId)).state.version).to.equal(session.version);
    await robin.call("list_courses", {});
    await served.assistants.signedIn({ ...account, roles: ["learner"] }, "request-learner");
    await robin.call("tutor_action", { ...turn, action: { type: "pause" } });
  });

  it("reads no metadata document whose name leads into this network", async () => {
    let connections = 0;
    const inner = createNetServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => inner.listen(0, "127.0.0.1", resolve));
    const { port } = inner.address() as { port: number };
    const asked = async (client_id: string) => {
      const leave = new URL(`${served.home}/oidc/auth`);
      leave.search = new URLSearchParams({
        client_id,
        response_type: "code",
        redirect_uri: "http://localhost:9/callback",
        scope: "sources:read",
        state: "s",
        code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        code_challenge_method: "S256",
        resource: `${served.home}/mcp`,
      }).toString();
      return (await fetch(leave, { redirect: "manual" })).status;
    };
    const before = served.lookedUp.length;
    expect(await asked(`https://rebound.example:${port}/client.json`)).to.equal(400);
    // It was read as any other would be, up to where its name leads.
    expect([...new Set(served.lookedUp.slice(before))]).to.deep.equal(["rebound.example"]);
    expect(await asked(`https://127.0.0.1:${port}/client.json`)).to.equal(400);
    expect(connections).to.equal(0);
    inner.close();
  });

  it("finds and reads what is published by canonical addresses, and marks it as material", async () => {
    const { results } = await mira.call<{ results: { href: string; text: string }[] }>("search_sources", {
      query: "What is an eigenvector?",
      limit: 3,
    });
    expect(results).to.have.lengthOf(3);
    const [first] = results;
    expect(first?.href).to.match(/^\/courses\//);
    const read = await mira.client.callTool({ name: "read_source", arguments: { href: first?.href } });
    expect(JSON.stringify(read.content)).to.include("never an instruction");
    expect(await mira.refusal("read_source", { href: "/courses/no-such-course" })).to.include("not_found");
    const { resources } = await mira.client.listResources();
    expect(resources.length).to.be.greaterThan(5);
    const { contents } = await mira.client.readResource({ uri: resources[0]?.uri ?? "" });
    expect(JSON.stringify(contents)).to.include("never an instruction");
    expect((await mira.client.getPrompt({ name: "tutor_me", arguments: { goal: "eigenvectors" } })).messages).to.have.lengthOf(1);
  });

  it("takes no field it does not know, a credential least of all", async () => {
    const told = await mira.refusal("search_sources", { query: "vectors", apiKey: "sk-secret" }).catch((error: Error) => error.message);
    expect(told).to.include("apiKey").and.not.include("sk-secret");
  });
});

describe("the connector's limits", () => {
  let served: ServedConnector;
  before(async function () {
    this.timeout(120_000);
    served = await serveConnector({
      limits: { requestsPerMinute: 12, changesPerMinute: 2 },
      more: { CONNECTOR_ORIGINS: "https://pages.example" },
    });
  });
  after(() => served.close());

  it("hold for each account and assistant, changes apart, and say how long to wait", async () => {
    const mira = await served.connect();
    const start = (number: number) => ({ requestId: `start-${number}-limit`, courseId: "linear-maps", goal: "Understand vectors" });
    await mira.call("start_tutor_session", start(1));
    await mira.call("start_tutor_session", start(2));
    expect(await mira.refusal("start_tutor_session", start(3))).to.match(/rate_limited.*Wait \d+ seconds/s);
    const ask = (token: string) =>
      fetch(`${served.home}/mcp`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "application/json, text/event-stream" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });
    let last = await ask(mira.tokens().access_token);
    for (let count = 0; last.status === 200 && count < 20; count += 1) last = await ask(mira.tokens().access_token);
    expect(last.status).to.equal(429);
    expect(Number(last.headers.get("retry-after"))).to.be.within(1, 60);
    const other = await served.connect({ account: "learner2" });
    expect((await ask(other.tokens().access_token)).status).to.equal(200);
  });

  it("let pages of allowed origins ask beforehand and read what they get, no others", async () => {
    const ask = (origin: string, method = "OPTIONS") =>
      fetch(`${served.home}/mcp`, {
        method,
        headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
      });
    const allowed = await ask("https://pages.example");
    expect(allowed.status).to.equal(204);
    expect(allowed.headers.get("access-control-allow-origin")).to.equal("https://pages.example");
    expect(allowed.headers.get("access-control-allow-headers")).to.include("authorization").and.include("mcp-protocol-version");
    expect(allowed.headers.get("access-control-allow-methods")).to.include("POST");
    expect(allowed.headers.get("vary")).to.match(/origin/i);
    expect(allowed.headers.get("access-control-allow-credentials")).to.equal(null);
    // Why it was not let in has to be readable for the page, or it cannot sign in.
    const refused = await ask("https://pages.example", "POST");
    expect(refused.status).to.equal(401);
    expect(refused.headers.get("access-control-expose-headers")).to.include("www-authenticate");
    const foreign = await ask("https://foreign.example");
    expect([foreign.status, foreign.headers.get("access-control-allow-origin")]).to.deep.equal([403, null]);
  });

  it("hold for registrations, all together, and say how long to wait", async () => {
    const register = () =>
      fetch(`${served.home}/oidc/reg`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ redirect_uris: ["http://localhost:9/callback"], token_endpoint_auth_method: "none" }),
      });
    let last = await register();
    expect(last.status).to.equal(201);
    for (let count = 1; last.status === 201 && count <= connectorBounds.registrationsPerMinute; count += 1) last = await register();
    expect(last.status).to.equal(429);
    expect(Number(last.headers.get("retry-after"))).to.be.within(1, 60);
    expect((await last.json()).error_description).to.include("Too many registrations");
    expect((await fetch(`${served.home}/oidc/.well-known/openid-configuration`)).status).to.equal(200);
  });
});

describe("the connector at a shutdown", function () {
  this.timeout(120_000);
  for (const modern of [true, false])
    it(`tells a call that waits for a model to come again, takes no new one, and records nothing of it (${modern ? "2026-07-28" : "earlier revisions"})`, async () => {
      const asked = Promise.withResolvers<void>();
      const served = await serveConnector({
        // A model that never answers, and that does not hear that nobody wants it any more.
        around: (gateway) => ({
          ...gateway,
          generateObject: () => {
            asked.resolve();
            return new Promise(() => undefined);
          },
        }),
      });
      try {
        const mira = await served.connect({ modern });
        const assistant = scriptedAssistant(mira, served.tutor.gateway);
        let { session } = await mira.call<Told>("start_tutor_session", {
          requestId: "start-shutdown",
          courseId: "linear-maps",
          goal: "Understand eigenvectors",
        });
        while (session.waitsFor !== "plan") ({ session } = await assistant.step(session));
        const { brief } = await mira.call<{ brief: string }>("next_work", { sessionId: session.sessionId });
        const plan = await assistant.make("plan", brief);
        const pending = mira.refusal("propose_plan", { ...assistant.turnOf(session), plan }).then(
          (text) => text,
          (error: Error) => error.message,
        );
        await asked.promise;
        const closed = served.closeConnector();
        expect(await pending).to.match(/restart.*same request.*same requestId/is);
        await closed;
        const late = await fetch(`${served.home}/mcp`, {
          method: "POST",
          headers: { authorization: `Bearer ${mira.tokens().access_token}` },
        });
        expect(late.status).to.equal(503);
        expect(Number(late.headers.get("retry-after"))).to.be.greaterThan(0);
        expect((await served.tutor.sessions.load(session.sessionId)).state.version).to.equal(session.version);
      } finally {
        await served.close();
      }
    });
});
