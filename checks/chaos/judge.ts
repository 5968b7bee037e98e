import type { Readiness as Answered } from "../harness/full-deployment.ts";
import { type Deed, type DeedName, deedNames, streaming } from "./deeds.ts";
import type { Fault, Readiness } from "./faults.ts";

/** What is held against what a run has seen. Nothing here waits, asks or looks at a clock: all times are `performance.now()`'s, in milliseconds. */

/** What a fault lets wait and break. */
export type Allowed = Pick<Fault, "part" | "mustWait" | "mayWait" | "breaks">;

/** From when a fault was begun to when it had an effect, and from its end on. */
export interface Span {
  from: number;
  inForce: number;
  until: number;
}

/** One answer of `/readyz`: its status (0: none came), and what it names as missing, a line for each part. */
export interface Sample extends Answered {
  at: number;
}

/** What begins in the last moment of a fault, or in its first, may meet the part as it is without it. */
export const edgeMs = 500;
/** `/readyz` is well again so soon after the end of a fault. */
export const readyAgainSeconds = 30;
/** So old is what `/readyz` says at most: two seconds for an answer, which holds for one. */
const heldMs = 3_000;
/** With more of them than this, nothing is known of what `/readyz` says of a fault. */
const starvedShare = 0.25;
const shownAtMost = 6;

export const waitsIn = ({ mustWait, mayWait }: Pick<Fault, "mustWait" | "mayWait">, name: DeedName): boolean =>
  mustWait.includes(name) || mayWait.includes(name);

/** What is to be met by a fault's witness: everything, but not the reading of what cannot be written. */
export const toMeet = (fault: Pick<Fault, "mustWait" | "mayWait">): DeedName[] =>
  deedNames.filter((name) => name !== "read what was just written" || !waitsIn(fault, "push"));

/** What has to go on during a fault and has not been done yet, of what was begun and ended in it. */
export function notGoneOn(
  fault: Pick<Fault, "mustWait" | "mayWait">,
  deeds: readonly Deed[],
  { inForce, until }: Omit<Span, "from">,
): DeedName[] {
  const done = deeds.filter(({ began, ended, outcome }) => began >= inForce && ended <= until && outcome === "done");
  return toMeet(fault).filter((name) => !waitsIn(fault, name) && !done.some((deed) => deed.name === name));
}

/**
 * A fault is survived only when it was met: its witness has tried each kind of thing while it lasted. What does not need the part was done
 * meanwhile; what cannot be done without it was not, or it was no fault, or somebody was told what is not so.
 */
export function unmet(fault: Pick<Fault, "mustWait" | "mayWait">, deeds: readonly Deed[], span: Span): string[] {
  const begun = deeds.filter(({ began }) => began >= span.inForce && began < span.until);
  const without = (kinds: readonly DeedName[], words: string): string[] => kinds.map((name) => `${words}: ${name}`);
  const untried = toMeet(fault).filter((name) => !begun.some((deed) => deed.name === name));
  const tried = (name: DeedName): boolean => !untried.includes(name);
  const needless = fault.mustWait.filter((name) =>
    begun.some((deed) => deed.name === name && deed.outcome === "done" && deed.ended <= span.until),
  );
  return [
    ...without(untried, "nobody met it with"),
    ...without(notGoneOn(fault, deeds, span).filter(tried), "did not go on"),
    ...without(needless, "was done without what it needs"),
  ];
}

/** What is wrong with how requests went: `deeds` are all that were under way between the fault's beginning and the next one's. */
export function deedFaults(fault: Allowed, deeds: readonly Deed[], { from, inForce, until }: Span): string[] {
  const fellShort = deeds.filter((deed) => {
    if (deed.outcome !== "broken" && deed.outcome !== "unreachable") return false;
    // Who signs in is at the provider then, not here.
    if (deed.name === "sign in" && fault.part === "identity provider") return false;
    if (fault.breaks === "everything") return false;
    // What was under way ends in order; who comes afterwards finds nobody. A sign-in is many requests, the first of them under way.
    if (fault.breaks === "what comes after") return deed.began < from && deed.name !== "sign in";
    if (deed.outcome === "unreachable") return true;
    // It has no words but its end, and is read on from where it was.
    if (deed.name === "live stream" && waitsIn(fault, deed.name)) return false;
    return fault.breaks === "nothing" || !streaming.includes(deed.name);
  });
  const inIt = deeds.filter(({ began }) => began >= inForce + edgeMs && began < until - edgeMs);
  const say = (why: string, of: readonly Deed[]): string[] => of.map((deed) => `${why}: ${deed.name} of ${deed.who}: ${deed.why}`);
  const found = [
    ...say("hung", withOutcome(deeds, "hung")),
    ...say("wrong", withOutcome(deeds, "wrong")),
    ...say("broken", fellShort),
    ...say(
      "waited without need",
      withOutcome(inIt, "waits").filter(({ name }) => !waitsIn(fault, name)),
    ),
  ];
  return found.length > shownAtMost ? [...found.slice(0, shownAtMost), `… and ${found.length - shownAtMost} more`] : found;
}

const withOutcome = (deeds: readonly Deed[], outcome: Deed["outcome"]): Deed[] => deeds.filter((deed) => deed.outcome === outcome);

/** What `/readyz` said of a fault. */
export interface Told {
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
  samples: readonly Sample[],
  { from, until, over }: Omit<Span, "inForce"> & { over: number },
): Told {
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
const judged = (samples: readonly Sample[]): Sample[] =>
  samples.filter(({ at }) => !samples.some((one) => one.starved && one.at <= at && one.at > at - heldMs));

/** The part that a line names: `event store: does not answer.` */
const partOf = (line: string): string => line.split(":", 1)[0] ?? "";

/** Before the first fault there is nothing that `/readyz` could name. */
export function calmFaults(samples: readonly Sample[]): string[] {
  const left = judged(samples);
  if (left.length === 0) return ["nothing that /readyz said before the first fault could be judged"];
  const needless = left.filter(({ status }) => status !== 200);
  return [...new Set(needless.map(({ why }) => `/readyz was off before the first fault: ${why.join(" ")}`))];
}

/** How a service ended that was told to (SIGTERM). */
export interface Ended {
  code: number | null;
  ms: number;
}

/**
 * A service that is told to stop ends with 0 in its time, and what it was saying ends in order: a last word, or an end that a client reads on from.
 * @param deeds the witness's; of each kind in `saying` one was under way
 */
export function stopFaults(
  { code, ms }: Ended,
  deeds: readonly Deed[],
  { from, saying, withinMs }: { from: number; saying: readonly DeedName[]; withinMs: number },
): string[] {
  const underWay = (name: DeedName): Deed | undefined =>
    deeds.find((deed) => deed.name === name && deed.began < from && deed.ended >= from);
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
export interface Followed {
  name: string;
  acknowledged: Iterable<string>;
  streamed: ReadonlyMap<string, number>;
}

/** Every change comes by the live stream of its account, once, at the latest behind where it was when it came back. */
export function liveFaults(all: readonly Followed[]): { lost: string[]; doubled: string[]; wrong: string[] } {
  const lost = all.flatMap(({ name, acknowledged, streamed }) =>
    [...acknowledged].filter((id) => !streamed.has(id)).map((id) => `the live stream of ${name} did not bring ${id}`),
  );
  const doubled = all.flatMap(({ name, streamed }) =>
    [...streamed].filter(([, times]) => times > 1).map(([id, times]) => `the live stream of ${name} brought ${id} ${times} times`),
  );
  const brought = all.some(({ streamed }) => streamed.size > 0);
  return { lost, doubled, wrong: brought ? [] : ["no live stream brought anything"] };
}
