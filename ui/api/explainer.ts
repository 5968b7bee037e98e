import { addressOf } from "@colloquy/schemas/contracts/address.ts";
import type { Counted } from "@colloquy/schemas/explainers/evidence.ts";
import type { ArtifactKind, RenderSettings, Transcript } from "@colloquy/schemas/explainers/film.ts";
import type { ExplainerJob, ExplainerJobSummary, ExplainerOffer, JobEvent, JobState } from "@colloquy/schemas/explainers/job.ts";
import type { PreviewRequest, PreviewScene } from "@colloquy/schemas/explainers/preview.ts";
import type { StoryboardEditRequest, StoryboardFrame, StoryboardRequest } from "@colloquy/schemas/explainers/requests.ts";
import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { type FollowOptions, follow } from "./event-stream.ts";
import { streamSteps } from "./frames.ts";
import { abortedBy, call, type Fetch, type RequestOf, send } from "./http.ts";
import { type ClientProblem, RequestFailed } from "./problems.ts";

/** A frame of the service; errors carry a problem and the findings that led to it. */
export type StoryboardStep =
  | Exclude<StoryboardFrame, { kind: "error" }>
  | { kind: "error"; problem: ClientProblem; findings: readonly Finding[] };

/** The result of a command to a job. */
export interface JobAnswer {
  jobId: string;
  state: JobState;
  version: number;
  /** Pass as `after` to read the change. */
  position: string;
}
/** The result of the closing question. */
export interface FilmAnswer extends Counted {
  correct: boolean;
  right: number;
  explanation: string;
  recorded: boolean;
}

/** The client for videos of topics. Everything throws `RequestFailed` (problems.ts). */
export interface ExplainerApi {
  /** Whether videos can be made of a course, and how many storyboards are left today. */
  offer(courseId: string, signal?: AbortSignal): Promise<ExplainerOffer>;
  /** The account's videos of a topic, newest first. */
  jobs(of: { courseId: string; topicId: string }, signal?: AbortSignal): Promise<ExplainerJobSummary[]>;
  /** A topic's title; null if it does not exist. */
  topicTitle(of: { courseId: string; topicId: string }, signal?: AbortSignal): Promise<string | null>;
  /** A job's state; null if it does not exist for this account. `after` waits until the read model has reached that position. */
  job(jobId: string, options?: { after?: string }, signal?: AbortSignal): Promise<ExplainerJob | null>;
  /** Drafts a storyboard; the last step is `complete` or `error`. Aborting throws the `AbortError`. */
  draw(request: Omit<StoryboardRequest, "schemaVersion">, signal: AbortSignal): AsyncIterable<StoryboardStep>;
  /** Checks an edited storyboard, as `draw` does. */
  edit(jobId: string, request: Omit<StoryboardEditRequest, "schemaVersion">, signal: AbortSignal): AsyncIterable<StoryboardStep>;
  /** Scenes of a job's storyboard as its video shows them, edited or not. */
  preview(jobId: string, request: Omit<PreviewRequest, "schemaVersion">, signal?: AbortSignal): Promise<PreviewScene[]>;
  /** A font of videos, as WOFF2. */
  font(alias: string): Promise<ArrayBuffer>;
  coursePicture(courseId: string, sha256: string, signal?: AbortSignal): Promise<Blob>;
  /** Approves the storyboard and starts the render. */
  render(jobId: string, request: { requestId: string; settings: RenderSettings; expectedVersion: number }): Promise<JobAnswer>;
  retry(jobId: string, requestId: string): Promise<JobAnswer>;
  /** Offers the video to everyone who reads its page, or withdraws it; for owners of courses. */
  offerToAll(jobId: string, requestId: string, isOffered: boolean): Promise<JobAnswer>;
  cancel(jobId: string, requestId: string): Promise<JobAnswer>;
  correct(jobId: string, correction: { requestId: string; renderId: string; sceneId?: string; text: string }): Promise<void>;
  answer(jobId: string, answer: { requestId: string; choice: number; sessionId?: string }): Promise<FilmAnswer>;
  /** A job's events after `from`; resumes by itself. */
  events(jobId: string, options: FollowOptions): AsyncIterable<JobEvent>;
  /** The bytes of an artifact, for pages that cannot use its address. */
  artifact(of: ArtifactOf, signal?: AbortSignal): Promise<Blob>;
  transcript(of: Omit<ArtifactOf, "kind">, signal?: AbortSignal): Promise<Transcript>;
  /** Whether an artifact exists: false if its bytes were lost or damaged. */
  isThere(of: ArtifactOf, signal?: AbortSignal): Promise<boolean>;
}

export interface ArtifactOf {
  jobId: string;
  renderId: string;
  kind: ArtifactKind;
}

const artifactRoute = "GET /api/visual-explainers/jobs/:jobId/artifact";
const requestOfArtifact = ({ jobId, renderId, kind }: ArtifactOf) => ({ parameters: { jobId }, query: { kind, render: renderId } });

/** The address of an artifact, for its owner. */
export const artifactPath = (of: ArtifactOf): string => addressOf(artifactRoute, requestOfArtifact(of));

const kinds = new Set<string>(["status", "artifact", "complete", "error"]);
/** Three missed heartbeats mean a dead connection. */
const silenceMs = filmBounds.heartbeatMs * 3.5;

export function explainerApi(fetch: Fetch): ExplainerApi {
  return {
    offer: (courseId, signal) => call(fetch, "GET /api/visual-explainers/offer", { query: { courseId } }, abortedBy(signal)),
    jobs: async (query, signal) => (await call(fetch, "GET /api/visual-explainers/jobs", { query }, abortedBy(signal))).jobs,
    async topicTitle({ courseId, topicId }, signal) {
      const { course } = await call(fetch, "GET /api/courses/:courseId", { parameters: { courseId } }, abortedBy(signal));
      return course.topics.find(({ id }) => id === topicId)?.title ?? null;
    },
    async job(jobId, query = {}, signal) {
      try {
        const request = { parameters: { jobId }, query };
        return (await call(fetch, "GET /api/visual-explainers/jobs/:jobId", request, abortedBy(signal))).job;
      } catch (error) {
        if (error instanceof RequestFailed && error.problem.code === "not_found") return null;
        throw error;
      }
    },
    draw: (body, signal) => steps(fetch, "POST /api/visual-explainers/storyboard", { body }, signal),
    edit: (jobId, body, signal) =>
      steps(fetch, "PUT /api/visual-explainers/jobs/:jobId/storyboard", { parameters: { jobId }, body }, signal),
    preview: async (jobId, body, signal) =>
      (await call(fetch, "POST /api/visual-explainers/jobs/:jobId/preview", { parameters: { jobId }, body }, abortedBy(signal))).scenes,
    font: async (font) => (await send(fetch, "GET /api/visual-explainers/fonts/:font", { parameters: { font }, query: {} })).arrayBuffer(),
    coursePicture: async (courseId, sha256, signal) =>
      (
        await send(fetch, "GET /api/courses/:courseId/assets/:sha256", { parameters: { courseId, sha256 }, query: {} }, abortedBy(signal))
      ).blob(),
    render: (jobId, body) => call(fetch, "POST /api/visual-explainers/jobs/:jobId/render", { parameters: { jobId }, body }),
    retry: (jobId, requestId) =>
      call(fetch, "POST /api/visual-explainers/jobs/:jobId/retry", { parameters: { jobId }, body: { requestId } }),
    cancel: (jobId, requestId) =>
      call(fetch, "POST /api/visual-explainers/jobs/:jobId/cancel", { parameters: { jobId }, body: { requestId } }),
    offerToAll: (jobId, requestId, isOffered) =>
      isOffered
        ? call(fetch, "POST /api/visual-explainers/jobs/:jobId/offer", { parameters: { jobId }, body: { requestId } })
        : call(fetch, "POST /api/visual-explainers/jobs/:jobId/withdraw", { parameters: { jobId }, body: { requestId } }),
    async correct(jobId, body) {
      await send(fetch, "POST /api/visual-explainers/jobs/:jobId/corrections", { parameters: { jobId }, body });
    },
    answer: (jobId, body) => call(fetch, "POST /api/visual-explainers/jobs/:jobId/answer", { parameters: { jobId }, body }),
    events: (jobId, options) => jobEvents(fetch, jobId, options),
    artifact: async (of, signal) => (await send(fetch, artifactRoute, requestOfArtifact(of), abortedBy(signal))).blob(),
    transcript: async (of, signal) =>
      (await send(fetch, artifactRoute, requestOfArtifact({ ...of, kind: "transcript" }), abortedBy(signal))).json(),
    async isThere(of, signal) {
      try {
        const init = { headers: { range: "bytes=0-0" }, cache: "no-store", ...abortedBy(signal) } as const;
        const response = await send(fetch, artifactRoute, requestOfArtifact(of), init);
        await response.body?.cancel();
        return true;
      } catch (error) {
        if (error instanceof RequestFailed && error.problem.code === "not_found") return false;
        throw error;
      }
    },
  };
}

async function* jobEvents(fetch: Fetch, jobId: string, options: FollowOptions): AsyncGenerator<JobEvent, void> {
  for await (const event of follow(fetch, "GET /api/visual-explainers/jobs/:jobId/events", { parameters: { jobId } }, options)) {
    const jobEvent = JSON.parse(event.data) as JobEvent;
    if (jobEvent?.state) yield jobEvent;
  }
}

const steps = <Key extends "POST /api/visual-explainers/storyboard" | "PUT /api/visual-explainers/jobs/:jobId/storyboard">(
  fetch: Fetch,
  route: Key,
  request: RequestOf<Key>,
  signal: AbortSignal,
): AsyncIterable<StoryboardStep> =>
  streamSteps<
    Key,
    Exclude<StoryboardFrame, { kind: "error" }>,
    Extract<StoryboardFrame, { kind: "error" }>,
    Extract<StoryboardStep, { kind: "error" }>
  >(fetch, {
    route,
    request,
    signal,
    kinds,
    silenceMs,
    errorStep: (problem, frame) => ({ kind: "error", problem, findings: frame?.findings ?? [] }),
  });
