import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { route, serve } from "@colloquy/infra/http/route.ts";
import { changesDecided, changesInProgress } from "@colloquy/infra/telemetry/metrics.ts";
import { pushChanges } from "@colloquy/schemas/contracts/sync.ts";
import { id } from "@colloquy/schemas/payload.ts";
import { type Change, change } from "@colloquy/schemas/sync/changes.ts";
import type { ChangeResult } from "@colloquy/schemas/sync/protocol.ts";
import type { Router } from "express";
import { z } from "zod";
import { type ChangeHandlers, refusal } from "./handlers.ts";

const named = z.object({ changeId: id });

/** Appends what a device did as events. Sending it again is safe. */
export function syncPushRoutes({ handlers }: { handlers: ChangeHandlers }): Router {
  return serve([
    route(pushChanges, async ({ account: { accountId }, body: { deviceId, changes }, requestId }) => {
      const { valid, results } = sort(changes);
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

/** Separates valid changes from others. `results` has an entry per change: its refusal, or null for one that is to be decided. */
function sort(changes: readonly unknown[]): { valid: Change[]; results: (ChangeResult | null)[] } {
  const valid: Change[] = [];
  const results = changes.map((given): ChangeResult | null => {
    // A change that cannot be named cannot be answered for: the whole request is wrong then.
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
