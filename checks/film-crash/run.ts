import { execFileSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { draftOf, storyboardOf } from "@colloquy/command-api/explainers/explainer.fixture.ts";
import { explainerJobs } from "@colloquy/command-api/explainers/jobs.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import type { ExplainerState } from "@colloquy/schemas/explainers/state.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { createClient } from "../../client/client.ts";
import type { Actor } from "../harness/actors.ts";
import { type Deployment, ownerAccount, startDeployment } from "../harness/deployment.ts";
import { type RenderWorker, startRenderWorker } from "../harness/process.ts";
import { randomOf } from "../random.ts";
import { examine, type Findings } from "./examine.ts";
import { openWorkerProxy, type WorkerProxy } from "./worker-proxy.ts";

/** A requested film and its owner. */
export interface RequestedFilm {
  jobId: string;
  /** Whose it is. */
  owner: number;
  actor: Actor;
}

/** A deployment with two command APIs, and what a scenario needs to inject faults while films are made. */
export interface FilmCrashRun {
  deployment: Deployment;
  token: string;
  random: () => number;
  /** A small disk for the objects, which can be filled; null where mounting is not allowed. */
  smallDisk: string | null;
  folder: string;
  /** Requests films and approves them, at most ten for each account. */
  requestFilms(count: number): Promise<RequestedFilm[]>;
  state(jobId: string): Promise<ExplainerState>;
  /** @throws with `what` when `holds` does not become true within ten minutes */
  waitUntil(what: string, holds: () => Promise<boolean> | boolean): Promise<void>;
  /** Whether all of these films are completed or failed for good. */
  allSettled(asked: readonly RequestedFilm[]): Promise<boolean>;
  /** Waits until all are settled. `examine` says which are completed. */
  waitForFilms(asked: readonly RequestedFilm[]): Promise<void>;
  /** Expires all leases by shifting the clock of the services; without `quick` they expire by themselves. */
  expireLeases(): void;
  startWorker(url: string, more?: { token?: string; folder?: string }): RenderWorker;
  openProxy(machine: number): Promise<WorkerProxy>;
  examine(asked: readonly RequestedFilm[]): Promise<Findings>;
  /** Stops the workers and proxies of a scenario. */
  stopWorkers(): Promise<void>;
  close(): Promise<void>;
}

const withinMs = 600_000;
const smallDiskBytes = 100_000_000;

/** @param quick expires leases by the clock, and makes films that differ in few frames */
export async function startFilmCrashRun({ seed, quick }: { seed: number; quick: boolean }): Promise<FilmCrashRun> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-film-crash-"));
  const token = randomBytes(32).toString("hex");
  const smallDisk = mounted(join(folder, "small-disk"));
  const deployment = await startDeployment({
    commandApis: 2,
    environment: {
      // Objects as files.
      S3_ENDPOINT: "",
      S3_BUCKET: "",
      S3_REGION: "",
      S3_ACCESS_KEY_ID: "",
      S3_SECRET_ACCESS_KEY: "",
      RENDER_WORKER_TOKEN: token,
      // The course of the fixture's storyboards.
      EXPLAINER_COURSE_IDS: draftOf("").courseId,
    },
    prepare: (dataDir) => {
      if (!smallDisk) return;
      mkdirSync(join(smallDisk, "objects"));
      symlinkSync(join(smallDisk, "objects"), join(dataDir, "objects"));
    },
  });
  const jobs = explainerJobs({ store: deployment.events });
  const objects = openObjectStore({ DATA_DIR: deployment.dataDir });
  const workers: RenderWorker[] = [];
  const lines: WorkerProxy[] = [];
  const owners = new Map<number, Actor>();
  let [asked, ahead] = [0, 0];

  async function told({ jobId }: RequestedFilm): Promise<string> {
    const { state, render } = await stage.state(jobId);
    const when = render?.lease ? `its lease until ${render.lease.until}` : `not before ${render?.notBefore}`;
    return `${jobId} is ${state} in try ${render?.attempt}, ${when}`;
  }

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    // First of all, for nobody else takes it away; it is there for who has it open.
    if (smallDisk) execFileSync("umount", ["--lazy", smallDisk]);
    await stage.stopWorkers();
    await deployment.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  const stage: FilmCrashRun = {
    deployment,
    token,
    random: randomOf(seed, "films"),
    smallDisk,
    folder,
    async requestFilms(count) {
      const all: RequestedFilm[] = [];
      for (; all.length < count; asked += 1) {
        const number = Math.floor(asked / filmBounds.queuedPerAccount);
        const actor = owners.get(number) ?? (await deployment.owner(number));
        owners.set(number, actor);
        const tag = String(asked).padStart(4, "0");
        const jobId = `job-${randomUUID()}`;
        const storyboard = quick ? storyboardOf(tag) : otherwise(storyboardOf(tag), tag);
        const at = new Date().toISOString();
        const request = { accountId: ownerAccount(number), requestId: jobId };
        await jobs.handle(jobId, request, { type: "draft", ...draftOf(tag), storyboard, jobId, at, digest: tag });
        const address = deployment.commandApis[asked % deployment.commandApis.length]?.address() ?? "";
        await createClient({ address, headers: actor.headers })("POST /api/visual-explainers/jobs/:jobId/render", {
          parameters: { jobId },
          body: { requestId: randomUUID() },
        });
        all.push({ jobId, owner: number, actor });
      }
      return all;
    },
    state: async (jobId) => (await jobs.load(jobId)).state,
    async waitUntil(what, holds) {
      const giveUp = Date.now() + withinMs;
      while (!(await holds())) {
        if (Date.now() > giveUp) throw new Error(`after minutes it is still not so that ${what}`);
        await pause(50);
      }
    },
    async allSettled(films) {
      for (const { jobId } of films) if (!isSettled(await stage.state(jobId))) return false;
      return true;
    },
    async waitForFilms(films) {
      for (const { jobId } of films)
        await stage
          .waitUntil(`${jobId} is there`, async () => isSettled(await stage.state(jobId)))
          .catch(async (error: Error) => {
            throw new Error([error.message, ...(await Promise.all(films.map(told)))].join("\n  "));
          });
    },
    expireLeases() {
      if (!quick) return;
      ahead += (filmBounds.leaseSeconds + 1) * 1_000;
      for (const service of deployment.services) service.shiftClock(ahead);
    },
    startWorker(url, more = {}) {
      // Of one scenario after the other: what was drawn before is kept.
      const worker = startRenderWorker({ url, token, folder: join(folder, `worker-${workers.length}`), ...more });
      workers.push(worker);
      return worker;
    },
    async openProxy(machine) {
      const line = await openWorkerProxy(() => deployment.commandApis[machine]?.address() ?? "");
      lines.push(line);
      return line;
    },
    examine: (films) =>
      examine(
        deployment.events,
        objects,
        films.map(({ jobId }) => jobId),
      ),
    async stopWorkers() {
      await Promise.all(workers.splice(0).map((worker) => worker.kill()));
      await Promise.all(lines.splice(0).map((line) => line.close()));
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
  return stage;
}

const isSettled = ({ state }: ExplainerState): boolean => state === "completed" || state === "failed";

/** A film that is another one in most of its pictures: what was drawn before is no help. */
function otherwise(board: Storyboard, tag: string): Storyboard {
  const scenes = board.scenes.map((scene) =>
    scene.layout === "points" ? { ...scene, content: { ...scene.content, heading: `${scene.content.heading} ${tag}` } } : scene,
  );
  return { ...board, scenes };
}

/** A small disk of memory, where one may be mounted. */
function mounted(folder: string): string | null {
  mkdirSync(folder);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${smallDiskBytes}`, "none", folder], { stdio: "ignore" });
    return folder;
  } catch {
    return null;
  }
}
