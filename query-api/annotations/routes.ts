import { route, sent, serve } from "@colloquy/infra/http/route.ts";
import { readAnnotated } from "@colloquy/schemas/contracts/annotations.ts";
import type { Router } from "express";
import { notModified } from "../etag.ts";

/** Whether the account has annotations, for pages that were opened before it had any. */
export function annotationsRoutes({ annotates }: { annotates: (accountId: string) => Promise<boolean> }): Router {
  return serve([
    route(readAnnotated, async ({ account: { accountId }, request, response }) => {
      const annotated = await annotates(accountId);
      return notModified(request, response, accountId, String(annotated)) ? sent : { annotated };
    }),
  ]);
}
