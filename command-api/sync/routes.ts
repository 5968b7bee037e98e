import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { route, serve } from "@colloquy/infra/http/route.ts";
import { changesDecided, changesInProgress } from "@colloquy/infra/telemetry/metrics.ts";
import { pushChanges, recordEmbedded } from "@colloquy/schemas/contracts/sync.ts";
import { id } from "@colloquy/schemas/payload.ts";
import { type Change, change } from "@colloquy/schemas/sync/changes.ts";
import type { ChangeResult } from "@colloquy/schemas/sync/protocol.ts";
import type { Router } from "express";
import { z } from "zod";
import { type ChangeHandlers, refusal } from "./handlers.ts";

const named = z.object({ changeId: id });

/** Appends the changes of a device as events; idempotent. */
export function syncPushRoutes({ handlers }: { handlers: ChangeHandlers }): Router {
  return serve([
    route(pushChanges, async ({ account: { accountId }, body: { deviceId, changes }, requestId }) => {
      const { valid, results } = validate(changes);
      changesInProgress.inc(valid.length);
      const pushed = await handlers.push({ accountId, deviceId, requestId }, valid).finally(() => changesInProgress.dec(valid.length));
      for (const { outcome } of pushed.results) changesDecided.inc({ outcome });
      const decided = pushed.results.values();
      return {
        results: results.map((result) => result ?? decided.next().value).filter((result) => result !== undefined),
        position: pushed.position,
      };
    }),
  ]);
}

/**
 * The few changes that an embedded page on another site may record. Its token is valid for this route only: the push could rename or
 * delete conversations.
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

/** Separates valid changes from invalid ones. `results` has an entry per change: its refusal, or null for a valid change. */
function validate(changes: readonly unknown[]): { valid: Change[]; results: (ChangeResult | null)[] } {
  const valid: Change[] = [];
  const results = changes.map((given): ChangeResult | null => {
    // Without its id a change cannot get a result of its own: the whole request is invalid.
    const { changeId } = parse(named, given);
    try {
      valid.push(parse(change, given));
      return null;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return refusal(changeId, error);
    }
  });
  return { valid, results };
}
