import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { bounds } from "@colloquy/schemas/bounds.ts";
import express, { type Application, type RequestHandler, type Router } from "express";
import helmet from "helmet";
import type { Config } from "../config.ts";
import type { Logger } from "../telemetry/log.ts";
import { allowEmbeds } from "./embed-origins.ts";
import { openPort } from "./listen.ts";
import { observeRequests } from "./metrics.ts";
import { refuseCrossSite, requireJson } from "./mutations.ts";
import { ProblemError, problemHandler } from "./problem.ts";

declare global {
  namespace Express {
    interface Request {
      /** Correlates a request with its log lines, its events and its error message. */
      id: string;
    }
  }
}

/** The pages' Content-Security-Policy: our own scripts only; inline styles because mathematics and diagrams need them. */
export const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    "default-src": ["'self'"],
    "script-src": ["'self'"],
    "style-src": ["'self'", "'unsafe-inline'"],
    "img-src": ["'self'", "data:", "blob:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
  },
};

/**
 * An Express app with what every service of ours shares: request ids, security headers, JSON only and no cross-site
 * mutations, bounded bodies, problem+json for every error. Routers are added in the order given.
 */
export function createApp(options: { config: Config; log: Logger; routers: Router[] }): Application {
  const { config, log, routers } = options;
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", "loopback");
  app.set("query parser", "simple");
  app.use(
    helmet({
      frameguard: { action: "deny" },
      contentSecurityPolicy,
      crossOriginEmbedderPolicy: false,
      referrerPolicy: { policy: "same-origin" },
      strictTransportSecurity: config.publicUrl.startsWith("https:"),
    }),
  );
  app.use(identifyRequest, observeRequests(log));
  app.use(allowEmbeds(config), refuseCrossSite(config), requireJson);
  app.use(express.json({ limit: bounds.json.bodyBytes, strict: true, type: "application/json" }));
  for (const router of routers) app.use(router);
  app.use(() => {
    throw new ProblemError("not_found");
  });
  app.use(problemHandler(log));
  return app;
}

const identifyRequest: RequestHandler = (request, response, next) => {
  const given = request.get("x-request-id");
  request.id = given && /^[A-Za-z0-9_-]{8,64}$/.test(given) ? given : randomUUID();
  response.set("x-request-id", request.id);
  next();
};

/** Listens on loopback; resolves once the port is open. Port 0 picks a free one. */
export async function listen(app: Application, port: number, log?: Logger): Promise<{ server: Server; port: number }> {
  const server = createServer(app);
  const onError = (error: Error): void => log?.error({ err: error }, "a connection could not be taken");
  return { server, port: await openPort(server, port, { onError }) };
}
