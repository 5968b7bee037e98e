import { gaugeOnScrape } from "@colloquy/infra/telemetry/metrics.ts";
import type { ProjectionStatus } from "./runner.ts";

/** Registers the Prometheus metrics of the projections; once per process. */
export function measureProjections(status: () => readonly ProjectionStatus[]): void {
  const byProjection = (value: (one: ProjectionStatus) => number) => () =>
    status().map((one) => ({ labels: { projection: one.name }, value: value(one) }));
  const gauge = (name: string, help: string, value: (one: ProjectionStatus) => number): void =>
    gaugeOnScrape(`colloquy_projection_${name}`, help, ["projection"], byProjection(value));
  gauge("position", "Commit position of the last event applied", ({ position }) => Number(position ?? 0));
  gauge("lag_seconds", "Age of the oldest event that is not applied yet", ({ lagMs }) => lagMs / 1_000);
  gauge("events_per_second", "Events applied each second, over the last ten seconds", ({ eventsPerSecond }) => eventsPerSecond);
  gauge("applied_events", "Events applied since the process began", ({ applied }) => applied);
  gauge("failed", "1 while the projection is stopped at an event that it cannot apply", ({ state }) => (state === "failed" ? 1 : 0));
  gaugeOnScrape("colloquy_projection_state", "1 for the state a projection is in", ["projection", "state"], () =>
    status().map(({ name, state }) => ({ labels: { projection: name, state }, value: 1 })),
  );
  gaugeOnScrape("colloquy_projection_skipped_events", "Events of a type the projection does not know", ["projection", "type"], () =>
    status().flatMap(({ name, skipped }) =>
      Object.entries(skipped).map(([type, value]) => ({ labels: { projection: name, type }, value })),
    ),
  );
}
