import { comparePositions } from "@colloquy/infra/database/positions.ts";
import {
  type EventStore,
  isRefusedByStore,
  StoreUnavailable,
  StreamTombstoned,
  WrongExpectedRevision,
} from "@colloquy/infra/event-store/client.ts";
import { ProblemError, unavailable } from "@colloquy/infra/http/problem.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { streamOfChange } from "@colloquy/schemas/events/personal.ts";
import { quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { type Change, type Domain, recordedTurn } from "@colloquy/schemas/sync/changes.ts";
import type { ChangeResult } from "@colloquy/schemas/sync/protocol.ts";
import { z } from "zod";
import { annotationKind } from "../annotations/kind.ts";
import { conversationKind } from "../conversations/kind.ts";
import type { CitationCheck } from "../grounding/citation-check.ts";
import { learnerKind } from "../learner/kind.ts";
import { changeIds, type FeedLookup } from "./change-ids.ts";
import { type EntityStreams, entityStreams, type PushContext, type PushedStream, refusal } from "./entity-streams.ts";

/** Streams worked on at the same time within one push. */
const streamsAtOnce = 8;

export interface ChangeHandlers {
  /**
   * Takes in changes: those of one stream in their order, streams beside each other; each gets its own result, in the order given.
   * `position` is the highest commit position that the accepted and repeated changes reached. A stream that cannot be read or
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

export function changeHandlers({ store, log, feed, citations, onDeleted }: Needs): ChangeHandlers {
  const ids = changeIds(feed ?? (async () => new Map()), (error) =>
    log?.warn({ err: error }, "earlier changes cannot be looked up; a reused id is found only if it was used lately"),
  );
  const learner = entityStreams(store, learnerKind);
  const streams: Readonly<Record<Domain, EntityStreams>> = {
    conversation: entityStreams(store, conversationKind, onDeleted),
    annotation: entityStreams(store, annotationKind),
    preferences: learner,
    progress: learner,
    review: learner,
  };

  /** The refusal of a stream's changes for a reason that another try would not change. @throws what concerns every stream. */
  function refuseStream(context: PushContext, stream: string, changes: readonly Change[], error: unknown): PushedStream {
    // What the store cannot do for anybody (sign in, say) must not cost a device its changes.
    if (error instanceof StoreUnavailable || error instanceof WrongExpectedRevision || isRefusedByStore(error)) throw unavailable(error);
    log?.error({ err: error, stream, requestId: context.requestId }, "a stream cannot be changed");
    const problem = new ProblemError(error instanceof StreamTombstoned ? "not_found" : "unavailable", { cause: error });
    return { results: new Map(changes.map((change) => [change, refusal(change.changeId, problem)])), position: null };
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
      const byStream = Map.groupBy(
        changes.filter((change) => !results.has(change)),
        (change) => streamOfChange(context.accountId, change),
      );
      let highest = "0";
      const waiting = [...byStream];
      const work = async (): Promise<void> => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const [stream, itsChanges] = next;
          const domain = itsChanges[0]?.domain ?? "conversation";
          const pushed = await streams[domain]
            .push(context, stream, itsChanges)
            .catch((error: unknown) => refuseStream(context, stream, itsChanges, error));
          for (const [change, result] of pushed.results) results.set(change, result);
          if (pushed.position !== null && comparePositions(pushed.position, highest) > 0) highest = pushed.position;
        }
      };
      await Promise.all(Array.from({ length: streamsAtOnce }, work));
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
