import * as contracts from "@colloquy/schemas/contracts/embed.ts";
import type { EmbedTokenResponse } from "@colloquy/schemas/embed/embed.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { Router } from "express";
import type { Config } from "../config.ts";
import { foreignOrigin } from "../http/embed-origins.ts";
import { ProblemError } from "../http/problem.ts";
import { route, serve } from "../http/route.ts";
import { embedTokens } from "./embed-token.ts";
import type { OpenSession } from "./ended-sessions.ts";
import { sessionSecret } from "./session.ts";

/**
 * A token for a page on an allowed origin, requested by our own sign-in window with the session's cookie, and the next one, requested by that
 * page with the token it has. Both end with the session.
 */
export function embedTokenRoutes(config: Pick<Config, "SESSION_SECRET" | "DATA_DIR" | "EMBED_ORIGINS" | "publicUrl">): Router {
  const tokens = embedTokens(sessionSecret(config));
  const mint = async (session: OpenSession | null | undefined, origin: string): Promise<EmbedTokenResponse> => {
    if (!session) throw new ProblemError("sign_in_required");
    return versioned(await tokens.mint(session, origin));
  };
  return serve([
    route(contracts.createEmbedToken, async ({ account: { accountId }, body: { origin, nonce }, request }) => {
      if (!config.EMBED_ORIGINS.includes(origin)) throw new ProblemError("not_allowed");
      return { ...(await mint(request.openSession, origin)), reader: tokens.readerOf(accountId, origin, nonce) };
    }),
    route(contracts.renewEmbedToken, ({ request }) => {
      const origin = foreignOrigin(request, config);
      if (origin === null) throw new ProblemError("not_allowed");
      return mint(request.openSession, origin);
    }),
  ]);
}
