import { GossipService } from "@eventstore/db-client/generated/gossip_grpc_pb.js";
import { ServerFeaturesService } from "@eventstore/db-client/generated/serverfeatures_grpc_pb.js";
import type { sendUnaryData } from "@grpc/grpc-js";
import { message, number, whole } from "./wire.ts";

/** How a client learns what this server is: its version and methods (ServerFeatures), and that it stands alone (Gossip). */

/** The EventStoreDB whose protocol this is, as far as it goes. */
const serverVersion = "23.10.0";
const streams = "event_store.client.streams.streams";
const methods: { service: string; method: string; features: string[] }[] = [
  { service: streams, method: "read", features: ["position", "events"] },
  { service: streams, method: "append", features: [] },
  { service: streams, method: "batchappend", features: [] },
  { service: streams, method: "delete", features: [] },
  { service: streams, method: "tombstone", features: [] },
  { service: "event_store.client.gossip.gossip", method: "read", features: [] },
  { service: "event_store.client.server_features.serverfeatures", method: "getsupportedmethods", features: [] },
];

const supportedMethods = whole(
  ...methods.map(({ service, method, features }) =>
    message(1, message(1, method), message(2, service), ...features.map((feature) => message(3, feature))),
  ),
  message(2, serverVersion),
);

const leader = 8;
const ticksPerMillisecond = 10_000n;

/** Lets a handler answer with bytes it has encoded itself. */
export const identity = (bytes: Buffer): Buffer => bytes;

export const featuresDefinition = {
  getSupportedMethods: { ...ServerFeaturesService.getSupportedMethods, responseSerialize: identity },
};
export const featuresHandlers = {
  getSupportedMethods: (_call: unknown, callback: sendUnaryData<Buffer>): void => callback(null, supportedMethods),
};

export const gossipDefinition = { read: { ...GossipService.read, responseSerialize: identity } };

/** A node of a cluster, as gossip tells of it. */
export interface GossipMember {
  instance: string;
  state: number;
  isAlive: boolean;
  host: string;
  port: number;
}

/** One member, alive, the leader of itself. */
export function aloneAt({ host, port }: { host: string; port: () => number }): () => GossipMember[] {
  const instance = crypto.randomUUID();
  return () => [{ instance, state: leader, isAlive: true, host, port: port() }];
}

export const gossipHandlers = (members: () => readonly GossipMember[]) => ({
  read(_call: unknown, callback: sendUnaryData<Buffer>): void {
    const told = members().map(({ instance, state, isAlive, host, port }) =>
      message(
        1,
        message(1, message(2, instance)),
        number(2, BigInt(Date.now()) * ticksPerMillisecond),
        number(3, state),
        number(4, isAlive ? 1 : 0),
        message(5, message(1, host), number(2, port)),
      ),
    );
    callback(null, whole(...told));
  },
});
