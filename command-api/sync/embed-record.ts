import { parse } from "@colloquy/infra/http/problem.ts";
import { perAccount } from "@colloquy/infra/http/rate-limit.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { embedRecordRequest } from "@colloquy/schemas/embed/embed.ts";
import { noQuery, versioned } from "@colloquy/schemas/payload.ts";
import type { PushResponse } from "@colloquy/schemas/sync/protocol.ts";
import { Router } from "express";
import type { ChangeHandlers } from "./handlers.ts";

/**
 * `POST /api/embed/record`: the few changes that a page of another site may record, as a device's are. Its token opens this route and not
 * the sync command, with which a conversation could be renamed or deleted.
 */
export function embedRecordRoutes({ handlers }: { handlers: Pick<ChangeHandlers, "push"> }): Router {
  const limit = perAccount({ points: bounds.sync.pushesPerMinute, seconds: 60 });
  return Router().post("/api/embed/record", async (request, response) => {
    const { accountId } = requireAccount(request);
    parse(noQuery, request.query);
    const { conversationId, changes } = parse(embedRecordRequest, request.body);
    await limit(accountId);
    const { results, position } = await handlers.push(
      { accountId, deviceId: "embedded", requestId: request.id },
      changes.map((change) => ({ ...change, domain: "conversation" as const, entityId: conversationId })),
    );
    const body: PushResponse = versioned({ results, position });
    response.set("cache-control", "private, no-store").json(body);
  });
}
