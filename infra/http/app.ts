import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import express, { type Application, type RequestHandler, type Router } from "express";
import helmet from "helmet";
import type { Config } from "../config.ts";
import { keepAliveMs, openPort } from "../process/http-server.ts";
import type { Logger } from "../telemetry/log.ts";
import { allowEmbeds } from "./embed-origins.ts";
import { observeRequests } from "./metrics.ts";
import { refuseCrossSite } from "./mutations.ts";
import { ProblemError, problemHandler } from "./problem.ts";
import { recordSecurity } from "./security-log.ts";
import { trustedProxies } from "./trusted-proxies.ts";

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

/** What pages may use of a device: the microphone for dictation, a film in a window of its own or the whole screen; nothing in frames. */
const permissionsPolicy = [
  ...[
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "midi",
    "payment",
    "serial",
    "usb",
  ].map((feature) => `${feature}=()`),
  ...["microphone", "picture-in-picture", "fullscreen", "clipboard-write"].map((feature) => `${feature}=(self)`),
].join(", ");

/**
 * An Express app with what every service shares: request ids, security headers, no cross-site mutations, problem+json for every error.
 * No body is read here: routes do that once a request is allowed (`route.ts`). Routers are added in the order given; `apart` answers before
 * the rules for browsers, by rules of its own.
 */
export function createApp(options: { config: Config; log: Logger; routers: Router[]; apart?: Router }): Application {
  const { config, log, routers, apart } = options;
  const app = express();
  app.disable("x-powered-by");
  app.set("trust proxy", trustedProxies(config.TRUSTED_PROXIES));
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
  app.use((_request, response, next) => {
    response.set("permissions-policy", permissionsPolicy);
    next();
  });
  app.use(identifyRequest, observeRequests(log), recordSecurity(log));
  if (apart) app.use(apart);
  app.use(allowEmbeds(config), refuseCrossSite(config));
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

/** Handles a request before Express, or returns false; `otherwise` passes it to Express later. */
export type FirstAnswer = (request: IncomingMessage, response: ServerResponse, otherwise: () => void) => boolean;

/** A sender that waits to be asked for its body is asked when the body is first read, so never after a refusal. */
function askForBodyOnceRead(request: IncomingMessage, response: ServerResponse): void {
  const onListener = (event: string | symbol): void => {
    if (event !== "data" && event !== "readable") return;
    request.off("newListener", onListener);
    if (!response.headersSent) response.writeContinue();
  };
  request.on("newListener", onListener);
}

/**
 * Listens on loopback unless told otherwise; resolves once the port is open. Port 0 picks a free one.
 * @param first handles the most frequent request without Express
 */
export async function listen(
  app: Application,
  port: number,
  log?: Logger,
  first: FirstAnswer = () => false,
  host?: string,
): Promise<{ server: Server; port: number }> {
  const answer: RequestListener = (request, response) => {
    if (!first(request, response, () => app(request, response))) app(request, response);
  };
  const server = createServer({ keepAliveTimeout: keepAliveMs }, answer).on("checkContinue", (request, response) => {
    askForBodyOnceRead(request, response);
    answer(request, response);
  });
  const onError = (error: Error): void => log?.error({ err: error }, "a connection could not be accepted");
  return { server, port: await openPort(server, port, { ...(host !== undefined && { host }), onError }) };
}
