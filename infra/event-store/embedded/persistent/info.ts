import { allStream } from "../streams.ts";
import { message, number, whole } from "../wire.ts";
import type { GroupDefinition } from "./definitions.ts";
import type { Snapshot } from "./group.ts";
import { type Measured, measurements } from "./statistics.ts";

/** What is told about a group, and how (`SubscriptionInfo`). */
export interface GroupInfo {
  definition: GroupDefinition;
  state: Snapshot;
  /** The last event of its source, -1 when there is none. */
  lastKnown: number;
  parked: number;
  rate: Measured;
  connections: ConnectionInfo[];
}

interface ConnectionInfo {
  from: string;
  username: string;
  connectionName: string;
  slots: number;
  held: number;
  latencies: readonly number[];
  rate: Measured;
}

export const infoResponse = (info: GroupInfo): Buffer => whole(subscriptionInfo(info));
export const listResponse = (infos: readonly GroupInfo[]): Buffer => whole(...infos.map(subscriptionInfo));

function subscriptionInfo({ definition, state, lastKnown, parked, rate, connections }: GroupInfo): Uint8Array {
  const { source, name, settings, checkpoint } = definition;
  const all = source === allStream;
  const place = (at: number): string => (all ? `C:${at}/P:${at}` : String(at));
  const { startFrom } = settings;
  return message(
    1,
    message(1, source),
    message(2, name),
    message(3, [state.live ? "Live" : "Behind", ...(state.replaying ? ["ReplayingParkedMessages"] : [])].join(", ")),
    ...connections.map((connection) => connectionInfo(connection, settings.extraStatistics)),
    number(5, rate.perSecond),
    number(6, rate.total),
    number(7, rate.sinceLast),
    message(8, checkpoint === null ? "" : place(checkpoint)),
    message(9, lastKnown < 0 ? "" : place(lastKnown)),
    number(10, settings.resolveLinks ? 1 : 0),
    message(11, place(startFrom === "start" ? 0 : startFrom === "end" ? -1 : startFrom)),
    number(12, settings.messageTimeout),
    number(13, settings.extraStatistics ? 1 : 0),
    number(14, settings.maxRetryCount),
    number(15, settings.liveBufferSize),
    number(16, settings.historyBufferSize),
    number(17, settings.readBatchSize),
    number(18, settings.checkpointAfter),
    number(19, settings.minCheckpointCount),
    number(20, settings.maxCheckpointCount),
    number(21, state.live ? 0 : state.fresh),
    number(22, state.live ? state.fresh : 0),
    number(23, state.retried),
    number(24, state.inFlight),
    number(25, state.outstanding),
    message(26, settings.strategy),
    number(27, settings.maxSubscriberCount),
    number(28, parked),
  );
}

function connectionInfo(connection: ConnectionInfo, extra: boolean): Uint8Array {
  const { from, username, connectionName, slots, held, latencies, rate } = connection;
  const observed = extra ? measurements(latencies) : [];
  return message(
    4,
    message(1, from),
    message(2, username),
    number(3, rate.perSecond),
    number(4, rate.total),
    number(5, rate.sinceLast),
    ...observed.map(([key, value]) => message(6, message(1, key), number(2, value))),
    number(7, Math.max(0, slots - held)),
    number(8, held),
    message(9, connectionName),
  );
}
