import { type CallError, shuttingDown } from "../errors.ts";
import type { Store } from "../store.ts";
import { allStream } from "../streams.ts";
import type { GroupDefinition, GroupName } from "./definitions.ts";
import { noSubscription, Refused, subscriptionDropped, subscriptionExists, subscriptionFailed } from "./errors.ts";
import type { GroupInfo } from "./info.ts";
import type { DefinitionRequest } from "./requests.ts";
import { type Connection, type ConsumerEnd, type GroupRunner, type RunnerParts, runGroup } from "./runner.ts";
import { type GroupSettings, settingsProblem } from "./settings.ts";

/** All persistent subscriptions of a store, each run by its runner. What cannot be done is a `Refused`. */
export interface Groups {
  create(request: DefinitionRequest): void;
  update(group: GroupName, settings: GroupSettings): void;
  remove(group: GroupName): void;
  connect(group: GroupName, consumer: ConsumerEnd): Connection;
  replay(group: GroupName, stopAt: number | null): void;
  info(group: GroupName): GroupInfo;
  /** Of one stream, or of all, in the order of their names. */
  list(source: string | null): GroupInfo[];
  /** Drops every consumer and begins anew from what is on the disk. */
  restart(): void;
  stop(): void;
}

export function openGroups(parts: RunnerParts & { store: Pick<Store, "state" | "reader" | "onCommit"> }): Groups {
  const { store, definitions } = parts;
  const runners = new Map<string, GroupRunner>();
  const key = ({ source, name }: GroupName): string => JSON.stringify([source, name]);

  function start(definition: GroupDefinition): void {
    runners.set(key(definition), runGroup(definition, parts));
  }
  function startAll(): void {
    for (const definition of definitions.all()) start(definition);
  }
  function stopAll(error: (group: GroupName) => CallError): void {
    for (const runner of runners.values()) runner.stop(error(runner.definition()));
    runners.clear();
  }
  function runner(group: GroupName): GroupRunner {
    const found = runners.get(key(group));
    if (!found) throw new Refused(noSubscription(group));
    return found;
  }
  function check(group: GroupName, settings: GroupSettings): void {
    const problem = settingsProblem(settings);
    if (problem) throw new Refused(subscriptionFailed(group, problem));
  }
  /** The last event before the first that is wanted. */
  function originOf(source: string, { startFrom }: GroupSettings): number {
    if (typeof startFrom === "number") return startFrom - 1;
    const [none, last] = source === allStream ? [0, store.reader.head()] : [-1, (store.state(source)?.next ?? 0) - 1];
    return startFrom === "start" ? none : last;
  }

  startAll();
  const stopListening = store.onCommit(() => {
    for (const runner of runners.values()) runner.wake();
  });
  return {
    create({ group, settings, filter }) {
      if (runners.has(key(group))) throw new Refused(subscriptionExists(group));
      check(group, settings);
      const definition = { ...group, settings, filter, origin: originOf(group.source, settings), checkpoint: null };
      definitions.save(definition);
      start(definition);
    },
    update(group, settings) {
      const running = runner(group);
      check(group, settings);
      const { filter, origin, settings: before } = running.definition();
      // The same beginning asked for again is the same place: what was written since must not be passed over.
      const kept = settings.startFrom === before.startFrom ? origin : originOf(group.source, settings);
      const changed = { ...group, settings, filter, origin: kept };
      definitions.save({ ...changed, checkpoint: running.definition().checkpoint });
      running.stop(subscriptionDropped(group));
      start({ ...changed, checkpoint: running.definition().checkpoint });
    },
    remove(group) {
      const running = runner(group);
      definitions.remove(group);
      runners.delete(key(group));
      running.stop(subscriptionDropped(group));
      running.removeParked();
    },
    connect: (group, consumer) => runner(group).connect(consumer),
    replay: (group, stopAt) => runner(group).replay(stopAt),
    info: (group) => runner(group).info(),
    list(source) {
      const found = [...runners.values()].filter((running) => source === null || running.definition().source === source);
      if (source !== null && found.length === 0) throw new Refused(noSubscription({ source, name: "" }));
      return found.map((running) => running.info()).toSorted((one, other) => order(label(one), label(other)));
    },
    restart() {
      stopAll(subscriptionDropped);
      startAll();
    },
    stop() {
      stopListening();
      stopAll(shuttingDown);
    },
  };
}

const label = ({ definition: { source, name } }: GroupInfo): string => `${source}::${name}`;
const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
