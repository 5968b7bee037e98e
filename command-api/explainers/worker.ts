import { randomUUID } from "node:crypto";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { courseKeys } from "@colloquy/infra/object-store/course-objects.ts";
import { filmObjectKey, isWhole } from "@colloquy/infra/object-store/film-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { renderAttempts, renderDuration } from "@colloquy/infra/telemetry/metrics.ts";
import type { ExplainerEvent } from "@colloquy/schemas/explainers/events.ts";
import { type Artifact, type ArtifactKind, rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import { isInProgress } from "@colloquy/schemas/explainers/in-progress.ts";
import { picturesOf } from "@colloquy/schemas/explainers/picture.ts";
import { failureCodes, type PictureFile, type Progress, type RenderJob } from "@colloquy/schemas/explainers/render.ts";
import type { ExplainerState } from "@colloquy/schemas/explainers/state.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { UnreadableStream, unlessRejected } from "../command-handler.ts";
import type { WorkCommand } from "./commands.ts";
import { leased } from "./decider.ts";
import type { ExplainerJobs } from "./jobs.ts";
import { type Capabilities, claimOrder } from "./queue.ts";
import type { RecentObjects } from "./sweep.ts";

type Untimed<Command> = Command extends unknown ? Omit<Command, "at"> : never;
type Fields<Type extends WorkCommand["type"]> = Omit<Extract<WorkCommand, { type: Type }>, "type" | "at">;
type Handled = Awaited<ReturnType<ExplainerJobs["handle"]>>;

export interface Claimed {
  job: RenderJob;
  leaseId: string;
  leaseSeconds: number;
  /** Of the trace of the approval; the worker sends it along with what it makes. */
  traceparent?: string;
}

export interface ExplainerWork {
  /** A job for a worker; null when no queued job fits its capabilities. */
  claim(workerId: string, capabilities: Capabilities): Promise<Claimed | null>;
  /** `stop`: it was cancelled. @throws {ProblemError} `lease_lost` */
  renew(jobId: string, leaseId: string, progress: Progress): Promise<{ leaseSeconds: number; stop: boolean }>;
  /** @throws {ProblemError} `lease_lost` */
  requireLease(jobId: string, leaseId: string): Promise<void>;
  /** Stores the bytes of an artifact, which were verified against their hash. */
  store(sha256: string, bytes: Uint8Array): Promise<void>;
  /** @throws {ProblemError} `lease_lost`, `invalid_request` for artifacts that are missing */
  complete(jobId: string, made: Fields<"complete">): Promise<void>;
  /** @throws {ProblemError} `lease_lost` */
  fail(jobId: string, failed: Fields<"fail">): Promise<void>;
  /** Expires leases, and fails renders that no worker can make. @returns how many jobs changed */
  sweep(): Promise<number>;
  /** How many of an account's jobs are queued or rendering. */
  countInProgress(accountId: string): Promise<number>;
}

interface Needs {
  jobs: ExplainerJobs;
  objectStore: Pick<ObjectStore, "get" | "put" | "stream">;
  recent: Pick<RecentObjects, "add">;
  /** Queued and rendering jobs of the read model, which may be a little behind. */
  listInProgress(): Promise<{ state: ExplainerState }[]>;
  log: Pick<Logger, "error">;
  now(): string;
}

/** Every video has these. */
const requiredKinds: readonly ArtifactKind[] = ["video", "captions", "poster"];

/** What workers do with jobs. The event store decides who holds a lease; the memory here only saves reading. */
export function explainerWork({ jobs, objectStore, recent, listInProgress, log, now }: Needs): ExplainerWork {
  const served = new Map<string, number>();
  const unreadable = new Set<string>();
  let turn = 0;
  /** When a worker that can speak was last known: it claimed here, or held a lease of any process. */
  let speakerAt = now();

  /** Each job as the read model or this process knows it, whichever is newer. */
  async function jobsInProgress(): Promise<ExplainerState[]> {
    const found = new Map((await listInProgress()).map(({ state }) => [state.jobId, state]));
    for (const { state } of jobs.cached()) {
      const other = found.get(state.jobId);
      if (!other || state.version > other.version) found.set(state.jobId, state);
    }
    return [...found.values()].filter((one) => isInProgress(one) && !one.erased);
  }

  async function handle(jobId: string, command: Untimed<WorkCommand>): Promise<Handled> {
    const handled = await jobs.handleWith(jobId, null, () => ({ ...command, at: now() }));
    countAttempts(handled.appended);
    return handled;
  }

  /** As `handle`; null for a job that cannot be read. It is logged once and holds up no other job. */
  function handleReadable(jobId: string, command: Untimed<WorkCommand>): Promise<Handled | null> {
    return handle(jobId, command).catch((error: unknown) => {
      if (!(error instanceof UnreadableStream)) throw error;
      if (!unreadable.has(jobId)) log.error({ err: error, jobId }, "the events of a video cannot be read; the video is skipped");
      unreadable.add(jobId);
      return null;
    });
  }

  const leaseUntil = (): string => new Date(Date.parse(now()) + filmBounds.leaseSeconds * 1_000).toISOString();

  return {
    async claim(workerId, capabilities) {
      if (capabilities.rendererVersion !== rendererVersion) return null;
      if (capabilities.voices) speakerAt = now();
      for (const jobId of claimOrder(await jobsInProgress(), served, now(), capabilities)) {
        const leaseId = randomUUID();
        const handled = await handleReadable(jobId, { type: "claim", leaseId, workerId, leaseUntil: leaseUntil(), ...capabilities });
        if (!handled) continue;
        const { render, storyboard, accountId, courseId } = handled.state;
        // Another worker claimed it first, or it was cancelled meanwhile.
        if (render?.lease?.leaseId !== leaseId || !storyboard) continue;
        turn += 1;
        served.delete(accountId);
        served.set(accountId, turn);
        if (served.size > 10_000) served.delete(served.keys().next().value ?? "");
        const { renderId, settings, attempt, traceparent } = render;
        const pictures = await readPictures(courseId, storyboard.scenes);
        const shown = pictures.length > 0 && { pictures };
        const job = { jobId, renderId, storyboard, ...shown, settings, rendererVersion, attempt };
        return { job, leaseId, leaseSeconds: filmBounds.leaseSeconds, ...(traceparent !== undefined && { traceparent }) };
      }
      return null;
    },

    async renew(jobId, leaseId, progress) {
      const { state: before } = await jobs.load(jobId);
      if (before.state === "cancelled" && before.render?.stopped === leaseId) return { leaseSeconds: 1, stop: true };
      const { state } = await handle(jobId, { type: "renew", leaseId, progress, leaseUntil: leaseUntil() });
      const left = Date.parse(state.render?.lease?.until ?? "") - Date.parse(now());
      return { leaseSeconds: Math.max(1, Math.floor(left / 1_000)), stop: false };
    },

    async requireLease(jobId, leaseId) {
      unlessRejected(leased((await jobs.load(jobId)).state, leaseId, now()));
    },

    async store(sha256, bytes) {
      recent.add(sha256);
      // A damaged object is replaced; an intact one has the same bytes.
      if (!(await isWhole(objectStore, { sha256, bytes: bytes.length }))) await objectStore.put(filmObjectKey(sha256), bytes);
    },

    async complete(jobId, made) {
      const { state } = await jobs.load(jobId);
      // A lost lease is reported before missing artifacts.
      if (state.render?.finished !== made.leaseId) unlessRejected(leased(state, made.leaseId, now()));
      await requireAll(made.artifacts);
      await handle(jobId, { type: "complete", ...made });
    },

    async fail(jobId, failed) {
      await handle(jobId, { type: "fail", ...failed });
    },

    async sweep() {
      let swept = 0;
      const states = await jobsInProgress();
      const at = now();
      if (states.some(({ render }) => render?.lease?.voices && render.lease.until > at)) speakerAt = at;
      for (const { jobId } of states) {
        const handled = await handleReadable(jobId, { type: "sweep", rendererVersion, speakerAt });
        if (handled && handled.appended.length > 0) swept += 1;
      }
      return swept;
    },

    async countInProgress(accountId) {
      return (await jobsInProgress()).filter((job) => job.accountId === accountId).length;
    },
  };

  /** The files of the pictures that scenes show; without those that the store no longer has, whose film fails with that reason. */
  async function readPictures(courseId: string, scenes: readonly Scene[]): Promise<PictureFile[]> {
    const files: PictureFile[] = [];
    for (const { sha256 } of picturesOf(scenes)) {
      const found = await objectStore.get(courseKeys.asset(courseId, sha256));
      if (found && found.bytes.length <= filmBounds.figure.bytes) files.push({ sha256, data: Buffer.from(found.bytes).toString("base64") });
    }
    return files;
  }

  /** @throws {ProblemError} `invalid_request` unless every required artifact was uploaded with its stated size and hash */
  async function requireAll(artifacts: readonly Artifact[]): Promise<void> {
    const kinds = new Set(artifacts.map(({ kind }) => kind));
    const wrong = (message: string): ProblemError => new ProblemError("invalid_request", { fields: [{ path: "artifacts", message }] });
    if (kinds.size < artifacts.length) throw wrong("each kind is allowed once");
    for (const kind of requiredKinds) if (!kinds.has(kind)) throw wrong(`required are ${requiredKinds.join(", ")}`);
    for (const artifact of artifacts) {
      recent.add(artifact.sha256);
      if (!(await isWhole(objectStore, artifact))) throw wrong(`${artifact.kind} was not uploaded with this size and hash`);
    }
  }
}

// Counters start at 0, so that rates and alerts work before the first attempt.
for (const outcome of ["claimed", "completed", "lost"]) renderAttempts.inc({ outcome }, 0);
for (const code of failureCodes) renderAttempts.inc({ outcome: "failed", code }, 0);

/** Counts the outcomes of render attempts by the events that this process appended, so that a repeated request counts once. */
function countAttempts(appended: readonly ExplainerEvent[]): void {
  const lost = appended.some(({ type }) => type === "RenderLeaseExpired");
  for (const event of appended)
    switch (event.type) {
      case "RenderClaimed":
        renderAttempts.inc({ outcome: "claimed" });
        break;
      case "RenderLeaseExpired":
        renderAttempts.inc({ outcome: "lost" });
        break;
      case "RenderFailed":
        renderAttempts.inc({ outcome: lost || event.data.leaseId === null ? "given_up" : "failed", code: event.data.code });
        break;
      case "RenderCompleted":
        renderAttempts.inc({ outcome: "completed" });
        renderDuration.observe(Math.min(event.data.metrics.renderMilliseconds, filmBounds.render.ms) / 1_000);
    }
}
