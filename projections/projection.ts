import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import type { SchemaModule, Transaction } from "kysely";

/** One step of a read model's tables; applied once, in order, before its first event. */
export interface Migration {
  name: string;
  up(schema: SchemaModule): Promise<void>;
}

/**
 * A read model: events in, rows out. Only it writes its tables. It names them, their indexes and constraints through the query builder and
 * never in raw SQL, so that a rebuild can write to shadow tables. Applying an event twice has the effect of applying it once.
 * It has no effect outside its tables, because a rebuild would repeat it.
 */
export interface Projection<Tables extends object = object> {
  name: string;
  /** Every table it writes; readers that read several in one transaction begin with the first. */
  tables: readonly string[];
  /** Prefixes of the streams it reads. */
  streams: readonly string[];
  /** Event types it applies; any other is skipped and counted. */
  events: readonly string[];
  migrations: readonly Migration[];
  /**
   * Writes the rows of events, in their order, with as few statements as it can. Throws if one of them cannot be applied: then they are
   * applied one at a time, and the projection stops at the event that fails alone.
   */
  apply(tx: Transaction<Tables>, events: readonly StoredEvent[]): Promise<void>;
}

/** The `apply` of a projection that applies events one by one, for streams with few events. */
export function oneByOne<Tables extends object>(apply: (tx: Transaction<Tables>, event: StoredEvent) => Promise<void>) {
  return async (tx: Transaction<Tables>, events: readonly StoredEvent[]): Promise<void> => {
    for (const event of events) await apply(tx, event);
  };
}

/** The account that an event belongs to. @throws {TypeError} if it names none */
export function accountOf({ metadata: { accountId } }: StoredEvent): string {
  if (!accountId) throw new TypeError("the event names no account");
  return accountId;
}
