import { embedContractOf } from "@colloquy/schemas/contracts/index.ts";
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
    const embedded = foreign !== null && embeds.has(foreign) && embedContractOf(request.method, request.path) !== null;
    const refused = foreign !== null ? !embedded : !request.get("origin") && request.get("sec-fetch-site") === "cross-site";
    if (refused) throw new ProblemError("cross_site");
    next();
  };
}
