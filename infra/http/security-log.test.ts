import { randomUUID } from "node:crypto";
import { get } from "node:http";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { completeSignIn } from "@colloquy/schemas/contracts/accounts.ts";
import { readConversation } from "@colloquy/schemas/contracts/conversations.ts";
import { publishCourse } from "@colloquy/schemas/contracts/publication.ts";
import { expect } from "chai";
import { Router } from "express";
import { readConfig } from "../config.ts";
import { closeServer } from "../process/http-server.ts";
import { createLog } from "../telemetry/log.ts";
import { createApp, listen } from "./app.ts";
import { ProblemError } from "./problem.ts";
import { route, serve } from "./route.ts";

const learner: Account = { accountId: "acc_1", name: "Mira", roles: ["learner"] };

describe("the security log", () => {
  /** The line that one request leaves, without what differs from run to run. */
  const lineOf = async (path: string, init: RequestInit & { account?: Account } = {}): Promise<Record<string, unknown> | null> => {
    const lines: string[] = [];
    const log = createLog("test", { LOG_LEVEL: "error" }, { write: (line) => lines.push(line) });
    const routers = [
      Router().use((request, _response, next) => {
        request.account = init.account ?? null;
        next();
      }),
      serve([
        route(readConversation, () => {
          throw new ProblemError("not_found");
        }),
        route(publishCourse, () => {
          throw new ProblemError("rate_limited");
        }),
      ]),
    ];
    const app = createApp({ config: readConfig({ NODE_ENV: "test" }), log, routers });
    const { server, port } = await listen(app, 0);
    await (await fetch(`http://127.0.0.1:${port}${path}`, init)).text();
    await closeServer(server, 0);
    return lines.length === 0 ? null : JSON.parse(lines[0] ?? "");
  };

  it("has an account that asked for what is not its own, with address and request", async () => {
    const path = `/api/conversations/${randomUUID()}`;
    const headers = { "x-request-id": "request-1" };
    expect(await lineOf(path, { account: learner, headers })).to.include({
      log: "security",
      event: "access-not-found",
      outcome: "refused",
      account: "acc_1",
      address: "127.0.0.1",
      requestId: "request-1",
      route: "GET /api/conversations/:conversationId",
      status: 404,
    });
  });

  it("has what a contract names, also where it was refused", async () => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: "{}", account: learner };
    expect(await lineOf("/api/course-editor/publish", init)).to.include({ event: "publication", outcome: "refused", status: 403 });
  });

  it("has the roles that an account signs in with", async () => {
    const lines: string[] = [];
    const log = createLog("test", { LOG_LEVEL: "error" }, { write: (line) => lines.push(line) });
    const signIn = Router().use((_request, response) => {
      response.locals.contract = completeSignIn;
      response.locals.signedIn = learner;
      response.status(302).end();
    });
    const { server, port } = await listen(createApp({ config: readConfig({ NODE_ENV: "test" }), log, routers: [signIn] }), 0);
    await fetch(`http://127.0.0.1:${port}/auth/callback`, { redirect: "manual" });
    await closeServer(server, 0);
    expect(JSON.parse(lines[0] ?? "{}")).to.deep.include({ event: "sign-in", outcome: "allowed", roles: ["learner"] });
  });

  it("has the address of somebody who hung up before the answer", async () => {
    const lines: string[] = [];
    const log = createLog("test", { LOG_LEVEL: "error" }, { write: (line) => lines.push(line) });
    const reached = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const slow = Router().use((_request, response) => {
      reached.resolve();
      response.once("close", () => answered.resolve());
      response.status(403);
    });
    const { server, port } = await listen(createApp({ config: readConfig({ NODE_ENV: "test" }), log, routers: [slow] }), 0);
    const asking = get({ port, path: "/api/nothing" }).on("error", () => undefined);
    await reached.promise;
    asking.destroy();
    await answered.promise;
    expect(JSON.parse(lines[0] ?? "{}")).to.include({ event: "access-refused", address: "127.0.0.1" });
    await closeServer(server, 0);
  });

  it("has no line for a visitor who asks for what is not there", async () => {
    expect(await lineOf("/api/nothing")).to.equal(null);
  });
});
