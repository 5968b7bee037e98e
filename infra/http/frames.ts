import type { ServerResponse } from "node:http";
import { type ErrorCode, errorCodes } from "@colloquy/schemas/errors.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { Logger } from "../telemetry/log.ts";
import { ProblemError } from "./problem.ts";

/** An answer in frames, one JSON value a line. */
export interface FrameStream<Frame> {
  /** From here on whatever happens is told in frames. @returns `write` */
  begin(): (frame: Frame) => void;
  hasBegun(): boolean;
  /** Nothing once nobody is at the other end. */
  write(frame: Frame): void;
  end(): void;
}

/** After `heartbeatMs` of silence the last status is said again, so that nothing between takes the stream for dead. */
export function frameStream<Frame extends { kind: string }>(
  response: ServerResponse,
  { gone, heartbeatMs }: { gone: AbortSignal; heartbeatMs: number },
): FrameStream<Frame> {
  let status: Frame | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  const line = (frame: Frame): void => {
    if (!gone.aborted) response.write(`${JSON.stringify(frame)}\n`);
  };
  const stream: FrameStream<Frame> = {
    begin() {
      if (heartbeat) return stream.write;
      response.statusCode = 200;
      response.setHeader("content-type", "application/x-ndjson; charset=utf-8");
      response.setHeader("x-accel-buffering", "no");
      response.flushHeaders();
      heartbeat = setInterval(() => status && line(status), heartbeatMs);
      return stream.write;
    },
    hasBegun: () => heartbeat !== undefined,
    write(frame) {
      if (frame.kind === "status") status = frame;
      line(frame);
      heartbeat?.refresh();
    },
    end() {
      clearInterval(heartbeat);
      if (heartbeat) response.end();
    },
  };
  return stream;
}

/** Why an answer ends that is being given when the service stops; what had been recorded by then stays, and the same request goes on. */
export const serviceStopping = (cause?: unknown): ProblemError =>
  new ProblemError("unavailable", { detail: "A part of Colloquy is restarting. Try again in a moment.", retryAfterSeconds: 2, cause });

/** The last frame of what went wrong, in words of ours, never a provider's. What nobody foresaw is logged as `failed`. */
export function errorFrame(
  error: unknown,
  { requestId, log, failed, otherwise = "unavailable" }: { requestId: string; log: Logger; failed: string; otherwise?: ErrorCode },
) {
  const known = error instanceof ProblemError ? error : undefined;
  if (!known) log.error({ err: error, requestId }, failed);
  const code = known?.code ?? otherwise;
  const { title, retryable } = errorCodes[code];
  return versioned({
    kind: "error" as const,
    code,
    title: known?.fields?.[0]?.message ?? known?.detail ?? title,
    retryable,
    ...(known?.retryAfterSeconds !== undefined && { retryAfterSeconds: known.retryAfterSeconds }),
  });
}
