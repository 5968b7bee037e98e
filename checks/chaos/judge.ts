import type { Readiness as Answered } from "../harness/full-deployment.ts";
import type { Fault, Readiness } from "./faults.ts";
import { type RecordedRequest, type RequestKind, requestKinds, streamedKinds } from "./request-log.ts";

/** Pure functions that judge a run. All times are `performance.now()` in milliseconds. */

/** Which requests a fault may delay or break. */
export type Allowed = Pick<Fault, "part" | "mustWait" | "mayWait" | "breaks">;

/** When a fault began, took effect and ended. */
export interface FaultSpan {
  from: number;
  inForce: number;
  until: number;
}

/** One answer of `/readyz`: its status (0: none came), and what it names as missing, a line for each part. */
export interface ReadinessSample extends Answered {
  at: number;
}

/** Requests this close to the beginning or end of a fault may not be affected by it. */
export const settleMs = 500;
/** `/readyz` is well again so soon after the end of a fault. */
const readyAgainSeconds = 30;
/** The largest age of a readiness answer: two seconds to obtain, cached for one. */
const heldMs = 3_000;
/** A larger share of starved samples makes the verdict meaningless. */
const starvedShare = 0.25;
const shownAtMost = 6;

const mayWaitIn = ({ mustWait, mayWait }: Pick<Fault, "mustWait" | "mayWait">, name: RequestKind): boolean =>
  mustWait.includes(name) || mayWait.includes(name);

/** The kinds of requests that a probe must send: all, except read-your-writes where writing may fail. */
export const expectedKinds = (fault: Pick<Fault, "mustWait" | "mayWait">): RequestKind[] =>
  requestKinds.filter((name) => name !== "read what was just written" || !mayWaitIn(fault, "push"));

/** Kinds that must keep working during the fault and have not succeeded yet. */
export function stalledKinds(
  fault: Pick<Fault, "mustWait" | "mayWait">,
  deeds: readonly RecordedRequest[],
  { inForce, until }: Omit<FaultSpan, "from">,
): RequestKind[] {
  const done = deeds.filter(({ startedAt: began, endedAt: ended, outcome }) => began >= inForce && ended <= until && outcome === "done");
  return expectedKinds(fault).filter((name) => !mayWaitIn(fault, name) && !done.some((deed) => deed.name === name));
}

/**
 * A fault counts as survived only if every kind of request was tried during it: independent ones succeeded, and dependent ones did not,
 * because otherwise the fault had no effect or an answer was untrue.
 */
export function expectationFaults(
  fault: Pick<Fault, "mustWait" | "mayWait">,
  deeds: readonly RecordedRequest[],
  span: FaultSpan,
): string[] {
  const begun = deeds.filter(({ startedAt: began }) => began >= span.inForce && began < span.until);
  const without = (kinds: readonly RequestKind[], words: string): string[] => kinds.map((name) => `${words}: ${name}`);
  const untried = expectedKinds(fault).filter((name) => !begun.some((deed) => deed.name === name));
  const tried = (name: RequestKind): boolean => !untried.includes(name);
  const needless = fault.mustWait.filter((name) =>
    begun.some((deed) => deed.name === name && deed.outcome === "done" && deed.endedAt <= span.until),
  );
  return [
    ...without(untried, "not requested during the fault"),
    ...without(stalledKinds(fault, deeds, span).filter(tried), "did not succeed during the fault"),
    ...without(needless, "succeeded without the part it needs"),
  ];
}

/** Violations by the requests that ran between the beginning of this fault and that of the next. */
export function requestFaults(fault: Allowed, deeds: readonly RecordedRequest[], { from, inForce, until }: FaultSpan): string[] {
  const fellShort = deeds.filter((deed) => {
    if (deed.outcome !== "broken" && deed.outcome !== "unreachable") return false;
    // Who signs in is at the provider then, not here.
    if (deed.name === "sign in" && fault.part === "identity provider") return false;
    if (fault.breaks === "everything") return false;
    // What was under way ends in order; who comes afterwards finds nobody. A sign-in is many requests, the first of them under way.
    if (fault.breaks === "what comes after") return deed.startedAt < from && deed.name !== "sign in";
    if (deed.outcome === "unreachable") return true;
    // It has no words but its end, and is read on from where it was.
    if (deed.name === "live stream" && mayWaitIn(fault, deed.name)) return false;
    return fault.breaks === "nothing" || !streamedKinds.includes(deed.name);
  });
  const inIt = deeds.filter(({ startedAt: began }) => began >= inForce + settleMs && began < until - settleMs);
  const say = (why: string, of: readonly RecordedRequest[]): string[] =>
    of.map((deed) => `${why}: ${deed.name} of ${deed.who}: ${deed.why}`);
  const found = [
    ...say("hung", withOutcome(deeds, "hung")),
    ...say("wrong", withOutcome(deeds, "wrong")),
    ...say("broken", fellShort),
    ...say(
      "waited although it does not need the part",
      withOutcome(inIt, "waits").filter(({ name }) => !mayWaitIn(fault, name)),
    ),
  ];
  return found.length > shownAtMost ? [...found.slice(0, shownAtMost), `… and ${found.length - shownAtMost} more`] : found;
}

const withOutcome = (deeds: readonly RecordedRequest[], outcome: RecordedRequest["outcome"]): RecordedRequest[] =>
  deeds.filter((deed) => deed.outcome === outcome);

/** What `/readyz` said of a fault. */
export interface ReadinessVerdict {
  /** Seconds until it was off, from the beginning; null when it never was. */
  offAfter: number | null;
  /** Seconds until it was well for good, from the end; infinite when it was not. */
  wellAfter: number;
  /** The parts it named while it was off. */
  named: string[];
  /** Answers that could not be judged, of all. */
  starved: { count: number; of: number };
  wrong: string[];
}

/** @param over when the next fault begins: until then it has to be well again */
export function readinessFaults(
  expected: Readiness,
  samples: readonly ReadinessSample[],
  { from, until, over }: Omit<FaultSpan, "inForce"> & { over: number },
): ReadinessVerdict {
  const all = samples.filter(({ at }) => at >= from && at < over);
  const off = all.filter(({ status }) => status !== 200);
  const [first, last] = [off[0], off.at(-1)];
  const wellAgain = all.find(({ at, status }) => at >= until && at > (last?.at ?? 0) && status === 200);
  const offAfter = first ? (first.at - from) / 1_000 : null;
  const wellAfter = wellAgain ? (wellAgain.at - until) / 1_000 : Number.POSITIVE_INFINITY;
  const starved = { count: all.filter((one) => one.starved).length, of: all.length };
  const wrong: string[] = [];
  if (all.length === 0) wrong.push("/readyz was not asked");
  if (starved.count > starvedShare * starved.of) wrong.push("the machine was too busy for /readyz to be judged");
  if (expected.says === "503") {
    const naming = off.find(({ why }) => why.some((line) => expected.names.test(line)));
    const seconds = naming ? (naming.at - from) / 1_000 : Number.POSITIVE_INFINITY;
    if (!first) wrong.push("/readyz went on saying 200");
    else if (!naming) wrong.push(`/readyz does not name the part: ${first.why.join(" ")}`);
    else if (seconds > expected.withinSeconds) wrong.push(`/readyz named the part only after ${seconds.toFixed(1)} s`);
  }
  const mayName = (line: string): boolean =>
    expected.says !== "200" && (expected.names.test(line) || (expected.besides?.test(line) ?? false));
  const needless = judged(all).find((one) => one.status !== 200 && !one.why.every(mayName));
  if (needless)
    wrong.push(`/readyz was off after ${((needless.at - from) / 1_000).toFixed(1)} s for another reason: ${needless.why.join(" ")}`);
  if (wellAfter > readyAgainSeconds)
    wrong.push(`/readyz was not 200 again within ${readyAgainSeconds} s: ${last?.why.join(" ") ?? "no answer"}`);
  return { offAfter, wellAfter, named: [...new Set(off.flatMap(({ why }) => why.map(partOf)))], starved, wrong };
}

/** Those that tell of the parts alone: what is said holds for a while, so a machine that was too busy a moment ago is still in it. */
const judged = (samples: readonly ReadinessSample[]): ReadinessSample[] =>
  samples.filter(({ at }) => !samples.some((one) => one.starved && one.at <= at && one.at > at - heldMs));

/** The part that a line names: `event store: does not answer.` */
const partOf = (line: string): string => line.split(":", 1)[0] ?? "";

/** Before the first fault there is nothing that `/readyz` could name. */
export function baselineFaults(samples: readonly ReadinessSample[]): string[] {
  const left = judged(samples);
  if (left.length === 0) return ["nothing that /readyz said before the first fault could be judged"];
  const needless = left.filter(({ status }) => status !== 200);
  return [...new Set(needless.map(({ why }) => `/readyz was off before the first fault: ${why.join(" ")}`))];
}

/** How a service ended that was told to (SIGTERM). */
export interface StopResult {
  code: number | null;
  ms: number;
}

/**
 * A service that is told to stop ends with 0 in its time, and what it was saying ends in order: a last word, or an end that a client reads on from.
 * @param deeds the witness's; of each kind in `saying` one was under way
 */
export function stopFaults(
  { code, ms }: StopResult,
  deeds: readonly RecordedRequest[],
  { from, saying, withinMs }: { from: number; saying: readonly RequestKind[]; withinMs: number },
): string[] {
  const underWay = (name: RequestKind): RecordedRequest | undefined =>
    deeds.find((deed) => deed.name === name && deed.startedAt < from && deed.endedAt >= from);
  return [
    ...(code === 0 ? [] : [`it ended with ${code}`]),
    ...(ms <= withinMs ? [] : [`it took ${(ms / 1_000).toFixed(1)} s to end`]),
    ...saying.flatMap((name) => {
      const deed = underWay(name);
      if (!deed) return [`nothing was under way that it could end: ${name}`];
      return deed.outcome === "done" || deed.outcome === "waits" ? [] : [`it did not end what it was saying: ${name}: ${deed.why}`];
    }),
  ];
}

/** What an account was told, and what its live stream brought of it: how often each. */
export interface FollowedStream {
  name: string;
  acknowledged: Iterable<string>;
  streamed: ReadonlyMap<string, number>;
}

/** Every change comes by the live stream of its account, once, at the latest behind where it was when it came back. */
export function liveFaults(all: readonly FollowedStream[]): { lost: string[]; doubled: string[]; wrong: string[] } {
  const lost = all.flatMap(({ name, acknowledged, streamed }) =>
    [...acknowledged].filter((id) => !streamed.has(id)).map((id) => `the live stream of ${name} did not bring ${id}`),
  );
  const doubled = all.flatMap(({ name, streamed }) =>
    [...streamed].filter(([, times]) => times > 1).map(([id, times]) => `the live stream of ${name} brought ${id} ${times} times`),
  );
  const brought = all.some(({ streamed }) => streamed.size > 0);
  return { lost, doubled, wrong: brought ? [] : ["no live stream brought anything"] };
}
