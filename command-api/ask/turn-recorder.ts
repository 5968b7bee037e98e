import { createHash } from "node:crypto";
import { rethrowRetryable } from "@colloquy/infra/backoff.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { AskRequest } from "@colloquy/schemas/ask/ask.ts";
import { recordedTurnOf, type TurnProgress } from "@colloquy/schemas/ask/turn-progress.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import pRetry from "p-retry";
import type { ChangeHandlers } from "../sync/handlers.ts";
import type { ConversationStart, TurnDescription } from "./running-turns.ts";

type KeptRequest = AskRequest & { keep: NonNullable<AskRequest["keep"]> };

/** Pauses of half a second to half a minute between attempts. */
const recordingRetry = { retries: 4, minTimeout: 500, maxTimeout: 30_000, factor: 4 };

/**
 * Records a kept turn as the client that asked would have: with the same change ids and content, so that the client's own changes are
 * duplicates. It does not wait for earlier turns that the client has not pushed yet: the conversation is started with the start that the
 * client sent, and the earlier turns follow in the stream when they are pushed.
 */
export function turnRecorder(
  { handlers, log, retry = recordingRetry }: { handlers: Pick<ChangeHandlers, "push">; log: Logger; retry?: typeof recordingRetry },
  { accountId, asked, requestId }: { accountId: string; asked: KeptRequest; requestId: string },
): NonNullable<TurnDescription["record"]> {
  return async (turn, start) => {
    const changes = changesFor(asked, turn, start);
    const recorded = changes.at(-1);
    if (!recorded) return;
    const attempt = async (): Promise<void> => {
      const { results } = await handlers.push({ accountId, deviceId: "service", requestId }, changes);
      const refused = results.find(({ changeId, outcome }) => changeId === recorded.changeId && outcome === "refused");
      if (!refused) return;
      // The turn that this one replaces may still be in its device's outbox.
      if (refused.code === "invalid_request" && asked.keep.replaces) throw new ReplacedTurnMissing(refused.code);
      log.info({ requestId, code: refused.code }, "a kept turn was not recorded");
    };
    try {
      // Every error is retried, also one that p-retry takes for a defect: the learner's turn would be lost.
      await pRetry(() => attempt().catch(rethrowRetryable), { ...retry, unref: true });
    } catch (error) {
      if (error instanceof ReplacedTurnMissing) log.info({ requestId, code: error.message }, "a kept turn was not recorded");
      else log.error({ err: error, requestId }, "a kept turn is lost");
    }
  };
}

class ReplacedTurnMissing extends Error {}

function changesFor({ keep, message }: KeptRequest, turn: TurnProgress, start: ConversationStart | undefined): Change[] {
  const { turnId, conversationId, replaces } = keep;
  const record = recordedTurnOf({ turnId, question: message, replaces }, turn);
  if (!record) return [];
  const change = (key: string, type: string, when: string, data: object): Change => ({
    changeId: createHash("sha256").update(`${key}/${type}`).digest("hex").slice(0, 40),
    domain: "conversation",
    entityId: conversationId,
    type,
    at: when,
    data: { ...data },
  });
  // A duplicate where the conversation is started already.
  const started = start ? [change(conversationId, "started", start.at, start.started)] : [];
  return [...started, change(turnId, "turn_recorded", new Date().toISOString(), record)];
}
