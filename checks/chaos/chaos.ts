import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startFullDeployment } from "../harness/full-deployment.ts";
import { randomOf } from "../random.ts";
import { examine } from "./examine.ts";
import { faultProbes } from "./fault-probe.ts";
import { faultsOf, shortForm } from "./faults.ts";
import { baselineFaults } from "./judge.ts";
import { startLearners } from "./learners.ts";
import { lineOf, page } from "./report.ts";
import { emptyRequestLog } from "./request-log.ts";
import { monitorReadiness, type Outcome, runFault } from "./run-fault.ts";

const pageFile = fileURLToPath(new URL("../../docs/reports/chaos.md", import.meta.url));
/** How long learners work before the first fault, in seconds. */
const calmSeconds = 10;

export interface Call {
  learners: number;
  seconds: number;
  seed: number;
  /** Only the faults of these parts. */
  only: readonly string[] | null;
  /** One fault of each part. */
  short: boolean;
  write: boolean;
}

/** The whole run; false when something is not as it must be. */
export async function chaos(call: Call): Promise<boolean> {
  const { learners, seconds, seed, only } = call;
  const all = faultsOf(randomOf(seed, "faults"));
  for (const part of only ?? []) if (!all.some((fault) => fault.part === part)) throw new Error(`there is no part ${part}`);
  const faults = (call.short ? shortForm(all) : all).filter(({ part }) => only === null || only.includes(part));
  const began = performance.now();
  const deployment = await startFullDeployment();
  const ending = (): void => void deployment.close().then(() => process.exit(130));
  process.once("SIGINT", ending);
  process.once("SIGTERM", ending);
  try {
    const record = emptyRequestLog();
    const watch = monitorReadiness(deployment);
    const crowd = await startLearners({ ...deployment, learners, seed, record });
    const { everybody, next } = faultProbes({ ...deployment, seed, record, topics: crowd.topics });
    // There is somebody whose things the first witness can look into.
    const early = next();
    await early.arrive();
    await early.leave();
    let witness = next();
    await witness.arrive();
    console.log(`ready after ${((performance.now() - began) / 1_000).toFixed(0)} s; load average ${loadavg()[0]?.toFixed(1)}`);
    const calmFrom = performance.now();
    await pause(calmSeconds * 1_000);
    const calm = watch.samples.filter(({ at }) => at >= calmFrom);
    const outcomes: Outcome[] = [];
    for (const fault of faults) {
      const after = next();
      const outcome = await runFault(fault, { deployment, record, watch, witness, after, seconds });
      witness = after;
      outcomes.push(outcome);
      console.log(lineOf(outcome));
      for (const line of outcome.wrong) console.error(`  ! ${line}`);
    }
    await witness.leave();
    await watch.stop();
    await crowd.finish();
    const found = await examine(deployment, [...crowd.people, ...everybody]);
    const ownEnds = Object.values(deployment.processes).flatMap((one) => one.unexpectedEnds);
    found.wrong.push(...crowd.failures, ...ownEnds, ...baselineFaults(calm));
    const ran = { call, outcomes, found, record, seconds: (performance.now() - began) / 1_000, load: loadavg()[1] ?? 0 };
    const { text, summary, good } = page(ran);
    console.log(summary);
    for (const line of [...found.lost, ...found.doubled, ...found.letIn, ...found.wrong].slice(0, 40)) console.error(`  ! ${line}`);
    if (call.write) writeFileSync(pageFile, text);
    return good;
  } finally {
    await deployment.close();
  }
}
