import { createServer, type Server } from "node:http";
import type { Config } from "../config.ts";
import { mayReadMetrics } from "./bearer-token.ts";
import { registry } from "./metrics.ts";

/** For a process without an API: `GET /healthz` that it answers, `GET /status` what `status` gives, `GET /metrics` the same and more for Prometheus. Nothing else is there. */
export function statusServer(config: Pick<Config, "METRICS_TOKEN" | "development">, status: () => object): Server {
  return createServer(async (request, response) => {
    const send = (code: number, type: string, body: string): void => {
      response.writeHead(code, { "content-type": type, "cache-control": "no-store" });
      response.end(body);
    };
    if (request.method === "GET" && request.url === "/healthz")
      send(200, "application/json", JSON.stringify({ schemaVersion: 1, status: "ok" }));
    else if (request.method === "GET" && request.url === "/status")
      send(200, "application/json", JSON.stringify({ schemaVersion: 1, ...status() }));
    else if (request.method === "GET" && request.url === "/metrics" && mayReadMetrics(config, request))
      send(200, registry.contentType, await registry.metrics());
    else send(404, "application/json", JSON.stringify({ schemaVersion: 1 }));
  });
}
