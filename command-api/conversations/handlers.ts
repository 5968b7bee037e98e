import { setTimeout as pause } from "node:timers/promises";
import { comparePositions } from "@colloquy/infra/database/positions.ts";
import {
  type EventStore,
  isRefusedByStore,
  type NewEvent,
  StoreUnavailable,
  StreamTombstoned,
  WrongExpectedRevision,
} from "@colloquy/infra/event-store/client.ts";
import { ProblemError, unavailable } from "@colloquy/infra/http/problem.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { unknownEvents } from "@colloquy/infra/telemetry/metrics.ts";
import { quiz } from "@colloquy/schemas/ai/quiz.ts";
import { conversationStream, readConversationEvent } from "@colloquy/schemas/events/conversation.ts";
import type { EventMetadata } from "@colloquy/schemas/events/metadata.ts";
import { type Change, recordedTurn } from "@colloquy/schemas/sync/changes.ts";
import type { ChangeResult } from "@colloquy/schemas/sync/protocol.ts";
import { z } from "zod";
import type { CitationCheck } from "../grounding/citation-check.ts";
import { commandOf } from "./change-command.ts";
import { changeIds, type FeedLookup } from "./change-ids.ts";
import { type ChangeCommand, decide } from "./decider.ts";
import { type ConversationState, evolve, initial, type RecordedEvent } from "./state.ts";

/** Tries against a stream that others write to at the same time, and the longest pause before the second; it doubles with each. Milliseconds. */
const triesPerEntity = 7;
const conflictPauseMs = 4;
/** Conversations whose state is kept in memory between pushes, and how many changes such a one has at most. */
const keptStates = { count: 200, changes: 4_000 };
/** Entities worked on at the same time within one push. */
const entitiesAtOnce = 8;
/** Events of one append together stay well below the store's limit of 1 MiB. */
const appendBytes = 400_000;

interface Loaded {
  state: ConversationState;
  revision: number;
  position: string | null;
  /** Revision of the deletion, where there is one. */
  deletedAt: number | null;
}
const nothing: Loaded = { state: initial, revision: -1, position: null, deletedAt: null };

export interface PushContext {
  accountId: string;
  deviceId: string;
  /** Correlates the events with the request. */
  requestId: string;
}

export interface ConversationHandlers {
  /**
   * Takes in changes: those of one conversation in their order, conversations beside each other; each gets its own result, in the order given.
   * `position` is the highest commit position that the accepted and repeated changes reached. A conversation that cannot be read or
   * written has its changes refused, so that it holds up none of the others.
   * @throws {ProblemError} `unavailable` when the store cannot be reached: nothing is acknowledged, and sending all again is safe.
   */
  push(context: PushContext, changes: readonly Change[]): Promise<{ results: ChangeResult[]; position: string }>;
}

interface Needs {
  store: EventStore;
  log?: Logger;
  /** Where changes that were made before are looked up by their ids; without it only those of this process are known. */
  feed?: FeedLookup;
  /** Whether citations are what this service could have given; without it their form alone is checked. */
  citations?: CitationCheck;
  /** Told of each conversation that its owner has deleted, before the deletion is answered: what else holds its text lets go of it. */
  onDeleted?: (accountId: string, conversationId: string) => void;
}

export function conversationHandlers({ store, log, feed, citations, onDeleted }: Needs): ConversationHandlers {
  const ids = changeIds(feed ?? (async () => new Map()), (error) =>
    log?.warn({ err: error }, "earlier changes cannot be looked up; a reused id is found only if it was used lately"),
  );
  const kept = new Map<string, Loaded>();

  /** The present state: what is kept in memory and whatever the stream has had since. */
  async function load(stream: string): Promise<Loaded> {
    const known = kept.get(stream) ?? nothing;
    const recorded: RecordedEvent[] = [];
    let { revision, position, deletedAt } = known;
    for await (const stored of store.read(stream, { from: revision + 1 })) {
      ({ revision, position } = stored);
      const event = readConversationEvent(stored);
      if (!event) unknownEvents.inc({ reader: "conversation commands", type: stored.type });
      if (!event || !stored.metadata.accountId) continue;
      if (event.type === "ConversationDeleted") deletedAt = revision;
      recorded.push({ id: stored.id, accountId: stored.metadata.accountId, event });
    }
    if (recorded.length === 0 && revision === known.revision) return known;
    return keep(stream, { state: evolve(known.state, recorded), revision, position, deletedAt });
  }

  function keep(stream: string, loaded: Loaded): Loaded {
    kept.delete(stream);
    if (loaded.state.changes.size <= keptStates.changes) kept.set(stream, loaded);
    if (kept.size > keptStates.count) {
      const oldest = kept.keys().next();
      if (!oldest.done) kept.delete(oldest.value);
    }
    return loaded;
  }

  /** Decides the changes of one conversation and appends what was accepted; decides anew when somebody else wrote in between. */
  async function pushEntity(context: PushContext, entityId: string, changes: readonly Change[]) {
    const stream = conversationStream(entityId);
    for (let tries = 1; ; tries += 1) {
      const loaded = await load(stream);
      const { results, accepted } = decideAll(context, loaded.state, changes);
      try {
        const after = await append(context, stream, loaded, accepted);
        const mine = after.state.owner === context.accountId;
        // Also for a deletion that is sent again: the first one may have been interrupted before the text was gone.
        if (mine && after.deletedAt !== null && changes.some(({ type }) => type === "deleted")) {
          onDeleted?.(context.accountId, entityId);
          if (after.deletedAt > 0) await store.truncateBefore(stream, after.deletedAt);
        }
        return { results, position: mine ? after.position : null };
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision) || tries >= triesPerEntity) throw error;
        await pause(Math.random() * conflictPauseMs * 2 ** tries);
      }
    }
  }

  /** The refusal of a conversation's changes for a reason that another try would not change. @throws what concerns every conversation. */
  function refuseEntity(context: PushContext, entityId: string, changes: readonly Change[], error: unknown) {
    // What the store cannot do for anybody (sign in, say) must not cost a device its changes.
    if (error instanceof StoreUnavailable || error instanceof WrongExpectedRevision || isRefusedByStore(error)) throw unavailable(error);
    log?.error({ err: error, conversationId: entityId, requestId: context.requestId }, "a conversation cannot be changed");
    const problem = new ProblemError(error instanceof StreamTombstoned ? "not_found" : "unavailable", { cause: error });
    return { results: new Map(changes.map((change) => [change, refusal(change.changeId, problem)])), position: null };
  }

  async function append(
    context: PushContext,
    stream: string,
    before: Loaded,
    accepted: readonly { change: Change; command: ChangeCommand }[],
  ): Promise<Loaded> {
    let loaded = before;
    for (const group of inGroups(accepted, ({ command }) => Buffer.byteLength(JSON.stringify(command.event.data)), appendBytes)) {
      const events = group.map(({ change, command }) => newEvent(context, change, command));
      const { revision, position } = await store.append(stream, events, loaded.revision < 0 ? "none" : loaded.revision);
      const deletion = group.findIndex(({ command }) => command.event.type === "ConversationDeleted");
      loaded = keep(stream, {
        state: evolve(
          loaded.state,
          group.map(({ command }) => recordedOf(command)),
        ),
        revision,
        position,
        deletedAt: deletion < 0 ? loaded.deletedAt : revision - (group.length - 1 - deletion),
      });
    }
    return loaded;
  }

  return {
    async push(context, changes) {
      const results = new Map<Change, ChangeResult>();
      for (const change of citations ? await misciting(changes, citations) : [])
        results.set(change, refusal(change.changeId, new ProblemError("unknown_reference")));
      const reused = await ids.reused(
        context.accountId,
        changes.filter((change) => !results.has(change)),
      );
      for (const change of reused) results.set(change, refusal(change.changeId, new ProblemError("request_id_reused")));
      const byEntity = Map.groupBy(
        changes.filter((change) => !results.has(change)),
        ({ entityId }) => entityId,
      );
      let highest = "0";
      const entities = [...byEntity];
      const work = async (): Promise<void> => {
        for (let entity = entities.shift(); entity; entity = entities.shift()) {
          const pushed = await pushEntity(context, ...entity).catch((error: unknown) => refuseEntity(context, ...entity, error));
          for (const [change, result] of pushed.results) results.set(change, result);
          if (pushed.position !== null && comparePositions(pushed.position, highest) > 0) highest = pushed.position;
        }
      };
      await Promise.all(Array.from({ length: entitiesAtOnce }, work));
      return { results: changes.flatMap((change) => results.get(change) ?? []), position: highest };
    },
  };
}

/** Turns whose citations cannot have come from this service. Those of another shape are refused for that later on. */
async function misciting(changes: readonly Change[], check: CitationCheck): Promise<Change[]> {
  const found: Change[] = [];
  for (const change of changes) {
    if (change.domain !== "conversation" || change.type !== "turn_recorded") continue;
    const cited = citing.safeParse(change.data);
    if (cited.success && !(await check([...cited.data.citations, ...(cited.data.artifact?.sources ?? [])]))) found.push(change);
  }
  return found;
}
const citing = z.object({ citations: recordedTurn.shape.citations, artifact: z.object({ sources: quiz.shape.sources }).optional() });

/** Decides changes one after the other, each on what the accepted ones before it made of the state. */
function decideAll({ accountId }: PushContext, before: ConversationState, changes: readonly Change[]) {
  const results = new Map<Change, ChangeResult>();
  const accepted: { change: Change; command: ChangeCommand }[] = [];
  let state = before;
  for (const change of changes) {
    const { changeId } = change;
    try {
      const command = commandOf(accountId, change);
      const decision = decide(command, state);
      results.set(change, { changeId, ...decision });
      if (decision.outcome !== "accepted") continue;
      state = evolve(state, [recordedOf(command)]);
      accepted.push({ change, command });
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      results.set(change, refusal(changeId, error));
    }
  }
  return { results, accepted };
}

/** How a change is refused: by its code alone, for which every client has words of its own. */
export const refusal = (changeId: string, { code }: ProblemError): ChangeResult => ({ changeId, outcome: "refused", code });

const recordedOf = ({ accountId, eventId, event }: ChangeCommand): RecordedEvent => ({ id: eventId, accountId, event });

function newEvent({ accountId, deviceId, requestId }: PushContext, change: Change, { eventId, event }: ChangeCommand): NewEvent {
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
