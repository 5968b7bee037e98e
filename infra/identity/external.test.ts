import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { meRoutes } from "@colloquy/query-api/accounts/me.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { expect } from "chai";
import { Router } from "express";
import { generateKeyPair, SignJWT } from "jose";
import { type Config, readConfig } from "../config.ts";
import { type EventStore, openEventStore } from "../event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "../event-store/embedded/server.ts";
import { createApp, listen } from "../http/app.ts";
import { freePorts } from "../launch/ports.ts";
import { closeServer } from "../process/http-server.ts";
import { createLog } from "../telemetry/log.ts";
import { endedSessions } from "./ended-sessions.ts";
import { authRoutes } from "./routes.ts";
import { session } from "./session.ts";
import { Browser } from "./testing/browser.ts";
import { providerClient, serveProvider } from "./testing/provider.ts";

/** Signing in at somebody else's provider, one that keeps its claims for the user-info answer, as strict providers do. */
describe("signing in at a provider of OIDC_ISSUER", () => {
  let folder: string;
  let servers: Server[];
  let config: Config;
  let issuer: string;
  let eventStore: EmbeddedEventStore;
  let store: EventStore;
  let leaving: AbortController;
  let claims: Record<string, unknown>;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "external-"));
    const [port = 0, providerPort = 0] = await freePorts(2);
    issuer = `http://localhost:${providerPort}`;
    claims = {};
    config = readConfig({
      DATA_DIR: folder,
      PORT: String(port),
      LOG_LEVEL: "silent",
      OIDC_ISSUER: issuer,
      ...providerClient,
    });
    const log = createLog("test", config);
    const signedIn = Router();
    eventStore = await startEventStore({ dataDir: folder, port: 0, insecure: true });
    store = openEventStore(eventStore.url);
    leaving = new AbortController();
    const ended = endedSessions({ store, log, signal: leaving.signal });
    signedIn.use(session(config, ended));
    const app = createApp({ config, log, routers: [signedIn, authRoutes({ config, log, ended }), meRoutes()] });
    servers = [
      (await listen(app, port)).server,
      await serveProvider({ port: providerPort, publicUrl: config.publicUrl, claims: () => claims }),
    ];
  });

  afterEach(async () => {
    await Promise.all(servers.map((server) => closeServer(server, 0)));
    leaving.abort();
    await store.close();
    await eventStore.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const signIn = async (browser: Browser) => browser.follow(`${config.publicUrl}/auth/login?return=/api/me`);
  const me = async (browser: Browser) => (await (await browser.go(`${config.publicUrl}/api/me`)).json()).account;

  it("takes name and roles from its claims, nested ones too", async () => {
    claims = { name: "Grace", realm_access: { roles: ["owner", "admin"] } };
    const browser = new Browser();
    await signIn(browser);
    const account = await me(browser);
    expect(account).to.deep.include({ name: "Grace", roles: ["owner"] });
    expect(account.accountId).to.match(/^acc_/).and.not.to.contain("grace");
  });

  it("greets somebody without a name or roles as a learner, the same one at every sign-in", async () => {
    claims = { preferred_username: " grace.h " };
    const browser = new Browser();
    await signIn(browser);
    const first = await me(browser);
    expect(first).to.deep.include({ name: "grace.h", roles: ["learner"] });
    claims = {};
    const second = new Browser();
    await signIn(second);
    expect(await me(second)).to.deep.equal({ ...first, name: "Signed in" });
  });

  it("ends when the provider's session ends, and no other session does", async () => {
    const [browser, other] = [new Browser(), new Browser()];
    await signIn(browser);
    await signIn(other);
    expect((await me(browser))?.accountId).to.be.a("string");
    const page = await (await browser.go(`${issuer}/session/end`)).text();
    const [, xsrf = ""] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
    await browser.go(`${issuer}/session/end/confirm`, {
      method: "POST",
      body: new URLSearchParams({ xsrf, logout: "yes" }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    for (const until = Date.now() + 10_000; (await me(browser)) !== null && Date.now() < until; );
    expect(await me(browser)).to.equal(null);
    expect((await me(other))?.accountId).to.be.a("string");
  });

  it("waits no longer than a body may take for a logout token", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    try {
      const { port } = new URL(config.publicUrl);
      const socket = connect(Number(port), "127.0.0.1").setEncoding("utf8");
      const head = ["POST /auth/back-channel-logout HTTP/1.1", `host: localhost:${port}`, "content-length: 1000"];
      socket.write([...head, "content-type: application/x-www-form-urlencoded", "expect: 100-continue", "", ""].join("\r\n"));
      // It is asked for once it is read.
      await once(socket, "data");
      mock.timers.tick(bounds.json.withinMs);
      expect((await once(socket, "data"))[0]).to.match(/^HTTP\/1.1 400 .*did not arrive/s);
    } finally {
      mock.timers.reset();
    }
  });

  it("ends by no logout token that the provider did not sign", async () => {
    const browser = new Browser();
    await signIn(browser);
    const send = async (logout_token: string) =>
      (await fetch(`${config.publicUrl}/auth/back-channel-logout`, { method: "POST", body: new URLSearchParams({ logout_token }) })).status;
    const { privateKey } = await generateKeyPair("RS256");
    const now = Math.floor(Date.now() / 1000);
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
    const forged = await new SignJWT({ iss: issuer, aud: "us", iat: now, exp: now + 60, jti: "1", events, sub: "grace-1" })
      .setProtectedHeader({ alg: "RS256", typ: "logout+jwt" })
      .sign(privateKey);
    expect([await send(forged), await send("")]).to.deep.equal([400, 400]);
    expect((await me(browser))?.accountId).to.be.a("string");
  });

  it("asks the provider for a fresh sign-in", async () => {
    const response = await new Browser().go(`${config.publicUrl}/auth/login?again&return=/ai`);
    const { searchParams } = new URL(response.headers.get("location") ?? "");
    expect(searchParams.get("prompt")).to.equal("login");
    expect(Number(searchParams.get("max_age"))).to.be.greaterThan(0);
  });

  it("leads through the provider's own sign-out", async () => {
    const browser = new Browser();
    await signIn(browser);
    const out = await browser.go(`${config.publicUrl}/auth/sign-out`, {
      method: "POST",
      body: '{"schemaVersion":1}',
      headers: { "content-type": "application/json" },
    });
    const { redirect } = await out.json();
    expect(redirect).to.match(new RegExp(`^${issuer}/session/end\\?`));
    expect(new URL(redirect).searchParams.get("post_logout_redirect_uri")).to.equal(`${config.publicUrl}/`);
    expect(await me(browser)).to.equal(null);
  });
});
