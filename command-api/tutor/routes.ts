import { errorFrame, frameStream, serviceStopping } from "@colloquy/infra/http/frames.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { type Call, route, sent, serve } from "@colloquy/infra/http/route.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import * as contracts from "@colloquy/schemas/contracts/tutor.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { TutorFrame, TutorReply } from "@colloquy/schemas/tutor/requests.ts";
import type { Router } from "express";
import { NoModelAvailable } from "../model-gateway/failures.ts";
import { type ModelStreamLimit, modelStreamLimit } from "../model-gateway/stream-limit.ts";
import type { TurnRun, TutorHandlers } from "./handlers.ts";

interface Options {
  handlers: TutorHandlers;
  log: Logger;
  /** Ends the turns under way with a last word, so that the process can stop. */
  stopping: AbortSignal;
  streams?: ModelStreamLimit;
  heartbeatMs?: number;
}

const ndjson = "application/x-ndjson";

/**
 * Sessions answer in frames for who accepts `application/x-ndjson`, else with one JSON body. A caller who hangs up before anything was
 * taught has done nothing.
 */
export function tutorRoutes({
  handlers,
  log,
  stopping,
  streams = modelStreamLimit(),
  heartbeatMs = bounds.ask.heartbeatMs,
}: Options): Router {
  async function answer(
    { account, body, requestId: correlationId, request, response, signal: gone, refund }: TutorCall,
    carryOut: (run: TurnRun) => Promise<TutorReply>,
  ): Promise<TutorReply | null> {
    const { accountId } = account;
    const signal = AbortSignal.any([gone, stopping]);
    const written = streams(accountId);
    // Retrying while no model answers does not use up the limit.
    const counted = (run: TurnRun): Promise<TutorReply> =>
      carryOut(run)
        .catch(async (error: unknown) => {
          if (error instanceof NoModelAvailable) await refund();
          throw error;
        })
        .finally(written);
    const orStopped = (error: unknown): unknown => (stopping.aborted && !(error instanceof ProblemError) ? serviceStopping(error) : error);
    const context = { accountId, requestId: body.requestId, correlationId };
    if (request.accepts(["application/json", ndjson]) !== ndjson)
      return counted({ context, signal, streamed: false, emit: () => undefined }).catch((error: unknown) => {
        if (gone.aborted) return sent;
        throw orStopped(error);
      });
    const frames = frameStream<TutorFrame>(response, { gone, heartbeatMs });
    try {
      const { session, position } = await counted({ context, signal, streamed: true, emit: frames.begin() });
      frames.write(versioned({ kind: "complete" as const, session, position }));
    } catch (error) {
      if (!gone.aborted) frames.write(errorFrame(orStopped(error), { requestId: correlationId, log, failed: "a Tutor turn failed" }));
    } finally {
      frames.end();
    }
    return sent;
  }

  return serve([
    route(contracts.checkGoal, ({ body }) => handlers.goal(body)),
    route(contracts.startTutoring, (call) => answer(call, (run) => handlers.start(call.body, run))),
    route(contracts.takeTutorTurn, (call) => answer(call, (run) => handlers.turn(call.body, run))),
  ]);
}

type TutorCall = Call<typeof contracts.startTutoring> | Call<typeof contracts.takeTutorTurn>;
