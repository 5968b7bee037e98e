import { beginSpan } from "@colloquy/infra/telemetry/traces.ts";
import { readStages } from "@colloquy/schemas/explainers/stages.ts";

/** Puts the stages that a worker took the times of into the trace: it sends none itself, because it reaches nothing but this API. */
export function traceStages(told: string): void {
  const stages = readStages(told);
  let at = Date.now() - stages.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  for (const { stage, milliseconds } of stages) {
    beginSpan(`render ${stage}`, { startTime: at }).end(at + milliseconds);
    at += milliseconds;
  }
}
