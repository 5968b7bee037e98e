import type { Server } from "node:http";
import { expect } from "chai";
import { Router } from "express";
import { readConfig } from "../config.ts";
import { StoreNotWritable, StoreUnavailable } from "../event-store/errors.ts";
import { ObjectStoreRefused } from "../object-store/store.ts";
import { closeServer } from "../process/http-server.ts";
import { createLog } from "../telemetry/log.ts";
import { createApp, listen } from "./app.ts";
import { ProblemError } from "./problem.ts";

describe("a refusal", () => {
  let server: Server;
  let address: string;
  let thrown: Error;
  before(async () => {
    const log = createLog("test", { LOG_LEVEL: "silent" });
    const failing = Router().get("/api/thing", () => {
      throw thrown;
    });
    const listening = await listen(createApp({ config: readConfig({ NODE_ENV: "test" }), log, routers: [failing] }), 0);
    server = listening.server;
    address = `http://127.0.0.1:${listening.port}`;
  });
  after(() => closeServer(server, 0));

  const cases: [string, Error, number, string | null][] = [
    ["a store that is away", new StoreUnavailable("The event store cannot be reached."), 503, "2"],
    ["an error nobody foresaw", new Error("what only the log is told"), 503, "2"],
    [
      "an object store that refuses us",
      new ObjectStoreRefused("what only the log is told", { status: 403, code: "SkewedClock" }),
      503,
      "2",
    ],
    ["a full disk", new StoreNotWritable("disk_full"), 503, "60"],
    ["no model", new ProblemError("ai_unavailable"), 503, "2"],
    ["a model that says when", new ProblemError("ai_unavailable", { retryAfterSeconds: 30 }), 503, "30"],
    ["what will not change", new ProblemError("not_found"), 404, null],
  ];
  for (const [what, error, status, seconds] of cases)
    it(`for ${what} is a problem, ${seconds ? `to be tried again after ${seconds} s` : "not to be tried again"}`, async () => {
      thrown = error;
      const response = await fetch(`${address}/api/thing`);
      expect([response.status, response.headers.get("retry-after")]).to.deep.equal([status, seconds]);
      expect(response.headers.get("content-type")).to.include("application/problem+json");
      expect(await response.text())
        .to.include('"code"')
        .and.not.include("what only the log");
    });
});
