import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import type { ConversationEvent } from "@colloquy/schemas/conversations/events.ts";

type Data<Type extends ConversationEvent["type"]> = Omit<Extract<ConversationEvent, { type: Type }>["data"], "schemaVersion">;

/** Streams for tests, written by hand: revisions and positions count up as a store's would. */
export function streamsOf(accountId: string) {
  const revisions = new Map<string, number>();
  let position = 0;
  return function event<Type extends ConversationEvent["type"]>(conversation: string, type: Type, data: Data<Type>): StoredEvent {
    const stream = `conversation-${conversation}`;
    const revision = (revisions.get(stream) ?? -1) + 1;
    revisions.set(stream, revision);
    position += 7;
    const created = new Date(Date.UTC(2026, 0, 1) + position * 1_000).toISOString();
    return {
      id: `00000000-0000-4000-8000-${String(position).padStart(12, "0")}`,
      type,
      data: { schemaVersion: 1, ...data },
      metadata: { accountId, requestId: `change-${position}`, correlationId: `request-${position}`, deviceId: "device-1", at: created },
      stream,
      revision,
      position: String(position),
      created,
    };
  };
}

export const opening = (title: string): Data<"ConversationStarted"> => ({
  mode: "ask",
  model: { choice: "automatic" },
  references: [],
  title,
});

export const turn = (turnId: string, question: string, answer: string, replaces?: string): Data<"TurnRecorded"> => ({
  turnId,
  question,
  answer,
  citations: [],
  outcome: "finished",
  provider: "p1",
  model: "some-model",
  fallbackDepth: 0,
  ...(replaces !== undefined && { replaces }),
});
