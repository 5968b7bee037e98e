import { route, serve } from "@colloquy/infra/http/route.ts";
import { readMe } from "@colloquy/schemas/contracts/accounts.ts";
import type { Router } from "express";

/** Needs the `session` middleware before it. The account is in the session, so it waits for no read model. */
export const meRoutes = (): Router => serve([route(readMe, ({ account }) => ({ account }))]);
