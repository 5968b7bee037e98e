import { openAsBlob } from "node:fs";
import type { ArtifactKind, FilmMetrics } from "@colloquy/schemas/explainers/film.ts";
import { artifactTypes, rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import type { FailureCode, Progress } from "@colloquy/schemas/explainers/render.ts";
import { type StageTime, stagesHeader, writeStages } from "@colloquy/schemas/explainers/stages.ts";
import { type ClaimResponse, claimResponse, leaseResponse } from "@colloquy/schemas/explainers/worker.ts";
import { type WorkerFigures, workerFiguresHeader, writeWorkerFigures } from "@colloquy/schemas/explainers/worker-figures.ts";

/** The lease was lost; the work on the job is discarded. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}
/** The API cannot be reached or fails; a later attempt may succeed. */
export class ApiUnavailable extends Error {
  override name = "Away";
}
/** The API does not accept the worker's token. */
export class WorkerRefused extends Error {
  override name = "NotLetIn";
}

export interface MadeArtifact {
  kind: ArtifactKind;
  file: string;
  sha256: string;
  bytes: number;
}

/** The worker routes of the program, the only address that a worker calls. */
export interface WorkerApi {
  claim(): Promise<ClaimResponse | null>;
  renew(job: Held, progress: Progress): Promise<{ leaseSeconds: number; stop: boolean }>;
  upload(job: Held, artifact: MadeArtifact, signal: AbortSignal): Promise<void>;
  complete(
    job: Held,
    film: { milliseconds: number; artifacts: readonly MadeArtifact[]; metrics: FilmMetrics; stages: readonly StageTime[] },
  ): Promise<void>;
  fail(job: Held, code: FailureCode, retryable: boolean): Promise<void>;
}
export interface Held {
  jobId: string;
  leaseId: string;
}

const answerWithinMs = 10_000;
const uploadWithinMs = 120_000;

/** @param options.figures figures of the worker's process, sent with each request */
export function workerApi(options: {
  url: string;
  token: string;
  workerId: string;
  voices: boolean;
  figures: () => WorkerFigures;
}): WorkerApi {
  const { url, token, workerId, voices, figures } = options;
  /** Of the trace that the job in hand belongs to, as the API gave it. */
  let traceparent: string | null = null;

  async function send(
    method: string,
    path: string,
    body: Blob | object,
    more: { type?: string; signal?: AbortSignal; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const signals = [AbortSignal.timeout(body instanceof Blob ? uploadWithinMs : answerWithinMs), ...(more.signal ? [more.signal] : [])];
    let response: Response;
    try {
      response = await fetch(`${url}/api/visual-explainers/worker/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": more.type ?? "application/json",
          [workerFiguresHeader]: writeWorkerFigures(figures()),
          ...(traceparent !== null && { traceparent }),
          ...more.headers,
        },
        body: body instanceof Blob ? body : JSON.stringify({ schemaVersion: 1, ...body }),
        // A redirect would take the token somewhere else.
        redirect: "error",
        signal: AbortSignal.any(signals),
      });
    } catch (error) {
      throw new ApiUnavailable(reasonOf(error));
    }
    if (response.ok) return response;
    const told = (await response.text().catch(() => "")).slice(0, 300);
    if (response.status === 401 || response.status === 403) throw new WorkerRefused(told);
    if (response.status === 404 || response.status === 409 || response.status === 410) throw new LeaseLost(told);
    if (response.status >= 500 || response.status === 429 || response.status === 408)
      throw new ApiUnavailable(`${response.status} ${told}`);
    throw new Error(`${method} ${path}: ${response.status} ${told}`);
  }
  const json = async (response: Response): Promise<unknown> => {
    try {
      return await response.json();
    } catch (error) {
      throw new ApiUnavailable(reasonOf(error));
    }
  };
  const drop = async (response: Response): Promise<void> => void (await response.body?.cancel().catch(() => undefined));
  const of = (job: Held): string => `jobs/${encodeURIComponent(job.jobId)}`;

  return {
    async claim() {
      traceparent = null;
      const response = await send("POST", "claim", { workerId, capabilities: { rendererVersion, voices } }).catch((error) => {
        // No lease exists yet, so this is an API without worker routes.
        throw error instanceof LeaseLost ? new ApiUnavailable(error.message) : error;
      });
      if (response.status === 204) return null;
      traceparent = response.headers.get("traceparent");
      return claimResponse.parse(await json(response));
    },
    async renew(job, progress) {
      const { leaseSeconds, stop } = leaseResponse.parse(
        await json(await send("POST", `${of(job)}/lease`, { leaseId: job.leaseId, progress })),
      );
      return { leaseSeconds, stop };
    },
    async upload(job, { kind, file, sha256 }, signal) {
      const query = new URLSearchParams({ leaseId: job.leaseId, sha256 });
      // A blob of a file states its length and is read as it is sent.
      const body = await openAsBlob(file, { type: artifactTypes[kind] });
      await drop(await send("PUT", `${of(job)}/artifacts/${kind}?${query}`, body, { type: artifactTypes[kind], signal }));
    },
    async complete(job, { milliseconds, artifacts, metrics, stages }) {
      const made = artifacts.map(({ kind, sha256, bytes }) => ({ kind, sha256, bytes }));
      const headers = { [stagesHeader]: writeStages(stages) };
      await drop(await send("POST", `${of(job)}/complete`, { leaseId: job.leaseId, milliseconds, artifacts: made, metrics }, { headers }));
    },
    async fail(job, code, retryable) {
      await drop(await send("POST", `${of(job)}/fail`, { leaseId: job.leaseId, code, retryable }));
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
