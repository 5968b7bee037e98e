import { OperationsService } from "@eventstore/db-client/generated/operations_grpc_pb.js";
import type { Metadata, sendUnaryData } from "@grpc/grpc-js";
import { scavengeEvents, scavengeStream, scavengesStream } from "../scavenge-events.ts";
import { identity } from "./discovery-services.ts";
import { accessDenied, shuttingDown } from "./errors.ts";
import type { ProposedEvent } from "./records.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { Guard } from "./security/open-security.ts";
import type { Store } from "./store.ts";
import { uuidBytes } from "./uuid.ts";
import { message, number, whole } from "./wire.ts";

/** The one operation of EventStoreDB's that this server has: a scavenge, done and recorded when the call is answered. */

export const operationsDefinition = { startScavenge: { ...OperationsService.startScavenge, responseSerialize: identity } };

const started = 0;

export function operationsHandlers(store: Store, running: RunningCalls, guard: Guard, node: () => string) {
  const append = (stream: string, event: Omit<ProposedEvent, "id" | "metadata">): number => {
    const id = uuidBytes(crypto.randomUUID()) ?? new Uint8Array(0);
    const [outcome] = store.writeAll([
      { kind: "append", stream, expected: "any", events: [{ ...event, id, metadata: new Uint8Array(0) }] },
    ]);
    if (outcome?.kind === "failed") throw outcome.error;
    return outcome?.kind === "written" ? outcome.revision : -1;
  };
  const record = (id: string, type: string, data: object): void => {
    const text = Buffer.from(JSON.stringify({ scavengeId: id, nodeEndpoint: node(), ...data }));
    const revision = append(scavengeStream(id), { type, json: true, data: text });
    append(scavengesStream, { type: "$>", json: false, data: Buffer.from(`${revision}@${scavengeStream(id)}`) });
  };
  return {
    startScavenge({ metadata }: { metadata: Metadata }, callback: sendUnaryData<Buffer>): void {
      if (running.stopping()) return void callback(shuttingDown());
      if (!guard.may(metadata, "write", scavengesStream)) return void callback(accessDenied());
      const id = crypto.randomUUID();
      try {
        record(id, scavengeEvents.started, {});
        const spaceSaved = store.scavenge();
        record(id, scavengeEvents.completed, { result: "Success", error: null, spaceSaved });
        callback(null, whole(message(1, id), number(2, started)));
      } catch (error) {
        callback({ name: "Error", message: error instanceof Error ? error.message : String(error) });
      }
    },
  };
}
