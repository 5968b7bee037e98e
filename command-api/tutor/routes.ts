import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { perAccount } from "@colloquy/infra/http/rate-limit.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { errorCodes } from "@colloquy/schemas/errors.ts";
import { noQuery, versioned } from "@colloquy/schemas/payload.ts";
import { type TutorFrame, type TutorReply, tutorStartRequest, tutorTurnRequest } from "@colloquy/schemas/tutor/requests.ts";
import { type Request, type Response, Router } from "express";
import type { TurnRun, TutorHandlers } from "./handlers.ts";

interface Options {
  handlers: TutorHandlers;
  log: Logger;
  heartbeatMs?: number;
}

const ndjson = "application/x-ndjson";

/**
 * `POST /api/ai/tutor/start` and `/turn`: in frames for who accepts `application/x-ndjson`, else as one JSON body. Who hangs up before
 * anything was taught has done nothing.
 */
export function tutorRoutes({ handlers, log, heartbeatMs = bounds.ask.heartbeatMs }: Options): Router {
  const limit = perAccount({ points: bounds.tutor.turnsPerMinute, seconds: 60 });

  async function answer(
    request: Request,
    response: Response,
    accountId: string,
    requestId: string,
    carryOut: (run: TurnRun) => Promise<TutorReply>,
  ) {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    await limit(accountId);
    const context = { accountId, requestId, correlationId: request.id };
    response.set("cache-control", "private, no-store");
    if (request.accepts(["application/json", ndjson]) !== ndjson) {
      const reply = await carryOut({ context, signal: gone.signal, streamed: false, tell: () => undefined }).catch((error: unknown) => {
        if (gone.signal.aborted) return null;
        throw error;
      });
      if (reply) response.json(reply);
      return;
    }
    response.status(200).set({ "content-type": `${ndjson}; charset=utf-8`, "x-accel-buffering": "no" });
    response.flushHeaders();
    let status: TutorFrame | undefined;
    const write = (frame: TutorFrame): void => {
      if (gone.signal.aborted) return;
      if (frame.kind === "status") status = frame;
      response.write(`${JSON.stringify(frame)}\n`);
      heartbeat.refresh();
    };
    const heartbeat = setInterval(() => status && response.write(`${JSON.stringify(status)}\n`), heartbeatMs);
    try {
      const { session, position } = await carryOut({ context, signal: gone.signal, streamed: true, tell: write });
      write(versioned({ kind: "complete" as const, session, position }));
    } catch (error) {
      if (!gone.signal.aborted) write(errorFrame(error, request.id, log));
    } finally {
      clearInterval(heartbeat);
      response.end();
    }
  }

  return Router()
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

function errorFrame(error: unknown, requestId: string, log: Logger): TutorFrame {
  const known = error instanceof ProblemError ? error : undefined;
  if (!known) log.error({ err: error, requestId }, "a Tutor turn failed");
  const code = known?.code ?? "unavailable";
  const { title, retryable } = errorCodes[code];
  return versioned({
    kind: "error" as const,
    code,
    title: known?.fields?.[0]?.message ?? known?.detail ?? title,
    retryable,
    ...(known?.retryAfterSeconds !== undefined && { retryAfterSeconds: known.retryAfterSeconds }),
  });
}
