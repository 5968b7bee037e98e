import { type EventStore, type StoredEvent, WrongExpectedRevision } from "@colloquy/infra/event-store/client.ts";

/** Streams in memory, as far as command handlers use a store: thousands of sessions pass without a server. */
export function memoryStore(now: () => string): Pick<EventStore, "append" | "read" | "truncateBefore"> {
  const streams = new Map<string, StoredEvent[]>();
  let position = 0;
  return {
    async append(stream, events, expected) {
      const before = streams.get(stream) ?? [];
      const revision = before.length - 1;
      if (expected !== "any" && (expected === "none" ? -1 : expected) !== revision)
        throw new WrongExpectedRevision(stream, expected, revision < 0 ? "none" : revision);
      for (const event of events) {
        position += 1;
        before.push({ ...event, stream, revision: before.length, position: String(position), created: now() });
      }
      streams.set(stream, before);
      return { revision: before.length - 1, position: String(position) };
    },
    async *read(stream, { from = 0 } = {}) {
      yield* (streams.get(stream) ?? []).slice(from);
    },
    async truncateBefore() {
      // What was deleted is not asked for again here.
    },
  };
}
