import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { AskRequest } from "@colloquy/schemas/ask/ask.ts";
import { recordOf, type TurnSoFar } from "@colloquy/schemas/ask/turn-so-far.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import type { ChangeHandlers } from "../sync/handlers.ts";
import type { ConversationStart } from "./conversation-starts.ts";
import type { TurnDescription } from "./running-turns.ts";

/** Pauses before the store is tried again, in milliseconds. */
const usualPausesMs = [500, 2_000, 8_000, 30_000];

/**
 * Records a kept turn that nobody came back to, as the browser that asked would have: the same changes of the same content, so that
 * its own, should it turn up later, are duplicates. An earlier turn that its device has not sent yet holds up nothing: the conversation
 * is begun with what its device told, and the earlier turn stands behind this one when it comes, in the order of the stream.
 */
export function recordUnread(
  { handlers, log, pausesMs = usualPausesMs }: { handlers: Pick<ChangeHandlers, "push">; log: Logger; pausesMs?: number[] },
  { accountId, asked, requestId }: { accountId: string; asked: AskRequest & { keep: NonNullable<AskRequest["keep"]> }; requestId: string },
): NonNullable<TurnDescription["recordUnread"]> {
  return async (turn, start) => {
    const changes = changesFor(asked, turn, start);
    const recorded = changes.at(-1);
    if (!recorded) return;
    for (const wait of [...pausesMs, null])
      try {
        const { results } = await handlers.push({ accountId, deviceId: "service", requestId }, changes);
        const refused = results.find(({ changeId, outcome }) => changeId === recorded.changeId && outcome === "refused");
        // What it stands for may be in its device's outbox still.
        if (refused?.code === "invalid_request" && asked.keep.replaces && wait !== null) {
          await pause(wait, undefined, { ref: false });
          continue;
        }
        if (refused) log.info({ requestId, code: refused.code }, "an unread turn was not recorded");
        return;
      } catch (error) {
        // Whatever it is may pass: what a learner has asked is not given up at the first error that nobody foresaw.
        if (wait === null) return log.error({ err: error, requestId }, "an unread turn is lost");
        await pause(wait, undefined, { ref: false });
      }
  };
}

function changesFor(
  { keep, message }: AskRequest & { keep: NonNullable<AskRequest["keep"]> },
  turn: TurnSoFar,
  start: ConversationStart | undefined,
): Change[] {
  const { turnId, conversationId, replaces } = keep;
  const record = recordOf({ turnId, question: message, replaces }, turn);
  if (!record) return [];
  const change = (key: string, type: string, when: string, data: object): Change => ({
    changeId: createHash("sha256").update(`${key}/${type}`).digest("hex").slice(0, 40),
    domain: "conversation",
    entityId: conversationId,
    type,
    at: when,
    data: { ...data },
  });
  // Told by this turn or an earlier one: where the conversation is there already, it is a duplicate.
  const started = start ? [change(conversationId, "started", start.at, start.started)] : [];
  return [...started, change(turnId, "turn_recorded", new Date().toISOString(), record)];
}
