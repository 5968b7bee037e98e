import { renderAttempts, renderDuration } from "@colloquy/infra/telemetry/metrics.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ExplainerEvent } from "@colloquy/schemas/explainers/events.ts";
import { failureCodes } from "@colloquy/schemas/explainers/render.ts";

// Told before the first of them comes: a rate begins at 0, and an alert that compares two has both.
for (const outcome of ["claimed", "completed", "lost"]) renderAttempts.inc({ outcome }, 0);
for (const code of failureCodes) renderAttempts.inc({ outcome: "failed", code }, 0);

/** Counts what became of tries to make a film: by the events this process appended, so that each counts once, whatever a worker says how often. */
export function countTries(appended: readonly ExplainerEvent[]): void {
  const lost = appended.some(({ type }) => type === "RenderLeaseExpired");
  for (const event of appended)
    switch (event.type) {
      case "RenderClaimed":
        renderAttempts.inc({ outcome: "claimed" });
        break;
      case "RenderLeaseExpired":
        renderAttempts.inc({ outcome: "lost" });
        break;
      case "RenderFailed":
        renderAttempts.inc({ outcome: lost || event.data.leaseId === null ? "given_up" : "failed", code: event.data.code });
        break;
      case "RenderCompleted":
        renderAttempts.inc({ outcome: "completed" });
        renderDuration.observe(Math.min(event.data.metrics.renderMilliseconds, bounds.explainer.render.ms) / 1_000);
    }
}
