import { consumerBytes, keptLatencies } from "../limits.ts";
import type { Message } from "./messages.ts";
import type { GroupSettings } from "./settings.ts";
import { strategyOf } from "./strategies.ts";

/** The consumers of a group and the messages they hold: who is free, who holds what, and until when. */
export interface Consumers {
  /** False when the group is full. */
  join(id: string, slots: number): boolean;
  /** The messages it held, in the order it was given them. */
  leave(id: string): Message[];
  ready(id: string, ready: boolean): void;
  has(id: string): boolean;
  count(): number;
  anyFree(): boolean;
  /** Gives a message to one that may take it now; its id, or null when there is none. */
  give(message: Message, now: number): string | null;
  /** Takes back a message that this consumer answered; null when it does not hold it. */
  release(id: string, messageId: string, now: number): Message | null;
  /** Who holds the message with this id. */
  holder(messageId: string): string | null;
  /** Takes back the messages that were not answered in time. */
  expired(now: number): Message[];
  nextDue(): number | null;
  inFlight(): number;
  list(): { id: string; slots: number; held: number; latencies: readonly number[] }[];
}

interface Consumer {
  id: string;
  slots: number;
  ready: boolean;
  free: boolean;
  /** By message id, in the order given. */
  held: Map<string, Message>;
  heldBytes: number;
  /** The latest times to an answer, in milliseconds. */
  latencies: number[];
}

interface Flight {
  message: Message;
  consumer: Consumer;
  since: number;
}

export function openConsumers(
  settings: Pick<GroupSettings, "strategy" | "maxSubscriberCount" | "messageTimeout" | "extraStatistics">,
): Consumers {
  const strategy = strategyOf(settings.strategy);
  const consumers = new Map<string, Consumer>();
  // In the order given, and so in the order they time out.
  const flights = new Map<string, Flight>();
  let free = 0;

  function count(consumer: Consumer): void {
    const is = consumer.ready && consumer.held.size < consumer.slots && consumer.heldBytes < consumerBytes;
    if (is !== consumer.free) free += is ? 1 : -1;
    consumer.free = is;
  }

  function changed(): void {
    strategy.changed(
      consumers,
      [...flights.values()].map(({ message }) => message.stream),
    );
  }

  function land({ message, consumer }: Flight): Message {
    flights.delete(message.id);
    consumer.held.delete(message.id);
    consumer.heldBytes -= message.bytes;
    count(consumer);
    return message;
  }

  const first = (): Flight | undefined => flights.values().next().value;

  return {
    join(id, slots) {
      if (settings.maxSubscriberCount > 0 && consumers.size >= settings.maxSubscriberCount) return false;
      const consumer = { id, slots, ready: true, free: false, held: new Map(), heldBytes: 0, latencies: [] };
      consumers.set(id, consumer);
      count(consumer);
      changed();
      return true;
    },
    leave(id) {
      const consumer = consumers.get(id);
      if (!consumer) return [];
      const held = [...consumer.held.values()];
      consumers.delete(id);
      for (const { id: messageId } of held) flights.delete(messageId);
      if (consumer.free) free -= 1;
      changed();
      return held;
    },
    ready(id, ready) {
      const consumer = consumers.get(id);
      if (!consumer) return;
      consumer.ready = ready;
      count(consumer);
    },
    has: (id) => consumers.has(id),
    count: () => consumers.size,
    anyFree: () => free > 0,
    give(message, now) {
      // Two events of `$all` may have one id; an answer must tell them apart, so the second waits for the first.
      if (flights.has(message.id)) return null;
      const consumer = strategy.choose(message.stream, consumers);
      if (!consumer) return null;
      consumer.held.set(message.id, message);
      consumer.heldBytes += message.bytes;
      flights.set(message.id, { message, consumer, since: now });
      count(consumer);
      return consumer.id;
    },
    release(id, messageId, now) {
      const flight = flights.get(messageId);
      if (flight?.consumer.id !== id) return null;
      if (settings.extraStatistics) {
        const { latencies } = flight.consumer;
        latencies.push(now - flight.since);
        if (latencies.length > keptLatencies) latencies.shift();
      }
      return land(flight);
    },
    holder: (messageId) => flights.get(messageId)?.consumer.id ?? null,
    expired(now) {
      const late: Message[] = [];
      if (settings.messageTimeout === 0) return late;
      for (let flight = first(); flight && flight.since + settings.messageTimeout <= now; flight = first()) late.push(land(flight));
      return late;
    },
    nextDue() {
      const flight = first();
      return flight && settings.messageTimeout > 0 ? flight.since + settings.messageTimeout : null;
    },
    inFlight: () => flights.size,
    list: () => [...consumers.values()].map(({ id, slots, held, latencies }) => ({ id, slots, held: held.size, latencies })),
  };
}
