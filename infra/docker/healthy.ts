import { readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Whether the service of this container is alive: ends with 0 or 1. Which one it is the entry point left beside it, or the argument says. */

/** The variable with the port that each service answers `/healthz` on. */
const ports: Record<string, string> = {
  // At the address people use a query API answers.
  "front-door": "FRONT_DOOR_STATUS_PORT",
  "command-api": "COMMAND_API_PORT",
  "query-api": "QUERY_API_PORT",
  projections: "PROJECTIONS_PORT",
  relay: "RELAY_PORT",
};
/** A worker that lives touches its file every ten seconds. */
const youngMs = 60_000;
const withinMs = 4_000;

const service = process.argv[2] ?? readFileSync(join(tmpdir(), "colloquy-service"), "utf8").trim();
const variable = ports[service];
try {
  const alive = variable
    ? (await fetch(`http://127.0.0.1:${process.env[variable]}/healthz`, { signal: AbortSignal.timeout(withinMs) })).ok
    : Date.now() - statSync(join(process.env.RENDER_FOLDER ?? "", "alive")).mtimeMs < youngMs;
  process.exit(alive ? 0 : 1);
} catch {
  process.exit(1);
}
