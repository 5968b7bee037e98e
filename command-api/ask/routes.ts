import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { errorFrame } from "@colloquy/infra/http/frames.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { type Call, route, sent, serve } from "@colloquy/infra/http/route.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { AskFrame, AskRequest } from "@colloquy/schemas/ask/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import * as contracts from "@colloquy/schemas/contracts/ask.ts";
import type { Response, Router } from "express";
import { resolveReferences } from "../grounding/retrieve.ts";
import type { ModelGateway } from "../model-gateway/gateway.ts";
import { type ModelStreams, modelStreams } from "../model-gateway/streams-at-once.ts";
import type { ChangeHandlers } from "../sync/handlers.ts";
import { type AskDependencies, answer, wishOf } from "./answer.ts";
import { askLetGoAhead } from "./let-go-ahead.ts";
import { recordUnread } from "./record-unread.ts";
import { askRequestIds } from "./request-ids.ts";
import { createRunningTurns, type RunningTurn, type RunningTurns, Unread } from "./running-turns.ts";

/** What the model picker shows, none of it secret. The models come from the configuration, so there is no read model to wait for. */
export function modelsRoutes({ gateway }: { gateway: ModelGateway }): Router {
  return serve([route(contracts.listModels, () => ({ models: [...gateway.choices()], automatic: gateway.automatic() }))]);
}

export interface AskRoutesOptions extends AskDependencies {
  log: Logger;
  /** Where kept turns that nobody reads are recorded. */
  handlers: ChangeHandlers;
  turns?: RunningTurns;
  streams?: ModelStreams;
  heartbeatMs?: number;
}

/**
 * Answers stream as newline-delimited frames. An answer that is being read leaves no event: the device pushes it. After `heartbeatMs` of
 * silence the last status is repeated, so that no proxy takes the stream for dead.
 */
export function askRoutes({
  log,
  handlers,
  turns = createRunningTurns(),
  streams = modelStreams(),
  heartbeatMs = bounds.ask.heartbeatMs,
  ...dependencies
}: AskRoutesOptions): Router {
  const requestIds = askRequestIds();

  /** Of questions that have not even arrived: a word sent after them has overtaken them on a connection of its own. */
  const letGoAhead = askLetGoAhead();
  /** Questions whose turn has not begun yet, and whether their learner has let go of it meanwhile. */
  const arriving = new Set<{ accountId: string; requestId: string; letGo: boolean }>();

  /** The turn of a question that may be let go of before it has begun: then it ends as soon as it begins. */
  async function arrivingTurn({ account, body: asked, requestId, signal: gone, refund }: AskCall): Promise<RunningTurn | null> {
    const { accountId } = account;
    const arrival = { accountId, requestId: asked.requestId, letGo: letGoAhead.take(accountId, asked.requestId) };
    arriving.add(arrival);
    try {
      if (!turns.find(accountId, asked.requestId)) await requireModel(asked, refund);
      if (arrival.letGo && gone.aborted) return null;
      const turn = await turnFor(accountId, asked, requestId, gone);
      if (arrival.letGo) turn?.letGo();
      return turn;
    } finally {
      arriving.delete(arrival);
    }
  }

  /** Retrying while no model answers does not use up the limit. */
  async function requireModel(asked: AskRequest, refund: () => Promise<void>): Promise<void> {
    try {
      dependencies.gateway.check({ model: asked.model, need: wishOf(asked) ? "quiz" : "ask" });
    } catch (error) {
      await refund();
      throw error;
    }
  }

  /** The request's turn: the one that runs already when this request was sent before. */
  async function turnFor(accountId: string, asked: AskRequest, requestId: string, gone: AbortSignal): Promise<RunningTurn | null> {
    const known = (): RunningTurn | null => turns.find(accountId, asked.requestId);
    if (known()) return known();
    const references = await resolveReferences(dependencies.library, asked.references);
    const { keep } = asked;
    if (known()) return known();
    if (gone.aborted && !keep) return null;
    const written = streams(accountId);
    return turns.begin(
      {
        accountId,
        requestId: asked.requestId,
        ...(keep && {
          conversationId: keep.conversationId,
          ...(keep.started && { start: { at: keep.at, started: keep.started } }),
          byService: keep.recordedBy === "service",
          recordUnread: recordUnread({ handlers, log }, { accountId, asked: { ...asked, keep }, requestId }),
        }),
      },
      (signal) => withLastFrame(answer(dependencies, { ...asked, references }, signal), { signal, requestId, log, written }),
    );
  }

  return serve([
    route(contracts.ask, async (call) => {
      const { account, body, signal: gone, response } = call;
      requestIds.note(account.accountId, body);
      const turn = await arrivingTurn(call);
      if (turn) await follow(turn, 0, response, { gone, heartbeatMs });
      return sent;
    }),
    route(contracts.resumeAnswer, async ({ account, parameters: { requestId }, query: { after }, signal: gone, response }) => {
      const turn = turns.find(account.accountId, requestId);
      if (!turn) throw new ProblemError("not_found");
      await follow(turn, after, response, { gone, heartbeatMs });
      return sent;
    }),
    route(contracts.cancelAnswer, ({ account: { accountId }, parameters: { requestId } }) => {
      const arrivals = [...arriving].filter((arrival) => arrival.accountId === accountId && arrival.requestId === requestId);
      for (const arrival of arrivals) arrival.letGo = true;
      const turn = turns.find(accountId, requestId);
      turn?.letGo();
      if (!turn && arrivals.length === 0) letGoAhead.note(accountId, requestId);
      return { released: true as const };
    }),
  ]);
}

type AskCall = Call<typeof contracts.ask>;

/** Writes a turn's lines as they come. */
async function follow(
  turn: RunningTurn,
  after: number,
  response: Response,
  { gone, heartbeatMs }: { gone: AbortSignal; heartbeatMs: number },
): Promise<void> {
  const reader = turn.read(after);
  response
    .status(200)
    .set({ "content-type": "application/x-ndjson; charset=utf-8", "cache-control": "private, no-store", "x-accel-buffering": "no" });
  response.flushHeaders();
  let said = performance.now();
  const heartbeat = setInterval(() => {
    if (gone.aborted || performance.now() - said < heartbeatMs) return;
    const status = turn.statusAgain();
    if (!status) return;
    said = performance.now();
    response.write(status);
  }, heartbeatMs / 4);
  try {
    for (let lines = await reader.lines(gone); lines; lines = await reader.lines(gone)) {
      // Words that come in one go leave in one go; the first of them waits for nobody.
      if (performance.now() - said < together) await nextTurn();
      lines.push(...reader.more());
      said = performance.now();
      if (!response.write(lines.length === 1 ? (lines[0] ?? "") : lines.join("")))
        await once(response, "drain", { signal: gone }).catch(() => {});
    }
  } finally {
    clearInterval(heartbeat);
    response.end();
    reader.close();
  }
}

/** Within so many milliseconds of a write the next one takes along what the event loop still has at hand. */
const together = 2;

/** The frames; whatever goes wrong becomes the last of them, in words of ours, never a provider's. */
async function* withLastFrame(
  frames: AsyncIterable<AskFrame>,
  { signal, requestId, log, written }: { signal: AbortSignal; requestId: string; log: Logger; written: () => void },
): AsyncGenerator<AskFrame> {
  try {
    yield* frames;
  } catch (error) {
    const failure = signal.aborted ? unreadProblem(signal.reason) : error;
    yield errorFrame(failure, { requestId, log, failed: "an Ask turn failed", otherwise: "ai_unavailable" });
  } finally {
    written();
  }
}

/** For whoever comes back after all. */
function unreadProblem(reason: unknown): unknown {
  return reason instanceof Unread ? new ProblemError("unavailable", { detail: reason.detail }) : reason;
}
