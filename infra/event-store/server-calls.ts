import type { EventStoreDBClient } from "@eventstore/db-client";
import { GossipClient } from "@eventstore/db-client/generated/gossip_grpc_pb.js";
import gossip from "@eventstore/db-client/generated/gossip_pb.js";
import { OperationsClient } from "@eventstore/db-client/generated/operations_grpc_pb.js";
import operations from "@eventstore/db-client/generated/operations_pb.js";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import type { CallOptions, Client, Metadata, ServiceError } from "@grpc/grpc-js";

/** What the official client can ask a server but does not offer: its version, its cluster, a scavenge. */

/** A node as the cluster's gossip tells of it. */
export interface Member {
  name: string;
  port: number;
  isAlive: boolean;
  isLeader: boolean;
  isFollower: boolean;
  /** Whether it counts for a quorum. */
  isVoter: boolean;
}

interface Inner {
  capabilities: Promise<{ serverVersion: string }>;
  execute<Service extends Client, Result>(
    service: new (address: string, ...rest: never[]) => Service,
    name: string,
    call: (service: Service) => Promise<Result>,
  ): Promise<Result>;
  callArguments(options: object): [Metadata, CallOptions];
}
const inner = (client: EventStoreDBClient): Inner => client as unknown as Inner;

type Answer<Result> = (error: ServiceError | null, result: Result) => void;
const answered = <Result>(call: (answer: Answer<Result>) => void): Promise<Result> =>
  new Promise((resolve, reject) => call((error, result) => (error ? reject(error) : resolve(result))));

/** Such as `23.10.5`; "unknown" from a server that does not say. */
export const serverVersion = async (client: EventStoreDBClient): Promise<string> => (await inner(client).capabilities).serverVersion;

const states = gossip.MemberInfo.VNodeState;
const notVoting: number[] = [states.MANAGER, states.READONLYLEADERLESS, states.PREREADONLYREPLICA, states.READONLYREPLICA];

/** The nodes, as the one that is asked sees them; a store that stands alone is its own leader. */
export async function readMembers(client: EventStoreDBClient): Promise<Member[]> {
  const info = await inner(client).execute(GossipClient, "readMembers", (service) =>
    answered<InstanceType<typeof gossip.ClusterInfo>>(
      (answer) => void service.read(new shared.Empty(), ...inner(client).callArguments({}), answer),
    ),
  );
  return info.getMembersList().map((member) => ({
    name: member.getHttpEndPoint()?.getAddress() ?? "",
    port: member.getHttpEndPoint()?.getPort() ?? 0,
    isAlive: member.getIsAlive(),
    isLeader: member.getState() === states.LEADER,
    isFollower: member.getState() === states.FOLLOWER,
    isVoter: !notVoting.includes(member.getState()),
  }));
}

/** Whether a leader stands with a majority behind it, without which nothing that is written is acknowledged. */
export function hasQuorum(members: readonly Member[]): boolean {
  const voters = members.filter(({ isVoter }) => isVoter);
  const standing = voters.filter(({ isAlive, isLeader, isFollower }) => isAlive && (isLeader || isFollower));
  return standing.some(({ isLeader }) => isLeader) && standing.length > voters.length / 2;
}

/** Starts a scavenge on the node that is asked, or finds the one that runs there. */
export async function startScavenge(client: EventStoreDBClient): Promise<{ id: string; isNew: boolean }> {
  const request = new operations.StartScavengeReq();
  const options = new operations.StartScavengeReq.Options();
  options.setThreadCount(1);
  request.setOptions(options);
  const response = await inner(client).execute(OperationsClient, "startScavenge", (service) =>
    answered<InstanceType<typeof operations.ScavengeResp>>(
      (answer) => void service.startScavenge(request, ...inner(client).callArguments({}), answer),
    ),
  );
  return { id: response.getScavengeId(), isNew: response.getScavengeResult() === operations.ScavengeResp.ScavengeResult.STARTED };
}
