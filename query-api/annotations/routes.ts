import { parse } from "@colloquy/infra/http/problem.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import { noQuery, versioned } from "@colloquy/schemas/payload.ts";
import type { AnnotatedResponse } from "@colloquy/schemas/sync/protocol.ts";
import { Router } from "express";
import { notModified } from "../courses/etag.ts";

/** `GET /api/annotations`: whether the account has annotated anything, so that a page opened before it had learns of it for next to nothing. */
export function annotationsRoutes({ annotates }: { annotates: (accountId: string) => Promise<boolean> }): Router {
  return Router().get("/api/annotations", async (request, response) => {
    const { accountId } = requireAccount(request);
    parse(noQuery, request.query);
    const annotated = await annotates(accountId);
    response.set("cache-control", "private, no-cache");
    if (notModified(request, response, accountId, String(annotated))) return;
    const body: AnnotatedResponse = versioned({ annotated });
    response.json(body);
  });
}
