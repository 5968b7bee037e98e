import { parse } from "@colloquy/infra/http/problem.ts";
import { perAccount } from "@colloquy/infra/http/rate-limit.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import { type ErasureResponse, erasureRequest } from "@colloquy/schemas/accounts/erasure.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { noQuery, versioned } from "@colloquy/schemas/payload.ts";
import { Router } from "express";
import type { erasure } from "./erasure.ts";

/** `POST /api/account/erase`: everything the account owns, part by part. */
export function erasureRoutes({ erase }: { erase: ReturnType<typeof erasure> }): Router {
  const limit = perAccount({ points: bounds.erasure.requestsPerMinute, seconds: 60 });
  return Router().post("/api/account/erase", async (request, response) => {
    const { accountId } = requireAccount(request);
    parse(noQuery, request.query);
    const { requestId } = parse(erasureRequest, request.body);
    await limit(accountId);
    const body: ErasureResponse = versioned(await erase({ accountId, requestId }));
    response.set("cache-control", "private, no-store").json(body);
  });
}
