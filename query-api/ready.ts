import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { projectionProgress, type ReadModels } from "@colloquy/projections/checkpoints/queries.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { Router } from "express";

/** A dependency that takes longer counts as not answering. */
const answerWithinMs = 1_000;
/** A read model further behind than this is not fit to be read. */
const lagAtMostMs = 10_000;

/** `GET /healthz`: the process lives. `GET /readyz`: whether the store, the database and each projection do their work, with each one's lag. */
export function readyRoutes({ store, database }: { store: Pick<EventStore, "readAll">; database: ReadModels }): Router {
  const router = Router();

  router.get("/healthz", (_request, response) => {
    response.set("cache-control", "no-store").json(versioned({ status: "ok" }));
  });

  router.get("/readyz", async (_request, response) => {
    const [eventStore, readModels, progress] = await Promise.all([
      within(async () => {
        for await (const _ of store.readAll({ limit: 1 })) break;
      }),
      within(() => database.selectFrom("checkpoints").select("name").limit(1).execute()),
      within(() => projectionProgress(database, store)),
    ]);
    const projections = (progress.value ?? []).map(({ name, position, state, lagMs }) => ({
      name,
      ok: state !== "failed" && lagMs <= lagAtMostMs,
      state,
      position,
      lagMs,
    }));
    const ready = eventStore.ok && readModels.ok && projections.length > 0 && projections.every(({ ok }) => ok);
    const body = versioned({
      ready,
      eventStore: { ok: eventStore.ok, ms: eventStore.ms },
      database: { ok: readModels.ok, ms: readModels.ms },
      projections,
    });
    response
      .status(ready ? 200 : 503)
      .set("cache-control", "no-store")
      .json(body);
  });

  return router;
}

async function within<Value>(ask: () => Promise<Value>): Promise<{ ok: boolean; ms: number; value?: Value }> {
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  const cut = Promise.withResolvers<never>();
  const timer = setTimeout(() => cut.reject(new Error("no answer in time")), answerWithinMs);
  try {
    const value = await Promise.race([ask(), cut.promise]);
    return { ok: true, ms: ms(), value };
  } catch {
    return { ok: false, ms: ms() };
  } finally {
    clearTimeout(timer);
  }
}
