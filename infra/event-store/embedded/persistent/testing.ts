import {
  jsonEvent,
  type PersistentAction,
  type PersistentSubscriptionToStreamResolvedEvent,
  type ResolvedEvent,
} from "@eventstore/db-client";

/** What the tests of persistent subscriptions share. */

export const noted = (number: number) => jsonEvent({ type: "Noted", data: { number } });

/** An event as the client gives it, of a stream or of `$all`. */
export type Got = PersistentSubscriptionToStreamResolvedEvent;
export const numberOf = ({ event }: ResolvedEvent): number => (event?.data as { number: number } | undefined)?.number ?? -1;

/** A persistent subscription of the client, to a stream or to `$all`. */
export interface Subscription {
  ack(...events: ResolvedEvent[]): Promise<void>;
  nack(action: PersistentAction, reason: string, ...events: ResolvedEvent[]): Promise<void>;
  unsubscribe(): Promise<void>;
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  once(event: string, listener: (...values: unknown[]) => void): unknown;
}

export interface Consumer {
  subscription: Subscription;
  /** Everything it was given. */
  got: Got[];
  numbers(): number[];
  confirmed: Promise<void>;
  /** Resolves once it was given so much, or what holds. */
  until(enough: number | ((got: Got[]) => boolean)): Promise<Got[]>;
  /** The error that ended it. */
  failed: Promise<Error>;
}

/** Listens to a persistent subscription, answering each event as told; without, nothing is answered. */
export function consume(subscription: Subscription, answer: (got: Got, subscription: Subscription) => unknown = () => {}): Consumer {
  const got: Got[] = [];
  const waiting = new Set<() => void>();
  const confirmed = new Promise<void>((resolve) => subscription.once("confirmation", () => resolve()));
  const failed = new Promise<Error>((resolve) => subscription.once("error", (error) => resolve(error as Error)));
  subscription.on("data", (given) => {
    const event = given as Got;
    got.push(event);
    answer(event, subscription);
    for (const check of waiting) check();
  });
  return {
    subscription,
    got,
    numbers: () => got.map(numberOf),
    confirmed,
    failed,
    until: (enough) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (typeof enough === "number" ? got.length < enough : !enough(got)) return;
          waiting.delete(check);
          resolve(got);
        };
        waiting.add(check);
        check();
      }),
  };
}

/** Answers everything with an acknowledgement. */
export const acknowledge = (event: Got, subscription: Subscription): Promise<void> => subscription.ack(event);

const pauseMs = 10;

/** Asks again and again, with pauses, until it is so. */
export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
