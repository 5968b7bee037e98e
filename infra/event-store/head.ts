import { BACKWARDS, END, type EventStoreDBClient } from "@eventstore/db-client";
import type { Connection } from "./connection.ts";

/** Position of the last event there is, the store's own included; null in an empty store. @throws when the connection fails meanwhile. */
export async function lastPosition(connection: Connection, client: EventStoreDBClient): Promise<string | null> {
  let position: string | null = null;
  for await (const { event } of client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }))
    position = event ? String(event.position.commit) : null;
  // A read whose client is put away ends as if there were nothing.
  if (position === null && !connection.isOpen(client)) throw new Error("The connection was given up while the last event was looked for.");
  return position;
}
