import type { ServerResponse } from "node:http";
import { type ErrorCode, errorCodes, errorTitles } from "@colloquy/schemas/errors.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { Logger } from "../telemetry/log.ts";
import { ProblemError } from "./problem.ts";

/** An answer in frames, one JSON value a line. */
export interface FrameStream<Frame> {
  /** Sends the headers; from here on errors are sent as frames. @returns `write` */
  begin(): (frame: Frame) => void;
  hasBegun(): boolean;
  /** Does nothing once the client disconnected. */
  write(frame: Frame): void;
  end(): void;
}

/** Repeats the last status after `heartbeatMs` of silence, so that proxies keep the connection. */
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

/** The error of an answer that a stopping service ends. Recorded parts stay, and repeating the request continues it. */
export const serviceStopping = (cause?: unknown): ProblemError =>
  new ProblemError("unavailable", { detail: "A part of Colloquy is restarting. Try again in a moment.", retryAfterSeconds: 2, cause });

/** The last frame after an error, never with a provider's own text. An unexpected error is logged with the message `failed`. */
export function errorFrame(
  error: unknown,
  { requestId, log, failed, otherwise = "unavailable" }: { requestId: string; log: Logger; failed: string; otherwise?: ErrorCode },
) {
  const known = error instanceof ProblemError ? error : undefined;
  if (!known) log.error({ err: error, requestId }, failed);
  const code = known?.code ?? otherwise;
  const { retryable } = errorCodes[code];
  const title = errorTitles[code];
  return versioned({
    kind: "error" as const,
    code,
    title: known?.fields?.[0]?.message ?? known?.detail ?? title,
    retryable,
    ...(known?.retryAfterSeconds !== undefined && { retryAfterSeconds: known.retryAfterSeconds }),
  });
}
