import { setTimeout as pause } from "node:timers/promises";
import type { FullDeployment } from "../harness/full-deployment.ts";
import { type DeedName, deedNames, type Record, streaming } from "./deeds.ts";
import type { Fault } from "./faults.ts";
import { deedFaults, edgeMs, notGoneOn, readinessFaults, type Sample, stopFaults, type Told, unmet } from "./judge.ts";
import type { Witness } from "./witness.ts";

/** What one fault came to. */
export interface Outcome {
  fault: Fault;
  /** Of the deeds begun meanwhile: how many were done, and how many were not. */
  deeds: Map<DeedName, { done: number; waited: number }>;
  /** What `/readyz` said of it. */
  readiness: Told;
  /** Seconds from the end until a whole journey (signing in, reading, asking, reading what was written) had gone well. */
  recoveredAfter: number;
  /** The longest any request took, in seconds, streams left out. */
  longest: number;
  /** Streams that were open when it began. */
  streams: number;
  told: string | null;
  wrong: string[];
}

/** What a fault is tried with. */
export interface Stand {
  deployment: FullDeployment;
  record: Record;
  watch: Watch;
  /** Who meets it. */
  witness: Witness;
  /** Who comes after it, and finds that all is well. */
  after: Witness;
  seconds: number;
}

/** What `/readyz` said, again and again. */
export interface Watch {
  samples: Sample[];
  stop(): Promise<void>;
}

const watchEveryMs = 250;
/** Longer is no recovery by itself. */
const recoversWithinMs = 120_000;
/** What has to go on is done within this, however busy the machine is: a fault goes on until then. */
export const goesOnWithinMs = 20_000;

export function watchReadiness(deployment: FullDeployment): Watch {
  const samples: Watch["samples"] = [];
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

/** Makes one fault, has it met, waits until the program has recovered, and tells how that went. */
export async function tryFault(fault: Fault, { deployment, record, watch, witness, after, seconds }: Stand): Promise<Outcome> {
  const wrong: string[] = [];
  const { name } = witness.person;
  const ofWitness = (): Record["deeds"] => record.deeds.filter(({ who }) => who === name);
  await fault.before?.(witness).catch((error: Error) => wrong.push(error.message));
  const from = performance.now();
  const streams = record.streams.size;
  const { told = null, ended } = await fault.begin(deployment);
  // Until then it may still be met as it was.
  await pause(edgeMs);
  const inForce = performance.now();
  const meeting = witness.meet();
  const leastUntil = inForce + 1_000 * (seconds + (fault.longer ?? 0));
  const mostUntil = inForce + goesOnWithinMs;
  const goesOn = (): boolean => notGoneOn(fault, ofWitness(), { inForce, until: performance.now() }).length === 0;
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
  // What was asked after the end, not before.
  const isWell = (): boolean => (watch.samples.at(-1)?.at ?? 0) > began && watch.samples.at(-1)?.status === 200;
  while (!isWell() && performance.now() < began + recoversWithinMs) await pause(50);
  await witness.leave().catch((error: Error) => wrong.push(`did not come about: ${error.message}`));
  const over = performance.now();

  const span = { from, inForce, until };
  const readiness = readinessFaults(fault.readiness, watch.samples, { ...span, until: began, over });
  const during = record.deeds.filter((deed) => deed.ended >= from && deed.began < over);
  wrong.push(...unmet(fault, ofWitness(), span), ...readiness.wrong, ...deedFaults(fault, during, span));
  if (fault.stops && ended) wrong.push(...stopFaults(ended, ofWitness(), { from, ...fault.stops }));
  const begunIn = during.filter((deed) => deed.began >= inForce && deed.began < until - edgeMs);
  const deeds: Outcome["deeds"] = new Map();
  for (const kind of deedNames) {
    const own = begunIn.filter((deed) => deed.name === kind);
    const done = own.filter(({ outcome, ended: at }) => outcome === "done" && at <= until).length;
    if (own.length > 0) deeds.set(kind, { done, waited: own.length - done });
  }
  const longest = Math.max(0, ...during.filter((deed) => !streaming.includes(deed.name)).map((deed) => deed.ended - deed.began)) / 1_000;
  return { fault, deeds, readiness, recoveredAfter, longest, streams, told, wrong };
}
