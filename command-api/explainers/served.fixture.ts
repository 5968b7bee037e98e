import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@colloquy/infra/config.ts";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { metricsRoutes } from "@colloquy/infra/http/metrics.ts";
import { isWhole } from "@colloquy/infra/object-store/film-objects.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import type { CheckpointTables } from "@colloquy/projections/checkpoints/queries.ts";
import {
  cachedFilms,
  type ExplainerTables,
  jobOfCorrection,
  jobsUnderWay,
  unneededObjects,
} from "@colloquy/projections/explainers/queries.ts";
import { rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import { type Progress, renderStages } from "@colloquy/schemas/explainers/render.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { Router } from "express";
import type { Kysely } from "kysely";
import type { FilmEvidenceKeeping } from "../tutor/film-evidence.ts";
import { account, draftOf, metrics, noTutoring } from "./explainer.fixture.ts";
import { explainerHandlers } from "./handlers.ts";
import { explainerJobs } from "./jobs.ts";
import { explainerRoutes } from "./routes.ts";
import { objectSweep, recentObjects } from "./sweep.ts";
import { explainerWork } from "./worker.ts";
import { workerFigureLog } from "./worker-figures.ts";
import { workerRoutes } from "./worker-routes.ts";

export const workerToken = "w".repeat(40);

/** The read models of videos, with running projections. */
interface Models {
  store: EventStore;
  database: Kysely<ExplainerTables & CheckpointTables>;
  close(): Promise<void>;
}

/** Serves videos over real parts: the routes of owners and workers at one address, and a clock that tests move. */
export async function serveFilms(
  models: Models,
  more: (objectStore: ObjectStore) => Router[] = () => [],
  evidence: FilmEvidenceKeeping = noTutoring,
) {
  const folder = mkdtempSync(join(tmpdir(), "films-"));
  const { store, database } = models;
  const objectStore = openObjectStore({ DATA_DIR: folder });
  // The clock moves only by a millisecond for each call, so that no lease expires on a slow machine.
  let time = Date.now();
  const now = (): string => {
    time += 1;
    return new Date(time).toISOString();
  };
  const logged: string[] = [];
  /** The course whose videos are offered. */
  const offered = { courseId: draftOf().courseId };
  const log = createLog("test", { LOG_LEVEL: "warn" }, { write: (line: string) => void logged.push(line) });
  /** The parts of one process; another process knows only what is in the stores. */
  const parts = () => {
    const jobs = explainerJobs({ store });
    const recent = recentObjects();
    const work = explainerWork({ jobs, objectStore, recent, log, now, listInProgress: () => jobsUnderWay(database) });
    const handlers = explainerHandlers({
      jobs,
      evidence,
      countInProgress: work.countInProgress,
      voices: false,
      now,
      offers: (courseId) => courseId === offered.courseId,
      cached: (accountId, content) => cachedFilms(database, accountId, content),
      isIntact: (artifact) => isWhole(objectStore, artifact),
    });
    const sweep = objectSweep({ objectStore, recent: recentObjects(() => 0), unneeded: (sha256s) => unneededObjects(database, sha256s) });
    return { jobs, work, handlers, sweep };
  };
  const served = parts();
  const config = readConfig({ NODE_ENV: "test", RENDER_WORKER_TOKEN: workerToken });
  const signedIn = Router().use((request, _response, next) => {
    const accountId = request.get("x-account");
    request.account = accountId ? { accountId, name: "Test", roles: request.get("x-owner") ? ["learner", "owner"] : ["learner"] } : null;
    next();
  });
  const heard = workerFigureLog();
  const routers = [
    metricsRoutes(config, async () => [heard.text()]),
    workerRoutes({ config, work: served.work, heard }),
    signedIn,
    explainerRoutes({ handlers: served.handlers, jobOfCorrection: (correctionId) => jobOfCorrection(database, correctionId) }),
    ...more(objectStore),
  ];
  const { server, port } = await listen(createApp({ config, log, routers }), 0);
  const url = `http://127.0.0.1:${port}/api/visual-explainers`;
  let requests = 0;
  const requestId = (): string => {
    requests += 1;
    return `request-${String(requests).padStart(6, "0")}`;
  };
  const request = (accountId: string, id = requestId()) => ({ accountId, requestId: id, correlationId: id });

  const post = (path: string, body: object, headers: Record<string, string>): Promise<Response> =>
    fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(versioned(body)),
    });
  const worker = (path: string, body: object, headers: Record<string, string> = { authorization: `Bearer ${workerToken}` }) =>
    post(`/worker${path}`, body, headers);

  return {
    ...served,
    models,
    offered,
    now,
    objectStore,
    logged,
    url,
    parts,
    request,
    requestId,
    worker,
    folder,
    forward: (seconds: number): void => {
      time += seconds * 1_000;
    },
    owner: (path: string, body: object = {}, accountId: string = account) =>
      post(path, { requestId: requestId(), ...body }, { "x-account": accountId }),
    figures: async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
    get: (path: string, headers: Record<string, string> = { "x-account": account }) => fetch(url + path, { headers }),
    /** A job with its storyboard. */
    async draft(accountId: string = account, tag = requestId().slice(-4)): Promise<string> {
      const { jobId } = await served.handlers.draft(request(accountId), { ...draftOf(tag), content: { tag } });
      return jobId;
    },
    async claim(workerId = "worker-1") {
      const answer = await worker("/claim", { workerId, capabilities: { rendererVersion, voices: false } });
      if (answer.status === 204) return null;
      return (await answer.json()) as { job: { jobId: string; renderId: string; attempt: number }; leaseId: string };
    },
    lease: (jobId: string, leaseId: string, progress: Progress = { stage: renderStages[2], done: 1, total: 2 }) =>
      worker(`/jobs/${jobId}/lease`, { leaseId, progress }),
    async upload(
      jobId: string,
      leaseId: string,
      kind: string,
      bytes: Uint8Array<ArrayBuffer>,
      sha256 = sha256Of(bytes),
    ): Promise<Response> {
      return fetch(`${url}/worker/jobs/${jobId}/artifacts/${kind}?leaseId=${leaseId}&sha256=${sha256}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${workerToken}`, "content-type": "application/octet-stream" },
        body: bytes,
      });
    },
    /** Uploads a video and completes it. @returns the status of the completion */
    async finish(jobId: string, leaseId: string, text = jobId): Promise<number> {
      const artifacts = [];
      for (const kind of ["video", "captions", "poster"]) {
        const bytes = new TextEncoder().encode(`${kind} of ${text}`);
        const stored = await this.upload(jobId, leaseId, kind, bytes);
        if (!stored.ok) return stored.status;
        artifacts.push({ kind, sha256: sha256Of(bytes), bytes: bytes.length });
      }
      return (await worker(`/jobs/${jobId}/complete`, { leaseId, milliseconds: 50_000, artifacts, metrics })).status;
    },
    async typesOf(jobId: string): Promise<string[]> {
      const types: string[] = [];
      for await (const { type } of store.read(`explainer-${jobId}`)) types.push(type);
      return types;
    },
    async close(): Promise<void> {
      await closeServer(server, 0);
      await models.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type ServedFilms = Awaited<ReturnType<typeof serveFilms>>;

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
