import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { errorFrame } from "@colloquy/infra/http/frames.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { languageOfReader } from "@colloquy/infra/http/reader-language.ts";
import { type Call, route, sent, serve } from "@colloquy/infra/http/route.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { AskFrame, AskRequest } from "@colloquy/schemas/ask/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import * as contracts from "@colloquy/schemas/contracts/ask.ts";
import type { Response, Router } from "express";
import { type IsRevision, resolveReferences } from "../grounding/retrieve.ts";
import type { ModelGateway } from "../model-gateway/gateway.ts";
import { type ModelStreamLimit, modelStreamLimit } from "../model-gateway/stream-limit.ts";
import type { ChangeHandlers } from "../sync/handlers.ts";
import { type AskDependencies, answer, quizRequestOf } from "./answer.ts";
import { askRequestIds, cancelledBeforeArrival } from "./request-ids.ts";
import { createRunningTurns, type RunningTurn, type RunningTurns, TurnStopped } from "./running-turns.ts";
import { turnRecorder } from "./turn-recorder.ts";

/**
 * The models of the picker, without secrets. They come from the configuration and from programs on this machine, not from a read model.
 * @param prepare called when a workspace asks for them: a question may follow soon
 */
export function modelsRoutes({ gateway, prepare }: { gateway: ModelGateway; prepare?: (() => void) | undefined }): Router {
  return serve([
    route(contracts.listModels, async ({ account }) => {
      prepare?.();
      await gateway.refresh();
      const left = account && (await gateway.leftToday(account.accountId));
      const models = gateway.choices().map((choice) => {
        const leftToday = left?.get(choice.provider);
        return leftToday ? { ...choice, leftToday } : choice;
      });
      return { models, automatic: gateway.automatic() };
    }),
  ]);
}

export interface AskRoutesOptions extends AskDependencies {
  log: Logger;
  isRevision: IsRevision;
  /** Records kept turns. */
  handlers: ChangeHandlers;
  turns?: RunningTurns;
  streams?: ModelStreamLimit;
  heartbeatMs?: number;
}

/**
 * Answers stream as newline-delimited frames. The device that reads an answer records it by a push. After `heartbeatMs` of silence the last
 * status is repeated, so that no proxy closes the stream.
 */
export function askRoutes({
  log,
  isRevision,
  handlers,
  turns = createRunningTurns(),
  streams = modelStreamLimit(),
  heartbeatMs = bounds.ask.heartbeatMs,
  ...dependencies
}: AskRoutesOptions): Router {
  const requestIds = askRequestIds();

  const cancelled = cancelledBeforeArrival();
  /** Requests whose turn has not begun yet, and whether the client has cancelled them meanwhile. */
  const arriving = new Set<{ accountId: string; requestId: string; isCancelled: boolean }>();

  /** The turn of a request. A turn whose request is cancelled before it begins ends as soon as it begins. */
  async function arrivingTurn(call: AskCall): Promise<RunningTurn | null> {
    const { account, body: asked, signal: gone, refund } = call;
    const { accountId } = account;
    const arrival = { accountId, requestId: asked.requestId, isCancelled: cancelled.take(accountId, asked.requestId) };
    arriving.add(arrival);
    try {
      if (!turns.find(accountId, asked.requestId)) await requireModel(asked, refund);
      if (arrival.isCancelled && gone.aborted) return null;
      const turn = await turnFor(call);
      if (arrival.isCancelled) turn?.release();
      return turn;
    } finally {
      arriving.delete(arrival);
    }
  }

  /** A request refused because no model is available does not count against the rate limit. */
  async function requireModel(asked: AskRequest, refund: () => Promise<void>): Promise<void> {
    try {
      await dependencies.gateway.check({ model: asked.model, need: quizRequestOf(asked) ? "quiz" : "ask" });
    } catch (error) {
      await refund();
      throw error;
    }
  }

  /** Finds the turn of a repeated request, or begins one. */
  async function turnFor({ account: { accountId }, body: asked, requestId, signal: gone, request }: AskCall): Promise<RunningTurn | null> {
    const known = (): RunningTurn | null => turns.find(accountId, asked.requestId);
    if (known()) return known();
    const references = await resolveReferences({ library: dependencies.library, isRevision }, asked.references);
    const { keep } = asked;
    if (known()) return known();
    if (gone.aborted && !keep) return null;
    const releaseStream = streams(accountId);
    const language = languageOfReader(request.headers);
    return turns.begin(
      {
        accountId,
        requestId: asked.requestId,
        ...(keep && {
          conversationId: keep.conversationId,
          ...(keep.started && { start: { at: keep.at, started: keep.started } }),
          isRecordedByService: keep.recordedBy === "service",
          record: turnRecorder({ handlers, log }, { accountId, asked: { ...asked, keep }, requestId }),
        }),
      },
      (signal) =>
        withLastFrame(answer(dependencies, { ...asked, references, accountId, language }, signal), {
          signal,
          requestId,
          log,
          releaseStream,
        }),
    );
  }

  return serve([
    route(contracts.ask, async (call) => {
      const { account, body, signal: gone, response } = call;
      requestIds.use(account.accountId, body);
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
      for (const arrival of arrivals) arrival.isCancelled = true;
      const turn = turns.find(accountId, requestId);
      turn?.release();
      if (!turn && arrivals.length === 0) cancelled.add(accountId, requestId);
      return { released: true as const };
    }),
  ]);
}

type AskCall = Call<typeof contracts.ask>;

/** Writes a turn's lines to a response as they come. */
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
  let lastWriteAt = performance.now();
  const heartbeat = setInterval(() => {
    if (gone.aborted || performance.now() - lastWriteAt < heartbeatMs) return;
    const status = turn.repeatedStatus();
    if (!status) return;
    lastWriteAt = performance.now();
    response.write(status);
  }, heartbeatMs / 4);
  try {
    for (let lines = await reader.nextLines(gone); lines; lines = await reader.nextLines(gone)) {
      // Chunks that arrive in the same event-loop turn are written at once; the first chunk is never delayed.
      if (performance.now() - lastWriteAt < batchMs) await nextTurn();
      lines.push(...reader.takeBuffered());
      lastWriteAt = performance.now();
      if (!response.write(lines.length === 1 ? (lines[0] ?? "") : lines.join("")))
        await once(response, "drain", { signal: gone }).catch(() => {});
    }
  } finally {
    clearInterval(heartbeat);
    response.end();
    reader.close();
  }
}

/** A write within this time of the last one waits for the event loop to deliver more (ms). */
const batchMs = 2;

/** The frames; an error becomes the last frame, with a text of this service, never a provider's. */
async function* withLastFrame(
  frames: AsyncIterable<AskFrame>,
  { signal, requestId, log, releaseStream }: { signal: AbortSignal; requestId: string; log: Logger; releaseStream: () => void },
): AsyncGenerator<AskFrame> {
  try {
    yield* frames;
  } catch (error) {
    const failure = signal.aborted ? problemOfStop(signal.reason) : error;
    yield errorFrame(failure, { requestId, log, failed: "an Ask turn failed" });
  } finally {
    releaseStream();
  }
}

/** Shown to a reader who comes back to a stopped turn. */
function problemOfStop(reason: unknown): unknown {
  return reason instanceof TurnStopped ? new ProblemError("unavailable", { detail: reason.detail }) : reason;
}
