import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { defaultSettings } from "@colloquy/schemas/explainers/default-settings.ts";
import { rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import { type Progress, type RenderJob, renderJob } from "@colloquy/schemas/explainers/render.ts";
import { artifactQuery, claimRequest, completeRequest, failRequest, leaseRequest } from "@colloquy/schemas/explainers/worker.ts";
import { readWorkerFigures, type WorkerFigures, workerFiguresHeader } from "@colloquy/schemas/explainers/worker-figures.ts";
import { sampleStoryboard } from "../film/film.fixture.ts";

export const sampleJob = (more: Partial<RenderJob> = {}): RenderJob => ({
  jobId: "job-00000001",
  renderId: "render-00001",
  storyboard: sampleStoryboard(),
  settings: defaultSettings,
  rendererVersion,
  attempt: 1,
  ...more,
});

/** For tests: the boundary of workers as its contract says, with one job, and every request that came. */
export interface ScriptedApi {
  url: string;
  token: string;
  /** What happened, in order: `claim`, `lease`, `artifact <kind>`, `complete`, `fail <code>`; while it is away, `unanswered` and a path's end. */
  heard: string[];
  progress: Progress[];
  /** What the worker told of its process, each time. */
  figures: (WorkerFigures | null)[];
  /** What the next answers are; unset, all is well. */
  script: { lease?: "lost" | "stop"; away?: boolean; give?: RenderJob | null; leaseSeconds?: number };
  /** Resolves when something like this has been heard. */
  until(what: RegExp): Promise<void>;
  close(): Promise<void>;
}

const leaseId = "lease-000001";
const token = "t".repeat(40);

export async function scriptedApi(): Promise<ScriptedApi> {
  const heard: string[] = [];
  const progress: Progress[] = [];
  const figures: ScriptedApi["figures"] = [];
  const script: ScriptedApi["script"] = {};
  let waiting: (() => void)[] = [];
  const hear = (what: string): void => {
    heard.push(what);
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  const answer = async (request: IncomingMessage): Promise<{ status: number; body?: object }> => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const step = pathname.split("/").slice(4).join("/");
    if (request.headers.authorization !== `Bearer ${token}`) return { status: 401 };
    figures.push(readWorkerFigures(String(request.headers[workerFiguresHeader] ?? "")));
    if (step.includes("/artifacts/")) {
      const { sha256 } = artifactQuery.parse(Object.fromEntries(searchParams));
      const hash = createHash("sha256");
      let bytes = 0;
      for await (const part of request) {
        bytes += part.length;
        hash.update(part);
      }
      const whole = hash.digest("hex") === sha256 && Number(request.headers["content-length"]) === bytes;
      hear(`artifact ${step.split("/").at(-1)}${whole ? "" : " damaged"}`);
      return { status: 200, body: { stored: true } };
    }
    const body = JSON.parse(await text(request)) as unknown;
    if (step === "claim") {
      claimRequest.parse(body);
      hear("claim");
      const { give } = script;
      script.give = null;
      return give
        ? { status: 200, body: { job: renderJob.parse(give), leaseId, leaseSeconds: script.leaseSeconds ?? 30 } }
        : { status: 204 };
    }
    if (step.endsWith("/lease")) {
      progress.push(leaseRequest.parse(body).progress);
      hear("lease");
      if (script.lease === "lost") return { status: 409 };
      return { status: 200, body: { leaseSeconds: script.leaseSeconds ?? 30, stop: script.lease === "stop" } };
    }
    if (step.endsWith("/complete")) completeRequest.parse(body);
    hear(step.endsWith("/complete") ? "complete" : `fail ${failRequest.parse(body).code}`);
    return { status: 200, body: { accepted: true } };
  };
  const server: Server = createServer((request, response) => {
    if (script.away) {
      hear(`unanswered ${new URL(request.url ?? "", "http://localhost").pathname.split("/").at(-1)}`);
      return void request.socket.destroy();
    }
    answer(request)
      .catch((error: unknown) => ({ status: 400, body: { error: String(error) } }))
      .then(({ status, body }) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(body && JSON.stringify({ schemaVersion: 1, ...body }));
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    heard,
    progress,
    figures,
    script,
    async until(what) {
      while (!heard.some((one) => what.test(one))) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function text(request: IncomingMessage): Promise<string> {
  let all = "";
  for await (const part of request.setEncoding("utf8")) all += part;
  return all;
}
