import { BACKWARDS, END, StreamDeletedError, StreamNotFoundError } from "@eventstore/db-client";
import type { Connection } from "./connection.ts";

/** Streams whose limits one read remembers. */
const mostStreams = 10_000;

/**
 * Asks whether an event of `$all` is hidden by its stream: behind a truncation, deleted or tombstoned. EventStoreDB shows such events in `$all`
 * until a scavenge; the embedded store has wiped them. Asks once for each stream.
 */
export function hiddenByStream(connection: Connection): (event: { stream: string; revision: number }) => Promise<boolean> {
  const known = new Map<string, Promise<number>>();
  return async ({ stream, revision }) => {
    const before = known.get(stream) ?? connection.attempt((client) => shownFrom(client, stream, connection.isCluster));
    if (known.size >= mostStreams) known.clear();
    known.set(stream, before);
    return revision < (await before);
  };
}

type Client = Parameters<Parameters<Connection["attempt"]>[0]>[0];

/** The first revision that a stream may show. */
async function shownFrom(client: Client, stream: string, requiresLeader: boolean): Promise<number> {
  const metadata = client.readStream(`$$${stream}`, { direction: BACKWARDS, fromRevision: END, maxCount: 1, requiresLeader });
  try {
    for await (const { event } of metadata) {
      const { $tb } = (event?.data ?? {}) as { $tb?: unknown };
      return typeof $tb === "number" ? $tb : 0;
    }
    return 0;
  } catch (error) {
    if (error instanceof StreamDeletedError) return Number.POSITIVE_INFINITY;
    if (error instanceof StreamNotFoundError) return 0;
    throw error;
  }
}
