import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { perAccount } from "@colloquy/infra/http/rate-limit.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import { changesDecided, changesInHand } from "@colloquy/infra/telemetry/metrics.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { id, noQuery, payload, versioned } from "@colloquy/schemas/payload.ts";
import { type Change, change } from "@colloquy/schemas/sync/changes.ts";
import type { ChangeResult, PushResponse } from "@colloquy/schemas/sync/protocol.ts";
import { Router } from "express";
import { z } from "zod";
import { type ChangeHandlers, refusal } from "./handlers.ts";

/** The envelope alone: a change that is not valid gets its own result and does not hold up the others. */
const envelope = payload({ deviceId: id, changes: z.array(z.unknown()).min(1).max(bounds.sync.changesPerPush) });
const named = z.object({ changeId: id });

/** `POST /api/sync/push`: what a device did, as events. Sending it again is safe. */
export function syncPushRoutes({ handlers }: { handlers: ChangeHandlers }): Router {
  const limit = perAccount({ points: bounds.sync.pushesPerMinute, seconds: 60 });
  return Router().post("/api/sync/push", async (request, response) => {
    const { accountId } = requireAccount(request);
    parse(noQuery, request.query);
    const { deviceId, changes } = parse(envelope, request.body);
    await limit(accountId);
    const { valid, results } = sort(changes);
    changesInHand.inc(valid.length);
    const pushed = await handlers
      .push({ accountId, deviceId, requestId: request.id }, valid)
      .finally(() => changesInHand.dec(valid.length));
    for (const { outcome } of pushed.results) changesDecided.inc({ outcome });
    const taken = pushed.results.values();
    const body: PushResponse = versioned({
      results: results.map((result) => result ?? taken.next().value).filter((result) => result !== undefined),
      position: pushed.position,
    });
    response.set("cache-control", "private, no-store").json(body);
  });
}

/** Tells valid changes from others. `results` has an entry per change: its refusal, or null for one that is to be decided. */
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
