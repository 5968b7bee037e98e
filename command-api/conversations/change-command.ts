import { eventIdFrom } from "@colloquy/infra/event-store/client.ts";
import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { type ConversationEvent, conversationEventTypes } from "@colloquy/schemas/events/conversation.ts";
import { schemaVersion } from "@colloquy/schemas/payload.ts";
import { type Change, type ConversationChangeType, conversationChangeData } from "@colloquy/schemas/sync/changes.ts";
import type { ChangeCommand } from "./decider.ts";

/**
 * Checks a change against the schema of its type and names the event it would become.
 * @throws {ProblemError} with the code the change is refused with.
 */
export function commandOf(accountId: string, change: Change): ChangeCommand {
  if (change.domain !== "conversation") throw new ProblemError("invalid_request");
  if (!isConversationChange(change.type)) throw new ProblemError("invalid_request");
  const text = JSON.stringify(change.data);
  if (Buffer.byteLength(text) > bounds.sync.changeBytes) throw new ProblemError("too_large");
  const data = parse(conversationChangeData[change.type], wellFormed(text, change.data));
  return {
    accountId,
    eventId: eventIdFrom(accountId, change.changeId),
    event: { type: conversationEventTypes[change.type], data: { schemaVersion, ...data } } as ConversationEvent,
  };
}

const isConversationChange = (type: string): type is ConversationChangeType => Object.hasOwn(conversationChangeData, type);

/** Text that every store can keep: an answer cut in the middle of a character, or one with a NUL in it, is mended instead of refused. */
function wellFormed(text: string, data: unknown): unknown {
  // JSON writes both as escapes, so one look at the text tells whether there is anything to mend.
  if (!/\\u(?:0000|d[89a-f])/i.test(text)) return data;
  return JSON.parse(text, (_key, value: unknown) => (typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : value));
}
