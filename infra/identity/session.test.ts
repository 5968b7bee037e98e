import { createHmac } from "node:crypto";
import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { account as accountSchema } from "@colloquy/schemas/accounts/account.ts";
import { accountHeader } from "@colloquy/schemas/headers.ts";
import { expect } from "chai";
import type { Request, Response } from "express";
import { type Config, readConfig } from "../config.ts";
import { accountIds, claimAt, rolesOf } from "./accounts.ts";
import type { EndedSessions } from "./ended-sessions.ts";
import { session, sessionCookieName, sessions } from "./session.ts";
import { signed } from "./signed.ts";

const mira: Account = { accountId: "acc_0123456789012345678901", name: "Mira „ö“", roles: ["learner"] };

describe("sessions", () => {
  let folder: string;
  let config: Config;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "session-"));
    config = readConfig({ DATA_DIR: folder, PORT: "18080" });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** What `issue` and `clear` do to a response. */
  function recorded() {
    const set: { name: string; value: string; options: Record<string, unknown> }[] = [];
    const response = {
      cookie: (name: string, value: string, options: Record<string, unknown>) => set.push({ name, value, options }),
      clearCookie: (name: string, options: Record<string, unknown>) => set.push({ name, value: "", options }),
    } as unknown as Response;
    return { response, set };
  }

  async function issued(of: Config = config): Promise<string> {
    const { response, set } = recorded();
    await sessions(of).issue(response, mira);
    return `${set[0]?.name}=${set[0]?.value}`;
  }
  const read = async (cookie: string | undefined, of: Config = config) =>
    (await sessions(of).open({ headers: cookie === undefined ? {} : { cookie } }))?.account ?? null;

  it("read back who signed in, among other cookies", async () => {
    const cookie = await issued();
    expect(await read(`other=1; ${cookie}; last=x=y`)).to.deep.equal(mira);
    expect(await read(undefined)).to.equal(null);
    expect(await read("other=1")).to.equal(null);
  });

  it("are sent to us alone: never to scripts, nor with other sites' requests, and only over TLS where there is TLS", async () => {
    const { response, set } = recorded();
    await sessions(config).issue(response, mira);
    expect(set[0]?.options).to.include({ httpOnly: true, sameSite: "lax", secure: false, path: "/", maxAge: 168 * 3600 * 1000 });
    expect(set[0]?.options).not.to.have.property("domain");

    const secure = { ...config, publicUrl: "https://learn.example" };
    const over = recorded();
    await sessions(secure).issue(over.response, mira);
    sessions(secure).clear(over.response);
    expect(over.set[0]?.name).to.equal("__Host-colloquy");
    expect(over.set[0]?.options).to.include({ httpOnly: true, secure: true, path: "/" });
    expect(over.set[1]).to.deep.include({ name: "__Host-colloquy", value: "" });
    expect(over.set[1]?.options).to.include({ secure: true, path: "/" });
  });

  it("end early in a browser that is not used, and go on in one that is, to the same end", async () => {
    const hour = 3_600_000;
    let now = Date.now();
    const kept = sessions({ ...config, SESSION_IDLE_HOURS: 10 }, () => now);
    const { response, set } = recorded();
    const cookie = () => ({ headers: { cookie: `${set.at(-1)?.name}=${set.at(-1)?.value}` } });
    const first = await kept.issue(response, mira, {
      providerSession: "ps_0000000001",
      device: "dev_0000000001",
      authenticatedAt: 1_700_000_000,
    });
    now += hour / 10;
    const opened = (await kept.open(cookie())) ?? expect.fail("it is open");
    await kept.renew(response, opened);
    expect(set, "used a moment ago").to.have.length(1);
    now += 9 * hour;
    await kept.renew(response, opened);
    expect(set[1]?.options).to.include({ httpOnly: true, sameSite: "lax" });
    expect(set[1]?.options.expires).to.deep.equal(first.until);
    now += 9 * hour;
    const later = await kept.open(cookie());
    expect(later).to.deep.include({ ...first, seen: later?.seen });
    now += 2 * hour;
    expect(await kept.open(cookie())).to.equal(null);
  });

  it("are noted as used when a page opens or something is changed, not by what an open page asks for by itself", async () => {
    const answer = async (method: string, path: string): Promise<number> => {
      const { response, set } = recorded();
      const old = await sessions(config, () => Date.now() - 24 * 3_600_000).issue(response, mira);
      expect(old.accountId).to.equal(mira.accountId);
      const request = {
        method,
        path,
        headers: { cookie: `${set[0]?.name}=${set[0]?.value}` },
        get: () => undefined,
      } as unknown as Request;
      const none = { has: async () => false, watch: () => () => undefined } as unknown as EndedSessions;
      await session(config, none)(request, Object.assign(response, { once: () => response }), () => undefined);
      expect(request.account?.accountId).to.equal(mira.accountId);
      return set.length - 1;
    };
    expect(await answer("GET", "/api/me")).to.equal(1);
    expect(await answer("POST", "/api/ai/ask")).to.equal(1);
    expect(await answer("GET", "/api/sync/stream")).to.equal(0);
    expect(await answer("POST", "/auth/sign-out")).to.equal(0);
  });

  it("are fresh at every sign-in", async () => {
    expect(await issued()).not.to.equal(await issued());
  });

  it("do not survive a single altered character", async () => {
    const cookie = await issued();
    const start = cookie.indexOf("=") + 1;
    for (let at = start; at < cookie.length; at += 1) {
      if (cookie[at] === ".") continue;
      // Another value of the sextet's highest bit: the lowest bits of a last character may mean nothing.
      const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
      const other = alphabet[(alphabet.indexOf(cookie[at] ?? "") + 32) % 64];
      expect(await read(cookie.slice(0, at) + other + cookie.slice(at + 1)), `character ${at}`).to.equal(null);
    }
  });

  it("are not what somebody else signed, or nobody", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const now = Math.floor(Date.now() / 1000);
    const body = part({ content: { ...mira, roles: ["owner"] }, aud: "session", iat: now, exp: now + 900, jti: "1" });
    const name = sessionCookieName(config);
    expect(await read(`${name}=${part({ alg: "none" })}.${body}.`)).to.equal(null);
    const forged = `${part({ alg: "HS256" })}.${body}`;
    const signature = createHmac("sha256", "guessed").update(forged).digest("base64url");
    expect(await read(`${name}=${forged}.${signature}`)).to.equal(null);
    expect(await read(await issued({ ...config, SESSION_SECRET: "another secret of enough characters" }))).to.equal(null);
  });

  it("end when their time is over", async () => {
    const options = { secret: "a secret", kind: "session", schema: accountSchema };
    const expired = await signed({ ...options, seconds: -1 }).sign(mira);
    expect(await signed({ ...options, seconds: 60 }).open(expired)).to.equal(null);
    const lasting = await signed({ ...options, seconds: 60 }).sign(mira);
    expect((await signed({ ...options, seconds: 60 }).open(lasting))?.content).to.deep.equal(mira);
    expect(await signed({ ...options, kind: "sign-in", seconds: 60 }).open(lasting), "another kind").to.equal(null);
  });

  it("end when their time is over, also where they were read before", async () => {
    const texts = signed({ secret: "one-secret-for-all-of-this-test!", kind: "session", schema: accountSchema, seconds: 60 });
    const text = await texts.sign(mira);
    expect((await texts.open(text))?.content).to.deep.equal(mira);
    const now = Date.now;
    Date.now = () => now() + 61_000;
    try {
      expect(await texts.open(text)).to.equal(null);
    } finally {
      Date.now = now;
    }
  });

  it("do not stand for a request that means another account", async () => {
    const ended = {
      has: async () => false,
      end: async () => undefined,
      endAll: async () => undefined,
      endOfProvider: async () => undefined,
      watch: () => () => undefined,
    };
    const cookie = await issued();
    const seen = async (meant?: string) => {
      const headers: Record<string, string> = { cookie, ...(meant !== undefined && { [accountHeader]: meant }) };
      const request = { headers, path: "/api/me", get: (name: string) => headers[name] } as unknown as Request;
      await new Promise<void>((resolve) => session(config, ended)(request, new EventEmitter() as unknown as Response, () => resolve()));
      return request.account;
    };
    expect(await seen()).to.deep.equal(mira);
    expect(await seen(mira.accountId)).to.deep.equal(mira);
    expect(await seen("acc_somebody_else_00000000")).to.equal(null);
    expect(await seen("")).to.equal(null);
  });
});

describe("account ids", () => {
  it("are stable pseudonyms that depend on the provider and on this installation", () => {
    const ids = accountIds({ ACCOUNT_SECRET: "one secret of at least 32 characters", DATA_DIR: "nowhere" });
    expect(ids("issuer", "mira")).to.match(/^acc_[A-Za-z0-9_-]{22}$/);
    expect(ids("issuer", "mira")).to.equal(ids("issuer", "mira"));
    expect(ids("issuer", "mira")).not.to.equal(ids("issuer", "tomas"));
    expect(ids("issuer", "mira")).not.to.equal(ids("elsewhere", "mira"));
    const others = accountIds({ ACCOUNT_SECRET: "another secret of 32 characters or more", DATA_DIR: "nowhere" });
    expect(ids("issuer", "mira")).not.to.equal(others("issuer", "mira"));
  });

  it("come with the roles we know", () => {
    expect(rolesOf(["owner", "admin", "learner"])).to.deep.equal(["learner", "owner"]);
    expect(rolesOf("auditor, owner")).to.deep.equal(["owner", "auditor"]);
    for (const nothing of [undefined, null, [], "", 7, ["admin"], { owner: true }]) expect(rolesOf(nothing)).to.deep.equal(["learner"]);
    const claims = { roles: ["a"], realm_access: { roles: ["b"] }, "https://x.example/roles": ["c"] };
    expect(claimAt(claims, "roles")).to.deep.equal(["a"]);
    expect(claimAt(claims, "realm_access.roles")).to.deep.equal(["b"]);
    expect(claimAt(claims, "https://x.example/roles")).to.deep.equal(["c"]);
    expect(claimAt(claims, "constructor.name")).to.equal(undefined);
  });
});
