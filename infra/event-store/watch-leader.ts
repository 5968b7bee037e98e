import type { EventStoreDBClient } from "@eventstore/db-client";
import { withTimeout } from "../with-timeout.ts";
import { readMembers } from "./server-calls.ts";

const askEveryMs = 2_000;
const silentMs = 3_000;

/**
 * Asks the node of a client, again and again, who leads the cluster, and calls `lost` once when it is silent or does not lead any more: a
 * subscription at a node that froze would hear nothing of it until the keep-alive, and at one that follows it would lag. Returns how to stop.
 */
export function watchLeader(client: EventStoreDBClient, lost: () => void): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const ask = async (): Promise<void> => {
    const isRight = await withTimeout(isAtLeader(client), silentMs, "The node is silent.").catch(() => false);
    if (stopped) return;
    if (isRight) wait();
    else lost();
  };
  const wait = (): void => {
    timer = setTimeout(() => void ask(), askEveryMs).unref();
  };
  wait();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** Whether the node leads, as it says itself; yes as well while nobody leads, and where it is not recognised. */
async function isAtLeader(client: EventStoreDBClient): Promise<boolean> {
  const members = await readMembers(client);
  const { getChannel } = client as unknown as { getChannel: () => Promise<{ getTarget(): string }> };
  const target = (await getChannel()).getTarget();
  const here = members.find(({ name, port }) => target === `${name}:${port}` || target.endsWith(`:${name}:${port}`));
  return !here || here.isLeader || !members.some(({ isLeader, isAlive }) => isLeader && isAlive);
}
