import { comparePositions } from "@colloquy/infra/database/positions.ts";
import { type EventStore, eventIdFrom, isRefusedByStore, StoreUnavailable, StreamTombstoned } from "@colloquy/infra/event-store/client.ts";
import { ProblemError, unavailable } from "@colloquy/infra/http/problem.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { annotationEventTypes, annotationStream } from "@colloquy/schemas/events/annotation.ts";
import { conversationEventTypes, conversationStream, readConversationEvent } from "@colloquy/schemas/events/conversation.ts";
import { learnerErased, learnerStream } from "@colloquy/schemas/events/learner.ts";
import { changeOfEvent, type PersonalEvent, streamOfChange } from "@colloquy/schemas/events/personal.ts";
import { quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { type Change, type Domain, recordedTurn } from "@colloquy/schemas/sync/changes.ts";
import type { ChangeResult } from "@colloquy/schemas/sync/protocol.ts";
import { z } from "zod";
import { annotationDecider } from "../annotations/decider.ts";
import type { ChangeCommand, EntityState } from "../change-decider.ts";
import { type CommandHandler, commandHandler } from "../command-handler.ts";
import { conversationDecider } from "../conversations/decider.ts";
import { Rejection } from "../decider.ts";
import type { CitationCheck } from "../grounding/citation-check.ts";
import { learnerDecider } from "../learner/decider.ts";
import { commandOf } from "./change-command.ts";
import { changeIds, type FeedLookup } from "./change-ids.ts";

/** Streams worked on at the same time within one push. */
const streamsAtOnce = 8;
/**
 * Bounds of each cache of streams. Every learner has a stream that grows for years and is read whole when it is not cached: the count
 * holds all who are active, the sum of changes bounds the memory.
 */
const cache = { streams: 5_000, size: { most: 400_000, of: ({ changes }: EntityState) => changes.size } };

export interface PushContext {
  accountId: string;
  deviceId: string;
  /** Correlates the events with the request. */
  requestId: string;
}

export interface ChangeHandlers {
  /**
   * Takes in changes: those of one stream in their order, streams beside each other; each gets its own result, in the order given.
   * `position` is the highest commit position that the accepted and repeated changes reached. A stream that cannot be read or
   * written has its changes refused, so that it holds up none of the others.
   * @throws {ProblemError} `unavailable` when the store cannot be reached: nothing is acknowledged, and sending all again is safe.
   */
  push(context: PushContext, changes: readonly Change[]): Promise<{ results: ChangeResult[]; position: string }>;
  /** Marks the account's own stream as erased and truncates it. Devices learn of the erasure by that event. */
  eraseLearner(accountId: string, requestId: string): Promise<void>;
}

interface Needs {
  store: EventStore;
  log?: Logger;
  /** Where changes that were made before are looked up by their ids; without it only those of this process are known. */
  feed?: FeedLookup;
  /** Whether citations are what this service could have given; without it their form alone is checked. */
  citations?: CitationCheck;
  /** Called for each conversation that its owner deletes, before the deletion is answered, so that other parts release its text. */
  onDeleted?: (accountId: string, conversationId: string) => void;
}

export function changeHandlers({ store, log, feed, citations, onDeleted }: Needs): ChangeHandlers {
  const ids = changeIds(feed ?? (async () => new Map()), (error) =>
    log?.warn({ err: error }, "earlier changes cannot be looked up; a reused id is found only if it was used lately"),
  );
  const common = { store, cache, eventId: ({ command }: { command: ChangeCommand }) => command.eventId };
  const conversation = commandHandler({
    ...common,
    category: "conversation",
    stream: conversationStream,
    decider: conversationDecider,
    readEvent: readConversationEvent,
    deletion: conversationEventTypes.deleted,
  });
  const annotation = commandHandler({
    ...common,
    category: "annotation",
    stream: annotationStream,
    decider: annotationDecider,
    readEvent: (stored) => (changeOfEvent(stored)?.domain === "annotation" ? personalEvent(stored) : null),
    deletion: annotationEventTypes.deleted,
  });
  const learner = commandHandler({
    ...common,
    category: "learner",
    stream: learnerStream,
    decider: learnerDecider,
    readEvent: (stored) => (changeOfEvent(stored) ? personalEvent(stored) : null),
    deletion: learnerErased,
  });
  const streams: Readonly<Record<Domain, ChangeStreams>> = {
    conversation,
    annotation,
    preferences: learner,
    progress: learner,
    review: learner,
  };

  /** Decides the changes of one stream in their order. `position` is null where the stream is not the account's. */
  async function pushStream(context: PushContext, changes: readonly Change[]): Promise<PushedStream> {
    const { accountId, deviceId, requestId } = context;
    const results = new Map<Change, ChangeResult>();
    const [first] = changes;
    if (!first) return { results, position: null };
    const commands = changes.flatMap((change) => {
      try {
        const request = { accountId, deviceId, requestId: change.changeId, correlationId: requestId, at: change.at };
        return [{ change, request, command: commandOf(accountId, change) }];
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        results.set(change, refusal(change.changeId, error));
        return [];
      }
    });
    const id = streams[first.domain] === learner ? accountId : first.entityId;
    const { state, position, decisions } = await streams[first.domain].handleEach(id, commands);
    for (const [index, { change }] of commands.entries()) results.set(change, resultOf(change, decisions[index] ?? []));
    const isOwn = state.owner === accountId;
    const isDeletion = ({ command }: { command: ChangeCommand }) => command.event.type === conversationEventTypes.deleted;
    if (isOwn && commands.some((one, index) => isDeletion(one) && !(decisions[index] instanceof Rejection))) onDeleted?.(accountId, id);
    return { results, position: isOwn ? position : null };
  }

  /** Refuses a stream's changes for a reason that another attempt would not change. @throws what concerns every stream */
  function refuseStream(context: PushContext, stream: string, changes: readonly Change[], error: unknown): PushedStream {
    if (error instanceof ProblemError) throw error;
    // What the store cannot do for anybody (sign in, say) must not cost a device its changes.
    if (error instanceof StoreUnavailable || isRefusedByStore(error)) throw unavailable(error);
    log?.error({ err: error, stream, requestId: context.requestId }, "a stream cannot be changed");
    const problem = new ProblemError(error instanceof StreamTombstoned ? "not_found" : "unavailable", { cause: error });
    return { results: new Map(changes.map((change) => [change, refusal(change.changeId, problem)])), position: null };
  }

  return {
    async push(context, changes) {
      const results = new Map<Change, ChangeResult>();
      for (const change of citations ? await withForeignCitations(changes, citations) : [])
        results.set(change, refusal(change.changeId, new ProblemError("unknown_reference")));
      const reused = await ids.reused(
        context.accountId,
        changes.filter((change) => !results.has(change)),
      );
      for (const change of reused) results.set(change, refusal(change.changeId, new ProblemError("request_id_reused")));
      const byStream = Map.groupBy(
        changes.filter((change) => !results.has(change)),
        (change) => streamOfChange(context.accountId, change),
      );
      let highest = "0";
      const waiting = [...byStream];
      const work = async (): Promise<void> => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const [stream, itsChanges] = next;
          const pushed = await pushStream(context, itsChanges).catch((error: unknown) => refuseStream(context, stream, itsChanges, error));
          for (const [change, result] of pushed.results) results.set(change, result);
          if (pushed.position !== null && comparePositions(pushed.position, highest) > 0) highest = pushed.position;
        }
      };
      await Promise.all(Array.from({ length: streamsAtOnce }, work));
      return { results: changes.flatMap((change) => results.get(change) ?? []), position: highest };
    },

    async eraseLearner(accountId, requestId) {
      const request = { accountId, correlationId: requestId, at: new Date().toISOString() };
      await learner.handleWith(accountId, request, ({ revision }) => ({
        accountId,
        eventId: eventIdFrom(accountId, `erase ${requestId} ${revision}`),
        event: { type: learnerErased, data: { schemaVersion: 1 } },
      }));
    },
  };
}

interface PushedStream {
  results: Map<Change, ChangeResult>;
  position: string | null;
}

type ChangeStreams = Pick<CommandHandler<ChangeCommand, { type: string; data: object }, EntityState>, "handleEach">;

const personalEvent = ({ type, data }: { type: string; data: unknown }): PersonalEvent => ({ type, data: data as PersonalEvent["data"] });

function resultOf({ changeId }: Change, decision: readonly object[] | Rejection): ChangeResult {
  if (decision instanceof Rejection) return refusal(changeId, decision);
  return { changeId, outcome: decision.length > 0 ? "accepted" : "duplicate" };
}

/** A refused change carries its code alone: every client has its own text for it. */
export const refusal = (changeId: string, { code }: Pick<ProblemError, "code">): ChangeResult => ({ changeId, outcome: "refused", code });

/** Turns whose citations cannot have come from this service. Those of another shape are refused for that later on. */
async function withForeignCitations(changes: readonly Change[], check: CitationCheck): Promise<Change[]> {
  const found: Change[] = [];
  for (const change of changes) {
    if (change.domain !== "conversation" || change.type !== "turn_recorded") continue;
    const cited = citing.safeParse(change.data);
    if (cited.success && !(await check([...cited.data.citations, ...(cited.data.artifact?.sources ?? [])]))) found.push(change);
  }
  return found;
}
const citing = z.object({ citations: recordedTurn.shape.citations, artifact: z.object({ sources: quiz.shape.sources }).optional() });
