import { z } from "zod";
import { payload, position } from "./payload.ts";

/** How many different texts of passages have a vector of the configured model, and whether questions are embedded with it already. */
const searchProgress = z.strictObject({ passages: z.int().min(0), embedded: z.int().min(0), current: z.boolean() });
export type SearchProgress = z.infer<typeof searchProgress>;

/** Render workers that spoke within a minute; without an encoder one fails every video. */
const renderWorkers = z.strictObject({
  count: z.int().min(0),
  inWeakerIsolation: z.int().min(0),
  withoutEncoder: z.int().min(0),
});
export type RenderWorkers = z.infer<typeof renderWorkers>;

/** `GET /healthz`: the process answers. What the command API knows: the progress of search by meaning, and its render workers. */
export const healthResponse = payload({
  status: z.literal("ok"),
  search: searchProgress.optional(),
  renderWorkers: renderWorkers.optional(),
});
export type HealthResponse = z.infer<typeof healthResponse>;

const check = {
  ok: z.boolean(),
  ms: z.int().min(0),
  /** Why it is not well, and what to do, where that is known. */
  reason: z.string().optional(),
};

/** Something the program leans on. Without a `required` one it is not ready; without another, only what needs it is missing. */
export const dependency = z.strictObject({
  /** Such as `object-store`, `identity`, `model p1`. */
  name: z.string(),
  ...check,
  required: z.boolean(),
  /** False: nothing is set up that could answer, so that `ok` is false too. */
  configured: z.boolean(),
});
export type DependencyState = z.infer<typeof dependency>;

/** `GET /readyz`, with 200 when it is ready and 503 when not. */
export const readyResponse = payload({
  ready: z.boolean(),
  eventStore: z.strictObject(check),
  database: z.strictObject(check),
  dependencies: z.array(dependency),
  projections: z.array(
    z.strictObject({
      name: z.string(),
      ok: z.boolean(),
      state: z.string(),
      position: position.nullable(),
      /** Age of the oldest event that waits, in milliseconds. */
      lagMs: z.int().min(0),
      /** Type and id of the event a stopped projection stands at. */
      failure: z.string().optional(),
    }),
  ),
  /** Progress of search by meaning, where it is on. It does not decide readiness: passages without vectors are found by words. */
  search: searchProgress.optional(),
  /** They do not decide readiness: videos wait. */
  renderWorkers: renderWorkers.optional(),
  /** Subscriptions of the query API to the event store. One that is interrupted goes on by itself and does not decide readiness. */
  followers: z
    .array(
      z.strictObject({
        name: z.string(),
        ok: z.boolean(),
        /** Age of the last event delivered while it catches up, in milliseconds. */
        lagMs: z.int().min(0),
        /** Why it is interrupted, and what to do. */
        failure: z.string().optional(),
      }),
    )
    .optional(),
  /** How far the relay to Kafka has come, where there is one; it does not decide readiness. */
  relay: z.strictObject({ ok: z.boolean(), state: z.string(), position: position.nullable(), lagMs: z.int().min(0).nullable() }).optional(),
});
export type ReadyResponse = z.infer<typeof readyResponse>;
