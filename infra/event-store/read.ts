import { setTimeout as pause } from "node:timers/promises";
import { type EventStoreDBClient, type ResolvedEvent, StreamDeletedError, StreamNotFoundError } from "@eventstore/db-client";
import { Backoff } from "../backoff.ts";
import { type Connection, giveUpAfterMs, isPermanent } from "./connection.ts";
import { StoreUnavailable } from "./errors.ts";
import { type StoredEvent, storedEvent } from "./events.ts";
import { isAnswer, refusalOf } from "./refusal.ts";

type Read = ReturnType<EventStoreDBClient["readStream"]> | ReturnType<EventStoreDBClient["readAll"]>;
type Resolved = Pick<ResolvedEvent, "event" | "commitPosition">;

const stallCheckMs = 500;
const retryPauses = { firstMs: 25, longestMs: 400 };

/**
 * Reads at most `limit` events and resumes after the last one whenever the connection fails. `open` starts a read after `last` (null:
 * at the beginning) or returns null at the end. A missing stream has no events.
 * @throws {StoreUnavailable} when no event arrives for a few seconds
 */
export async function* readWithReconnects(
  connection: Connection,
  limit: number,
  open: (client: EventStoreDBClient, last: StoredEvent | null, maxCount: number) => Read | null,
): AsyncGenerator<StoredEvent, void, void> {
  let last: StoredEvent | null = null;
  let left = limit;
  let progressAt = Date.now();
  const backoff = new Backoff(retryPauses);
  for (;;) {
    const client = await connection.client();
    const read = left > 0 ? open(client, last, left) : null;
    if (!read) return;
    let waitingSince: number | null = Date.now();
    const stalled = setInterval(() => {
      if (waitingSince !== null && Date.now() - waitingSince > giveUpAfterMs)
        read.destroy(new Error(`Nothing came for ${giveUpAfterMs} ms.`));
    }, stallCheckMs);
    let pauseMs = 0;
    try {
      for await (const { event, commitPosition } of read as AsyncIterable<Resolved>) {
        waitingSince = null;
        if (event) {
          last = storedEvent(event, commitPosition);
          left -= 1;
          backoff.reset();
          yield last;
        }
        waitingSince = progressAt = Date.now();
      }
      if (left === 0 || connection.isOpen(client)) return;
      throw new Error("The connection was lost during this read.");
    } catch (error) {
      if (error instanceof StreamNotFoundError || error instanceof StreamDeletedError) return;
      if (isPermanent(error)) throw error;
      if (!isAnswer(error)) connection.discard(client);
      pauseMs = backoff.nextMs();
      if (Date.now() + pauseMs - progressAt >= giveUpAfterMs)
        throw new StoreUnavailable(refusalOf(error) ?? "The event store cannot be reached.", { cause: error });
    } finally {
      clearInterval(stalled);
      // A caller may stop early, so the call is cancelled. Cancelling fails, harmlessly, if the call never began.
      void read.cancel().catch(() => {});
    }
    await pause(pauseMs);
  }
}
