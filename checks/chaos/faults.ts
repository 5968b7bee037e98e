import type { DeedName } from "./deeds.ts";
import type { Weather } from "./gate.ts";
import type { House, PartName } from "./house.ts";

/** Something done to the program for a while. */
export interface Fault {
  part: PartName | "clock" | "everything";
  /** As the report says it. */
  what: string;
  /** It lasts as long as the others and so many seconds longer. */
  longer?: number;
  /** What needs the part, and may wait; everything else has to go on. */
  mayWait: readonly DeedName[];
  /** Connections may end before an answer does; else that is a fault of the product. */
  breaks: "nothing" | "streams" | "everything";
  /** `/readyz` has to say so meanwhile (503), or must not. Null: as it comes. */
  unready: boolean | null;
  begin(house: House): Promise<string | undefined>;
  end(house: House): Promise<void>;
}

const writes: DeedName[] = ["push", "ask", "quiz", "tutor", "publish", "film", "sign in"];
const reads: DeedName[] = ["read a page", "poll a revision", "read a conversation", "pull", "live stream", "look into another's"];
const all = [...writes, ...reads];
const waiting: Record<Exclude<Fault["part"], "clock" | "everything">, DeedName[]> = {
  "event store": [...writes, "live stream"],
  database: all,
  // What was written a moment ago is waited for in vain.
  Kafka: ["read a conversation"],
  "object store": ["publish", "film", "read a page", "poll a revision", "ask", "quiz", "tutor"],
  "identity provider": ["sign in"],
  model: ["ask", "quiz", "tutor", "film"],
  worker: [],
  "command API": writes,
  "query API": [...reads, "tutor", "sign in", "publish"],
  projections: ["read a conversation"],
  relay: ["read a conversation"],
  "front door": all,
};

const weather = (part: keyof typeof waiting, set: Weather, what: string, more: Partial<Fault> = {}): Fault => ({
  ...{ part, what, mayWait: waiting[part], breaks: "nothing", unready: null },
  async begin({ parts }) {
    await parts[part].gate?.set(set);
    return undefined;
  },
  end: async ({ parts }) => parts[part].gate?.set("open"),
  ...more,
});
const killed = (part: keyof typeof waiting, more: Partial<Fault> = {}): Fault => ({
  ...{ part, what: "killed, started again", mayWait: waiting[part], breaks: "nothing", unready: null },
  async begin({ parts }) {
    await parts[part].kill();
    return undefined;
  },
  end: ({ parts }) => parts[part].start(),
  ...more,
});
/** A service that is asked to end ends what it is saying with a word. */
const stopped = (part: "command API" | "query API" | "front door", more: Partial<Fault> = {}): Fault => ({
  ...killed(part),
  what: "told to stop (SIGTERM)",
  async begin({ processes }) {
    const { code, ms } = await processes[part].stop();
    return `ended with ${code} after ${(ms / 1_000).toFixed(1)} s`;
  },
  ...more,
});
const lines = (part: keyof typeof waiting, required: boolean | null, more: Partial<Fault> = {}): Fault[] => [
  weather(part, "stopped", "refuses connections", { unready: required, ...more }),
  weather(part, "silent", "silent", { unready: required, ...more }),
  weather(part, "slow", "slow (0.4 s, 200 kB/s)"),
  weather(part, "cut", "connections cut again and again"),
];
const clock = (what: string, ms: number): Fault => ({
  ...{ part: "clock", what, mayWait: [], breaks: "nothing", unready: false },
  async begin({ processes }) {
    for (const one of Object.values(processes)) one.shiftClock(ms);
    return undefined;
  },
  async end({ processes }) {
    for (const one of Object.values(processes)) one.shiftClock(0);
  },
});
const hourMs = 3_600_000;
/** A read model is late once an event waits for ten seconds. */
const late = { longer: 8, unready: true } as const;

/** Everything that is done to the program. @param random decides in which order things are started again */
export function faultsOf(random: () => number): Fault[] {
  return [
    ...lines("event store", true),
    killed("event store", { unready: true }),
    ...lines("database", true),
    killed("database", { unready: true }),
    ...lines("Kafka", null).map((fault) => (fault.what === "silent" ? { ...fault, ...late } : fault)),
    killed("Kafka", late),
    // It is asked every five seconds.
    ...lines("object store", true, { longer: 3 }),
    ...lines("identity provider", false),
    killed("identity provider", { unready: false }),
    ...lines("model", false),
    killed("model", { unready: false }),
    weather("worker", "stopped", "its line to the program refuses", { unready: false }),
    weather("worker", "cut", "its line to the program is cut", { unready: false }),
    killed("worker", { unready: false }),
    killed("command API", { breaks: "streams", unready: true }),
    stopped("command API", { unready: true }),
    killed("query API", { breaks: "streams", unready: true }),
    stopped("query API", { unready: true }),
    killed("projections", late),
    killed("relay", late),
    killed("front door", { breaks: "everything", unready: true }),
    stopped("front door", { breaks: "everything", unready: true }),
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
  const order = (["event store", "database", "Kafka", "identity provider", "model", "worker"] as PartName[])
    .concat(["command API", "query API", "projections", "relay", "front door"])
    .map((name) => ({ name, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ name }) => name);
  return {
    ...{ part: "everything", what: "killed at once, started in any order", mayWait: all, breaks: "everything", unready: true },
    async begin({ parts }) {
      await Promise.all(order.map((name) => parts[name].kill()));
      return `started in the order ${order.join(", ")}`;
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
