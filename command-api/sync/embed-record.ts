import { route, serve } from "@colloquy/infra/http/route.ts";
import { recordEmbedded } from "@colloquy/schemas/contracts/sync.ts";
import type { Router } from "express";
import type { ChangeHandlers } from "./handlers.ts";

/**
 * The few changes that a page of another site may record, as a device's are. Its token opens this route and not the push, with which a
 * conversation could be renamed or deleted.
 */
export function embedRecordRoutes({ handlers }: { handlers: Pick<ChangeHandlers, "push"> }): Router {
  return serve([
    route(recordEmbedded, ({ account: { accountId }, body: { conversationId, changes }, requestId }) =>
      handlers.push(
        { accountId, deviceId: "embedded", requestId },
        changes.map((change) => ({ ...change, domain: "conversation" as const, entityId: conversationId })),
      ),
    ),
  ]);
}
