import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { EventStoreDBClient, jsonEvent } from "@eventstore/db-client";
import { logVerbosity, setLogVerbosity } from "@grpc/grpc-js";
import { startEventStore } from "../embedded/server.ts";
import { openPlayer } from "./player.ts";
import type { Operation, Outcome } from "./recording.ts";

/** A thread that plays sequences on a store of its own, or on one at an address. The client keeps one table of appends per module, hence a thread. */
export interface PlayerData {
  /** Null starts an embedded store. */
  url: string | null;
  strict: boolean;
  run: string;
}

export type PlayRequest = { id: number; ops: Operation[] } | "close";
export type PlayAnswer = { id: number; outcomes: Outcome[] } | { id: number; failed: string };

setLogVerbosity(logVerbosity.NONE);
// What the client emits where nobody can listen any more (a read that was left early, say) does not end the run.
process.on("uncaughtException", () => undefined);
process.on("unhandledRejection", () => undefined);

const { url, strict, run } = workerData as PlayerData;
const folder = url ? null : mkdtempSync(join(tmpdir(), "colloquy-comparison-"));
const store = folder ? await startEventStore({ dataDir: folder, port: 0, insecure: true, strict }) : null;
if (store) await fill(store.url);
const player = openPlayer(url ?? store?.url ?? "", run);

/** The recordings were made on a store in use: something stands before the first sequence. */
async function fill(address: string): Promise<void> {
  const client = EventStoreDBClient.connectionString(address);
  await client.appendToStream(
    "before-the-first",
    Array.from({ length: 100 }, (_, number) => jsonEvent({ type: "Before", data: { number } })),
  );
  await client.dispose();
}

parentPort?.on("message", async (request: PlayRequest) => {
  if (request === "close") {
    await player.close();
    await store?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  }
  const { id, ops } = request;
  const answer = await player.play(ops).then(
    (outcomes): PlayAnswer => ({ id, outcomes }),
    (error: unknown): PlayAnswer => ({ id, failed: String(error) }),
  );
  parentPort?.postMessage(answer);
});
