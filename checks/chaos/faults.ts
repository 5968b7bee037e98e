import type { FullDeployment, PartName } from "../harness/full-deployment.ts";
import type { NetworkState } from "../harness/tcp-proxy.ts";
import type { FaultProbe } from "./fault-probe.ts";
import type { StopResult } from "./judge.ts";
import { type RequestKind, requestKinds } from "./request-log.ts";

/** What `/readyz` has to say of a fault. `names`: the part, in its words; `besides`: what may be named with it, because it leans on it. */
export type Readiness =
  | { says: "503"; names: RegExp; besides?: RegExp; withinSeconds: number }
  /** The program is in service without the part, by design. */
  | { says: "200" }
  /** It comes and goes, or is over before it counts. */
  | { says: "either"; names: RegExp; besides?: RegExp };

/** Something done to the program for a while. */
export interface Fault {
  part: PartName | "clock" | "everything";
  /** As the report says it. */
  what: string;
  /** It lasts as long as the others and so many seconds longer. */
  longer?: number;
  /** What cannot be done without the part: done all the same while it is away, it is wrong. */
  mustWait: readonly RequestKind[];
  /** What needs the part at times, and may wait; everything else has to go on. */
  mayWait: readonly RequestKind[];
  /** Connections may end before an answer does; else that is a fault of the product. */
  breaks: "nothing" | "streams" | "everything" | "what comes after";
  readiness: Readiness;
  /** What its witness has under way when it begins. */
  before?: (witness: FaultProbe) => Promise<void>;
  /** For a service that is told to stop: what has to end in order, and within how long. */
  stops?: { saying: readonly RequestKind[]; withinMs: number };
  begin(deployment: FullDeployment): Promise<{ told?: string; ended?: StopResult }>;
  end(deployment: FullDeployment): Promise<void>;
}

type Named = Exclude<Fault["part"], "clock" | "everything">;

const writes: readonly RequestKind[] = ["push", "ask", "quiz", "tutor", "publish", "film"];
const reads: readonly RequestKind[] = [
  "read a page",
  "poll a revision",
  "read a conversation",
  "pull",
  "live stream",
  "look into another's",
];
const justWritten: RequestKind = "read what was just written";

/** What waits for each part: what cannot be done without it, and what needs it at times. */
const waiting: { readonly [part in Named]: Pick<Fault, "mustWait" | "mayWait"> } = {
  // An answer goes on; recording it waits. How a film goes on, and a ledger, are read from there.
  "event store": {
    mustWait: ["push", "tutor", "publish", "film"],
    mayWait: ["ask", "quiz", "sign in", justWritten, "live stream", "look into another's"],
  },
  database: {
    mustWait: ["read a conversation", "pull", "live stream", "look into another's", justWritten],
    mayWait: [...reads, ...writes, "sign in"],
  },
  // What was written a moment ago is waited for in vain.
  Kafka: { mustWait: [justWritten], mayWait: [] },
  // What was read once is kept.
  "object store": { mustWait: ["publish"], mayWait: ["film", "read a page", "ask", "quiz", "tutor"] },
  "identity provider": { mustWait: ["sign in"], mayWait: [] },
  model: { mustWait: ["ask", "quiz", "tutor", "film"], mayWait: [] },
  // A film that is being made waits, and nobody for it.
  worker: { mustWait: [], mayWait: [] },
  "command API": { mustWait: [...writes, "sign in"], mayWait: [justWritten] },
  // A sign-in ends at a page.
  "query API": { mustWait: [...reads, "sign in", justWritten], mayWait: [] },
  projections: { mustWait: [justWritten], mayWait: [] },
  relay: { mustWait: [justWritten], mayWait: [] },
  "front door": { mustWait: requestKinds, mayWait: [] },
};

const late = /^read models: not up to date/;
/** How `/readyz` names each part that it asks for; `withinSeconds`: two seconds for an answer, and as long as the last one holds. */
const conditions: Partial<Record<Named, { names: RegExp; besides?: RegExp; withinSeconds: number }>> = {
  "event store": { names: /^event store/, besides: /^(read models|relay to Kafka)/, withinSeconds: 5 },
  database: { names: /their database does not answer/, besides: /^read models/, withinSeconds: 5 },
  // Ten seconds behind is late.
  Kafka: { names: late, besides: /^relay to Kafka/, withinSeconds: 18 },
  projections: { names: late, besides: /^relay to Kafka/, withinSeconds: 18 },
  relay: { names: late, besides: /^relay to Kafka/, withinSeconds: 18 },
  "object store": { names: /^object-store/, besides: /^course-objects/, withinSeconds: 9 },
  "command API": { names: /^command-api/, withinSeconds: 5 },
  // It is the one that says: the front door tells in its stead that a part is gone.
  "query API": { names: /^front door:/, withinSeconds: 3 },
  "front door": { names: /^no answer/, besides: /^front door:/, withinSeconds: 3 },
};
/** What it says of a part that is gone for good, and of one that comes and goes: nothing of the identity provider, the models and the worker. */
const gone = (part: Named): Readiness => (conditions[part] ? { says: "503", ...conditions[part] } : { says: "200" });
const unsteady = (part: Named): Readiness => (conditions[part] ? { says: "either", ...conditions[part] } : { says: "200" });
/** Read models are late only then. */
const longEnough: Partial<Record<Named, number>> = { Kafka: 10, projections: 10, relay: 10, "object store": 4 };

const network = (part: Named, set: NetworkState, what: string): Fault => ({
  part,
  what,
  breaks: "nothing",
  ...waiting[part],
  readiness: gone(part),
  longer: longEnough[part] ?? 0,
  async begin({ parts }) {
    await parts[part].proxy?.set(set);
    return {};
  },
  end: async ({ parts }) => parts[part].proxy?.set("open"),
});
/** Slowed, or cut and there again at once: nothing has to wait, and what needs the part may. */
const troubled = (part: Named, set: "slow" | "cut", what: string): Fault => {
  const { mustWait, mayWait } = waiting[part];
  return { ...network(part, set, what), mustWait: [], mayWait: [...mustWait, ...mayWait], readiness: unsteady(part), longer: 0 };
};
const killed = (part: Named, more: Partial<Fault> = {}): Fault => ({
  ...network(part, "open", "killed, started again"),
  async begin({ parts }) {
    await parts[part].kill();
    return {};
  },
  end: ({ parts }) => parts[part].start(),
  ...more,
});
/** A service that is asked to end ends what it is saying with a word. */
const stopped = (
  part: "command API" | "query API" | "front door",
  saying: readonly RequestKind[],
  withinMs: number,
  more: Partial<Fault> = {},
): Fault => ({
  ...killed(part),
  what: "told to stop (SIGTERM)",
  before: (witness) => witness.listenTo(saying),
  stops: { saying, withinMs },
  async begin({ processes }) {
    const ended = await processes[part].stop();
    return { ended, told: `ended with ${ended.code} after ${(ended.ms / 1_000).toFixed(1)} s` };
  },
  ...more,
});
const lines = (part: Named): Fault[] => [
  network(part, "stopped", "refuses connections"),
  network(part, "silent", "silent"),
  troubled(part, "slow", "slow (0.4 s, 200 kB/s)"),
  troubled(part, "cut", "connections cut again and again"),
];
/**
 * The clock of our own processes alone: an S3 refuses what was signed a quarter of an hour ago or ahead, and nobody believes a token of another
 * hour, so that is what waits; the S3 is said not to answer once it is asked again. How far read models are behind is the age of the first
 * event they have not read, by the clock that wrote it and the one that asks: one that was just under way when the clock jumped is an hour old
 * until it is read.
 */
const clock = (what: string, ms: number): Fault => ({
  part: "clock",
  what,
  mustWait: ["sign in", "publish"],
  mayWait: [],
  breaks: "nothing",
  readiness: { says: "either", names: /^object-store|^course-objects/, besides: late },
  async begin({ processes }) {
    for (const one of Object.values(processes)) one.shiftClock(ms);
    return {};
  },
  async end({ processes }) {
    for (const one of Object.values(processes)) one.shiftClock(0);
  },
});
const hourMs = 3_600_000;
/** Services end within three seconds; the front door lets answers go on for eight. */
const endsWithinMs = { service: 3_000, frontDoor: 10_000 };

/** Everything that is done to the program. @param random decides in which order things are started again */
export function faultsOf(random: () => number): Fault[] {
  const filming = { before: (witness: FaultProbe) => witness.haveFilmMade() };
  return [
    ...(["event store", "database", "Kafka", "object store", "identity provider", "model"] as const).flatMap((part) => [
      ...lines(part),
      killed(part),
    ]),
    ...lines("worker").map((fault) => ({ ...fault, ...filming, what: `its line to the program: ${fault.what}` })),
    killed("worker", filming),
    killed("command API", { breaks: "streams" }),
    stopped("command API", ["ask"], endsWithinMs.service),
    killed("query API", { breaks: "streams" }),
    stopped("query API", ["live stream"], endsWithinMs.service),
    killed("projections"),
    killed("relay"),
    killed("front door", { breaks: "everything" }),
    stopped("front door", ["ask", "live stream"], endsWithinMs.frontDoor, { breaks: "what comes after" }),
    clock("an hour ahead", hourMs),
    clock("an hour behind", -hourMs),
    everything(random),
    everything(random),
  ];
}

/** One fault of each part: the one that asks most of it. */
export function shortForm(faults: readonly Fault[]): Fault[] {
  return [...Map.groupBy(faults, ({ part }) => part).values()].flatMap((own) => {
    const told = own.find(({ what }) => what.startsWith("told to stop"));
    const killed = own.find(({ what }) => what.startsWith("killed"));
    return told ?? killed ?? own.slice(0, 1);
  });
}

function everything(random: () => number): Fault {
  const order = (["event store", "database", "Kafka", "object store", "identity provider", "model", "worker"] as PartName[])
    .concat(["command API", "query API", "projections", "relay", "front door"])
    .map((name) => ({ name, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ name }) => name);
  return {
    part: "everything",
    what: "killed at once, started in any order",
    mustWait: requestKinds,
    mayWait: [],
    breaks: "everything",
    readiness: { says: "503", names: /^no answer/, besides: /./, withinSeconds: 3 },
    async begin({ parts }) {
      await Promise.all(order.map((name) => parts[name].kill()));
      return { told: `started in the order ${order.join(", ")}` };
    },
    async end({ parts }) {
      // Nobody waits for anybody: what needs another that is not there yet has to get by.
      const starting: Promise<void>[] = [];
      for (const name of order) {
        starting.push(parts[name].start());
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      await Promise.all(starting);
    },
  };
}
