import { bounds } from "@colloquy/schemas/bounds.ts";
import { type EmbedSignInResponse, type EmbedTokenResponse, embedRenewRequest, embedTokenRequest } from "@colloquy/schemas/embed/embed.ts";
import { noQuery, versioned } from "@colloquy/schemas/payload.ts";
import { Router } from "express";
import type { Config } from "../config.ts";
import { foreignOrigin } from "../http/embed-origins.ts";
import { ProblemError, parse } from "../http/problem.ts";
import { perAccount } from "../http/rate-limit.ts";
import { embedTokens } from "./embed-token.ts";
import type { OpenSession } from "./ended-sessions.ts";
import { sessionSecret } from "./session.ts";

/**
 * `POST /auth/embed`: a token for a page on an allowed origin, asked by our own sign-in window with the session's cookie.
 * `POST /auth/embed/renew`: the next one, asked by that page with the token it has. Both end with the session.
 */
export function embedTokenRoutes(config: Pick<Config, "SESSION_SECRET" | "DATA_DIR" | "EMBED_ORIGINS" | "publicUrl">): Router {
  const tokens = embedTokens(sessionSecret(config));
  const limit = perAccount({ points: bounds.embed.tokensPerMinute, seconds: 60 });
  const mint = async (session: OpenSession, origin: string): Promise<EmbedTokenResponse> => {
    await limit(session.accountId);
    return versioned(await tokens.mint(session, origin));
  };
  return Router()
    .post("/auth/embed", async (request, response) => {
      const { openSession } = request;
      if (!openSession) throw new ProblemError("sign_in_required");
      parse(noQuery, request.query);
      const { origin, nonce } = parse(embedTokenRequest, request.body);
      if (!config.EMBED_ORIGINS.includes(origin)) throw new ProblemError("not_allowed");
      const body: EmbedSignInResponse = {
        ...(await mint(openSession, origin)),
        reader: tokens.readerOf(openSession.accountId, origin, nonce),
      };
      response.json(body);
    })
    .post("/auth/embed/renew", async (request, response) => {
      const origin = foreignOrigin(request, config);
      if (!request.openSession) throw new ProblemError("sign_in_required");
      if (origin === null) throw new ProblemError("not_allowed");
      parse(noQuery, request.query);
      parse(embedRenewRequest, request.body);
      response.json(await mint(request.openSession, origin));
    });
}
