import { setTimeout as pause } from "node:timers/promises";
import { type EventStoreDBClient, START, StreamNotFoundError } from "@eventstore/db-client";
import { status } from "@grpc/grpc-js";
import { addressOfNode } from "./address.ts";
import { type Connection, openConnection } from "./connection.ts";
import { scavengeEvents, scavengeStream } from "./scavenge-events.ts";
import { isSuccess } from "./scavenges.ts";
import { readMembers, startScavenge } from "./server-calls.ts";

/** A node could not be scavenged; the message says why. */
export class ScavengeFailed extends Error {
  override name = "ScavengeFailed";
}

/** How often its record is read, in milliseconds. */
const lookMs = 500;

/** Scavenges each node in turn and tells its progress in lines. @throws {ScavengeFailed} {StoreUnavailable} */
export async function scavenge(url: string, say: (line: string) => void): Promise<void> {
  const connection = openConnection(url);
  try {
    const members = connection.isCluster ? await connection.attempt(readMembers) : [];
    if (members.length === 0) return await scavengeNode("the event store", connection, connection, say);
    for (const { name, port, isAlive } of members) {
      const node = `${name}:${port}`;
      if (!isAlive) throw new ScavengeFailed(`${node} is not alive. Start it and run this again: each node keeps its own files.`);
      const own = openConnection(addressOfNode(url, { name, port }));
      try {
        await scavengeNode(node, own, connection, say);
      } finally {
        await own.close();
      }
    }
  } finally {
    await connection.close();
  }
}

/** @param records reads what is written about it, by whichever node leads */
async function scavengeNode(node: string, own: Connection, records: Connection, say: (line: string) => void): Promise<void> {
  const { id, isNew } = await own.attempt(startScavenge).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === status.PERMISSION_DENIED)
      throw new ScavengeFailed(`${node}: only a user of $ops or $admins may start a scavenge.`);
    throw error;
  });
  say(`${node}: scavenge ${id} ${isNew ? "has begun" : "runs already"}`);
  let next = 0n;
  for (;;) {
    const { lines, end, read } = await records.attempt((client) => readRecord(client, id, next, records.isCluster));
    next += read;
    for (const line of lines) say(`${node}: ${line}`);
    if (end) {
      if (!end.isSuccess) throw new ScavengeFailed(`${node}: the scavenge ended without success (${end.why}). See the event store's log.`);
      return;
    }
    await pause(lookMs);
  }
}

interface Progress {
  lines: string[];
  end: { isSuccess: boolean; why: string } | null;
  read: bigint;
}

async function readRecord(client: EventStoreDBClient, id: string, from: bigint, requiresLeader: boolean): Promise<Progress> {
  const progress: Progress = { lines: [], end: null, read: 0n };
  try {
    const events = client.readStream(scavengeStream(id), { fromRevision: from === 0n ? START : from, maxCount: 1_000, requiresLeader });
    for await (const { event } of events) {
      progress.read += 1n;
      if (!event) continue;
      const told = (event.data ?? {}) as Record<string, unknown>;
      const saved = `${(Number(told.spaceSaved ?? 0) / 1_000_000).toFixed(1)} MB freed`;
      if (event.type === scavengeEvents.chunksDone)
        progress.lines.push(`chunks ${Number(told.chunkStartNumber)}–${Number(told.chunkEndNumber)} done, ${saved}`);
      if (event.type === scavengeEvents.indexDone) progress.lines.push(`index table ${Number(told.level)}/${Number(told.index)} done`);
      if (event.type !== scavengeEvents.completed) continue;
      progress.end = { isSuccess: isSuccess(told.result), why: String(told.error || told.result) };
      if (progress.end.isSuccess) progress.lines.push(`done, ${saved}`);
    }
  } catch (error) {
    // The record begins a moment after the scavenge.
    if (!(error instanceof StreamNotFoundError)) throw error;
  }
  return progress;
}
