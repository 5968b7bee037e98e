import { once } from "node:events";
import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { perAccount } from "@colloquy/infra/http/rate-limit.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { type AskFrame, askRequest } from "@colloquy/schemas/ai/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { errorCodes } from "@colloquy/schemas/errors.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { type Request, type Response, Router } from "express";
import { resolveReferences } from "../grounding/retrieve.ts";
import type { ModelGateway } from "../model-gateway/gateway.ts";
import { type AskDependencies, answer } from "./answer.ts";

/** `GET /api/ai/models`: what the picker shows; nothing of it is secret. */
export function modelsRoutes({ gateway }: { gateway: ModelGateway }): Router {
  return Router().get("/api/ai/models", (_request, response) => {
    response.set("cache-control", "private, no-cache").json(versioned({ models: gateway.choices(), automatic: gateway.automatic() }));
  });
}

/**
 * `POST /api/ai/ask`: one turn as newline-delimited frames. The turn leaves no event; recording it is the sync command's.
 * After `heartbeatMs` of silence the last status is said again, so that nothing between takes the stream for dead.
 */
export function askRoutes({
  log,
  heartbeatMs = bounds.ask.heartbeatMs,
  ...dependencies
}: AskDependencies & { log: Logger; heartbeatMs?: number }): Router {
  const limit = perAccount({ points: bounds.ask.turnsPerMinute, seconds: 60 });
  return Router().post("/api/ai/ask", async (request, response) => {
    const account = requireAccount(request);
    const asked = parse(askRequest, request.body);
    const abort = new AbortController();
    // Before anything is awaited: whoever hangs up during that would never be noticed afterwards.
    if (response.closed) abort.abort();
    else response.once("close", () => abort.abort());
    await limit(account.accountId);
    const references = await resolveReferences(dependencies.library, asked.references);
    if (abort.signal.aborted) return;
    await stream(request, response, answer(dependencies, { ...asked, references }, abort.signal), {
      signal: abort.signal,
      log,
      heartbeatMs,
    });
  });
}

/** Writes the frames as they come; whatever goes wrong once the head is out becomes the last frame. */
async function stream(
  request: Request,
  response: Response,
  frames: AsyncGenerator<AskFrame>,
  { signal, log, heartbeatMs }: { signal: AbortSignal; log: Logger; heartbeatMs: number },
): Promise<void> {
  response
    .status(200)
    .set({ "content-type": "application/x-ndjson; charset=utf-8", "cache-control": "private, no-store", "x-accel-buffering": "no" });
  response.flushHeaders();
  let last: Extract<AskFrame, { kind: "status" }> | undefined;
  let silentSince = performance.now();
  const write = async (frame: AskFrame): Promise<void> => {
    silentSince = performance.now();
    if (signal.aborted || response.write(`${JSON.stringify(frame)}\n`)) return;
    await once(response, "drain", { signal }).catch(() => {});
  };
  const started = performance.now();
  const heartbeat = setInterval(() => {
    if (last && performance.now() - silentSince >= heartbeatMs) void write({ ...last, elapsedMs: Math.round(performance.now() - started) });
  }, heartbeatMs / 4);
  try {
    for await (const frame of frames) {
      if (signal.aborted) return;
      if (frame.kind === "status") last = frame;
      await write(frame);
    }
  } catch (error) {
    if (signal.aborted) return;
    await write(errorFrame(error, request.id, log));
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

/** The last frame of a turn that failed: a code and words of ours, never a provider's. */
function errorFrame(error: unknown, requestId: string, log: Logger): AskFrame {
  const known = error instanceof ProblemError ? error : undefined;
  if (!known) log.error({ err: error, requestId }, "an Ask turn failed");
  const code = known?.code ?? "ai_unavailable";
  const { title, retryable } = errorCodes[code];
  return versioned({ kind: "error" as const, code, title: known?.fields?.[0]?.message ?? known?.detail ?? title, retryable });
}
