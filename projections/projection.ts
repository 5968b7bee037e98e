import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import type { SchemaModule, Transaction } from "kysely";

/** One step of a read model's tables; applied once, in order, before its first event. */
export interface Migration {
  name: string;
  up(schema: SchemaModule): Promise<void>;
}

/**
 * A read model: events in, rows out. It owns its tables alone, names them only through the query builder (never in raw SQL,
 * so that a rebuild can write to shadow tables), and handling an event twice leaves what handling it once left.
 */
export interface Projection<Tables extends object = object> {
  name: string;
  /** Every table it writes. */
  tables: readonly string[];
  /** Prefixes of the streams it listens to. */
  streams: readonly string[];
  /** Event types it understands; any other is skipped and counted. */
  events: readonly string[];
  /** Of those, the types after which deleted text must leave the disk at once. */
  purging?: readonly string[];
  migrations: readonly Migration[];
  /** Writes one event's rows. Throws when the event cannot be handled: the projection then stops at it, visibly. */
  apply(tx: Transaction<Tables>, event: StoredEvent): Promise<void>;
}
