import { readFileSync } from "node:fs";
import type { Program } from "../../journeys/program.ts";

const services = ["event-store/embedded/main.ts", "command-api/main.ts", "query-api/main.ts", "projections/main.ts"];

/** The memory each service has for itself, in MiB. */
export function memoryOf(program: Program): Record<string, number> {
  return Object.fromEntries(
    services.flatMap((part) => {
      const pid = program.pidOf(part);
      const kilobytes = pid && /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
      return kilobytes ? [[part.split("/", 1)[0] ?? part, Math.round(Number(kilobytes) / 1_024)]] : [];
    }),
  );
}
