import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embedSignInResponse, embedTokenResponse } from "@colloquy/schemas/embed/embed.ts";
import { expect } from "chai";
import { Router } from "express";
import { type Config, readConfig } from "../config.ts";
import { createApp, listen } from "../http/app.ts";
import { closeServer } from "../process/http-server.ts";
import { createLog } from "../telemetry/log.ts";
import { embedTokens } from "./embed-token.ts";
import type { EndedSessions, OpenSession } from "./ended-sessions.ts";
import { authRoutes } from "./routes.ts";
import { session, sessionSecret } from "./session.ts";
import { Browser } from "./testing/browser.ts";

const school = "https://school.example";
const other = "https://other.example";
const stranger = "https://stranger.example";

describe("a page on another site", () => {
  let folder: string;
  let config: Config;
  let server: Server;
  let home: string;
  let learner: Browser;
  const over = new Set<string>();
  const ended: EndedSessions = {
    has: async ({ sessionId }) => over.has(sessionId),
    end: async ({ sessionId }) => void over.add(sessionId),
    endAll: async () => undefined,
    endOfProvider: async () => undefined,
    watch: () => () => undefined,
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "embed-"));
    config = readConfig({ DATA_DIR: folder, EMBED_ORIGINS: `${school}, ${other}`, LOG_LEVEL: "silent", PORT: "18099" });
    const log = createLog("test", config);
    // Says who is asking, where an embedded element may ask and where it may not.
    const echo = Router();
    for (const path of ["/api/ai/ask", "/api/sync/push"])
      echo.post(path, (request, response) => void response.json({ account: request.account }));
    for (const path of ["/api/ai/models", "/api/conversations", "/api/me"])
      echo.get(path, (request, response) => void response.json({ account: request.account }));
    const app = createApp({
      config,
      log,
      routers: [Router().use(session(config, ended)), authRoutes({ config, log, ended }), echo],
    });
    const listening = await listen(app, 0);
    server = listening.server;
    home = `http://127.0.0.1:${listening.port}`;
    learner = new Browser();
    await learner.go(`${home}/auth/demo?as=owner`);
  });
  after(async () => {
    await closeServer(server, 0);
    rmSync(folder, { recursive: true, force: true });
  });

  const json = { "content-type": "application/json" };
  const askToken = (origin: string, browser = learner, headers: Record<string, string> = {}, nonce = "nonce-of-one-page") =>
    browser.go(`${home}/auth/embed`, {
      method: "POST",
      body: JSON.stringify({ schemaVersion: 1, origin, nonce }),
      headers: { ...json, ...headers },
    });
  const tokenFor = async (origin: string): Promise<string> => embedSignInResponse.parse(await (await askToken(origin)).json()).token;
  const send = (path: string, token: string | null, origin: string | null, more: RequestInit = {}) =>
    fetch(`${home}${path}`, {
      method: "POST",
      body: '{"schemaVersion":1}',
      ...more,
      headers: { ...json, ...(token && { authorization: `Bearer ${token}` }), ...(origin && { origin }) },
    });
  const accountOf = async (response: Response) => (await response.json()).account;

  it("asks as the learner with a token of its origin, and as nothing more", async () => {
    const answer = await askToken(school);
    expect(answer.headers.get("cache-control")).to.equal("private, no-store");
    const { token, seconds } = embedSignInResponse.parse(await answer.json());
    expect(seconds).to.equal(600);
    const asked = await send("/api/ai/ask", token, school);
    expect(asked.headers.get("access-control-allow-origin")).to.equal(school);
    expect(asked.headers.get("access-control-allow-credentials")).to.equal(null);
    expect(asked.headers.get("vary")).to.contain("Origin");
    const account = await accountOf(asked);
    expect(account).to.deep.include({ name: "", roles: ["learner"] });
    const own = await (await learner.go(`${home}/api/me`)).json();
    expect(own.account).to.deep.include({ accountId: account.accountId, roles: ["learner", "owner"] });
  });

  it("is told whether it is the same reader again, and neither by that nor by the token who it is", async () => {
    const signIn = async (...given: Parameters<typeof askToken>) => embedSignInResponse.parse(await (await askToken(...given)).json());
    const { token, reader } = await signIn(school);
    expect(Buffer.from(token.split(".").join(""), "base64url").toString("latin1")).not.to.contain("acc_");
    expect((await signIn(school)).reader).to.equal(reader);
    const other_ = new Browser();
    await other_.go(`${home}/auth/demo?as=learner2`);
    expect((await signIn(school, other_)).reader).not.to.equal(reader);
    expect((await signIn(other)).reader, "on another site").not.to.equal(reader);
    expect((await signIn(school, learner, {}, "nonce-of-another-page")).reader, "on another page").not.to.equal(reader);
  });

  it("has no account without a token, whatever cookies come along", async () => {
    expect(await accountOf(await send("/api/ai/ask", null, school))).to.equal(null);
    const withCookie = await learner.go(`${home}/api/ai/ask`, { method: "POST", body: "{}", headers: { ...json, origin: school } });
    expect(await accountOf(withCookie)).to.equal(null);
    const read = await learner.go(`${home}/api/me`, { headers: { origin: school } });
    expect(await accountOf(read)).to.equal(null);
  });

  it("is nobody with a token that was minted for another origin, or sent from no page at all", async () => {
    const token = await tokenFor(school);
    expect(await accountOf(await send("/api/ai/ask", token, other))).to.equal(null);
    expect(await accountOf(await send("/api/ai/ask", token, null))).to.equal(null);
    expect(await accountOf(await send("/api/ai/ask", token, home))).to.equal(null);
  });

  it("is refused from an origin that is not on the list, in words and without a header a browser would let through", async () => {
    expect((await askToken(stranger)).status).to.equal(403);
    const made = await embedTokens(sessionSecret(config)).mint(
      { accountId: "acc_0123456789012345678901", sessionId: "a-session", begun: new Date(), until: new Date(Date.now() + 60_000) },
      stranger,
    );
    const asked = await send("/api/ai/ask", made.token, stranger);
    expect(asked.status).to.equal(403);
    expect((await asked.json()).code).to.equal("cross_site");
    expect(asked.headers.get("access-control-allow-origin")).to.equal(null);
    const read = await fetch(`${home}/api/ai/models`, { headers: { origin: stranger, authorization: `Bearer ${made.token}` } });
    expect(read.headers.get("access-control-allow-origin")).to.equal(null);
    expect(await accountOf(read)).to.equal(null);
  });

  it("is refused on every route that no element needs", async () => {
    const token = await tokenFor(school);
    const pushed = await send("/api/sync/push", token, school);
    expect([pushed.status, (await pushed.json()).code]).to.deep.equal([403, "cross_site"]);
    const history = await fetch(`${home}/api/conversations`, { headers: { origin: school, authorization: `Bearer ${token}` } });
    expect(history.headers.get("access-control-allow-origin")).to.equal(null);
    expect(await accountOf(history)).to.equal(null);
    const signOut = await learner.go(`${home}/auth/sign-out`, {
      method: "POST",
      body: '{"schemaVersion":1}',
      headers: { ...json, origin: school },
    });
    expect(signOut.status).to.equal(403);
  });

  it("learns beforehand what it may send, and nothing for other routes, methods and origins", async () => {
    const preflight = (path: string, method: string, origin: string) =>
      fetch(`${home}${path}`, { method: "OPTIONS", headers: { origin, "access-control-request-method": method } });
    const may = await preflight("/api/ai/ask", "POST", school);
    expect(may.status).to.equal(204);
    expect(may.headers.get("access-control-allow-methods")).to.equal("POST");
    expect(may.headers.get("access-control-allow-headers")).to.contain("authorization");
    for (const [path, method, origin] of [
      ["/api/ai/ask", "POST", stranger],
      ["/api/ai/ask", "PUT", school],
      ["/api/sync/push", "POST", school],
      ["/api/sync/stream", "GET", school],
      ["/auth/embed", "POST", school],
      ["/api/ai/ask", "POST", "null"],
    ] as const) {
      const may = await preflight(path, method, origin);
      expect(may.headers.get("access-control-allow-origin"), `${method} ${path} ${origin}`).to.equal(null);
    }
  });

  it("cannot mint a token itself, nor can anybody who is not signed in", async () => {
    expect((await askToken(school, learner, { origin: school })).status).to.equal(403);
    expect((await askToken(school, learner, { "sec-fetch-site": "cross-site" })).status).to.equal(403);
    expect((await askToken(school, new Browser())).status).to.equal(401);
    for (const origin of [`${school}/`, "school.example", "null", "*", "javascript:alert(1)"])
      expect((await askToken(origin)).status, origin).to.equal(400);
    expect((await askToken(home)).status, "not on the list").to.equal(403);
  });

  it("renews its token with the one it has, and only from the same origin", async () => {
    const token = await tokenFor(school);
    const renewed = await send("/auth/embed/renew", token, school);
    expect(renewed.headers.get("access-control-allow-origin")).to.equal(school);
    const next = embedTokenResponse.parse(await renewed.json());
    expect(next.token).not.to.equal(token);
    expect(await accountOf(await send("/api/ai/ask", next.token, school))).not.to.equal(null);
    expect((await send("/auth/embed/renew", token, other)).status).to.equal(401);
    expect((await send("/auth/embed/renew", token, stranger)).status).to.equal(403);
    expect((await send("/auth/embed/renew", null, school)).status).to.equal(401);
    expect((await learner.go(`${home}/auth/embed/renew`, { method: "POST", body: '{"schemaVersion":1}', headers: json })).status).to.equal(
      403,
    );
  });

  it("is nobody with a token that was altered, is over, or is a session's", async () => {
    const token = await tokenFor(school);
    expect(await accountOf(await send("/api/ai/ask", `${token.slice(0, -4)}AAAA`, school))).to.equal(null);
    const cookie = [...learner.cookies.values()][0]?.value ?? "";
    expect(await accountOf(await send("/api/ai/ask", cookie, school))).to.equal(null);
    const past: OpenSession = {
      accountId: "acc_0123456789012345678901",
      sessionId: "a-session",
      begun: new Date(),
      until: new Date(Date.now() - 1_000),
    };
    const { token: late, seconds } = await embedTokens(sessionSecret(config)).mint(past, school);
    expect(seconds).to.equal(0);
    expect(await accountOf(await send("/api/ai/ask", late, school))).to.equal(null);
    const asCookie = await fetch(`${home}/api/me`, { headers: { cookie: `colloquy-18099=${token}` } });
    expect(await accountOf(asCookie), "a token is no cookie").to.equal(null);
  });

  it("loses its token when its learner signs out", async () => {
    const leaving = new Browser();
    await leaving.go(`${home}/auth/demo?as=learner2`);
    const { token } = await (await askToken(school, leaving)).json();
    expect(await accountOf(await send("/api/ai/ask", token, school))).not.to.equal(null);
    await leaving.go(`${home}/auth/sign-out`, { method: "POST", body: '{"schemaVersion":1}', headers: json });
    expect(await accountOf(await send("/api/ai/ask", token, school))).to.equal(null);
    expect((await send("/auth/embed/renew", token, school)).status).to.equal(401);
  });

  it("opens a sign-in window that can still reach it", async () => {
    const answer = await new Browser().go(`${home}/auth/demo?as=learner&return=/embed/sign-in`);
    expect(answer.headers.get("cross-origin-opener-policy")).to.equal("unsafe-none");
    expect(answer.headers.get("location")).to.equal("/embed/sign-in");
  });

  it("must be named as an origin in the configuration", () => {
    for (const wrong of ["https://school.example/", "school.example", "https://school.example/courses", "*", "ftp://school.example"])
      expect(() => readConfig({ EMBED_ORIGINS: wrong }), wrong).to.throw("EMBED_ORIGINS");
    expect(readConfig({ EMBED_ORIGINS: `${school},http://localhost:4000` }).EMBED_ORIGINS).to.have.length(2);
  });
});
