import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import type { SchemaModule, Transaction } from "kysely";

/** One step of a read model's tables; applied once, in order, before its first event. */
export interface Migration {
  name: string;
  up(schema: SchemaModule): Promise<void>;
}

/**
 * A read model: events in, rows out. It owns its tables alone and names them, their indexes and constraints only through the query
 * builder (never in raw SQL), so that a rebuild can write to shadow tables. Handling an event twice leaves what handling it once left.
 * It writes rows and nothing else: whatever has an effect outside its tables would happen again in a rebuild.
 */
export interface Projection<Tables extends object = object> {
  name: string;
  /** Every table it writes; readers that read several in one transaction begin with the first. */
  tables: readonly string[];
  /** Prefixes of the streams it listens to. */
  streams: readonly string[];
  /** Event types it understands; any other is skipped and counted. */
  events: readonly string[];
  migrations: readonly Migration[];
  /**
   * Writes the rows of events, which come in their order, in as few statements as it can. Throws when one of them cannot be handled:
   * they are then given one at a time, and the projection stops at the one that is refused alone, visibly.
   */
  apply(tx: Transaction<Tables>, events: readonly StoredEvent[]): Promise<void>;
}

/** The `apply` of a projection that handles events one by one: right where they are few. */
export function oneByOne<Tables extends object>(apply: (tx: Transaction<Tables>, event: StoredEvent) => Promise<void>) {
  return async (tx: Transaction<Tables>, events: readonly StoredEvent[]): Promise<void> => {
    for (const event of events) await apply(tx, event);
  };
}
