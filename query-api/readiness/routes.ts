import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { route, sent, serve } from "@colloquy/infra/http/route.ts";
import { isCopied } from "@colloquy/infra/kafka/layout.ts";
import type { RelayStatus } from "@colloquy/infra/kafka/relay/relay.ts";
import { observedSubscriptions, subscriptionLagMs } from "@colloquy/infra/telemetry/metrics.ts";
import { ageOf, type ProjectionProgress, projectionProgress, type ReadModels } from "@colloquy/projections/checkpoints/queries.ts";
import { readReadiness } from "@colloquy/schemas/contracts/operations.ts";
import { healthResponse, type ReadyResponse } from "@colloquy/schemas/health.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { Router } from "express";
import { cacheFor, type Dependency, dependencyStates, probe } from "./dependencies.ts";
import { eventStoreState } from "./event-store-state.ts";

/** How long the projections' progress is cached, in milliseconds, so that frequent requests do not load the event store. */
const cacheMs = 1_000;
/** A read model that lags more than this is not ready. */
const maxLagMs = 10_000;

interface Options {
  store: Pick<EventStore, "head" | "next" | "assertQuorum">;
  database: ReadModels;
  /** Other dependencies of the program. */
  dependencies?: readonly Dependency[];
  /** The address of the relay to Kafka, if there is one. */
  relay?: string;
  /** The address of the command API, which searches passages; null if it is not known. */
  commandApi?: string | null;
}

/**
 * The projections' progress, or the last known one if the store is too busy to answer: that alone does not make a read model late. The lag
 * is then the last known lag plus how long the answer has been awaited. Empty before the first answer.
 */
export function withLastKnown(
  ask: (signal: AbortSignal) => Promise<ProjectionProgress[]>,
  now: () => number = () => performance.now(),
): () => Promise<ProjectionProgress[]> {
  let known: ProjectionProgress[] = [];
  let awaitedSince: number | null = null;
  return async () => {
    awaitedSince ??= now();
    const asked = await probe(async (signal) => {
      known = await ask(signal);
      awaitedSince = null;
    });
    if (asked.ok) return known;
    const agoMs = Math.round(now() - (awaitedSince ?? now()));
    return known.map((one) => ({ ...one, lagMs: one.lagMs + agoMs }));
  };
}

/** `GET /readyz`: whether all dependencies work, and the lag of each projection. */
export function readyRoutes({ store, database, dependencies = [], relay: relayAddress, commandApi = null }: Options): Router {
  const states = dependencyStates(dependencies);
  // One question to the store serves its own check and all projections.
  const head = cacheFor(cacheMs, () => store.head());
  const storeState = eventStoreState({ ask: () => Promise.all([head(), store.assertQuorum()]), cacheMs });
  const projectionsProgress = cacheFor(
    cacheMs,
    withLastKnown(async (signal) => projectionProgress(database, { next: store.next, head }, signal)),
  );
  const commandApiState = cacheFor(cacheMs, async () => {
    let known: Pick<ReadyResponse, "search" | "renderWorkers"> = {};
    await probe(async (signal) => {
      const { search, renderWorkers } = healthResponse.parse(await (await fetch(`${commandApi}/healthz`, { signal })).json());
      known = { ...(search && { search }), ...(renderWorkers && { renderWorkers }) };
    });
    return known;
  });
  const relayState = cacheFor(cacheMs, async () => {
    let relay: ReadyResponse["relay"] = { ok: false, state: "not answering", position: null, lagMs: null };
    await probe(async (signal) => {
      const progress = await relayProgress(relayAddress ?? "", signal);
      relay = { ok: progress.state === "relaying" && progress.lagMs <= maxLagMs, ...progress };
    });
    return relay;
  });

  /** The relay's progress. It does not decide readiness: its delay shows as lag of the projections. */
  async function relayProgress(address: string, signal: AbortSignal): Promise<Pick<RelayStatus, "state" | "position" | "lagMs">> {
    const response = await fetch(`${address}/status`, { signal });
    const { relay } = (await response.json()) as { relay: RelayStatus };
    const { state, position } = relay;
    let { lagMs } = relay;
    // Ask the store, because a relay that cannot send does not read further either.
    if (position !== null && lagMs === 0)
      lagMs = ageOf(await store.next({ from: position, prefixes: [], wanted: ({ stream }) => isCopied(stream), signal }));
    return { state, position, lagMs };
  }

  const answer = route(readReadiness, async ({ response }) => {
    const [eventStore, readModels, others, progress, relay, known] = await Promise.all([
      storeState(),
      probe(() => database.selectFrom("checkpoints").select("name").limit(1).execute()),
      states(),
      projectionsProgress(),
      relayAddress !== undefined && relayState(),
      commandApi !== null && commandApiState(),
    ]);
    const projections = progress.map(({ name, position, state, failure, lagMs }) => ({
      name,
      ok: state === "running" && lagMs <= maxLagMs,
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
      followers: observedSubscriptions().map((progress) => ({
        name: progress.name,
        ok: progress.failure === null,
        lagMs: subscriptionLagMs(progress),
        ...(progress.failure !== null && { failure: progress.failure }),
      })),
      ...known,
      ...(relay && { relay }),
    });
    response.status(ready ? 200 : 503).json(body);
    return sent;
  });
  return serve([answer]);
}
