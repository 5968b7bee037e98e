import type { RequestHandler } from "express";
import type { Config } from "../config.ts";
import { ProblemError } from "./problem.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses a mutation that another site's page sends: by `Sec-Fetch-Site`, and by `Origin` for browsers that do not send it.
 * Origins of `EMBED_ORIGINS` and the address the request itself was made to are ours.
 */
export function refuseCrossSite(config: Pick<Config, "publicUrl" | "EMBED_ORIGINS">): RequestHandler {
  const ours = new Set([new URL(config.publicUrl).origin, ...config.EMBED_ORIGINS]);
  return (request, response, next) => {
    if (safeMethods.has(request.method)) return next();
    response.set("cache-control", "private, no-store");
    const origin = request.get("origin");
    const known = origin !== undefined && (ours.has(origin) || origin === `${request.protocol}://${request.get("host")}`);
    if (origin !== undefined ? !known : request.get("sec-fetch-site") === "cross-site") throw new ProblemError("cross_site");
    next();
  };
}

/** Mutations carry JSON, so that no form of another page can send one. */
export const requireJson: RequestHandler = (request, _response, next) => {
  if (!safeMethods.has(request.method) && request.method !== "DELETE" && !request.is("application/json"))
    throw new ProblemError("json_required");
  next();
};
