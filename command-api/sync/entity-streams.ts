import { setTimeout as pause } from "node:timers/promises";
import { type EventStore, type NewEvent, WrongExpectedRevision } from "@colloquy/infra/event-store/client.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { unknownEvents } from "@colloquy/infra/telemetry/metrics.ts";
import { inSpan } from "@colloquy/infra/telemetry/traces.ts";
import type { EventMetadata } from "@colloquy/schemas/events/metadata.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import type { ChangeResult } from "@colloquy/schemas/sync/protocol.ts";
import { commandOf } from "./change-command.ts";
import type { ChangeCommand, EntityKind, EntityState, RecordedEvent } from "./entity-kind.ts";

/** Tries against a stream that others write to at the same time, and the longest pause before the second; it doubles with each. Milliseconds. */
const triesPerEntity = 7;
const conflictPauseMs = 4;
/**
 * Streams whose state is kept in memory between pushes, and how many changes all of them have together at most. Everybody who learns now
 * has a stream of their own that grows for years and is read whole when it is not kept: the count is to hold all of them, the changes
 * are what takes the room.
 */
const kept = { count: 5_000, changes: 400_000 };
/** Events of one append together stay well below the store's limit of 1 MiB. */
const appendBytes = 400_000;

export interface PushContext {
  accountId: string;
  deviceId: string;
  /** Correlates the events with the request. */
  requestId: string;
}

/** What came of one stream's changes. `position` is null where the stream is not the account's. */
export interface PushedStream {
  results: Map<Change, ChangeResult>;
  position: string | null;
}

export interface EntityStreams {
  /**
   * Decides changes of one stream in their order and appends what was accepted; a deletion cuts the stream before it.
   * @throws what the store throws
   */
  push(context: PushContext, stream: string, changes: readonly Change[]): Promise<PushedStream>;
}

interface Loaded<State> {
  state: State;
  revision: number;
  position: string | null;
  /** Revision of the last deletion, where there is one. */
  deletedAt: number | null;
}

/** The streams of one kind. `onDeleted` is told of each entity that its owner has deleted, before its text is cut away. */
export function entityStreams<State extends EntityState, Event extends { type: string; data: object }>(
  store: EventStore,
  kind: EntityKind<State, Event>,
  onDeleted?: (accountId: string, entityId: string) => void,
): EntityStreams {
  const nothing: Loaded<State> = { state: kind.initial, revision: -1, position: null, deletedAt: null };
  const states = new Map<string, Loaded<State>>();
  let keptChanges = 0;

  /** The present state: what is kept in memory and whatever the stream has had since. */
  async function load(stream: string): Promise<Loaded<State>> {
    const known = states.get(stream) ?? nothing;
    const recorded: RecordedEvent<Event>[] = [];
    let { revision, position, deletedAt } = known;
    for await (const stored of store.read(stream, { from: revision + 1 })) {
      ({ revision, position } = stored);
      const event = kind.readEvent(stored);
      if (!event) unknownEvents.inc({ reader: `${kind.name} commands`, type: stored.type });
      if (!event || !stored.metadata.accountId) continue;
      if (event.type === kind.deletion) deletedAt = revision;
      recorded.push({ id: stored.id, accountId: stored.metadata.accountId, event });
    }
    if (recorded.length === 0 && revision === known.revision) return known;
    return keep(stream, { state: kind.evolve(known.state, recorded), revision, position, deletedAt });
  }

  function keep(stream: string, loaded: Loaded<State>): Loaded<State> {
    drop(stream);
    states.set(stream, loaded);
    keptChanges += loaded.state.changes.size;
    while (states.size > kept.count || keptChanges > kept.changes) drop(states.keys().next().value ?? "");
    return loaded;
  }

  function drop(stream: string): void {
    keptChanges -= states.get(stream)?.state.changes.size ?? 0;
    states.delete(stream);
  }

  async function append(context: PushContext, stream: string, before: Loaded<State>, accepted: readonly Accepted<Event>[]) {
    let loaded = before;
    for (const group of inGroups(accepted, ({ command }) => Buffer.byteLength(JSON.stringify(command.event.data)), appendBytes)) {
      const events = group.map(({ change, command }) => newEvent(context, change, command));
      const { revision, position } = await store.append(stream, events, loaded.revision < 0 ? "none" : loaded.revision);
      const deletion = group.findIndex(({ command }) => command.event.type === kind.deletion);
      const recorded = group.map(({ command }) => recordedOf(command));
      const deletedAt = deletion < 0 ? loaded.deletedAt : revision - (group.length - 1 - deletion);
      loaded = keep(stream, { state: kind.evolve(loaded.state, recorded), revision, position, deletedAt });
    }
    return loaded;
  }

  /** Decides changes one after the other, each on what the accepted ones before it made of the state. */
  function decideAll(accountId: string, before: State, changes: readonly Change[]) {
    const results = new Map<Change, ChangeResult>();
    const accepted: Accepted<Event>[] = [];
    let state = before;
    for (const change of changes) {
      const { changeId } = change;
      try {
        // A checked change of this kind of stream is an event of this kind: the schema of its type says so.
        const command = commandOf(accountId, change) as unknown as ChangeCommand<Event>;
        const decision = kind.decide(command, state);
        results.set(change, { changeId, ...decision });
        if (decision.outcome !== "accepted") continue;
        state = kind.evolve(state, [recordedOf(command)]);
        accepted.push({ change, command });
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        results.set(change, refusal(changeId, error));
      }
    }
    return { results, accepted };
  }

  const options = { attributes: { "colloquy.category": kind.name } };
  return {
    push: (context, stream, changes) => inSpan("command", options, () => push(context, stream, changes)),
  };

  async function push(context: PushContext, stream: string, changes: readonly Change[]): Promise<PushedStream> {
    for (let tries = 1; ; tries += 1) {
      // Decided anew when somebody else wrote in between.
      const loaded = await load(stream);
      const { results, accepted } = inSpan("decide", options, () => decideAll(context.accountId, loaded.state, changes));
      try {
        const after = await append(context, stream, loaded, accepted);
        const mine = after.state.owner === context.accountId;
        // Also for a deletion that is sent again: the first one may have been interrupted before the text was gone.
        const deletion = changes.find(({ type }) => type === "deleted");
        if (mine && deletion && after.deletedAt !== null) {
          onDeleted?.(context.accountId, deletion.entityId);
          if (after.deletedAt > 0) await store.truncateBefore(stream, after.deletedAt);
        }
        return { results, position: mine ? after.position : null };
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision) || tries >= triesPerEntity) throw error;
        await pause(Math.random() * conflictPauseMs * 2 ** tries);
      }
    }
  }
}

interface Accepted<Event> {
  change: Change;
  command: ChangeCommand<Event>;
}

/** How a change is refused: by its code alone, for which every client has words of its own. */
export const refusal = (changeId: string, { code }: ProblemError): ChangeResult => ({ changeId, outcome: "refused", code });

const recordedOf = <Event>({ accountId, eventId, event }: ChangeCommand<Event>): RecordedEvent<Event> => ({
  id: eventId,
  accountId,
  event,
});

function newEvent<Event extends { type: string; data: object }>(
  { accountId, deviceId, requestId }: PushContext,
  change: Change,
  { eventId, event }: ChangeCommand<Event>,
): NewEvent {
  const metadata: EventMetadata = { accountId, requestId: change.changeId, correlationId: requestId, at: change.at, deviceId };
  return { id: eventId, type: event.type, data: event.data, metadata };
}

function* inGroups<Item>(items: readonly Item[], sizeOf: (item: Item) => number, most: number): Generator<Item[]> {
  let group: Item[] = [];
  let size = 0;
  for (const item of items) {
    if (group.length > 0 && size + sizeOf(item) > most) {
      yield group;
      [group, size] = [[], 0];
    }
    group.push(item);
    size += sizeOf(item);
  }
  if (group.length > 0) yield group;
}
