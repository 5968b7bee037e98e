import { setTimeout as pause } from "node:timers/promises";
import { unreadyParts } from "@colloquy/infra/launch/readiness.ts";
import { ask } from "./asking.ts";
import type { Crowd } from "./crowd.ts";
import { type Deed, type DeedName, deedNames, type Record } from "./deeds.ts";
import { read } from "./doings.ts";
import type { Fault } from "./faults.ts";
import type { House } from "./house.ts";
import { type Person, patiently } from "./person.ts";

/** What one fault came to. */
export interface Outcome {
  fault: Fault;
  /** By `performance.now()`: from its beginning to the beginning of the next. */
  from: number;
  to: number;
  seconds: number;
  /** Of the deeds begun meanwhile: how many were done, and how many were not. */
  deeds: Map<DeedName, { done: number; waited: number }>;
  /** Seconds until `/readyz` said 503, from the beginning; null when it did not. */
  unreadyAfter: number | null;
  /** Seconds until it said 200 again, from the end. */
  readyAfter: number;
  /** Seconds from the end until a whole journey (signing in, reading, asking, reading what was written) had gone well. */
  recoveredAfter: number;
  /** The longest any request took, in seconds, streams left out. */
  longest: number;
  /** Streams that were open when it began. */
  streams: number;
  told: string | null;
  /** What `/readyz` said last before it was well again. */
  held: string;
  wrong: string[];
}

/** What a fault is tried with. */
export interface Stand {
  house: House;
  record: Record;
  watch: Watch;
  /** Who walks the journey that shows that all is well. */
  canary: Person;
  topics: Crowd["topics"];
  seconds: number;
  /** `/readyz` said 503 with nothing wrong, because the machine is too busy for its second: what it says without need tells nothing then. */
  busy: boolean;
}

/** What `/readyz` said, again and again. */
export interface Watch {
  samples: { at: number; status: number; why: string }[];
  stop(): Promise<void>;
}

const watchEveryMs = 250;
/** Longer is no recovery by itself. */
const recoversWithinMs = 120_000;
/** What begins in the first moment of a fault may still have met the part as it was. */
const edgeMs = 500;
const streaming: readonly DeedName[] = ["ask", "quiz", "tutor", "film", "live stream"];
const shownAtMost = 6;

export function watchReadiness(house: House): Watch {
  const samples: Watch["samples"] = [];
  let stopped = false;
  const watching = (async () => {
    while (!stopped) {
      const { status, body } = await house.ready();
      samples.push({ at: performance.now(), status, why: body && "ready" in body ? unreadyParts(body).join(" ") : "" });
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

/** Makes one fault, waits until the program has recovered, and tells how that went. */
export async function tryFault(fault: Fault, { house, record, watch, canary, topics, seconds, busy }: Stand): Promise<Outcome> {
  const from = performance.now();
  const streams = record.streams.size;
  const told = (await fault.begin(house)) ?? null;
  await pause(1_000 * (seconds + (fault.longer ?? 0)) - (performance.now() - from));
  const ended = performance.now();
  await fault.end(house);
  const began = performance.now();
  const journey = patiently("a whole journey", async () => {
    await canary.client.signIn();
    await read(canary, topics);
    await ask(canary, false);
  }).then(() => (performance.now() - began) / 1_000);
  const ready = (async () => {
    for (;;) {
      // What was asked after the end, not before.
      const found = watch.samples.find(({ at, status }) => at > began + 2 * watchEveryMs && status === 200);
      if (found) return (found.at - began) / 1_000;
      if (performance.now() > began + recoversWithinMs) return Number.POSITIVE_INFINITY;
      await pause(50);
    }
  })();
  const wrong: string[] = [];
  const recoveredAfter = await journey.catch((error: Error) => {
    wrong.push(`it does not recover: ${error.message}`);
    return Number.POSITIVE_INFINITY;
  });
  const readyAfter = await ready;
  const unready = watch.samples.find(({ at, status }) => at > from && at < began + 5_000 && status !== 200);
  const unreadyAfter = unready ? (unready.at - from) / 1_000 : null;
  if (readyAfter === Number.POSITIVE_INFINITY) wrong.push("/readyz does not come back to 200");
  if (fault.unready === true && unreadyAfter === null) wrong.push("/readyz went on saying 200");
  if (fault.unready === false && unreadyAfter !== null && !busy)
    wrong.push(`/readyz said it was not ready after ${unreadyAfter.toFixed(1)} s: ${unready?.why}`);
  const held = watch.samples.findLast(({ at, status }) => at > began && status !== 200)?.why ?? "";
  const to = performance.now();
  const during = record.deeds.filter((deed) => deed.ended >= from && deed.began < to);
  const begunIn = during.filter((deed) => deed.began >= from + edgeMs && deed.began < ended - edgeMs);
  wrong.push(...wrongOf(fault, during, begunIn));
  const deeds: Outcome["deeds"] = new Map();
  for (const name of deedNames) {
    const own = begunIn.filter((deed) => deed.name === name);
    const done = own.filter(({ outcome }) => outcome === "done").length;
    if (own.length > 0) deeds.set(name, { done, waited: own.length - done });
  }
  const longest = Math.max(0, ...during.filter(({ name }) => !streaming.includes(name)).map((deed) => deed.ended - deed.began)) / 1_000;
  const inSeconds = (ended - from) / 1_000;
  return { fault, from, to, seconds: inSeconds, deeds, unreadyAfter, readyAfter, recoveredAfter, longest, streams, told, held, wrong };
}

function wrongOf(fault: Fault, during: readonly Deed[], begunIn: readonly Deed[]): string[] {
  const broken = during.filter(({ outcome, name }) => {
    if (outcome !== "broken" || fault.breaks === "everything") return false;
    // It has no words but its end, and is read on from where it was.
    if (name === "live stream" && fault.mayWait.includes(name)) return false;
    // Who signs in is at the provider then, not here.
    if (name === "sign in" && fault.part === "identity provider") return false;
    return fault.breaks === "nothing" || !streaming.includes(name);
  });
  const needless = begunIn.filter(({ outcome, name }) => outcome === "waits" && !fault.mayWait.includes(name));
  const say = (why: string, deeds: readonly Deed[]): string[] => deeds.map((deed) => `${why}: ${deed.name}: ${deed.why}`);
  const found = [
    ...say(
      "hung",
      during.filter(({ outcome }) => outcome === "hung"),
    ),
    ...say(
      "wrong",
      during.filter(({ outcome }) => outcome === "wrong"),
    ),
    ...say("broken", broken),
    ...say("waited without need", needless),
  ];
  return found.length > shownAtMost ? [...found.slice(0, shownAtMost), `… and ${found.length - shownAtMost} more`] : found;
}
