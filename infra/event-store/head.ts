import { BACKWARDS, END, type EventStoreDBClient, FORWARDS } from "@eventstore/db-client";
import type { Connection } from "./connection.ts";
import { StoreIsOlder } from "./errors.ts";
import type { SeenEvent } from "./events.ts";

/** Position of the last event there is, the store's own included; null in an empty store. @throws when the connection fails meanwhile. */
export async function lastPosition(connection: Connection, client: EventStoreDBClient): Promise<string | null> {
  let position: string | null = null;
  for await (const { event } of client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }))
    position = event ? String(event.position.commit) : null;
  // A read whose client is put away ends as if there were nothing.
  if (position === null && !connection.isOpen(client)) throw new Error("The connection was given up while the last event was looked for.");
  return position;
}

/**
 * A store that was set back may have grown past where a reader was: then another event stands at the place of one it has handled. Where
 * none can be read any more, because its text was deleted since, nothing is known.
 * @throws {StoreIsOlder}
 */
export async function assertSameStore(client: EventStoreDBClient, { position, id }: SeenEvent): Promise<void> {
  const commit = BigInt(position);
  const reading = client.readAll({ direction: FORWARDS, fromPosition: { commit, prepare: commit }, maxCount: 1 });
  for await (const { event } of reading)
    if (event?.position.commit === commit && event.id !== id) throw new StoreIsOlder(position, "elsewhere");
}
