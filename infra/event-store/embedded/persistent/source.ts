import { linkTarget, original, type ResolvedEvent, resolveLink, unresolved } from "../links.ts";
import type { RecordedEvent } from "../records.ts";
import type { Store } from "../store.ts";
import { allStream, metastreamOf } from "../streams.ts";
import { uuidText } from "../uuid.ts";
import type { GroupDefinition, GroupName } from "./definitions.ts";
import type { Arrival } from "./messages.ts";

/** Where a group's events come from. */
export interface Source {
  /** The next events behind this one, `count` at most. */
  read(after: number, count: number): SourceTurn;
  /** The last event there is, -1 when there is none. */
  last(): number;
}

export interface SourceTurn {
  arrivals: Arrival[];
  scannedTo: number;
  end: boolean;
}

type ReadableStore = Pick<Store, "state" | "reader">;

/** Prefix and suffix of the stream of parked messages, as in EventStoreDB. */
const systemPrefix = "$persistentsubscription-";
export const parkedStreamOf = ({ source, name }: GroupName): string => `${systemPrefix}${source}::${name}-parked`;

/** What the groups of `$all` write themselves. They do not get it, or a message parked would be one more to park, without end. */
const ownStreams = [`${systemPrefix}${allStream}::`, `${metastreamOf(systemPrefix)}${allStream}::`];

export function openSource(store: ReadableStore, { source, filter, settings }: GroupDefinition): Source {
  const show = (event: RecordedEvent): ResolvedEvent => (settings.resolveLinks ? resolveLink(store, event) : unresolved(event));
  if (source === allStream) {
    const read = store.reader.all(filter, false);
    return {
      last: () => store.reader.head(),
      read(after, count) {
        const { events, scannedTo, done } = read(after, count);
        const others = events.filter(({ stream }) => !ownStreams.some((prefix) => stream.startsWith(prefix)));
        return { arrivals: others.map((event) => arrival(show(event), event.position)), scannedTo, end: done };
      },
    };
  }
  return {
    last: () => (store.state(source)?.next ?? 0) - 1,
    read(after, count) {
      const state = store.state(source);
      const last = (state?.next ?? 0) - 1;
      if (!state || last <= after) return { arrivals: [], scannedTo: after, end: true };
      const { events, next } = store.reader.stream(source, state, after + 1, false, count);
      const arrivals = events.map((event) => arrival(show(event), event.revision));
      return { arrivals, scannedTo: next === null ? last : next - 1, end: next === null };
    },
  };
}

/** Parked messages of a group from a revision on, up to another (exclusive): links, followed. */
export function readParked(store: ReadableStore, group: GroupName, from: number, stop: number): { arrivals: Arrival[]; next: number } {
  const stream = parkedStreamOf(group);
  const state = store.state(stream);
  if (!state || stop <= from) return { arrivals: [], next: stop };
  const { events, next } = store.reader.stream(stream, state, from, false, stop - from);
  const arrivals = events.filter(({ revision }) => revision < stop).map((link) => arrival(resolveLink(store, link), link.revision));
  return { arrivals, next: Math.min(next ?? stop, stop) };
}

function arrival(resolved: ResolvedEvent, order: number): Arrival {
  const read = original(resolved);
  return { order, id: uuidText(read.id), stream: linkTarget(read)?.stream ?? read.stream, resolved };
}
