import type { Server } from "node:http";
import { readConfig } from "@colloquy/infra/config.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { explainerStream, explainerStreamPrefix } from "@colloquy/schemas/explainers/events.ts";
import type { HandmadeBoard } from "@colloquy/schemas/explainers/handmade.ts";
import { type StoryboardFrame, storyboardFrame } from "@colloquy/schemas/explainers/requests.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { Router } from "express";
import type { ModelGateway, ObjectRequest } from "../../model-gateway/gateway.ts";
import { type ServedTutor, serveTutor } from "../../tutor/tutor.fixture.ts";
import { noTutoring } from "../explainer.fixture.ts";
import { type ExplainerHandlers, explainerHandlers } from "../handlers.ts";
import { explainerJobs } from "../jobs.ts";
import { storyboardHandlers } from "./handlers.ts";
import { storyboardPreview } from "./preview.ts";
import type { CheckLayout } from "./review.ts";
import { storyboardRoutes } from "./routes.ts";
import { type FilmTopics, filmTopics } from "./topics.ts";

export const mira = "acc_mira_0001";
export const tomas = "acc_tomas_001";

/** What stands between storyboards and the model, told of each request for an object. */
type Between = <T>(
  request: ObjectRequest<T>,
  on: () => ReturnType<ModelGateway["generateObject"]>,
) => ReturnType<ModelGateway["generateObject"]>;

/** Storyboards as they are served, over an embedded event store, demonstration courses and the demonstration model. */
export interface ServedStoryboards {
  readonly topics: FilmTopics;
  readonly library: ServedTutor["library"];
  between: Between | null;
  readonly explainers: ExplainerHandlers;
  request(method: string, path: string, body: object, options?: { account?: string | null; signal?: AbortSignal }): Promise<Response>;
  draw(change?: object, options?: { account?: string | null; signal?: AbortSignal }): Promise<Response>;
  /** Puts scenes in the place of those of a job. */
  edit(jobId: string, version: number, scenes: readonly object[], account?: string): Promise<Response>;
  preview(jobId: string, body: object, account?: string): Promise<Response>;
  frames(response: Response): Promise<StoryboardFrame[]>;
  /** What is told while one is drawn up. */
  drawn(change?: object): Promise<StoryboardFrame[]>;
  /** A storyboard with its job, by its owner. */
  drafted(): Promise<{ jobId: string; version: number; board: Storyboard }>;
  /** The types of a job's events; none for a job that is not there. */
  recorded(jobId: string): Promise<string[]>;
  /** How many jobs there are, whoever's. */
  jobs(): Promise<number>;
  close(): Promise<void>;
}

interface Options {
  /** Puts something between storyboards and the model. */
  around?: (gateway: ModelGateway) => ModelGateway;
  checkLayout?: CheckLayout;
  handmade?: readonly HandmadeBoard[];
  /** The courses whose topics become films. */
  filmed?: readonly string[];
  heartbeatMs?: number;
  triesPerDay?: number;
  now?: () => string;
  /** How many storyboards every account has had drawn up since a time, beside those that were. */
  drawnBefore?: (since: string) => number;
}

export const last = (frames: readonly StoryboardFrame[]) => frames.at(-1) as StoryboardFrame;
export const artifacts = (frames: readonly StoryboardFrame[]): Storyboard[] =>
  frames.flatMap((frame) => (frame.kind === "artifact" ? frame.artifact : []));
export const completed = (frames: readonly StoryboardFrame[]) => {
  const frame = last(frames);
  if (frame.kind !== "complete") throw new Error(`not completed: ${JSON.stringify(frame)}`);
  return frame;
};
export const problem = async (response: Response): Promise<[number, string]> => [
  response.status,
  ((await response.json()) as { code: string }).code,
];

export async function serveStoryboards({
  around = (gateway) => gateway,
  checkLayout = async () => [],
  handmade = [],
  filmed = ["linear-maps"],
  heartbeatMs,
  triesPerDay,
  now,
  drawnBefore,
}: Options = {}): Promise<ServedStoryboards> {
  const log = createLog("test", { LOG_LEVEL: "silent" });
  const withBetween = (gateway: ModelGateway): ModelGateway => ({
    ...gateway,
    generateObject: ((request: ObjectRequest<unknown>) => {
      const on = () => gateway.generateObject(request);
      return served.between ? served.between(request, on) : on();
    }) as ModelGateway["generateObject"],
  });
  const tutor = await serveTutor({ courses: ["linear-maps", "learning-to-learn"], around: (gateway) => withBetween(around(gateway)) });
  const { store, gateway, library, objectStore } = tutor;
  const time = now ?? (() => new Date().toISOString());
  const jobs = explainerJobs({ store });
  const underWay = async () => 0;
  const explainers = explainerHandlers({
    jobs,
    evidence: noTutoring,
    cached: async () => [],
    isIntact: async () => true,
    countInProgress: underWay,
    voices: false,
    offers: () => true,
    now: time,
  });
  const topics = filmTopics({ objectStore, library });
  const drafted = async function* () {
    for await (const event of store.readAll({ prefixes: [explainerStreamPrefix] })) if (event.type === "StoryboardDrafted") yield event;
  };
  const handlers = storyboardHandlers({
    gateway,
    topics,
    jobs: explainers,
    checkLayout,
    handmade: async () => handmade,
    now: time,
    clock: () => performance.now(),
    offers: (courseId) => filmed.includes(courseId),
    async draftedSince(accountId, since) {
      let count = drawnBefore?.(since) ?? 0;
      for await (const { metadata } of drafted()) if (metadata.accountId === accountId && (metadata.at ?? "") >= since) count += 1;
      return count;
    },
  });
  const signedIn = Router().use((request, _response, next) => {
    const accountId = request.get("x-account");
    request.account = accountId ? { accountId, name: "Mira", roles: ["learner"] } : null;
    next();
  });
  const routes = storyboardRoutes({
    handlers,
    preview: storyboardPreview(explainers),
    log,
    stopping: new AbortController().signal,
    ...(heartbeatMs !== undefined && { heartbeatMs }),
    ...(triesPerDay !== undefined && { triesPerDay }),
  });
  const app = createApp({ config: readConfig({ NODE_ENV: "test" }), log, routers: [signedIn, routes] });
  const { server, port }: { server: Server; port: number } = await listen(app, 0);
  let requests = 0;
  const send = (
    method: string,
    path: string,
    body: object,
    { account = mira, signal }: { account?: string | null; signal?: AbortSignal } = {},
  ) =>
    fetch(`http://127.0.0.1:${port}/api/visual-explainers/${path}`, {
      method,
      headers: { "content-type": "application/json", ...(account !== null && { "x-account": account }) },
      body: JSON.stringify({ schemaVersion: 1, ...body }),
      ...(signal && { signal }),
    });
  const served: ServedStoryboards = {
    topics,
    library,
    explainers,
    between: null,
    request: (method, path, body, options) => {
      requests += 1;
      return send(method, path, { requestId: `request-film-${requests}`, model: { choice: "automatic" }, ...body }, options);
    },
    draw: (change = {}, options = {}) =>
      served.request(
        "POST",
        "storyboard",
        { courseId: "linear-maps", topicId: "topic-kernel-and-image", emphasis: "exam-recap", ...change },
        options,
      ),
    edit: (jobId, version, scenes, account = mira) =>
      served.request("PUT", `jobs/${jobId}/storyboard`, { expectedVersion: version, scenes }, { account }),
    preview: (jobId, body, account = mira) => send("POST", `jobs/${jobId}/preview`, { aspect: "16:9", ...body }, { account }),
    drawn: async (change = {}) => served.frames(await served.draw(change)),
    async drafted() {
      const frames = await served.drawn();
      const { jobId, version } = completed(frames);
      return { jobId, version, board: artifacts(frames).at(-1) as Storyboard };
    },
    async frames(response) {
      const lines = (await response.text()).trimEnd().split("\n");
      return lines.map((line) => storyboardFrame.parse(JSON.parse(line)));
    },
    async recorded(jobId) {
      const types: string[] = [];
      for await (const { type } of store.read(explainerStream(jobId))) types.push(type);
      return types;
    },
    async jobs() {
      let count = 0;
      for await (const _ of drafted()) count += 1;
      return count;
    },
    async close() {
      await closeServer(server, 0);
      await tutor.close();
    },
  };
  return served;
}
