import { readMetrics } from "@colloquy/schemas/contracts/operations.ts";
import type { Request, RequestHandler, Router } from "express";
import type { Config } from "../config.ts";
import { mayReadMetrics } from "../telemetry/bearer-token.ts";
import type { Logger } from "../telemetry/log.ts";
import { httpDuration, registry } from "../telemetry/metrics.ts";
import { beginSpan, type Span, tracingEnabled } from "../telemetry/traces.ts";
import { ProblemError } from "./problem.ts";
import { route, sent, serve } from "./route.ts";
import { isTraced } from "./untraced.ts";

/** A service whose metrics take longer counts as down. */
const answerWithinMs = 1_000;

/** Measures every request by its route, keeps its trace, and logs those that change something or fail, with the id that also stands in their events. */
export function observeRequests(log: Logger): RequestHandler {
  return (request, response, next) => {
    const began = performance.now();
    const span = requestSpan(request);
    const closed = (): void => {
      const seconds = (performance.now() - began) / 1_000;
      const route = routeOf(request.route?.path);
      const status = response.writableFinished || response.headersSent ? response.statusCode : 0;
      httpDuration.observe({ method: request.method, route, status }, seconds);
      const about = { requestId: request.id, method: request.method, route, status, ms: Math.round(seconds * 1_000) };
      // Workers ask for a job every few seconds; 204 says that there was none.
      const changesNothing = request.method === "GET" || request.method === "HEAD" || status === 204;
      if (changesNothing && status < 500) log.debug(about, "answered");
      else log.info(about, "answered");
      span?.rename(`${request.method} ${route}`);
      span?.set({ "http.route": route, "http.response.status_code": status });
      if (status >= 500) span?.failed(undefined);
      span?.end();
    };
    response.once("close", () => (span ? span.run(closed) : closed()));
    if (span) span.run(next);
    else next();
  };
}

/** A span in the front door's trace, or the root of a new trace. */
function requestSpan(request: Request): Span | null {
  if (!tracingEnabled() || !isTraced(request.path)) return null;
  const parent = request.get("traceparent") ?? null;
  return beginSpan(request.method, { kind: "server", parent, attributes: { "http.request.method": request.method } });
}

/** The pattern of a route: never an address, which may hold ids. */
function routeOf(path: unknown): string {
  if (typeof path === "string") return path;
  if (Array.isArray(path)) return path.map(routeOf).join("|");
  return path instanceof RegExp ? path.source : "none";
}

/** `GET /metrics` of one process, with metrics of `others`. Without permission the answer is 404. */
export function metricsRoutes(
  config: Pick<Config, "METRICS_TOKEN" | "development">,
  others: (token: string) => Promise<string[]> = async () => [],
): Router {
  const admit = (request: Request): void => {
    if (!mayReadMetrics(config, request)) throw new ProblemError("not_found");
  };
  const answer = route(readMetrics, async ({ request, response }) => {
    const texts = await Promise.all([registry.metrics(), others(request.headers.authorization ?? "")]);
    response.set("cache-control", "no-store").type(registry.contentType).send(mergeMetrics(texts.flat()));
    return sent;
  });
  return serve([answer], admit);
}

/** Gathers the metrics of other services. A service that does not answer in time is reported as down. */
export async function gatherMetrics(
  services: readonly { service: string; address: string | null }[],
  authorization: string,
  withinMs = answerWithinMs,
): Promise<string[]> {
  const asked = services.filter(({ address }) => address !== null);
  const answers = await Promise.all(
    asked.map(async ({ address }) => {
      try {
        const response = await fetch(`${address}/metrics`, {
          headers: authorization ? { authorization } : {},
          signal: AbortSignal.timeout(withinMs),
        });
        const text = await response.text();
        return response.ok ? text : null;
      } catch {
        return null;
      }
    }),
  );
  const up = asked.map(({ service }, index) => `colloquy_service_up{service="${service}"} ${answers[index] === null ? 0 : 1}`);
  return [
    ...answers.filter((text) => text !== null),
    ["# HELP colloquy_service_up Whether the service answered with its metrics", "# TYPE colloquy_service_up gauge", ...up, ""].join("\n"),
  ];
}

/** Several services' figures as one text: all samples of a metric stand together, as the format demands. */
export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, { head: string[]; samples: string[] }>();
  for (const text of texts) {
    let family: { head: string[]; samples: string[] } | undefined;
    let fresh = false;
    for (const line of text.split("\n")) {
      const [, kind, name = ""] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (kind === "HELP" || (kind === "TYPE" && family === undefined)) {
        fresh = !families.has(name);
        family = families.get(name) ?? { head: [], samples: [] };
        families.set(name, family);
      }
      if (kind) {
        if (fresh) family?.head.push(line);
      } else if (line !== "") family?.samples.push(line);
    }
  }
  return [...families.values()].map(({ head, samples }) => `${[...head, ...samples].join("\n")}\n`).join("\n");
}
