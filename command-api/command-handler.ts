import {
  AppendTooLarge,
  type EventStore,
  type NewEvent,
  type StoredEvent,
  WrongExpectedRevision,
} from "@colloquy/infra/event-store/client.ts";
import { type EventParser, knownEvent } from "@colloquy/infra/event-store/known-event.ts";
import { ProblemError, unavailable } from "@colloquy/infra/http/problem.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { currentSpan, inSpan, traceparentForEvents } from "@colloquy/infra/telemetry/traces.ts";
import type { EventMetadata } from "@colloquy/schemas/events/metadata.ts";
import { LRUCache } from "lru-cache";
import pRetry from "p-retry";
import { type Decider, type Recorded, type RecordedMetadata, Rejection } from "./decider.ts";

/** Attempts against others that append to the same stream; the pause before each is random and grows up to the longest (ms). */
const conflictRetry = { retries: 9, minTimeout: 4, maxTimeout: 250, factor: 2, randomize: true };
/** Bytes of one append of several commands: well below the store's limit of 1 MiB. A single command is never split. */
const appendBytes = 400_000;

/** Who sends a command, and under which request. */
export interface CommandRequest {
  accountId: string;
  /** The same id again is the same command. Without one, the id of the command's first event stands for it. */
  requestId?: string;
  /** Of the HTTP request; the request id where there was none. */
  correlationId?: string;
  /** When the person did it, by their device (RFC 3339). */
  at?: string;
  deviceId?: string;
}

/** A stream's state; revision -1 and position null before its first event. */
export interface LoadedStream<State> {
  state: State;
  revision: number;
  position: string | null;
}

export interface CommandHandler<Command, Event, State> {
  /** @throws {UnreadableStream} */
  load(id: string): Promise<LoadedStream<State>>;
  /**
   * Decides on the newest state and appends the events, again when somebody else appended first.
   * @param request null for commands of the service itself, which are recorded under the stream's own account
   * @throws {ProblemError} the rejection; `unavailable` when others kept appending; `too_large` @throws {UnreadableStream}
   */
  handle(id: string, request: CommandRequest | null, command: Command): Promise<HandledCommand<Event, State>>;
  /** As `handle`, with a command that depends on the state; made anew for each attempt. Null: there is nothing to do. */
  handleWith(
    id: string,
    request: CommandRequest | null,
    commandFor: (loaded: LoadedStream<State>) => Promise<Command | null> | Command | null,
  ): Promise<HandledCommand<Event, State>>;
  /**
   * As `handle`, for several commands with other work between them, such as a call to a model. Each is decided on the state that the ones
   * before it led to, and all their events are one append. The whole of `work` runs again when somebody else appended first.
   */
  transact<Result>(
    id: string,
    request: CommandRequest | null,
    work: (transaction: Transaction<Command, Event, State>) => Promise<Result>,
  ): Promise<HandledCommand<Event, State> & { result: Result }>;
  /** Decides several commands in their order, each on what the accepted ones before it made of the state. A rejected one holds up no other. */
  handleEach(
    id: string,
    commands: readonly { request: CommandRequest; command: Command }[],
  ): Promise<LoadedStream<State> & { decisions: (readonly Event[] | Rejection)[] }>;
  /** Streams used last, as this process knows them. */
  cached(): Iterable<LoadedStream<State>>;
}

/** Commands that are decided together; nothing is appended before the work on them is done. */
export interface Transaction<Command, Event, State> {
  /** The stream before the first command. */
  readonly before: LoadedStream<State>;
  /** The state after the commands so far. */
  readonly state: State;
  /** What the commands so far led to. */
  readonly events: readonly Event[];
  /** @throws {ProblemError} the rejection */
  decide(command: Command): void;
  /** Drops what was decided so far. */
  discard(): void;
}

export type HandledCommand<Event, State> = LoadedStream<State> & { appended: readonly Event[] };

/** An event that this version cannot read: nothing may be decided on its stream. */
export class UnreadableStream extends Error {
  override name = "UnreadableStream";
  constructor({ stream, revision, type }: StoredEvent, cause: unknown) {
    super(`event ${revision} (${type}) of ${stream} cannot be read`, { cause });
  }
}

export interface CommandHandlerOptions<Command, Event, State> {
  store: EventStore;
  /** What the streams are called in traces and metrics. */
  category: string;
  /** Name of a stream by its id. */
  stream(id: string): string;
  decider: Decider<Command, Event, State>;
  /** The registry of the stream's events. */
  events: EventParser<Event>;
  log?: Logger | undefined;
  /**
   * Id of an event, derived from its command, so that a command sent twice is one event. `index` counts the events of a command, or of a
   * whole transaction; `revision`: of the stream before the first of them. Without it ids are random, so that the store takes an append for
   * a retry only within one attempt: the state has to recognise a repeated command, and `handleEach` need not read the stream first.
   */
  eventId?(of: { id: string; request: CommandRequest | null; command: Command; event: Event; index: number; revision: number }): string;
  /** The type of event that erases what was recorded before it: the stream is truncated there. */
  deletion?: string;
  /** The account that a stream belongs to; needed for commands of the service itself. */
  accountOf?(state: State): string;
  /** When a command was given (RFC 3339), where its request does not say. */
  timeOf?(command: Command): string;
  /** The state after an event of a type that this version does not know. */
  evolveUnknown?(state: State, revision: number): State;
  /** Bounds of the cache: streams, and the sum of their sizes. */
  cache?: { streams: number; size?: { most: number; of(state: State): number } };
}

interface CachedStream<State> extends LoadedStream<State> {
  /** Revision of the first event that the stream still has. */
  first: number;
  /** Revision of the last deletion; -1 without one. */
  deletedAt: number;
}

/** What one accepted command appends. */
interface Accepted<Event> {
  events: readonly Event[];
  stored: readonly NewEvent[];
}

/** Several commands, decided: what the accepted ones append, and the decision on each. */
interface Decided<Event> {
  accepted: Accepted<Event>[];
  result: (readonly Event[] | Rejection)[];
}

/**
 * Loads a stream's state (from a bounded cache and what came since), decides, appends with the expected revision, retries on a conflict
 * and truncates the stream after a deletion.
 */
export function commandHandler<Command, Event extends { type: string; data: object }, State>(
  options: CommandHandlerOptions<Command, Event, State>,
): CommandHandler<Command, Event, State> {
  type Cached = CachedStream<State>;
  const { store, category, decider, eventId: idOf = () => crypto.randomUUID() } = options;
  const { streams, size } = { streams: 500, ...options.cache };
  const cache = new LRUCache<string, Cached>({
    max: streams,
    ...(size && { maxSize: size.most, sizeCalculation: ({ state }: Cached) => 1 + size.of(state) }),
  });
  const unused: Cached = { state: decider.initialState, revision: -1, position: null, first: 0, deletedAt: -1 };
  const spanOptions = { attributes: { "colloquy.category": category } };

  async function load(id: string): Promise<Cached> {
    let loaded = cache.get(id) ?? unused;
    for await (const stored of store.read(options.stream(id), { from: loaded.revision + 1 })) loaded = withStored(loaded, stored);
    return keep(id, loaded);
  }

  function withStored(loaded: Cached, stored: StoredEvent): Cached {
    const { id, revision, position, metadata } = stored;
    try {
      const event = knownEvent(options.events, stored, { reader: `${category} commands`, log: options.log });
      if (event) return evolved(loaded, event, { id, revision, position, ...metadata });
      const state = options.evolveUnknown?.(loaded.state, revision) ?? loaded.state;
      return { ...loaded, state, revision, position, first: loaded.revision < 0 ? revision : loaded.first };
    } catch (cause) {
      throw new UnreadableStream(stored, cause);
    }
  }

  function evolved(loaded: Cached, event: Event, metadata: RecordedMetadata): Cached {
    const recorded: Recorded<Event> = Object.assign({}, event, { metadata });
    const { revision, position } = metadata;
    return {
      state: decider.evolve(loaded.state, recorded),
      revision,
      position,
      first: loaded.revision < 0 ? revision : loaded.first,
      deletedAt: event.type === options.deletion ? revision : loaded.deletedAt,
    };
  }

  /** The newest known state of a stream: a reader that began earlier may be done later. */
  function keep(id: string, loaded: Cached): Cached {
    const before = cache.peek(id);
    if (before && before.revision > loaded.revision) return before;
    if (loaded.revision >= 0 && before !== loaded) cache.set(id, loaded);
    return loaded;
  }

  /** The events of a decision as the store takes them. @param first index of the first of them */
  function accept(
    id: string,
    { revision, state }: Pick<Cached, "revision" | "state">,
    request: CommandRequest | null,
    command: Command,
    events: readonly Event[],
    first = 0,
  ): Accepted<Event> {
    const ids = events.map((event, index) => idOf({ id, request, command, event, index: first + index, revision }));
    const accountId = request?.accountId ?? options.accountOf?.(state) ?? "";
    const requestId = request?.requestId ?? ids[0] ?? "";
    const { at = options.timeOf?.(command), deviceId, correlationId = requestId } = request ?? {};
    const metadata: EventMetadata = {
      accountId,
      requestId,
      correlationId,
      ...(at !== undefined && { at }),
      ...(deviceId !== undefined && { deviceId }),
    };
    return { events, stored: events.map(({ type, data }, index) => ({ id: ids[index] ?? "", type, data, metadata })) };
  }

  function withAccepted(before: Cached, { events, stored }: Accepted<Event>, position = ""): Cached {
    const traced = traceparentForEvents(currentSpan());
    return events.reduce<Cached>((loaded, event, index) => {
      const { id = "", metadata } = stored[index] ?? {};
      return evolved(loaded, event, { id, revision: loaded.revision + 1, position, ...metadata, ...traced });
    }, before);
  }

  async function append(id: string, before: Cached, accepted: readonly Accepted<Event>[]): Promise<Cached> {
    let loaded = before;
    for (const group of groupsOf(accepted)) {
      const events = group.flatMap(({ stored }) => stored);
      const { position } = await store.append(options.stream(id), events, loaded.revision < 0 ? "none" : loaded.revision);
      for (const one of group) loaded = withAccepted(loaded, one, position);
      // Not the newest state: what follows was decided on this one, and conflicts with whatever else was appended meanwhile.
      keep(id, loaded);
    }
    return loaded;
  }

  /** Also finishes a truncation that was interrupted earlier. */
  async function truncate(id: string, loaded: Cached): Promise<Cached> {
    if (loaded.deletedAt <= loaded.first) return loaded;
    await store.truncateBefore(options.stream(id), loaded.deletedAt);
    return keep(id, { ...loaded, first: loaded.deletedAt });
  }

  /**
   * Carries out what `decideOn` makes of the newest state.
   * @param first what is tried before the stream is read; null when it must be read
   */
  function run<Result>(
    id: string,
    decideOn: (loaded: Cached) => Promise<{ accepted: Accepted<Event>[]; result: Result }>,
    first: () => Promise<{ loaded: Cached; result: Result } | null> = async () => null,
  ): Promise<{ loaded: Cached; result: Result }> {
    const attempt = async () => {
      const before = await load(id);
      const { accepted, result } = await inSpan("decide", spanOptions, () => decideOn(before));
      const loaded = await truncate(id, await append(id, before, accepted));
      return { loaded, result };
    };
    const shouldRetry = ({ error }: { error: Error }): boolean => isConflict(error);
    return inSpan("command", spanOptions, async () => {
      try {
        return (await first()) ?? (await pRetry(attempt, { ...conflictRetry, shouldRetry }));
      } catch (error) {
        return problemOf(error);
      }
    });
  }

  /**
   * Appends without reading the stream where the state known here accepts every command: the append fails if the stream has other events.
   * Null when it must be read.
   */
  async function appendOnKnown(id: string, decideOn: (known: Cached) => Decided<Event>) {
    const before = cache.get(id) ?? unused;
    const { accepted, result } = inSpan("decide", spanOptions, () => decideOn(before));
    if (accepted.length === 0 || accepted.length < result.length) return null;
    try {
      return { loaded: await truncate(id, await append(id, before, accepted)), result };
    } catch (error) {
      if (isConflict(error)) return null;
      throw error;
    }
  }

  /** Decides each command on what the accepted ones before it made of the state. */
  function decideEach(id: string, before: Cached, commands: readonly { request: CommandRequest; command: Command }[]): Decided<Event> {
    let after = before;
    const accepted: Accepted<Event>[] = [];
    const result = commands.map(({ request, command }, index) => {
      const decision = decider.decide(command, after.state);
      if (decision instanceof Rejection || decision.length === 0) return decision;
      const one = accept(id, after, request, command, decision);
      accepted.push(one);
      if (index < commands.length - 1) after = withAccepted(after, one);
      return decision;
    });
    return { accepted, result };
  }

  const transact: CommandHandler<Command, Event, State>["transact"] = async (id, request, work) => {
    const { loaded, result } = await run(id, async (before) => {
      let after = before;
      let accepted: Accepted<Event> = { events: [], stored: [] };
      const value = await work({
        before: loadedOf(before),
        get state() {
          return after.state;
        },
        get events() {
          return accepted.events;
        },
        decide(command) {
          const decision = unlessRejected(decider.decide(command, after.state));
          const { revision } = before;
          const one = accept(id, { revision, state: after.state }, request, command, decision, accepted.events.length);
          after = withAccepted(after, one);
          accepted = { events: [...accepted.events, ...one.events], stored: [...accepted.stored, ...one.stored] };
        },
        discard() {
          after = before;
          accepted = { events: [], stored: [] };
        },
      });
      const { events } = accepted;
      return { accepted: events.length > 0 ? [accepted] : [], result: { appended: events, result: value } };
    });
    return { ...loadedOf(loaded), ...result };
  };

  const handleWith: CommandHandler<Command, Event, State>["handleWith"] = (id, request, commandFor) =>
    transact(id, request, async ({ before, decide }) => {
      const command = await commandFor(before);
      if (command !== null) decide(command);
    });

  return {
    load: async (id) => loadedOf(await load(id)),
    handle: (id, request, command) => handleWith(id, request, () => command),
    handleWith,
    transact,

    async handleEach(id, commands) {
      const decideOn = (before: Cached) => decideEach(id, before, commands);
      const first = options.eventId ? undefined : () => appendOnKnown(id, decideOn);
      const { loaded, result } = await run(id, async (before) => decideOn(before), first);
      return { ...loadedOf(loaded), decisions: result };
    },

    *cached() {
      for (const loaded of cache.values()) yield loadedOf(loaded);
    },
  };
}

/** A rejection as the problem that answers its request. */
export const rejected = ({ code, options }: Rejection): ProblemError => new ProblemError(code, options);

/** The result of a rule of a decider that is asked apart from a command. @throws {ProblemError} its rejection */
export function unlessRejected<Result>(result: Result | Rejection): Result {
  if (result instanceof Rejection) throw rejected(result);
  return result;
}

const loadedOf = <State>({ state, revision, position }: CachedStream<State>): LoadedStream<State> => ({ state, revision, position });

const isConflict = (error: unknown): boolean => error instanceof WrongExpectedRevision;

function problemOf(error: unknown): never {
  if (isConflict(error)) throw unavailable(error);
  if (error instanceof AppendTooLarge) throw new ProblemError("too_large", { cause: error });
  throw error;
}

/** Accepted commands in groups that the store takes in one append. */
function* groupsOf<Event>(accepted: readonly Accepted<Event>[]): Generator<Accepted<Event>[]> {
  let group: Accepted<Event>[] = [];
  let size = 0;
  for (const one of accepted) {
    const bytes = accepted.length > 1 ? Buffer.byteLength(JSON.stringify(one.stored)) : 0;
    if (group.length > 0 && size + bytes > appendBytes) {
      yield group;
      group = [];
      size = 0;
    }
    group.push(one);
    size += bytes;
  }
  if (group.length > 0) yield group;
}
