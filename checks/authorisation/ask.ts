import { versioned } from "@colloquy/schemas/payload.ts";
import type { Actor, Credentials } from "./actors.ts";
import { type Row, table } from "./table.ts";
import type { Things } from "./things.ts";

/** How long an answer may take to begin. */
const withinMs = 30_000;

/** Asks a route of the table as somebody, and gives back the status; what streams is let go of. */
export async function statusFor(url: string, route: string, actor: Actor, credentials: Credentials, things: Things): Promise<number> {
  const { path, body, headers } = table[route] as Row;
  const [method = "", pattern = ""] = route.split(" ", 2);
  const writes = method !== "GET" && method !== "DELETE";
  const response = await fetch(url + (path?.(things) ?? pattern), {
    method,
    redirect: "manual",
    signal: AbortSignal.timeout(withinMs),
    headers: {
      ...(writes && { "content-type": "application/json" }),
      accept: "application/json, text/html",
      ...headers,
      ...credentials[actor],
    },
    ...(writes && { body: JSON.stringify(body ? versioned(body(things)) : {}) }),
  });
  await response.body?.cancel();
  return response.status;
}
