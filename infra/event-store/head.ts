import { BACKWARDS, END, type EventStoreDBClient, FORWARDS } from "@eventstore/db-client";
import type { Connection } from "./connection.ts";
import { StoreIsOlder } from "./errors.ts";
import type { SeenEvent } from "./events.ts";
import { isNotThere } from "./refusal.ts";

/** Position of the last event, including the store's own; null in an empty store. @throws when the connection fails meanwhile */
export async function lastPosition(connection: Connection, client: EventStoreDBClient): Promise<string | null> {
  let position: string | null = null;
  for await (const { event } of client.readAll({
    direction: BACKWARDS,
    fromPosition: END,
    maxCount: 1,
    requiresLeader: connection.isCluster,
  }))
    position = event ? String(event.position.commit) : null;
  // A read of a discarded client ends as if there were nothing.
  if (position === null && !connection.isOpen(client)) throw new Error("The connection was lost while the last event was read.");
  return position;
}

/**
 * A restored store may have grown past a reader's position since; then another event is at the position of one that the reader handled, or
 * none begins there. If the event was deleted since, the check passes.
 * @throws {StoreIsOlder}
 */
export async function assertSameStore(
  { isCluster }: Pick<Connection, "isCluster">,
  client: EventStoreDBClient,
  { position, id }: SeenEvent,
): Promise<void> {
  const commit = BigInt(position);
  const fromPosition = { commit, prepare: commit };
  try {
    for await (const { event } of client.readAll({ direction: FORWARDS, fromPosition, maxCount: 1, requiresLeader: isCluster }))
      if (event?.position.commit === commit && event.id !== id) throw new StoreIsOlder(position, "elsewhere");
  } catch (error) {
    throw isNotThere(error) ? new StoreIsOlder(position, "elsewhere") : error;
  }
}
