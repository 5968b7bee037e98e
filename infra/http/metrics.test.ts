import type { AddressInfo } from "node:net";
import { expect } from "chai";
import express, { Router } from "express";
import { readConfig } from "../config.ts";
import { closeServer } from "../process/http-server.ts";
import { mayReadMetrics } from "../telemetry/bearer-token.ts";
import { createLog } from "../telemetry/log.ts";
import { registry } from "../telemetry/metrics.ts";
import { createApp, listen } from "./app.ts";
import { gatherMetrics, mergeMetrics, metricsRoutes } from "./metrics.ts";

const log = createLog("test", { LOG_LEVEL: "silent" });

describe("the figures of the program", () => {
  const token = "a token of 16 signs or more";
  const may = (environment: Record<string, string>, authorization?: string) =>
    mayReadMetrics(readConfig(environment), { headers: authorization === undefined ? {} : { authorization } });

  it("are open in development, not there in production, and with a token for whoever has it", () => {
    expect(may({})).to.equal(true);
    expect(may({ NODE_ENV: "production" })).to.equal(false);
    for (const NODE_ENV of ["development", "production"]) {
      expect(may({ NODE_ENV, METRICS_TOKEN: token })).to.equal(false);
      expect(may({ NODE_ENV, METRICS_TOKEN: token }, token)).to.equal(false);
      expect(may({ NODE_ENV, METRICS_TOKEN: token }, "Bearer another token of 16")).to.equal(false);
      expect(may({ NODE_ENV, METRICS_TOKEN: token }, `Bearer ${token}`)).to.equal(true);
    }
  });

  it("are gathered under one address, each family once, and say who did not answer", async () => {
    const other = express().get("/metrics", (_request, response) => {
      response
        .type("text")
        .send('# HELP one First\n# TYPE one counter\none{service="b"} 2\n\n# HELP two Second\n# TYPE two gauge\ntwo 3\n');
    });
    const inner = other.listen(0, "127.0.0.1");
    await new Promise((resolve) => inner.once("listening", resolve));
    const { port } = inner.address() as AddressInfo;
    const own = '# HELP one First\n# TYPE one counter\none{service="a"} 1\n';
    const services = [
      { service: "b", address: `http://127.0.0.1:${port}` },
      { service: "gone", address: "http://127.0.0.1:1" },
      { service: "elsewhere", address: null },
    ];
    const merged = mergeMetrics([own, ...(await gatherMetrics(services, "", 60_000))]);
    expect(merged.match(/# TYPE one counter\none\{service="a"\} 1\none\{service="b"\} 2\n/)).not.to.equal(null);
    expect(merged.match(/# TYPE/g)).to.have.lengthOf(3);
    expect(merged).to.include('colloquy_service_up{service="b"} 1\ncolloquy_service_up{service="gone"} 0\n');
    expect(merged).not.to.include("elsewhere");
    await closeServer(inner, 0);
  });

  it("name routes by their pattern, and nothing by its address", async () => {
    const config = readConfig({ NODE_ENV: "test" });
    const things = Router().get("/things/:id", (_request, response) => void response.json({}));
    const { server, port } = await listen(createApp({ config, log, routers: [things, metricsRoutes(config)] }), 0);
    const address = `http://127.0.0.1:${port}`;
    for (const path of ["/things/secret-1", "/things/secret-2", "/nothing/secret-3"]) await (await fetch(address + path)).text();
    // A process that has named itself puts its name first.
    const count = (route: string, status: number) =>
      new RegExp(`request_duration_seconds_count\\{[^}]*method="GET",route="${route}",status="${status}"[^}]*\\} (\\d+)`);
    let text = "";
    // The last of an answer arrives before its connection has been counted.
    while (!count("none", 404).test(text)) text = await (await fetch(`${address}/metrics`)).text();
    expect(count("/things/:id", 200).exec(text)?.[1]).to.equal("2");
    expect(text).not.to.include("secret");
    await closeServer(server, 0);
  });

  it("log what changed something, but no reads and no claims without a job", async () => {
    const lines: string[] = [];
    const info = createLog("test", { LOG_LEVEL: "info" }, { write: (line) => lines.push(line) });
    const routes = Router()
      .get("/read", (_request, response) => void response.json({}))
      .post("/claim", (_request, response) => void response.status(204).end())
      .post("/change", (_request, response) => void response.json({}));
    const { server, port } = await listen(createApp({ config: readConfig({ NODE_ENV: "test" }), log: info, routers: [routes] }), 0);
    for (const [method, path] of [
      ["GET", "read"],
      ["POST", "claim"],
      ["POST", "change"],
    ])
      await (await fetch(`http://127.0.0.1:${port}/${path}`, { method: method as string })).text();
    while (!lines.some((line) => line.includes("/change"))) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(lines.map((line) => (JSON.parse(line) as { route?: string }).route)).to.deep.equal(["/change"]);
    await closeServer(server, 0);
  });

  it("are in a form a reader of the format takes: every sample under its family's head", async () => {
    const text = mergeMetrics([await registry.metrics(), await registry.metrics()]);
    let family = "";
    for (const line of text.split("\n").filter(Boolean)) {
      const [, name] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (name) family = name;
      else expect(line.startsWith(family), line).to.equal(true);
    }
  });
});
