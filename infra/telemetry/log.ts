import { type DestinationStream, pino } from "pino";
import type { Config } from "../config.ts";
import { traceFields } from "./traces.ts";

export type Logger = ReturnType<typeof createLog>;

/** What an error may say of itself: other fields quote what it met, such as a row's text (`detail`, of pg) or an address with its password. */
const told = new Set([
  "code",
  "errcode",
  "errno",
  "syscall",
  "status",
  "reason",
  "severity",
  "routine",
  "constraint",
  "table",
  "column",
  "stream",
]);
/** Causes of causes that are written. */
const causes = 5;

/** An error for the log: its kind, message and stack, its causes, and of its other fields those that hold no text of anybody. */
function errorForLog(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const fields = Object.entries(error).filter(([name, value]) => told.has(name) && typeof value !== "object");
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...Object.fromEntries(fields),
    ...(error.cause instanceof Error && depth < causes && { cause: errorForLog(error.cause, depth + 1) }),
    ...(error instanceof AggregateError && depth < causes && { errors: error.errors.map((one) => errorForLog(one, depth + 1)) }),
  };
}

/**
 * JSON lines on standard error (tests give another destination), one service's name on each, and the ids of the trace and span it is written in, where there is one. Headers and keys that sign somebody in are
 * censored, and of an error only what `errorForLog` gives is written.
 */
export function createLog(
  service: string,
  config: Pick<Config, "LOG_LEVEL">,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
) {
  return pino(
    {
      name: service,
      level: config.LOG_LEVEL,
      base: { service },
      mixin: traceFields,
      serializers: { err: errorForLog },
      redact: {
        paths: ["*.authorization", "*.cookie", "req.headers.authorization", "req.headers.cookie", "apiKey", "*.apiKey"],
        censor: "[redacted]",
      },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  );
}
