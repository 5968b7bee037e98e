import { type EventStore, isRefusedByStore, StoreUnavailable, StreamTombstoned } from "@colloquy/infra/event-store/client.ts";
import { ProblemError, unavailable } from "@colloquy/infra/http/problem.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { annotationEvents, annotationEventTypes, annotationStream } from "@colloquy/schemas/annotations/events.ts";
import { conversationEventTypes } from "@colloquy/schemas/conversations/event-types.ts";
import { conversationEvents, conversationStream } from "@colloquy/schemas/conversations/events.ts";
import { streamOfChange } from "@colloquy/schemas/events/personal.ts";
import { learnerErased, learnerEvents, learnerStream } from "@colloquy/schemas/learner/events.ts";
import { comparePositions } from "@colloquy/schemas/positions.ts";
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

/** Concurrent streams of one push. */
const concurrentStreams = 8;
/**
 * Bounds of each cache of streams: the count suffices for all active learners, whose streams grow for years and are expensive to read; the
 * sum of changes bounds the memory.
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
   * Applies changes: in order within a stream, streams concurrently; one result per change, in the given order. `position`: the highest
   * commit position of accepted and repeated changes. Refuses the changes of a stream that cannot be read or written, without effect on the
   * other streams.
   * @throws {ProblemError} `unavailable` if the store cannot be reached: nothing is acknowledged, and sending all again is safe.
   */
  push(context: PushContext, changes: readonly Change[]): Promise<{ results: ChangeResult[]; position: string }>;
  /** Appends the erasure to the account's own stream, which tells devices of it, and truncates the stream. */
  eraseLearner(accountId: string, requestId: string): Promise<void>;
}

interface Needs {
  store: EventStore;
  log?: Logger;
  /** Looks up earlier changes by id; without it only those of this process are known. */
  feed?: FeedLookup;
  /** Without it only the schema of citations is checked. */
  citations?: CitationCheck;
  /** Called when an owner deletes a conversation, before the response, so that other parts release its text. */
  onDeleted?: (accountId: string, conversationId: string) => void;
}

export function changeHandlers({ store, log, feed, citations, onDeleted }: Needs): ChangeHandlers {
  const ids = changeIds(feed ?? (async () => new Map()), (error) =>
    log?.warn({ err: error }, "earlier changes cannot be looked up; only recently reused ids are found"),
  );
  const common = { store, log, cache };
  const conversation = commandHandler({
    ...common,
    category: "conversation",
    stream: conversationStream,
    decider: conversationDecider,
    events: conversationEvents,
    deletion: conversationEventTypes.deleted,
  });
  const annotation = commandHandler({
    ...common,
    category: "annotation",
    stream: annotationStream,
    decider: annotationDecider,
    events: annotationEvents,
    deletion: annotationEventTypes.deleted,
  });
  const learner = commandHandler({
    ...common,
    category: "learner",
    stream: learnerStream,
    decider: learnerDecider,
    events: learnerEvents,
    deletion: learnerErased,
  });
  const streams: Readonly<Record<Domain, ChangeStreams>> = {
    conversation,
    annotation,
    preferences: learner,
    progress: learner,
    review: learner,
  };

  /** Decides the changes of one stream in order. `position`: null if the stream is not the account's. */
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

  /** Refuses the changes of a stream for a permanent error. @throws errors that concern every stream */
  function refuseStream(context: PushContext, stream: string, changes: readonly Change[], error: unknown): PushedStream {
    if (error instanceof ProblemError) throw error;
    // An error of the store itself, such as a failed sign-in: the device must keep its changes.
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
      await Promise.all(Array.from({ length: concurrentStreams }, work));
      return { results: changes.flatMap((change) => results.get(change) ?? []), position: highest };
    },

    async eraseLearner(accountId, requestId) {
      // Each erasure is a change of its own: what was recorded since the last one is erased, too.
      const changeId = crypto.randomUUID();
      const request = { accountId, requestId: changeId, correlationId: requestId, at: new Date().toISOString() };
      await learner.handle(accountId, request, { accountId, changeId, event: { type: learnerErased, data: { schemaVersion: 1 } } });
    },
  };
}

interface PushedStream {
  results: Map<Change, ChangeResult>;
  position: string | null;
}

type ChangeStreams = Pick<CommandHandler<ChangeCommand, { type: string; data: object }, EntityState>, "handleEach">;

function resultOf({ changeId }: Change, decision: readonly object[] | Rejection): ChangeResult {
  if (decision instanceof Rejection) return refusal(changeId, decision);
  return { changeId, outcome: decision.length > 0 ? "accepted" : "duplicate" };
}

/** A refusal has only a code: clients have their own texts. */
export const refusal = (changeId: string, { code }: Pick<ProblemError, "code">): ChangeResult => ({ changeId, outcome: "refused", code });

/** Turns with citations that this service cannot have made. Invalid turns are refused later. */
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
