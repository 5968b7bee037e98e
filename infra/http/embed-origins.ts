import { embedContractOf } from "@colloquy/schemas/contracts/index.ts";
import type { Request, RequestHandler } from "express";
import type { Config } from "../config.ts";

/** How long a browser may remember that a route may be asked, in seconds. */
const preflightSeconds = 600;
/** What a page's script may send, and read of an answer. */
const sentHeaders = "authorization, content-type, accept, last-event-id, x-request-id";
const readHeaders = "retry-after, x-request-id";

/** The origin of another site's page that sent a request, or null for our own pages and for what is no page. */
export function foreignOrigin(request: Request, config: Pick<Config, "publicUrl">): string | null {
  const origin = request.get("origin");
  if (origin === undefined || origin === new URL(config.publicUrl).origin) return null;
  return origin === `${request.protocol}://${request.get("host")}` ? null : origin;
}

/**
 * Lets pages of `EMBED_ORIGINS` ask the routes that embedded elements need (contracts with `embed`), and read the answers. Never with
 * cookies; no other route and no other origin gets a header that a browser would let an answer through for.
 */
export function allowEmbeds(config: Pick<Config, "publicUrl" | "EMBED_ORIGINS">): RequestHandler {
  const allowed = new Set(config.EMBED_ORIGINS);
  return (request, response, next) => {
    const preflight = request.method === "OPTIONS" ? request.get("access-control-request-method") : undefined;
    const route = embedContractOf(preflight ?? request.method, request.path);
    if (route === null) return next();
    response.vary("Origin");
    const origin = foreignOrigin(request, config);
    if (origin === null || !allowed.has(origin)) return next();
    response.set({ "access-control-allow-origin": origin, "access-control-expose-headers": readHeaders });
    if (preflight === undefined) return next();
    response
      .status(204)
      .set({
        "access-control-allow-methods": route.method,
        "access-control-allow-headers": sentHeaders,
        "access-control-max-age": String(preflightSeconds),
        "cache-control": "no-store",
      })
      .end();
  };
}
