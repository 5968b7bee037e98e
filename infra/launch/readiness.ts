import { setTimeout as pause } from "node:timers/promises";
import { type ReadyResponse, readyResponse } from "@colloquy/schemas/health.ts";

const askAgainMs = 200;
const answerWithinMs = 3_000;

/**
 * Asks `/readyz` of the query API until it says ready, at most `withinMs`.
 * @returns what is not ready, a line for each part; nothing when all is
 */
export async function waitUntilReady(port: () => number | null, withinMs: number, signal: AbortSignal): Promise<string[]> {
  const until = performance.now() + withinMs;
  for (;;) {
    const missing = await ask(port());
    if (missing.length === 0 || signal.aborted || performance.now() >= until) return missing;
    await pause(askAgainMs, undefined, { signal }).catch(() => undefined);
  }
}

async function ask(port: number | null): Promise<string[]> {
  if (port === null) return ["query API: not running"];
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(answerWithinMs) });
    if (response.ok) {
      await response.body?.cancel();
      return [];
    }
    return unreadyParts(readyResponse.parse(await response.json()));
  } catch {
    return ["query API: /readyz does not answer. See its log."];
  }
}

/** What a `/readyz` says is not ready, a line for each part, with what to do. */
export function unreadyParts({ ready, eventStore, database, dependencies, projections, relay }: ReadyResponse): string[] {
  if (ready) return [];
  const lines: string[] = [];
  if (!eventStore.ok) lines.push(`event store: ${eventStore.reason ?? "does not answer. See EVENTSTORE_URL and the event store's log."}`);
  if (!database.ok)
    lines.push(`read models: ${database.reason ?? "their database does not answer. See DATABASE_URL, and whether the database exists."}`);
  for (const { name, ok, required, reason } of dependencies)
    if (!ok && required) lines.push(`${name}: ${reason ?? "does not answer. See its log."}`);
  if (relay && !relay.ok) lines.push(`relay to Kafka: ${relay.state}. See KAFKA_BROKERS and the relay's log.`);
  const late = projections
    .filter(({ ok }) => !ok)
    .map(({ name, state, failure }) => `${name} (${failure ? `stopped at ${failure}` : state})`);
  if (late.length > 0) lines.push(`read models: not up to date: ${late.join(", ")}. See npm run projections -- status.`);
  else if (projections.length === 0 && database.ok && eventStore.ok)
    lines.push("read models: their progress is unknown, or they do not exist yet. See the projections' log.");
  return lines.length > 0 ? lines : ["/readyz says so"];
}
