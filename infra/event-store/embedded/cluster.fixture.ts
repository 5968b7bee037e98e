import gossip from "@eventstore/db-client/generated/gossip_pb.js";
import {
  ResponderBuilder,
  type Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  ServerListenerBuilder,
} from "@grpc/grpc-js";
import { openTcpProxy, type TcpProxy } from "../../../checks/harness/tcp-proxy.ts";
import { temporaryFolder } from "../event-store.fixture.ts";
import type { GossipMember } from "./discovery-services.ts";
import { notLeader, unavailable } from "./faults.ts";
import { type GroupCommit, groupCommit } from "./group-commit.ts";
import { bind, grpcServer } from "./grpc-server.ts";
import { type RunningCalls, runningCalls } from "./running-calls.ts";
import { noSecurity } from "./security/open-security.ts";
import { openStore, type Store } from "./store.ts";

/**
 * A stand-in for a cluster of three: three endpoints over one embedded store, each of which shows the store as far as that node has come and
 * behaves as EventStoreDB does (`observed` on three nodes of 23.10.5). The test holds the elections.
 */
export interface Cluster {
  /** All three as seeds. */
  url: string;
  nodes: ClusterNode[];
  /** Makes a node the leader, or nobody. Whoever led before follows, unless it is away. */
  elect(index: number | null): void;
  close(): Promise<void>;
}

export interface ClusterNode {
  port: number;
  /** Stops here, as a follower that lags does: later events are not there for it. */
  lag(): void;
  catchUp(): void;
  /** Its process ends, or starts again as a follower. */
  die(): Promise<void>;
  start(): Promise<void>;
  /** Says nothing more and keeps its sockets; it stays as far as it had come, and leads in its own eyes if it led. */
  freeze(): Promise<void>;
  /** Runs on; if it led, it believes so until `wakeUp`. */
  thaw(): Promise<void>;
  /** Learns who leads and catches up. */
  wakeUp(): void;
}

const host = "127.0.0.1";
const states = gossip.MemberInfo.VNodeState;
const streams = "/event_store.client.streams.Streams/";

export async function startCluster({ strict = true } = {}): Promise<Cluster> {
  const folder = temporaryFolder();
  const store = openStore(folder.path, { strict });
  const commits = groupCommit(store);
  let leader: number | null = 0;
  const parts = await Promise.all([0, 1, 2].map((index) => startNode(index)));

  const quorum = (): boolean => parts.filter(({ isAway }) => !isAway()).length >= 2;

  async function startNode(index: number) {
    let limit: number | null = null;
    let belief: { leads: boolean } | null = null;
    let away = false;
    const instance = crypto.randomUUID();
    const leads = (): boolean => belief?.leads ?? leader === index;
    let inner = 0;
    const proxy: TcpProxy = await openTcpProxy(() => ({ port: inner }));
    const { port } = proxy;
    const calls = new Set<() => void>();
    const view = limitedStore(store, () => limit);
    const members = (): GossipMember[] =>
      parts.map((part, each) => ({
        instance: part.instance,
        host,
        port: part.port,
        // A node that froze is missed after some seconds only, when another is elected.
        isAlive: each === index || leader === each || !part.isAway(),
        // Followers stay what they are while nobody leads, and the client falls back to them.
        state: (each === index ? leads() : leader === each) ? states.LEADER : states.FOLLOWER,
      }));
    const running: RunningCalls = runningCalls();
    const writes: GroupCommit = {
      ...commits,
      // Without a majority, and by a leader that was replaced, nothing is acknowledged.
      submit: (write, answer) => {
        if (quorum() && leader === index && belief === null) commits.submit(write, answer);
      },
    };
    const answers: ServerInterceptor = ({ path }, call) => {
      let over = false;
      let wants = false;
      const end = (): void => {
        if (over || !wants || leads()) return;
        over = true;
        calls.delete(end);
        const leading = leader === null ? undefined : parts[leader];
        call.sendStatus(leading ? notLeader(host, leading.port) : unavailable());
      };
      const listener = new ServerListenerBuilder()
        .withOnReceiveMetadata((metadata, next) => {
          wants = path.startsWith(streams) && metadata.get("requires-leader")[0] === "true";
          if (wants) calls.add(end);
          end();
          if (!over) next(metadata);
        })
        .withOnCancel(() => calls.delete(end))
        .build();
      const responder = new ResponderBuilder()
        .withStart((next) => next(listener))
        .withSendMessage((message, next) => {
          if (!over) next(message);
        })
        .withSendStatus((status, next) => {
          calls.delete(end);
          if (!over) next(status);
        })
        .build();
      return new ServerInterceptingCall(call, responder);
    };
    const server: Server = grpcServer({
      store: view.store,
      commits: writes,
      running,
      guard: noSecurity().guard,
      interceptors: [answers],
      members,
      name: () => `${host}:${port}`,
    });
    inner = await bind(server, `${host}:0`, ServerCredentials.createInsecure());
    return {
      instance,
      port,
      isAway: () => away,
      /** Ends the calls that need the leader at a node that is none any more. */
      demote() {
        for (const end of calls) end();
      },
      lag() {
        limit = store.end() - 1;
      },
      catchUp() {
        limit = null;
        view.changed();
      },
      async die() {
        away = true;
        belief = null;
        await proxy.set("stopped");
      },
      async start() {
        away = false;
        await proxy.set("open");
      },
      async freeze() {
        away = true;
        limit = store.end() - 1;
        belief = { leads: leader === index };
        await proxy.set("silent");
      },
      async thaw() {
        await proxy.set("open");
      },
      wakeUp() {
        away = false;
        belief = null;
        limit = null;
        // Its subscriptions go on, though it follows now.
        view.changed();
      },
      async close() {
        running.stop();
        server.forceShutdown();
        await proxy.close();
      },
    };
  }

  return {
    url: `esdb://${parts.map(({ port }) => `${host}:${port}`).join(",")}?tls=false`,
    nodes: parts,
    elect(index) {
      leader = index;
      for (const part of parts) part.demote();
    },
    async close() {
      await Promise.all(parts.map((part) => part.close()));
      store.close();
      folder.remove();
    },
  };
}

/** A store that ends at a position, for as long as there is a limit. */
function limitedStore(store: Store, limit: () => number | null): { store: Store; changed: () => void } {
  const listeners = new Set<() => void>();
  const isSeen = ({ position }: { position: number }): boolean => position <= (limit() ?? Number.POSITIVE_INFINITY);
  const turn = <Turn extends { events: { position: number }[]; next: number | null }>(found: Turn): Turn => {
    const events = found.events.filter(isSeen);
    return { ...found, events, next: events.length < found.events.length ? null : found.next };
  };
  const { reader } = store;
  return {
    changed() {
      for (const listener of listeners) listener();
    },
    store: {
      ...store,
      end: () => Math.min(store.end(), (limit() ?? Number.POSITIVE_INFINITY) + 1),
      isPlace: (position) => position > (limit() ?? Number.POSITIVE_INFINITY) || store.isPlace(position),
      onCommit(callback) {
        listeners.add(callback);
        const stop = store.onCommit(callback);
        return () => {
          stop();
          listeners.delete(callback);
        };
      },
      reader: {
        ...reader,
        stream: (...given) => turn(reader.stream(...given)),
        streamLive: (...given) => turn(reader.streamLive(...given)),
        all(filter, backwards) {
          const read = reader.all(filter, backwards);
          return (from, most) => {
            const edge = limit();
            const { scanned, done } = read(backwards && edge !== null ? Math.min(from, edge + 1) : from, most);
            const seen = scanned.filter(isSeen);
            return { scanned: seen, done: done || seen.length === 0 };
          };
        },
      },
    },
  };
}
