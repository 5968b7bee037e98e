import { errorFrame, frameStream, stopsNow } from "@colloquy/infra/http/frames.ts";
import { goneOf } from "@colloquy/infra/http/gone.ts";
import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { perAccount } from "@colloquy/infra/http/rate-limit.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { noQuery, versioned } from "@colloquy/schemas/payload.ts";
import {
  type TutorFrame,
  type TutorReply,
  tutorGoalRequest,
  tutorStartRequest,
  tutorTurnRequest,
} from "@colloquy/schemas/tutor/requests.ts";
import { type Request, type Response, Router } from "express";
import { NoModelAsked } from "../model-gateway/failures.ts";
import { type ModelStreams, modelStreams } from "../model-gateway/streams-at-once.ts";
import type { TurnRun, TutorHandlers } from "./handlers.ts";

interface Options {
  handlers: TutorHandlers;
  log: Logger;
  /** Ends the turns under way with a last word, so that the process can stop. */
  stopping: AbortSignal;
  streams?: ModelStreams;
  heartbeatMs?: number;
}

const ndjson = "application/x-ndjson";

/**
 * `POST /api/ai/tutor/start` and `/turn`: in frames for who accepts `application/x-ndjson`, else as one JSON body. Who hangs up before
 * anything was taught has done nothing.
 */
export function tutorRoutes({ handlers, log, stopping, streams = modelStreams(), heartbeatMs = bounds.ask.heartbeatMs }: Options): Router {
  const limit = perAccount({ points: bounds.tutor.turnsPerMinute, seconds: 60 });

  async function answer(
    request: Request,
    response: Response,
    accountId: string,
    requestId: string,
    carryOut: (run: TurnRun) => Promise<TutorReply>,
  ) {
    const gone = goneOf(response);
    const signal = AbortSignal.any([gone, stopping]);
    // Who presses again and again while no model answers has not used up the minute when one does.
    const counted = (run: TurnRun): Promise<TutorReply> =>
      carryOut(run)
        .catch(async (error: unknown) => {
          if (error instanceof NoModelAsked) await limit.giveBack(accountId);
          throw error;
        })
        .finally(written);
    const orStopped = (error: unknown): unknown => (stopping.aborted && !(error instanceof ProblemError) ? stopsNow(error) : error);
    await limit(accountId);
    const written = streams(accountId);
    const context = { accountId, requestId, correlationId: request.id };
    response.set("cache-control", "private, no-store");
    if (request.accepts(["application/json", ndjson]) !== ndjson) {
      const reply = await counted({ context, signal, streamed: false, tell: () => undefined }).catch((error: unknown) => {
        if (gone.aborted) return null;
        throw orStopped(error);
      });
      if (reply) response.json(reply);
      return;
    }
    const frames = frameStream<TutorFrame>(response, { gone, heartbeatMs });
    try {
      const { session, position } = await counted({ context, signal, streamed: true, tell: frames.begin() });
      frames.write(versioned({ kind: "complete" as const, session, position }));
    } catch (error) {
      if (!gone.aborted) frames.write(errorFrame(orStopped(error), { requestId: request.id, log, failed: "a Tutor turn failed" }));
    } finally {
      frames.end();
    }
  }

  return Router()
    .post("/api/ai/tutor/goal", async (request, response) => {
      const { accountId } = requireAccount(request);
      parse(noQuery, request.query);
      const asked = parse(tutorGoalRequest, request.body);
      await limit(accountId);
      response.set("cache-control", "private, no-store").json(await handlers.goal(asked));
    })
    .post("/api/ai/tutor/start", async (request, response) => {
      const { accountId } = requireAccount(request);
      parse(noQuery, request.query);
      const asked = parse(tutorStartRequest, request.body);
      await answer(request, response, accountId, asked.requestId, (run) => handlers.start(asked, run));
    })
    .post("/api/ai/tutor/turn", async (request, response) => {
      const { accountId } = requireAccount(request);
      parse(noQuery, request.query);
      const asked = parse(tutorTurnRequest, request.body);
      await answer(request, response, accountId, asked.requestId, (run) => handlers.turn(asked, run));
    });
}
