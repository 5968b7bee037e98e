import { route, serve } from "@colloquy/infra/http/route.ts";
import { eraseAccount } from "@colloquy/schemas/contracts/accounts.ts";
import type { Router } from "express";
import type { erasure } from "./erasure.ts";

/** Deletes everything the account owns, part by part. */
export function erasureRoutes({ erase }: { erase: ReturnType<typeof erasure> }): Router {
  return serve([route(eraseAccount, ({ account: { accountId }, body: { requestId } }) => erase({ accountId, requestId }))]);
}
