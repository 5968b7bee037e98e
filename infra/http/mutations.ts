import { embedRouteOf } from "@colloquy/schemas/embed/embed.ts";
import type { RequestHandler } from "express";
import type { Config } from "../config.ts";
import { foreignOrigin } from "./embed-origins.ts";
import { ProblemError } from "./problem.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses a mutation that another site's page sends: by `Sec-Fetch-Site`, and by `Origin` for browsers that do not send it.
 * The address the request itself was made to is ours; pages of `EMBED_ORIGINS` may send what embedded elements need.
 */
export function refuseCrossSite(config: Pick<Config, "publicUrl" | "EMBED_ORIGINS">): RequestHandler {
  const embeds = new Set(config.EMBED_ORIGINS);
  return (request, response, next) => {
    if (safeMethods.has(request.method)) return next();
    response.set("cache-control", "private, no-store");
    const foreign = foreignOrigin(request, config);
    const embedded = foreign !== null && embeds.has(foreign) && embedRouteOf(request.method, request.path) !== null;
    const refused = foreign !== null ? !embedded : !request.get("origin") && request.get("sec-fetch-site") === "cross-site";
    if (refused) throw new ProblemError("cross_site");
    next();
  };
}

/** Mutations carry JSON, so that no form of another page can send one. */
export const requireJson: RequestHandler = (request, _response, next) => {
  if (!safeMethods.has(request.method) && request.method !== "DELETE" && !request.is("application/json"))
    throw new ProblemError("json_required");
  next();
};
