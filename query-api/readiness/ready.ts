import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { route, sent, serve } from "@colloquy/infra/http/route.ts";
import { isCopied } from "@colloquy/infra/kafka/layout.ts";
import type { RelayStatus } from "@colloquy/infra/kafka/relay/relay.ts";
import { ageOf, type ProjectionProgress, projectionProgress, type ReadModels } from "@colloquy/projections/checkpoints/queries.ts";
import { readReadiness } from "@colloquy/schemas/contracts/operations.ts";
import type { ReadyResponse } from "@colloquy/schemas/health.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { Router } from "express";
import { answers, type Dependency, dependencyStates, shared } from "./dependencies.ts";

/** How long the answer to how far everybody has come holds, in milliseconds: the event store is not asked more often, however often we are. */
const holdsMs = 1_000;
/** A read model further behind than this is not fit to be read. */
const lagAtMostMs = 10_000;

interface Options {
  store: Pick<EventStore, "readAll" | "next">;
  database: ReadModels;
  /** What else the program leans on. */
  dependencies?: readonly Dependency[];
  /** The address of the relay to Kafka, where there is one. */
  relay?: string;
}

/**
 * How far all are, or were when somebody said so last: a store that is too busy to say it is no read model that is late. Each is then at most
 * as far behind as it was, and as long as that is ago. Nothing before it was said once.
 */
export function lastKnown(
  ask: (signal: AbortSignal) => Promise<ProjectionProgress[]>,
  now: () => number = () => performance.now(),
): () => Promise<ProjectionProgress[]> {
  let known: { at: number; progress: ProjectionProgress[] } = { at: now(), progress: [] };
  return async () => {
    const at = now();
    const asked = await answers(async (signal) => {
      const progress = await ask(signal);
      known = { at, progress };
    });
    if (asked.ok) return known.progress;
    const agoMs = Math.round(now() - known.at);
    return known.progress.map((one) => ({ ...one, lagMs: one.lagMs + agoMs }));
  };
}

/** `GET /readyz`: whether everything the program leans on does its work, and how far behind each projection is. */
export function readyRoutes({ store, database, dependencies = [], relay: relayAddress }: Options): Router {
  const states = dependencyStates(dependencies);
  const projectionsProgress = shared(
    holdsMs,
    lastKnown((signal) => projectionProgress(database, store, signal)),
  );
  const relayState = shared(holdsMs, async () => {
    let relay: ReadyResponse["relay"] = { ok: false, state: "not answering", position: null, lagMs: null };
    await answers(async (signal) => {
      const told = await relayProgress(relayAddress ?? "", signal);
      relay = { ok: told.state === "relaying" && told.lagMs <= lagAtMostMs, ...told };
    });
    return relay;
  });

  /** What stands between an event and the topics. It does not decide readiness: what it holds up shows as the projections' lag. */
  async function relayProgress(address: string, signal: AbortSignal): Promise<Pick<RelayStatus, "state" | "position" | "lagMs">> {
    const response = await fetch(`${address}/status`, { signal });
    const { relay } = (await response.json()) as { relay: RelayStatus };
    const { state, position } = relay;
    let { lagMs } = relay;
    // The store is asked, because a relay that cannot send does not read on either.
    if (position !== null && lagMs === 0)
      lagMs = ageOf(await store.next({ from: position, prefixes: [], wanted: ({ stream }) => isCopied(stream), signal }));
    return { state, position, lagMs };
  }

  const answer = route(readReadiness, async ({ response }) => {
    const [eventStore, readModels, others, progress, relay] = await Promise.all([
      answers(async () => {
        for await (const _ of store.readAll({ limit: 1 })) break;
      }),
      answers(() => database.selectFrom("checkpoints").select("name").limit(1).execute()),
      states(),
      projectionsProgress(),
      relayAddress !== undefined && relayState(),
    ]);
    const projections = progress.map(({ name, position, state, failure, lagMs }) => ({
      name,
      ok: state === "running" && lagMs <= lagAtMostMs,
      state,
      position,
      lagMs,
      ...(failure !== null && { failure }),
    }));
    const ready =
      eventStore.ok &&
      readModels.ok &&
      others.every(({ ok, required }) => ok || !required) &&
      projections.length > 0 &&
      projections.every(({ ok }) => ok);
    const body: ReadyResponse = versioned({
      ready,
      eventStore,
      database: readModels,
      dependencies: others,
      projections,
      ...(relay && { relay }),
    });
    response.status(ready ? 200 : 503).json(body);
    return sent;
  });
  return serve([answer]);
}
