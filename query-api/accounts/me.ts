import { parse } from "@colloquy/infra/http/problem.ts";
import type { MeResponse } from "@colloquy/schemas/accounts/account.ts";
import { readQuery, versioned } from "@colloquy/schemas/payload.ts";
import { Router } from "express";

/** `GET /api/me`: who is signed in, or null. Needs the `session` middleware before it. */
export function meRoutes(): Router {
  const router = Router();
  router.get("/api/me", (request, response) => {
    // Who is signed in stands in the session itself, so that whatever was written is held already.
    parse(readQuery, request.query);
    const body: MeResponse = versioned({ account: request.account ?? null });
    response.set("cache-control", "private, no-store").json(body);
  });
  return router;
}
