import { type Finding, failure, ok, warning } from "@colloquy/infra/event-store/doctor/finding.ts";
import type { ProjectionProgress } from "./checkpoints/queries.ts";

/** Later than this and people notice. */
const lateMs = 10_000;

/** Where each read model stands against the events. Pure. */
export function checkpointFindings(rows: readonly ProjectionProgress[], runners: number): Finding[] {
  const subject = "read models";
  if (rows.length === 0) return [warning(subject, "There are none yet. They are made at the first start.")];
  const findings = rows.flatMap(({ name, state, failure: why, lagMs }): Finding[] => {
    if (state === "ahead") return [failure(subject, `${name}: ${why}`)];
    if (state === "failed") return [failure(subject, `${name} stopped at ${why}. See npm run projections -- status.`)];
    return lagMs > lateMs && runners > 0 ? [warning(subject, `${name} is ${(lagMs / 1_000).toFixed(0)} s behind the events.`)] : [];
  });
  if (runners === 0 && rows.some(({ lagMs }) => lagMs > 0))
    findings.push(warning(subject, "Some are behind the events, and no process builds them. Start the program."));
  return findings.length > 0
    ? findings
    : [ok(subject, `${rows.length}, ${rows.every(({ lagMs }) => lagMs === 0) ? "none" : "none much"} behind the events`)];
}
