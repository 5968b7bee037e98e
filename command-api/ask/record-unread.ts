import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { AskRequest } from "@colloquy/schemas/ai/ask.ts";
import { recordOf, type TurnSoFar } from "@colloquy/schemas/ai/turn-so-far.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import type { ConversationHandlers } from "../conversations/handlers.ts";

/** Pauses before the store is tried again, in milliseconds. */
const pausesMs = [500, 2_000, 8_000, 30_000];

/**
 * Records a kept turn that nobody came back to, as the browser that asked would have: the same changes of the same content, so that
 * its own, should it turn up later, are duplicates.
 */
export function recordUnread(
  { handlers, log }: { handlers: ConversationHandlers; log: Logger },
  { accountId, asked, requestId }: { accountId: string; asked: AskRequest & { keep: NonNullable<AskRequest["keep"]> }; requestId: string },
): (turn: TurnSoFar) => Promise<void> {
  return async (turn) => {
    const changes = changesFor(asked, turn);
    if (changes.length === 0) return;
    for (const wait of [...pausesMs, null])
      try {
        const { results } = await handlers.push({ accountId, deviceId: "service", requestId }, changes);
        for (const { outcome, code } of results)
          if (outcome === "refused") log.info({ requestId, code }, "an unread turn was not recorded");
        return;
      } catch (error) {
        if (wait === null || !(error instanceof ProblemError)) return log.error({ err: error, requestId }, "an unread turn is lost");
        await pause(wait, undefined, { ref: false });
      }
  };
}

function changesFor({ keep, message }: AskRequest & { keep: NonNullable<AskRequest["keep"]> }, turn: TurnSoFar): Change[] {
  const { turnId, conversationId, started, replaces, at } = keep;
  const record = recordOf({ turnId, question: message, replaces }, turn);
  if (!record) return [];
  const change = (type: string, when: string, data: object): Change => ({
    changeId: createHash("sha256").update(`${turnId}/${type}`).digest("hex").slice(0, 40),
    domain: "conversation",
    entityId: conversationId,
    type,
    at: when,
    data: { ...data },
  });
  return [...(started ? [change("started", at, started)] : []), change("turn_recorded", new Date().toISOString(), record)];
}
