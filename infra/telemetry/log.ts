import { pino } from "pino";
import type { Config } from "../config.ts";

export type Logger = ReturnType<typeof createLog>;

/** JSON lines on standard error, one service's name on each; known secrets are never written. */
export function createLog(service: string, config: Pick<Config, "LOG_LEVEL">) {
  return pino(
    {
      name: service,
      level: config.LOG_LEVEL,
      base: { service },
      redact: {
        paths: ["*.authorization", "*.cookie", "req.headers.authorization", "req.headers.cookie", "apiKey", "*.apiKey"],
        censor: "[redacted]",
      },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
