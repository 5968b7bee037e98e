import type { Server } from "node:http";
import type { Account, Role } from "@colloquy/schemas/accounts/account.ts";
import { type Contract, contract, json, perMinute, routeKey } from "@colloquy/schemas/contracts/contract.ts";
import { contracts } from "@colloquy/schemas/contracts/index.ts";
import { publishCourse } from "@colloquy/schemas/contracts/publication.ts";
import { noQuery, payload } from "@colloquy/schemas/payload.ts";
import { expect } from "chai";
import { type RequestHandler, Router } from "express";
import { z } from "zod";
import { readConfig } from "../config.ts";
import type { OpenSession } from "../identity/ended-sessions.ts";
import { closeServer } from "../process/http-server.ts";
import { createLog } from "../telemetry/log.ts";
import { createApp, listen } from "./app.ts";
import { type Route, route, sent, serve } from "./route.ts";

const note = contract({
  method: "POST",
  path: "/api/notes",
  summary: "Save a note",
  access: "account",
  query: noQuery,
  request: payload({ text: z.string() }),
  maxBytes: 200,
  limit: perMinute(2),
  responses: { 200: json("The note.", payload({ text: z.string() })) },
});

/** A route that answers 204 once it is allowed, whatever its contract returns. */
const allowing = ({ limit: _, concurrent: __, ...unlimited }: Contract): Route => ({
  contract: unlimited,
  handle: ({ response }) => {
    response.status(204).end();
    return sent;
  },
});

describe("a route of a contract", () => {
  let server: Server | null;
  let address: string;
  let account: Account | null;
  let session: OpenSession | null = null;
  const signedIn: RequestHandler = (request, _response, next) => {
    request.account = account;
    request.openSession = session;
    next();
  };
  const as = (...roles: Role[]): Account => ({ accountId: "acc_nils0001", name: "Nils", roles });

  async function start(routes: readonly Route[]): Promise<void> {
    const log = createLog("test", { LOG_LEVEL: "silent" });
    const routers = [Router().use(signedIn), serve(routes, () => undefined)];
    const listening = await listen(createApp({ config: readConfig({ NODE_ENV: "test" }), log, routers }), 0);
    server = listening.server;
    address = `http://127.0.0.1:${listening.port}`;
  }
  beforeEach(() => {
    server = null;
  });
  afterEach(async () => {
    if (server) await closeServer(server, 0);
  });

  async function send(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    const init = { method, headers: { "content-type": "application/json", ...headers }, ...(body !== undefined && { body }) };
    const response = await fetch(address + path, init);
    const text = await response.text();
    return { status: response.status, code: text ? (JSON.parse(text) as { code?: string }).code : undefined, text };
  }

  describe("checks a request in a fixed order", () => {
    const long = JSON.stringify({ text: "x".repeat(300) });
    const post = (body: string, headers?: Record<string, string>) => send("POST", "/api/notes", body, headers);
    beforeEach(() => start([route(note, ({ body: { text } }) => ({ text }))]));

    it("refuses a large body before it knows the caller", async () => {
      account = null;
      expect((await post(long)).code).to.equal("too_large");
    });

    it("refuses another media type before it knows the caller", async () => {
      account = null;
      expect((await post("text", { "content-type": "text/plain" })).code).to.equal("json_required");
    });

    it("refuses an unknown caller before it reads the body", async () => {
      account = null;
      expect((await post("{ not JSON")).code).to.equal("sign_in_required");
    });

    it("counts a call before it reads the body", async () => {
      account = as("learner");
      for (const code of ["invalid_request", "invalid_request", "rate_limited"]) expect((await post("{ not JSON")).code).to.equal(code);
    });

    it("counts calls that it refuses by their size or media type", async () => {
      account = as("learner");
      expect((await post(long)).code).to.equal("too_large");
      expect((await post("text", { "content-type": "text/plain" })).code).to.equal("json_required");
      expect((await post(`{"schemaVersion":1,"text":"a"}`)).code).to.equal("rate_limited");
    });

    it("answers an allowed and valid request with a versioned payload", async () => {
      account = as("learner");
      const { status, text } = await post('{"schemaVersion":1,"text":"a"}');
      expect([status, JSON.parse(text)]).to.deep.equal([200, { schemaVersion: 1, text: "a" }]);
    });
  });

  it("wants a fresh sign-in where the contract says so", async () => {
    account = as("learner");
    const fresh = contract({ ...note, path: "/api/fresh", freshSignIn: true });
    const ages = [1, 14, 16];
    const answers: number[] = [];
    for (const minutes of ages) {
      const begun = new Date(Date.now() - minutes * 60_000);
      session = { sessionId: "session-0001", accountId: "acc_nils0001", begun, until: new Date(Date.now() + 60_000) };
      await start([route(fresh, ({ body: { text } }) => ({ text }))]);
      answers.push((await send("POST", "/api/fresh", '{"schemaVersion":1,"text":"a"}')).status);
      // The identity provider knows of an earlier proof than this session's begin.
      session = { ...session, begun: new Date(), authenticated: begun };
      answers.push((await send("POST", "/api/fresh", '{"schemaVersion":1,"text":"a"}')).status);
      if (server) await closeServer(server, 0);
    }
    server = null;
    expect(answers).to.deep.equal([200, 200, 200, 200, 403, 403]);
  });

  it("refuses to serve workers' routes without a check of their token", () => {
    const worker = contracts.filter(({ access }) => access === "worker").map(allowing);
    expect(() => serve(worker)).to.throw("nobody to admit");
  });

  describe("for an account that is only an auditor", () => {
    const mutations = contracts.filter(({ method, access }) => method !== "GET" && access !== "worker");
    const open = ["POST /auth/sign-out", "POST /auth/sessions/end", "POST /auth/back-channel-logout", "POST /api/ai/assistants"];
    const isAllowed = async ({ method, path, header }: Contract, body = "{}"): Promise<string> => {
      const { code } = await send(method, path.replaceAll(/[:*]\w+/g, "something-0001"), body, header && { [header.name]: header.value });
      return code ?? "allowed";
    };
    beforeEach(() => start(contracts.map(allowing)));

    it("changes nothing but its sessions and assistants", async () => {
      account = as("auditor");
      expect(mutations.length).to.be.above(9);
      for (const one of mutations) {
        const code = await isAllowed(one);
        if (open.includes(routeKey(one))) expect(code, routeKey(one)).to.not.equal("not_allowed");
        else expect(code, routeKey(one)).to.equal("not_allowed");
      }
    });

    it("keeps preferences, and nothing beside them", async () => {
      account = as("auditor");
      const push = (...domains: string[]) =>
        send("POST", "/api/sync/push", JSON.stringify({ changes: domains.map((domain) => ({ domain })) }));
      expect((await push("preferences", "preferences")).code).to.not.equal("not_allowed");
      expect((await push("preferences", "conversation")).code).to.equal("not_allowed");
    });

    it("does as an auditor what its other roles allow", async () => {
      for (const roles of [["learner", "auditor"], ["owner", "auditor"], ["learner"]] satisfies Role[][]) {
        account = as(...roles);
        for (const one of mutations) expect(await isAllowed(one), routeKey(one)).to.not.equal("not_allowed");
      }
    });
  });

  it("refuses a publication without its header", async () => {
    await start([allowing(publishCourse)]);
    account = as("owner");
    expect((await send("POST", publishCourse.path, "{}")).code).to.equal("not_allowed");
  });
});
