import { BACKWARDS, END, type EventStoreDBClient, StreamNotFoundError } from "@eventstore/db-client";
import { scavengeEvents, scavengesStream } from "./scavenge-events.ts";

/** When a node was last scavenged. */
export interface Scavenged {
  /** `host:port`, as the node calls itself. */
  node: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** How far back the list of scavenges is read. */
const mostRead = 200;

/** The last scavenge of each node that was completed without an error, newest first. @throws {AccessDeniedError} */
export async function lastScavenges(client: EventStoreDBClient, { requiresLeader }: { requiresLeader: boolean }): Promise<Scavenged[]> {
  const found = new Map<string, Scavenged>();
  const events = client.readStream(scavengesStream, {
    direction: BACKWARDS,
    fromRevision: END,
    maxCount: mostRead,
    resolveLinkTos: true,
    requiresLeader,
  });
  try {
    for await (const { event } of events) {
      if (event?.type !== scavengeEvents.completed) continue;
      const { nodeEndpoint, result } = event.data as { nodeEndpoint?: unknown; result?: unknown };
      const node = String(nodeEndpoint ?? "");
      if (isSuccess(result) && !found.has(node)) found.set(node, { node, at: event.created.getTime() });
    }
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw error;
  }
  return [...found.values()];
}

/** A result is written by its name, by older servers as a number. */
export const isSuccess = (result: unknown): boolean => result === 0 || /^success$/i.test(String(result));
