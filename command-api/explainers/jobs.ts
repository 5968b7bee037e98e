import { type EventStore, eventIdFrom, type StoredEvent, WrongExpectedRevision } from "@colloquy/infra/event-store/client.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { unknownEvents } from "@colloquy/infra/telemetry/metrics.ts";
import { currentSpan, inSpan, traceparentForEvents } from "@colloquy/infra/telemetry/traces.ts";
import { type ExplainerEvent, explainerStream, readExplainerEvent } from "@colloquy/schemas/events/explainer.ts";
import type { EventMetadata } from "@colloquy/schemas/events/metadata.ts";
import { type ExplainerState, evolve, initial, withUnknown } from "@colloquy/schemas/explainers/state.ts";

export interface LoadedJob {
  state: ExplainerState;
  position: string | null;
  /** Of the trace of whoever asked for the film, where it is kept. */
  traceparent?: string;
}

/** Who brought an append about: its owner by a request; workers and the service itself have none. */
export interface JobRequest {
  accountId: string;
  requestId: string;
  correlationId: string;
}

export interface JobChange {
  events: ExplainerEvent[];
  at: string;
  request?: JobRequest;
}

/** A stream that this version cannot read: nothing is to be decided on it. */
export class UnreadableJob extends Error {
  override name = "UnreadableJob";
}

export interface ExplainerJobs {
  /** @throws {UnreadableJob} */
  load(jobId: string): Promise<LoadedJob>;
  /**
   * Decides on the job as it is now and appends what that came to, again when somebody else wrote first. Nothing is appended for no events.
   * @throws {UnreadableJob} and what `decide` throws
   */
  change(jobId: string, decide: (before: LoadedJob) => Promise<JobChange> | JobChange): Promise<LoadedJob & { appended: ExplainerEvent[] }>;
  /** Jobs this process used last, in whatever state, as it knows them: it may know better than any read model, or worse. */
  known(): Iterable<LoadedJob>;
  /** Cuts out what stands before the mark that a job was erased. */
  cut(jobId: string): Promise<void>;
}

const keptJobs = 500;
/** Tries against others that write to the same job. */
const tries = 20;
const asked = "RenderApproved" satisfies ExplainerEvent["type"];
const options = { attributes: { "colloquy.category": "explainer" } };
const nothing: LoadedJob = { state: initial, position: null };

/** Jobs in the event store; those used last are kept in memory and read on from where they were. */
export function explainerJobs({ store }: { store: EventStore }): ExplainerJobs {
  const kept = new Map<string, LoadedJob>();

  async function load(jobId: string): Promise<LoadedJob> {
    let { state, position, traceparent } = kept.get(jobId) ?? nothing;
    for await (const stored of store.read(explainerStream(jobId), { from: state.version + 1 })) {
      state = next(jobId, state, stored);
      position = stored.position;
      if (stored.type === asked) traceparent = stored.metadata.traceparent;
    }
    return keep(jobId, { state, position, ...(traceparent !== undefined && { traceparent }) });
  }

  function next(jobId: string, state: ExplainerState, stored: StoredEvent): ExplainerState {
    const { revision, metadata, type } = stored;
    try {
      const event = readExplainerEvent(stored);
      if (!event) unknownEvents.inc({ reader: "explainer commands", type });
      return event ? evolve(state, { ...event, revision, ...about(metadata) }) : withUnknown(state, revision);
    } catch (cause) {
      throw new UnreadableJob(`event ${revision} of the film ${jobId} cannot be read`, { cause });
    }
  }

  function keep(jobId: string, loaded: LoadedJob): LoadedJob {
    const before = kept.get(jobId);
    // Who read earlier may be done later.
    const newest = before && before.state.version > loaded.state.version ? before : loaded;
    kept.delete(jobId);
    if (newest.state.version >= 0) kept.set(jobId, newest);
    if (kept.size > keptJobs) kept.delete(kept.keys().next().value ?? "");
    return newest;
  }

  async function append(jobId: string, before: LoadedJob, { events, at, request }: JobChange): Promise<LoadedJob> {
    const { version } = before.state;
    const ids = events.map((event, index) => eventIdFrom("explainer", jobId, String(version), String(index), JSON.stringify(event)));
    const [own = ""] = ids;
    const { accountId, requestId, correlationId } = request ?? { accountId: before.state.accountId, requestId: own, correlationId: own };
    const metadata: EventMetadata = { accountId, requestId, correlationId, at };
    const { position } = await store.append(
      explainerStream(jobId),
      events.map((event, index) => ({ id: ids[index] ?? "", ...event, metadata })),
      version < 0 ? "none" : version,
    );
    const state = events.reduce<ExplainerState>(
      (state, event) => evolve(state, { ...event, revision: state.version + 1, ...about(metadata) }),
      before.state,
    );
    const { traceparent } = events.some(({ type }) => type === asked) ? traceparentForEvents(currentSpan()) : before;
    return keep(jobId, { state, position, ...(traceparent !== undefined && { traceparent }) });
  }

  return {
    load,

    change: (jobId, decide) =>
      inSpan("command", options, async () => {
        for (let left = tries; ; left -= 1) {
          const before = await load(jobId);
          const change = await inSpan("decide", options, async () => decide(before));
          if (change.events.length === 0) return { ...before, appended: [] };
          try {
            return { ...(await append(jobId, before, change)), appended: change.events };
          } catch (error) {
            if (!(error instanceof WrongExpectedRevision)) throw error;
            if (left <= 1) throw new ProblemError("unavailable", { cause: error });
          }
        }
      }),

    known: () => kept.values(),

    async cut(jobId) {
      const { state } = await load(jobId);
      if (state.erased) await store.truncateBefore(explainerStream(jobId), state.version);
    },
  };
}

const about = ({ accountId, requestId }: Partial<EventMetadata>) => ({ accountId, requestId });
