import { setTimeout as pause } from "node:timers/promises";
import {
  type AllStreamSubscription,
  type AppendToStreamOptions,
  BACKWARDS,
  type Credentials,
  EventStoreDBClient,
  eventTypeFilter,
  type Filter,
  FORWARDS,
  jsonEvent,
  type Position,
  type StreamSubscription,
  streamNameFilter,
} from "@eventstore/db-client";
import { rawCalls } from "./raw-calls.ts";
import type { Operation, Outcome, SymbolicFilter } from "./recording.ts";
import { type AnyResolved, headOf, positionShape, Symbols } from "./symbols.ts";

/** Plays recorded operations on a server, one after another, and tells what was answered in the words of the recording. */

const administrator = { username: "admin", password: "changeit" };
/** An operation without an answer by then counts as not answered. */
const answerWithinMs = 2_500;
const beginTries = 4;
const closeWithinMs = 500;
const firstSentinel = 900_000;

export interface Player {
  /** @throws Error when the sequence cannot begin */
  play(operations: readonly Operation[]): Promise<Outcome[]>;
  close(): Promise<void>;
}

/** @param run makes names of this run differ from those of other runs on the same store */
export function openPlayer(url: string, run: string): Player {
  let client = EventStoreDBClient.connectionString(url);
  const host = /@?([^/@?]+:\d+)/.exec(url.replace(/^esdb:\/\//, ""))?.[1] ?? "";
  let count = 0;
  return {
    async play(operations) {
      const { symbols, reopened } = await begin(`${run}q${count++}-`);
      client = reopened;
      const sequence = playSequence(client, host, symbols);
      const outcomes: Outcome[] = [];
      for (const operation of operations)
        outcomes.push(await Promise.race([sequence.run(operation), pause(answerWithinMs).then(() => ({ HUNG: true }))]));
      // A call without an answer leaves the client's one append stream broken.
      if (outcomes.some(({ HUNG }) => HUNG)) client = EventStoreDBClient.connectionString(url);
      return outcomes;
    },
    // A client with a broken append stream never finishes disposing.
    close: () => Promise.race([client.dispose().catch(() => undefined), pause(closeWithinMs)]),
  };

  async function begin(prefix: string): Promise<{ symbols: Symbols; reopened: EventStoreDBClient }> {
    let using = client;
    for (let tries = 1; ; tries += 1) {
      const symbols = new Symbols(`${prefix}${"r".repeat(tries - 1)}`);
      try {
        const { position } = await Promise.race([
          using.appendToStream(`${symbols.prefix}mark`, jsonEvent({ type: "mark", data: {} }), { expectedRevision: "no_stream" }),
          pause(answerWithinMs).then(() => {
            throw new Error("no answer to the first append");
          }),
        ]);
        if (position) symbols.mark = position;
        return { symbols, reopened: using };
      } catch (error) {
        if (tries >= beginTries) throw error;
        using = EventStoreDBClient.connectionString(url);
      }
    }
  }
}

type ReadOptions = { direction: typeof FORWARDS | typeof BACKWARDS; maxCount?: number; resolveLinkTos?: true; credentials?: Credentials };
type Subscription = StreamSubscription | AllStreamSubscription;

/** What a subscription has delivered. */
interface Delivered {
  count: number;
  last: bigint | undefined;
  list: { key: string; commit: bigint }[];
}

function playSequence(client: EventStoreDBClient, host: string, symbols: Symbols) {
  const raw = rawCalls(host, symbols);

  const expected = (x: Operation["x"]): { expectedRevision?: bigint | "any" } =>
    x === undefined ? {} : { expectedRevision: (/^-?\d+$/.test(String(x)) ? BigInt(x) : x) as bigint | "any" };
  const credentials = ({ via, creds }: Operation): { credentials?: Credentials } =>
    via === "c" ? { credentials: creds ?? administrator } : {};
  const readOptions = ({ dir, max, links, creds }: Operation): ReadOptions => ({
    direction: dir === "b" ? BACKWARDS : FORWARDS,
    ...(max !== undefined && { maxCount: max }),
    ...(links && { resolveLinkTos: true as const }),
    ...(creds && { credentials: creds }),
  });
  const named = (operation: Operation): string => symbols.stream(operation.s ?? "");

  const kinds: Record<string, (operation: Operation) => Promise<Outcome>> = {
    async append(operation) {
      const { ev = [], x, deadline, batchSize } = operation;
      const options = {
        ...expected(x),
        ...credentials(operation),
        ...(deadline !== undefined && { deadline }),
        ...(batchSize && { batchAppendSize: batchSize }),
      } as AppendToStreamOptions;
      const { success, nextExpectedRevision, position } = await client.appendToStream(
        named(operation),
        ev.map((each) => symbols.event(each)),
        options,
      );
      const p = symbols.appended(named(operation), nextExpectedRevision, position, ev.length > 0);
      return { ok: success, next: String(nextExpectedRevision), p };
    },
    async del(operation) {
      const { position } = await client.deleteStream(named(operation), { ...expected(operation.x), ...credentials(operation) });
      return { p: positionShape(position) };
    },
    async tomb(operation) {
      const { position } = await client.tombstoneStream(named(operation), { ...expected(operation.x), ...credentials(operation) });
      return { p: positionShape(position) };
    },
    async setMeta(operation) {
      const { nextExpectedRevision, position } = await client.setStreamMetadata(
        named(operation),
        operation.meta ?? {},
        expected(operation.x),
      );
      return { next: String(nextExpectedRevision), p: positionShape(position) };
    },
    async getMeta(operation) {
      const { metadata, metastreamRevision } = await client.getStreamMetadata(named(operation));
      return { meta: symbols.content(metadata), has: metastreamRevision === undefined ? "none" : typeof metastreamRevision };
    },
    async read(operation) {
      const { from, dir, deadline } = operation;
      const ev: Outcome[] = [];
      try {
        const fromRevision = symbols.revision(from ?? (dir === "b" ? "end" : "start"));
        const options = { ...readOptions(operation), fromRevision, ...(deadline !== undefined && { deadline }) };
        for await (const resolved of client.readStream(named(operation), options)) ev.push(symbols.resolved(resolved));
      } catch (error) {
        return { ...symbols.error(error), ...(ev.length && { after: ev }) };
      }
      return { ev };
    },
    async readAll(operation) {
      const { from, dir } = operation;
      const ev: Outcome[] = [];
      const options = { ...readOptions(operation), fromPosition: symbols.position(from ?? (dir === "b" ? "end" : "mark")) };
      const events = client.readAll(options);
      try {
        for await (const resolved of events) {
          if (symbols.isOwn(resolved)) ev.push(symbols.resolved(resolved));
          if (dir === "b" && ((resolved as AnyResolved & { commitPosition?: bigint }).commitPosition ?? 0n) < symbols.mark.commit) {
            await events.cancel().catch(() => undefined);
            break;
          }
        }
      } catch (error) {
        return { ...symbols.error(error), ...(ev.length && { after: ev }) };
      }
      return { ev };
    },
    readFiltered: (operation) => raw.readFiltered(operation),
    async sleep({ ms = 0 }) {
      await pause(ms);
      return {};
    },
    subS(operation) {
      const { from, links, creds } = operation;
      const subscription = client.subscribeToStream(named(operation), {
        fromRevision: symbols.revision(from ?? "start"),
        ...(links && { resolveLinkTos: true }),
        ...(creds && { credentials: creds }),
      });
      return follow(subscription, operation, false, { count: 0, last: undefined, list: [] });
    },
    subA: subscribeToAll,
    raw({ what, build = {} }) {
      if (what === "batch" || what === "append" || what === "read") return raw[what](build);
      throw new Error(`This player knows no raw call "${what}".`);
    },
  };

  async function run(operation: Operation): Promise<Outcome> {
    const kind = kinds[operation.k];
    if (!kind) throw new Error(`This player knows no operation "${operation.k}".`);
    try {
      return await kind(operation);
    } catch (error) {
      return symbols.error(error);
    }
  }

  function filterOf({ on, prefixes, regex, win, cp }: SymbolicFilter, checkpointReached?: (position: Position) => void): Filter {
    const make = on === "type" ? eventTypeFilter : streamNameFilter;
    return make({
      ...(prefixes && { prefixes: prefixes.map(symbols.expand) }),
      ...(regex !== undefined && { regex: symbols.expand(regex) }),
      ...(win && { maxSearchWindow: win }),
      checkpointInterval: cp ?? 1,
      ...(checkpointReached && { checkpointReached: (_subscription: unknown, position: Position) => checkpointReached(position) }),
    } as Parameters<typeof make>[0]);
  }

  async function subscribeToAll(operation: Operation): Promise<Outcome> {
    const { filter, from, links, creds } = operation;
    const checkpoints: { position: Position; last: bigint | undefined }[] = [];
    const delivered: Delivered = { count: 0, last: undefined, list: [] };
    const subscription = client.subscribeToAll({
      fromPosition: symbols.position(from ?? "mark"),
      ...(filter && { filter: filterOf(filter, (position) => checkpoints.push({ position, last: delivered.last })) }),
      ...(links && { resolveLinkTos: true }),
      ...(creds && { credentials: creds }),
    });
    const outcome = await follow(subscription, operation, true, delivered);
    if (!filter) return outcome;
    const head = await headOf(client);
    // What holds of checkpoints, not their numbers.
    const facts = checkpoints.map(
      ({ position, last }) =>
        `${positionShape(position)}${position.commit > head ? "+ahead" : ""}${last !== undefined && position.commit < last ? "+behind" : ""}`,
    );
    outcome.cpFacts = [...new Set(facts)].filter((fact) => fact !== "c=p").sort();
    if (operation.resume && !outcome.error && outcome.sentinel)
      outcome.resume = await resumeEverywhere(
        filter,
        delivered.list,
        checkpoints.map(({ position }) => position),
      );
    return outcome;
  }

  /** Subscribes again behind some checkpoints and events: is anything lost, does anything come again? */
  async function resumeEverywhere(filter: SymbolicFilter, list: Delivered["list"], checkpoints: Position[]): Promise<string[]> {
    const places = [
      ...checkpoints.slice(-2).map((position) => ({ kind: "cp", position })),
      ...list
        .filter((_, index) => index === 0 || index === list.length - 2)
        .map(({ commit }) => ({ kind: "ev", position: { commit, prepare: commit } })),
    ];
    const found: string[] = [];
    for (const { kind, position } of places) {
      const wanted = list.filter(({ commit }) => commit > position.commit).map(({ key }) => key);
      const got = await resumed(position, filter, wanted.length, list.at(-1)?.key);
      const isLost = wanted.some((key) => !got.includes(key));
      const isRepeated = got.some((key) => !wanted.includes(key));
      found.push(`${kind}:${isLost ? "lost" : ""}${isRepeated ? "again" : ""}`);
    }
    return [...new Set(found)].filter((fact) => !/^(cp|ev):$/.test(fact));
  }

  async function resumed(fromPosition: Position, filter: SymbolicFilter, most: number, lastKey: string | undefined): Promise<string[]> {
    const subscription = client.subscribeToAll({ fromPosition, filter: filterOf(filter) });
    const got: string[] = [];
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, most === 0 ? 120 : 1_500);
      subscription.on("data", (resolved: AnyResolved) => {
        if (!symbols.isOwn(resolved)) return;
        const key = keyOf(resolved);
        got.push(key);
        if (key !== lastKey) return;
        clearTimeout(timer);
        setTimeout(resolve, 5);
      });
      subscription.on("error", () => {
        clearTimeout(timer);
        resolve();
      });
    });
    await leave(subscription);
    return got;
  }

  async function follow(subscription: Subscription, operation: Operation, isAll: boolean, delivered: Delivered): Promise<Outcome> {
    const { n = 0, during: steps = [], sentinel, sentinelType = "T", wait = 1_500, waitCaught = 400, tail = 3 } = operation;
    const sentinelId = symbols.id(firstSentinel + n);
    const ev: Outcome[] = [];
    let confirmed = false;
    let caught = 0;
    let ended = false;
    let failure: Outcome | null = null;
    const confirmation = Promise.withResolvers<void>();
    const caughtUp = Promise.withResolvers<void>();
    const done = Promise.withResolvers<"sentinel" | "error" | "end">();
    const events = subscription as StreamSubscription;
    events.on("confirmation", () => {
      confirmed = true;
      confirmation.resolve();
    });
    events.on("caughtUp", () => {
      caught += 1;
      caughtUp.resolve();
    });
    events.on("data", (resolved: AnyResolved) => {
      if (isAll && !symbols.isOwn(resolved)) return;
      const read = resolved.link ?? resolved.event;
      delivered.count += 1;
      const commit =
        "commitPosition" in resolved ? resolved.commitPosition : (read as { position?: Position } | undefined)?.position?.commit;
      delivered.last = commit;
      if (read) delivered.list.push({ key: keyOf(resolved), commit: commit ?? 0n });
      ev.push(symbols.resolved(resolved));
      if (read?.id === sentinelId) done.resolve("sentinel");
    });
    events.on("error", (error: unknown) => {
      failure = symbols.error(error);
      confirmation.resolve();
      caughtUp.resolve();
      done.resolve("error");
    });
    events.on("end", () => {
      ended = true;
      confirmation.resolve();
      caughtUp.resolve();
      done.resolve("end");
    });
    await Promise.race([confirmation.promise, pause(1_500)]);
    await Promise.race([caughtUp.promise, pause(waitCaught)]);
    const during: Outcome[] = [];
    for (const step of steps) during.push(await run(step));
    let sent: Outcome | null = null;
    if (!failure && !ended)
      sent = await run({
        k: "append",
        ...((sentinel ?? operation.s) !== undefined && { s: sentinel ?? operation.s }),
        ev: [{ i: firstSentinel + n, t: sentinelType, d: "sentinel" }],
        x: "any",
      } as Operation);
    const how = await Promise.race([done.promise, pause(wait).then(() => "silence" as const)]);
    if (how === "sentinel") await pause(tail);
    await leave(subscription);
    return {
      conf: confirmed,
      caught: caught > 1 ? "many" : caught,
      ev,
      ...(failure ? { error: failure } : {}),
      end: ended,
      how,
      sentinel: how === "sentinel",
      during,
      ...(sent && { sent }),
    };
  }

  return { run };
}

function keyOf(resolved: AnyResolved): string {
  const read = resolved.link ?? resolved.event;
  return `${read?.streamId}/${read?.revision}`;
}

async function leave(subscription: Subscription): Promise<void> {
  subscription.removeAllListeners("error");
  (subscription as StreamSubscription).on("error", () => undefined);
  await subscription.unsubscribe().catch(() => undefined);
}
