import { StreamsService } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import { Server, type ServerCredentials, type ServerInterceptor, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { appendService } from "./append-service.ts";
import {
  featuresDefinition,
  featuresHandlers,
  type GossipMember,
  gossipDefinition,
  gossipHandlers,
  identity,
} from "./discovery-services.ts";
import type { GroupCommit } from "./group-commit.ts";
import { maximumMessageBytes } from "./limits.ts";
import { operationsDefinition, operationsHandlers } from "./operations-service.ts";
import { readService } from "./read-service.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { Guard } from "./security/open-security.ts";
import { sendWindow } from "./send-window.ts";
import type { Store } from "./store.ts";

/** Everything a node answers over gRPC. */
interface Node {
  store: Store;
  commits: GroupCommit;
  running: RunningCalls;
  guard: Guard;
  interceptors: ServerInterceptor[];
  /** The cluster as this node sees it. */
  members: () => readonly GossipMember[];
  /** Its address as it names itself. */
  name: () => string;
}

export function grpcServer({ store, commits, running, guard, interceptors, members, name }: Node): Server {
  const server = new Server({ "grpc.max_receive_message_length": maximumMessageBytes, interceptors: [...interceptors, sendWindow] });
  const streams = { ...appendService(commits, running, guard), read: readService(store, running, guard) };
  server.addService(streamsDefinition, streams as UntypedServiceImplementation);
  server.addService(featuresDefinition, featuresHandlers as UntypedServiceImplementation);
  server.addService(gossipDefinition, gossipHandlers(members) as UntypedServiceImplementation);
  server.addService(operationsDefinition, operationsHandlers(store, running, guard, name) as UntypedServiceImplementation);
  return server;
}

/** Binds to an address and returns the port. @throws Error */
export function bind(server: Server, address: string, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
}

/** The client's own definitions, answering with bytes we encode. */
const streamsDefinition = {
  read: { ...StreamsService.read, responseSerialize: identity },
  append: { ...StreamsService.append, responseSerialize: identity },
  batchAppend: { ...StreamsService.batchAppend, responseSerialize: identity },
  delete: { ...StreamsService.delete, responseSerialize: identity },
  tombstone: { ...StreamsService.tombstone, responseSerialize: identity },
};
