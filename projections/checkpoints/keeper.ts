import type { Kysely, Transaction } from "kysely";
import { type Checkpoint, type CheckpointTables, type Move, moveCheckpoint, readCheckpoint } from "./tables.ts";

/** Where a runner keeps how far it has come. */
export interface CheckpointKeeper {
  read(): Promise<Checkpoint>;
  /** Moves it, in the transaction of the rows, from where the runner believes it to be. @throws {CheckpointLost} when it is elsewhere. */
  move(tx: Transaction<CheckpointTables>, move: Move): Promise<void>;
}

/** One checkpoint for a whole projection. */
export function projectionCheckpoint(database: Kysely<CheckpointTables>, name: string): CheckpointKeeper {
  return {
    read: () => readCheckpoint(database, name),
    move: (tx, move) => moveCheckpoint(tx, name, move),
  };
}
