import { randomUUID } from "node:crypto";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { filmObjectKey, isWhole } from "@colloquy/infra/object-store/film-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { type Artifact, type ArtifactKind, rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import type { Progress, RenderJob } from "@colloquy/schemas/explainers/render.ts";
import type { ExplainerState } from "@colloquy/schemas/explainers/state.ts";
import { isUnderWay } from "@colloquy/schemas/explainers/under-way.ts";
import type { WorkCommand } from "./commands.ts";
import { countTries } from "./count-tries.ts";
import { decide, leased } from "./decider.ts";
import { type ExplainerJobs, type LoadedJob, UnreadableJob } from "./jobs.ts";
import { type Capabilities, offered } from "./queue.ts";
import type { RecentObjects } from "./recent-objects.ts";

type Command<Type extends WorkCommand["type"]> = Omit<Extract<WorkCommand, { type: Type }>, "type" | "at">;

export interface Claimed {
  job: RenderJob;
  leaseId: string;
  leaseSeconds: number;
  /** Of the trace of whoever asked for the film; the worker sends it along with what it makes. */
  traceparent?: string;
}

export interface ExplainerWork {
  /** A job for a worker; null when none waits that it can do. */
  claim(workerId: string, capabilities: Capabilities): Promise<Claimed | null>;
  /** `stop`: it was cancelled. @throws {ProblemError} `lease_lost` */
  renew(jobId: string, leaseId: string, progress: Progress): Promise<{ leaseSeconds: number; stop: boolean }>;
  /** @throws {ProblemError} `lease_lost` */
  holds(jobId: string, leaseId: string): Promise<void>;
  /** Keeps bytes that are what they were said to be. */
  keep(sha256: string, bytes: Uint8Array): Promise<void>;
  /** @throws {ProblemError} `lease_lost`, `invalid_request` for artifacts that are missing */
  complete(jobId: string, made: Command<"complete">): Promise<void>;
  /** @throws {ProblemError} `lease_lost` */
  fail(jobId: string, failed: Command<"fail">): Promise<void>;
  /** Frees what nobody works on any more. Returns how many jobs that were. */
  tend(): Promise<number>;
  /** How many of an account's jobs wait or are worked on. */
  underWay(accountId: string): Promise<number>;
}

interface Needs {
  jobs: ExplainerJobs;
  objectStore: Pick<ObjectStore, "put" | "stream">;
  recent: Pick<RecentObjects, "add">;
  /** Jobs that wait or are worked on, by the read model: it may be a little behind. */
  listed(): Promise<LoadedJob[]>;
  log: Pick<Logger, "error">;
  now(): string;
}

/** A film without these is none. */
const neededKinds: readonly ArtifactKind[] = ["video", "captions", "poster"];

/** What workers do with jobs. The event store decides who has which; what is remembered here only saves looking. */
export function explainerWork({ jobs, objectStore, recent, listed, log, now }: Needs): ExplainerWork {
  const served = new Map<string, number>();
  const unreadable = new Set<string>();
  let turn = 0;
  /** When a worker that can speak was last known to be there: it asked for work here, or held a lease, whichever process gave it. */
  let speakerAt = now();

  /** Jobs under way, by whoever knows them best: the read model, or this process, which has just written to them. */
  async function underWay(): Promise<ExplainerState[]> {
    const found = new Map((await listed()).map(({ state }) => [state.jobId, state]));
    for (const { state } of jobs.known()) {
      const other = found.get(state.jobId);
      if (!other || state.version > other.version) found.set(state.jobId, state);
    }
    return [...found.values()].filter((one) => isUnderWay(one) && !one.erased);
  }

  async function carryOut(jobId: string, command: Omit<WorkCommand, "at">): ReturnType<ExplainerJobs["change"]> {
    const changed = await jobs.change(jobId, ({ state }) => {
      const at = now();
      return { events: decide(state, { ...command, at } as WorkCommand), at };
    });
    countTries(changed.appended);
    return changed;
  }

  /** As `carryOut`; null for a job that cannot be read, which is said once: the others are served all the same. */
  function tryOn(jobId: string, command: Omit<WorkCommand, "at">): Promise<Awaited<ReturnType<ExplainerJobs["change"]>> | null> {
    return carryOut(jobId, command).catch((error: unknown) => {
      if (!(error instanceof UnreadableJob)) throw error;
      if (!unreadable.has(jobId)) log.error({ err: error, jobId }, "a film cannot be read and is passed over");
      unreadable.add(jobId);
      return null;
    });
  }

  const leaseUntil = (): string => new Date(Date.parse(now()) + bounds.explainer.leaseSeconds * 1_000).toISOString();

  return {
    async claim(workerId, capabilities) {
      if (capabilities.rendererVersion !== rendererVersion) return null;
      if (capabilities.voices) speakerAt = now();
      for (const jobId of offered(await underWay(), served, now(), capabilities)) {
        const leaseId = randomUUID();
        const claim = { type: "claim" as const, leaseId, workerId, leaseUntil: leaseUntil(), ...capabilities };
        const changed = await tryOn(jobId, claim as WorkCommand);
        if (!changed) continue;
        const { render, storyboard, accountId } = changed.state;
        // Somebody else was quicker, or it was cancelled meanwhile.
        if (render?.lease?.leaseId !== leaseId || !storyboard) continue;
        turn += 1;
        served.delete(accountId);
        served.set(accountId, turn);
        if (served.size > 10_000) served.delete(served.keys().next().value ?? "");
        const { renderId, settings, attempt } = render;
        const job = { jobId, renderId, storyboard, settings, rendererVersion, attempt };
        const { traceparent } = changed;
        return { job, leaseId, leaseSeconds: bounds.explainer.leaseSeconds, ...(traceparent !== undefined && { traceparent }) };
      }
      return null;
    },

    async renew(jobId, leaseId, progress) {
      const { state: before } = await jobs.load(jobId);
      if (before.state === "cancelled" && before.render?.stopped === leaseId) return { leaseSeconds: 1, stop: true };
      const { state } = await carryOut(jobId, { type: "renew", leaseId, progress, leaseUntil: leaseUntil() } as WorkCommand);
      const left = Date.parse(state.render?.lease?.until ?? "") - Date.parse(now());
      return { leaseSeconds: Math.max(1, Math.floor(left / 1_000)), stop: false };
    },

    async holds(jobId, leaseId) {
      leased((await jobs.load(jobId)).state, leaseId, now());
    },

    async keep(sha256, bytes) {
      recent.add(sha256);
      // What stands there already may be damaged: then these bytes take its place. Others under the same name are the same.
      if (!(await isWhole(objectStore, { sha256, bytes: bytes.length }))) await objectStore.put(filmObjectKey(sha256), bytes);
    },

    async complete(jobId, made) {
      const { state } = await jobs.load(jobId);
      // Who has lost the job is told so first, whatever was uploaded.
      if (state.render?.finished !== made.leaseId) leased(state, made.leaseId, now());
      await demandAll(made.artifacts);
      await carryOut(jobId, { type: "complete", ...made } as WorkCommand);
    },

    async fail(jobId, failed) {
      await carryOut(jobId, { type: "fail", ...failed } as WorkCommand);
    },

    async tend() {
      let tended = 0;
      const states = await underWay();
      const at = now();
      if (states.some(({ render }) => render?.lease?.voices && render.lease.until > at)) speakerAt = at;
      for (const { jobId } of states) {
        const changed = await tryOn(jobId, { type: "tend", rendererVersion, speakerAt } as WorkCommand);
        if (changed && changed.appended.length > 0) tended += 1;
      }
      return tended;
    },

    async underWay(accountId) {
      return (await underWay()).filter((job) => job.accountId === accountId).length;
    },
  };

  /** @throws {ProblemError} for a film that is not whole: what was said to be uploaded has to be there, as long as it was said to be */
  async function demandAll(artifacts: readonly Artifact[]): Promise<void> {
    const kinds = new Set(artifacts.map(({ kind }) => kind));
    const wrong = (message: string): ProblemError => new ProblemError("invalid_request", { fields: [{ path: "artifacts", message }] });
    if (kinds.size < artifacts.length) throw wrong("each kind at most once");
    for (const kind of neededKinds) if (!kinds.has(kind)) throw wrong(`a film has ${neededKinds.join(", ")}`);
    for (const artifact of artifacts) {
      recent.add(artifact.sha256);
      if (!(await isWhole(objectStore, artifact))) throw wrong(`${artifact.kind} was not uploaded as it is named here`);
    }
  }
}
