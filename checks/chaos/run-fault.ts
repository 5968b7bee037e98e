import { setTimeout as pause } from "node:timers/promises";
import type { FullDeployment } from "../harness/full-deployment.ts";
import type { FaultProbe } from "./fault-probe.ts";
import type { Fault } from "./faults.ts";
import {
  expectationFaults,
  type ReadinessSample,
  type ReadinessVerdict,
  readinessFaults,
  requestFaults,
  settleMs,
  stalledKinds,
  stopFaults,
} from "./judge.ts";
import { type RequestKind, type RequestLog, requestKinds, streamedKinds } from "./request-log.ts";

/** The result of one fault. */
export interface Outcome {
  fault: Fault;
  /** Requests begun during the fault, by kind: succeeded and others. */
  deeds: Map<RequestKind, { done: number; waited: number }>;
  /** The verdict on `/readyz`. */
  readiness: ReadinessVerdict;
  /** Seconds from the end until a whole journey (sign in, read, ask, read the answer back) succeeded. */
  recoveredAfter: number;
  /** The longest request without streams, in seconds. */
  longest: number;
  /** Streams that were open when it began. */
  streams: number;
  told: string | null;
  wrong: string[];
}

/** What a fault is run with. */
export interface FaultRun {
  deployment: FullDeployment;
  record: RequestLog;
  watch: ReadinessMonitor;
  /** Sends requests during the fault. */
  witness: FaultProbe;
  /** Sends requests after the fault, to see the recovery. */
  after: FaultProbe;
  seconds: number;
}

/** Polls `/readyz`. */
export interface ReadinessMonitor {
  samples: ReadinessSample[];
  stop(): Promise<void>;
}

const watchEveryMs = 250;
/** A slower recovery counts as none. */
const recoversWithinMs = 120_000;
/** A fault lasts up to this long until every independent kind of request succeeded, because the machine may be busy. */
const progressWithinMs = 20_000;

export function monitorReadiness(deployment: FullDeployment): ReadinessMonitor {
  const samples: ReadinessMonitor["samples"] = [];
  let stopped = false;
  const watching = (async () => {
    while (!stopped) {
      const at = performance.now();
      samples.push({ at, ...(await deployment.ready()) });
      await pause(watchEveryMs);
    }
  })();
  return {
    samples,
    async stop() {
      stopped = true;
      await watching;
    },
  };
}

/** Injects one fault, lets the probe send requests, waits for the recovery and judges it. */
export async function runFault(fault: Fault, { deployment, record, watch, witness, after, seconds }: FaultRun): Promise<Outcome> {
  const wrong: string[] = [];
  const { name } = witness.person;
  const ofWitness = (): RequestLog["requests"] => record.requests.filter(({ who }) => who === name);
  await fault.before?.(witness).catch((error: Error) => wrong.push(error.message));
  const from = performance.now();
  const streams = record.streams.size;
  const { told = null, ended } = await fault.begin(deployment);
  // The fault may take a moment to have an effect.
  await pause(settleMs);
  const inForce = performance.now();
  const meeting = witness.meet();
  const leastUntil = inForce + 1_000 * (seconds + (fault.longer ?? 0));
  const mostUntil = inForce + progressWithinMs;
  const goesOn = (): boolean => stalledKinds(fault, ofWitness(), { inForce, until: performance.now() }).length === 0;
  while (performance.now() < leastUntil || (performance.now() < mostUntil && !goesOn())) await pause(50);
  const until = performance.now();
  await fault.end(deployment);
  const began = performance.now();
  const recoveredAfter = await after.arrive().then(
    () => (performance.now() - began) / 1_000,
    (error: Error) => {
      wrong.push(`it does not recover: ${error.message}`);
      return Number.POSITIVE_INFINITY;
    },
  );
  wrong.push(...(await meeting));
  // Only samples from after the fault count.
  const isWell = (): boolean => (watch.samples.at(-1)?.at ?? 0) > began && watch.samples.at(-1)?.status === 200;
  while (!isWell() && performance.now() < began + recoversWithinMs) await pause(50);
  await witness.leave().catch((error: Error) => wrong.push(`did not come about: ${error.message}`));
  const over = performance.now();

  const span = { from, inForce, until };
  const readiness = readinessFaults(fault.readiness, watch.samples, { ...span, until: began, over });
  const during = record.requests.filter((deed) => deed.endedAt >= from && deed.startedAt < over);
  wrong.push(...expectationFaults(fault, ofWitness(), span), ...readiness.wrong, ...requestFaults(fault, during, span));
  if (fault.stops && ended) wrong.push(...stopFaults(ended, ofWitness(), { from, ...fault.stops }));
  const begunIn = during.filter((deed) => deed.startedAt >= inForce && deed.startedAt < until - settleMs);
  const deeds: Outcome["deeds"] = new Map();
  for (const kind of requestKinds) {
    const own = begunIn.filter((deed) => deed.name === kind);
    const done = own.filter(({ outcome, endedAt: at }) => outcome === "done" && at <= until).length;
    if (own.length > 0) deeds.set(kind, { done, waited: own.length - done });
  }
  const longest =
    Math.max(0, ...during.filter((deed) => !streamedKinds.includes(deed.name)).map((deed) => deed.endedAt - deed.startedAt)) / 1_000;
  return { fault, deeds, readiness, recoveredAfter, longest, streams, told, wrong };
}
