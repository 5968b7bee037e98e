import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { meRoutes } from "@colloquy/query-api/accounts/me.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { expect } from "chai";
import { Router } from "express";
import { type Config, readConfig } from "../config.ts";
import { type EventStore, openEventStore } from "../event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "../event-store/embedded/server.ts";
import { createApp, listen } from "../http/app.ts";
import { createFrontDoor, type FrontDoor } from "../http/front-door.ts";
import { freePorts } from "../launch/ports.ts";
import { closeServer } from "../process/http-server.ts";
import { createLog } from "../telemetry/log.ts";
import { endedSessions, type OpenSession } from "./ended-sessions.ts";
import { authRoutes } from "./routes.ts";
import { session } from "./session.ts";
import { Browser } from "./testing/browser.ts";

describe("signing in", () => {
  let folder: string;
  let config: Config;
  let environment: Record<string, string>;
  let provider: ChildProcess | null;
  let door: FrontDoor;
  let api: { server: Server; port: number };
  let identityPort: number | null;
  let home: string;
  let eventStore: EmbeddedEventStore;
  let store: EventStore;
  const leaving = new AbortController();

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "sign-in-"));
    const [port = 0, inner = 0] = await freePorts(2);
    environment = { DATA_DIR: folder, PORT: String(port), IDENTITY_PORT: String(inner), LOG_LEVEL: "silent" };
    config = readConfig(environment);
    home = config.publicUrl;
    provider = null;
    identityPort = null;
    eventStore = await startEventStore({ dataDir: folder, port: 0, insecure: true });
    store = openEventStore(eventStore.url);
    api = await listen(appOf(config), 0);
    door = createFrontDoor({
      publicUrl: config.publicUrl,
      backends: {
        phase: () => "ready",
        doing: () => null,
        runs: () => true,
        port: (room) => (room === "identity" ? identityPort : api.port),
      },
    });
    await door.listen(port, "127.0.0.1");
    await startProvider();
  });

  after(async () => {
    await door.close(0);
    await closeServer(api.server, 0);
    await stopProvider();
    leaving.abort();
    await store.close();
    await eventStore.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function appOf(of: Config) {
    const log = createLog("test", of);
    const signedIn = Router();
    const ended = endedSessions({ store, log, signal: leaving.signal });
    signedIn.use(session(of, ended));
    const auth = authRoutes({ config: of, log, ended, onSignIn, onSession, endAssistants });
    return createApp({ config: of, log, routers: [signedIn, auth, meRoutes()] });
  }
  const begun: OpenSession[] = [];
  const onSession = async (session: OpenSession): Promise<void> => void begun.push(session);
  const disconnected: string[] = [];
  const endAssistants = async (accountId: string): Promise<void> => void disconnected.push(accountId);

  it("ends one session or all of the account, and its assistants' access unless they are kept", async () => {
    const come = async () => {
      const browser = new Browser();
      await browser.go(`${home}/auth/demo?as=learner`);
      return browser;
    };
    const leave = (browser: Browser, choice: object) =>
      browser.go(`${home}/auth/sign-out`, {
        method: "POST",
        body: JSON.stringify({ schemaVersion: 1, ...choice }),
        headers: { "content-type": "application/json" },
      });
    const [first, second, third] = [await come(), await come(), await come()];
    const { accountId } = await me(first);
    const stolen = new Browser();
    for (const [key, cookie] of second.cookies) stolen.cookies.set(key, cookie);
    disconnected.length = 0;
    await leave(first, { keepAssistants: true });
    expect(disconnected).to.deep.equal([]);
    expect((await me(second))?.accountId).to.equal(accountId);
    await leave(third, { everywhere: true });
    expect(disconnected).to.deep.equal([accountId]);
    expect([await me(second), await me(stolen)]).to.deep.equal([null, null]);
    // A session begins to the second.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await me(await come()))?.accountId).to.equal(accountId);
  });

  it("knows a browser again after signing out, by another pseudonym for another account", async () => {
    begun.length = 0;
    const browser = new Browser();
    const first = await browser.go(`${home}/auth/demo?as=learner`);
    const kept = first.headers.getSetCookie().find((cookie) => cookie.includes("-device=")) ?? "";
    expect(kept).to.match(/^colloquy-\d+-device=[\w-]{22}; Max-Age=34560000; Path=\/auth; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    const json = { method: "POST", body: '{"schemaVersion":1}', headers: { "content-type": "application/json" } };
    await browser.go(`${home}/auth/sign-out`, json);
    await browser.follow((await toThePage(browser)).action, choose("learner"));
    await browser.go(`${home}/auth/demo?as=learner2`);
    await new Browser().go(`${home}/auth/demo?as=learner`);
    const [one, again, other, elsewhere] = begun.map(({ device }) => device);
    expect(one).to.match(/^dev_[\w-]{22}$/);
    expect(again).to.equal(one);
    expect(new Set([one, other, elsewhere]).size).to.equal(3);
    expect(kept, "the id itself is told to nobody").not.to.include(one?.slice(4));
    for (const [key, cookie] of browser.cookies) if (key.includes("-device")) cookie.value = "<script>";
    await browser.go(`${home}/auth/demo?as=learner`);
    expect(begun.at(-1)?.device)
      .to.match(/^dev_[\w-]{22}$/)
      .and.not.equal(one);
  });

  const noted: string[] = [];
  let noting = true;
  const onSignIn = async ({ name, roles }: Account): Promise<void> => {
    if (!noting) throw new Error("the event store is away");
    noted.push(`${name}: ${roles.join(" ")}`);
  };

  it("tells of each sign-in with its roles; where that fails a learner comes in, an auditor does not", async () => {
    noted.length = 0;
    const come = async (as: string) => {
      const browser = new Browser();
      const { status } = await browser.go(`${home}/auth/demo?as=${as}`);
      return { status, name: (await me(browser))?.name };
    };
    expect(await come("auditor")).to.deep.equal({ status: 303, name: "Nils" });
    const browser = new Browser();
    await browser.follow((await toThePage(browser)).action, choose("learner"));
    expect(noted).to.deep.equal(["Nils: auditor", "Mira: learner"]);
    noting = false;
    try {
      expect(await come("learner")).to.deep.equal({ status: 303, name: "Mira" });
      expect((await come("auditor")).status).to.equal(503);
      const nils = new Browser();
      const { action } = await toThePage(nils);
      const { response } = await nils.follow(action, choose("auditor"));
      expect(response.status).to.equal(503);
      expect(await me(nils)).to.equal(null);
    } finally {
      noting = true;
    }
  });

  async function startProvider(more: Record<string, string> = {}): Promise<number | null> {
    const child = spawn(process.execPath, [new URL("./embedded/main.ts", import.meta.url).pathname], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment, ...more },
      stdio: ["ignore", "pipe", "ignore"],
    });
    provider = child;
    const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), once(child, "exit").then(() => [null])]);
    identityPort = line === null ? null : JSON.parse(String(line)).port;
    return identityPort;
  }

  async function stopProvider(): Promise<void> {
    const child = provider;
    provider = null;
    identityPort = null;
    if (!child || child.exitCode !== null) return;
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect(code).to.equal(0);
  }

  const me = async (browser: Browser, at = home) => (await (await browser.go(`${at}/api/me`)).json()).account;
  const sessionOf = (browser: Browser) => [...browser.cookies].find(([key]) => / colloquy-\d+ /.test(key))?.[1].value;

  /** As far as the provider's page; gives the page and where its form leads. */
  async function toThePage(browser: Browser, returnTo = "/ai", at = home) {
    const { response, url } = await browser.follow(`${at}/auth/login?return=${encodeURIComponent(returnTo)}`);
    const page = await response.text();
    const action = /action="([^"]+)"/.exec(page)?.[1] ?? "";
    return { page, response, url, action: new URL(action, url).href };
  }
  const choose = (account: string): RequestInit => ({
    method: "POST",
    body: new URLSearchParams({ account }),
    headers: { origin: home, "sec-fetch-site": "same-origin" },
  });

  /** As `follow`, but stops before the callback is opened, and gives its address. */
  async function toTheCallback(browser: Browser, action: string, account: string): Promise<string> {
    let response = await browser.go(action, choose(account));
    let at = action;
    for (;;) {
      at = new URL(response.headers.get("location") ?? "", at).href;
      if (new URL(at).pathname === "/auth/callback") return at;
      response = await browser.go(at);
    }
  }

  it("goes through the provider's page and comes back to where one wanted to go", async () => {
    const browser = new Browser();
    expect(await me(browser)).to.equal(null);
    const { page, response, url, action } = await toThePage(browser, "/courses/shell?x=1#block");
    expect(new URL(url).pathname).to.match(/^\/oidc\/interaction\//);
    expect(response.headers.get("content-security-policy")).to.contain("default-src 'none'");
    for (const name of ["Mira", "Tomas", "Ada", "Nils"]) expect(page).to.contain(name);
    expect(page).not.to.match(/(src|href|action)="https?:|<script/);

    const callback = await toTheCallback(browser, action, "owner");
    const back = await browser.go(callback);
    expect(back.status).to.equal(303);
    expect(back.headers.get("location")).to.equal("/courses/shell?x=1#block");
    const account = await me(browser);
    expect(account).to.deep.include({ name: "Ada", roles: ["learner", "owner"] });
    expect(account.accountId).to.match(/^acc_[A-Za-z0-9_-]{22}$/);
    expect([...browser.cookies.keys()].filter((key) => key.includes("-in-"))).to.deep.equal([]);

    const demo = new Browser();
    await demo.go(`${home}/auth/demo?as=owner`);
    expect((await me(demo)).accountId, "the same person by either way").to.equal(account.accountId);

    // Going back in the history to the used-up address does no harm.
    expect((await browser.go(callback)).headers.get("location")).to.equal("/ai");
    expect((await me(browser)).name).to.equal("Ada");
  });

  it("lets another account be chosen after signing out, with a fresh cookie each time", async () => {
    const browser = new Browser();
    await browser.follow((await toThePage(browser)).action, choose("learner"));
    expect((await me(browser)).name).to.equal("Mira");
    const first = sessionOf(browser);

    const form = await browser.go(`${home}/auth/sign-out`, { method: "POST", body: new URLSearchParams() });
    expect(form.status, "a form of another page cannot").to.equal(415);
    const json = { method: "POST", body: '{"schemaVersion":1}', headers: { "content-type": "application/json" } };
    const cross = await browser.go(`${home}/auth/sign-out`, { ...json, headers: { ...json.headers, origin: "https://evil.example" } });
    expect(cross.status).to.equal(403);
    expect((await me(browser)).name).to.equal("Mira");
    const out = await browser.go(`${home}/auth/sign-out`, json);
    expect(await out.json()).to.deep.equal({ schemaVersion: 1, redirect: "/" });
    expect(await me(browser)).to.equal(null);

    await browser.follow((await toThePage(browser)).action, choose("learner2"));
    expect((await me(browser)).name).to.equal("Tomas");
    await browser.follow((await toThePage(browser)).action, choose("learner"));
    expect((await me(browser)).name).to.equal("Mira");
    expect(sessionOf(browser)).not.to.equal(first);
  });

  it("ends the session at sign-out, not its cookie alone: whoever kept the cookie is nobody, also in another process", async () => {
    const browser = new Browser();
    await browser.go(`${home}/auth/demo?as=learner`);
    const stolen = new Browser();
    for (const [key, cookie] of browser.cookies) stolen.cookies.set(key, cookie);
    const other = new Browser();
    await other.go(`${home}/auth/demo?as=learner`);
    const process = await listen(appOf(config), 0);
    const there = (): Promise<Response> => stolen.go(`http://localhost:${process.port}/api/me`);
    expect((await (await there()).json()).account.name).to.equal("Mira");
    const json = { method: "POST", body: '{"schemaVersion":1}', headers: { "content-type": "application/json" } };
    await browser.go(`${home}/auth/sign-out`, json);
    expect(await me(stolen)).to.equal(null);
    while ((await (await there()).json()).account !== null) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await me(other)).name, "another session of the same account").to.equal("Mira");
    expect((await stolen.go(`${home}/auth/sign-out`, json)).status, "a second time").to.equal(200);
    await closeServer(process.server, 0);
  });

  it("takes no picture for somebody who signs in", async () => {
    const browser = new Browser();
    await browser.go(`${home}/auth/demo?as=learner2`);
    for (const path of ["/auth/demo?as=owner", "/auth/login"]) {
      const response = await browser.go(home + path, { headers: { "sec-fetch-dest": "image", "sec-fetch-site": "same-origin" } });
      expect([response.status, response.headers.getSetCookie()], path).to.deep.equal([403, []]);
    }
    expect((await me(browser)).name).to.equal("Tomas");
  });

  it("replaces a cookie somebody else has put there", async () => {
    const attacker = new Browser();
    await attacker.go(`${home}/auth/demo?as=learner2`);
    const victim = new Browser();
    for (const [key, cookie] of attacker.cookies) victim.cookies.set(key, cookie);
    await victim.follow((await toThePage(victim)).action, choose("learner"));
    expect((await me(victim)).name).to.equal("Mira");
    expect((await me(attacker)).name).to.equal("Tomas");
  });

  it("works when the page was opened by another name of this machine", async () => {
    const there = home.replace("localhost", "127.0.0.1");
    const demo = new Browser();
    const answer = await demo.go(`${there}/auth/demo?as=learner&return=/courses`);
    expect(answer.headers.get("location")).to.equal("/courses");
    expect((await me(demo, there)).name).to.equal("Mira");

    const browser = new Browser();
    const { action } = await toThePage(browser, "/courses", there);
    const { url } = await browser.follow(action, choose("learner"));
    expect(url).to.equal(`${home}/courses`);
    expect((await me(browser)).name).to.equal("Mira");
  });

  it("keeps two tabs apart", async () => {
    const browser = new Browser();
    const one = await toThePage(browser, "/one");
    const two = await toThePage(browser, "/two");
    expect((await browser.follow(two.action, choose("learner"))).url).to.equal(`${home}/two`);
    expect((await browser.follow(one.action, choose("owner"))).url).to.equal(`${home}/one`);
    expect((await me(browser)).name).to.equal("Ada");
  });

  it("forgets sign-ins that are begun over and over, before they outgrow the headers", async () => {
    const browser = new Browser();
    for (let count = 0; count < 20; count += 1) await browser.go(`${home}/auth/login`);
    expect([...browser.cookies.keys()].filter((key) => key.includes("-in-")).length).to.be.at.most(7);
    await browser.follow((await toThePage(browser)).action, choose("learner"));
    expect((await me(browser)).name).to.equal("Mira");
  });

  it("says calmly that it was cancelled, and signs nobody in", async () => {
    const browser = new Browser();
    const { action } = await toThePage(browser, "/courses");
    const { response } = await browser.follow(action, choose(""));
    const page = await response.text();
    expect(page).to.contain("You are not signed in").and.to.contain("/auth/login?return=%2Fcourses");
    expect(await me(browser)).to.equal(null);
  });

  it("refuses an answer that belongs to another browser, another sign-in or nobody", async () => {
    const attacker = new Browser();
    const callback = await toTheCallback(attacker, (await toThePage(attacker)).action, "learner2");
    const victim = new Browser();
    await toThePage(victim);
    for (const url of [callback, `${home}/auth/callback`, `${home}/auth/callback?state=x&code=y`, `${callback}&state=x`]) {
      const answer = await victim.go(url);
      expect(answer.status).to.equal(400);
      expect(await answer.text()).to.contain("This sign-in expired");
    }
    expect(await me(victim)).to.equal(null);

    for (const change of ["code=forged", "iss=https%3A%2F%2Fevil.example", "error=server_error"]) {
      const browser = new Browser();
      const own = new URL(await toTheCallback(browser, (await toThePage(browser)).action, "learner"));
      const [name = "", value = ""] = change.split("=");
      own.searchParams.set(name, decodeURIComponent(value));
      const answer = await browser.go(own.href);
      expect(answer.status, change).to.equal(400);
      expect(await answer.text())
        .to.contain("Sign-in failed")
        .and.not.to.contain("evil");
      expect(await me(browser)).to.equal(null);
    }
  });

  it("refuses unknown accounts and forms of other lengths at the provider's page", async () => {
    const browser = new Browser();
    const { action } = await toThePage(browser);
    expect((await browser.go(action, choose("root"))).status).to.equal(400);
    expect((await browser.go(`${home}/oidc/interaction/unknown`)).status).to.equal(400);
    expect((await new Browser().go(action)).status, "another browser").to.equal(400);
    const { url } = await browser.follow(action, choose("learner"));
    expect(url).to.equal(`${home}/ai`);
  });

  it("demands PKCE, its own client and its own return address of whoever asks the provider", async () => {
    const browser = new Browser();
    const ask = (change: Record<string, string>) =>
      browser.go(
        `${home}/oidc/auth?${new URLSearchParams({
          client_id: "colloquy",
          response_type: "code",
          scope: "openid profile",
          redirect_uri: `${home}/auth/callback`,
          state: "s",
          ...change,
        })}`,
      );
    const bare = await ask({});
    expect(new URL(bare.headers.get("location") ?? "").searchParams.get("error")).to.equal("invalid_request");
    for (const change of [{ redirect_uri: "https://evil.example/" }, { client_id: "other" }]) {
      const refused = await ask({ code_challenge: "x".repeat(43), code_challenge_method: "S256", ...change });
      expect(refused.status).to.equal(400);
      expect(await refused.text())
        .to.contain("Colloquy")
        .and.not.to.contain("evil");
    }
  });

  it("says so when the provider is away, and works again when it is back", async () => {
    await stopProvider();
    // A process that has never asked the provider before.
    const fresh = await listen(appOf(config), 0);
    try {
      const answer = await fetch(`http://127.0.0.1:${fresh.port}/auth/login?moved&return=/courses`, { redirect: "manual" });
      expect(answer.status).to.equal(503);
      expect(await answer.text())
        .to.contain("does not respond")
        .and.to.contain("/auth/login?return=%2Fcourses");
      await startProvider();
      const again = await fetch(`http://127.0.0.1:${fresh.port}/auth/login?moved`, { redirect: "manual" });
      expect(again.status).to.equal(303);
    } finally {
      await closeServer(fresh.server, 0);
      if (!provider) await startProvider();
    }
    const browser = new Browser();
    await browser.follow((await toThePage(browser)).action, choose("auditor"));
    expect(await me(browser)).to.deep.include({ name: "Nils", roles: ["auditor"] });
  });

  it("in one step, for demonstration accounts", async () => {
    const browser = new Browser();
    const answer = await browser.go(`${home}/auth/demo?as=auditor&return=//evil.example`);
    expect([answer.status, answer.headers.get("location")]).to.deep.equal([303, "/ai"]);
    expect(answer.headers.get("cache-control")).to.equal("private, no-store");
    const unknown = await browser.go(`${home}/auth/demo?as=root`);
    expect(unknown.status).to.equal(400);
    expect((await unknown.json()).fields[0].path).to.equal("as");
    const cross = await browser.go(`${home}/auth/demo?as=owner`, { headers: { "sec-fetch-site": "cross-site" } });
    expect(cross.status).to.equal(403);
    expect((await me(browser)).name).to.equal("Nils");
  });

  it("has no demonstration accounts in production, nor beside a real provider", async () => {
    const external = { OIDC_ISSUER: "http://127.0.0.1:9", OIDC_CLIENT_ID: "us" };
    for (const more of [{ NODE_ENV: "production" }, external, { NODE_ENV: "production", ...external }]) {
      const other = await listen(appOf(readConfig({ ...environment, ...more })), 0);
      try {
        const at = `http://127.0.0.1:${other.port}`;
        const demo = await fetch(`${at}/auth/demo?as=learner`, { redirect: "manual" });
        expect(demo.status).to.equal(404);
        expect(demo.headers.getSetCookie()).to.deep.equal([]);
        const login = await fetch(`${at}/auth/login?moved`, { redirect: "manual" });
        expect(login.status).to.equal(503);
        expect(login.headers.get("retry-after")).to.equal("OIDC_ISSUER" in more ? "2" : "60");
        expect(await login.text()).to.contain("OIDC_ISSUER" in more ? "does not respond" : "not set up");
      } finally {
        await closeServer(other.server, 0);
      }
      const [code] = await once(
        spawn(process.execPath, [new URL("./embedded/main.ts", import.meta.url).pathname], {
          env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment, ...more, IDENTITY_PORT: "0" },
          stdio: "ignore",
        }),
        "exit",
      );
      expect(code, "the embedded provider itself").to.equal(1);
    }
  });
});
