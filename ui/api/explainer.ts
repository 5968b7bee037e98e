import { bounds } from "@colloquy/schemas/bounds.ts";
import type { CourseResponse } from "@colloquy/schemas/courses/reading.ts";
import type { Counted } from "@colloquy/schemas/explainers/evidence.ts";
import type { ArtifactKind, RenderSettings, Transcript } from "@colloquy/schemas/explainers/film.ts";
import type { ExplainerJob, ExplainerJobSummary, ExplainerOffer, JobEvent, JobState } from "@colloquy/schemas/explainers/job.ts";
import type { StoryboardEditRequest, StoryboardFrame, StoryboardRequest } from "@colloquy/schemas/explainers/requests.ts";
import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import { type FollowOptions, follow } from "./event-stream.ts";
import { streamSteps } from "./frames.ts";
import { type Fetch, getJson, jsonInit, postJson, send, withQuery } from "./http.ts";
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
  /** Approves the storyboard and starts the render. */
  render(jobId: string, request: { requestId: string; settings: RenderSettings; expectedVersion: number }): Promise<JobAnswer>;
  retry(jobId: string, requestId: string): Promise<JobAnswer>;
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

/** The address of an artifact, for its owner. */
export const artifactPath = ({ jobId, renderId, kind }: ArtifactOf): string =>
  withQuery(`${pathOf(jobId)}/artifact`, { kind, render: renderId });

const base = "/api/visual-explainers";
const pathOf = (jobId: string): string => `${base}/jobs/${encodeURIComponent(jobId)}`;
const kinds = new Set<string>(["status", "artifact", "complete", "error"]);
/** Three missed heartbeats mean a dead connection. */
const silenceMs = bounds.explainer.heartbeatMs * 3.5;

export function explainerApi(fetch: Fetch): ExplainerApi {
  return {
    offer: (courseId, signal) => getJson<ExplainerOffer>(fetch, withQuery(`${base}/offer`, { courseId }), signal),
    jobs: async (of, signal) => (await getJson<{ jobs: ExplainerJobSummary[] }>(fetch, withQuery(`${base}/jobs`, of), signal)).jobs,
    async topicTitle({ courseId, topicId }, signal) {
      const { course } = await getJson<CourseResponse>(fetch, `/api/courses/${encodeURIComponent(courseId)}`, signal);
      return course.topics.find(({ id }) => id === topicId)?.title ?? null;
    },
    async job(jobId, options = {}, signal) {
      try {
        return (await getJson<{ job: ExplainerJob }>(fetch, withQuery(pathOf(jobId), options), signal)).job;
      } catch (error) {
        if (error instanceof RequestFailed && error.problem.code === "not_found") return null;
        throw error;
      }
    },
    draw: (request, signal) => steps(fetch, `${base}/storyboard`, "POST", request, signal),
    edit: (jobId, request, signal) => steps(fetch, `${pathOf(jobId)}/storyboard`, "PUT", request, signal),
    render: (jobId, request) => postJson<JobAnswer>(fetch, `${pathOf(jobId)}/render`, request),
    retry: (jobId, requestId) => postJson<JobAnswer>(fetch, `${pathOf(jobId)}/retry`, { requestId }),
    cancel: (jobId, requestId) => postJson<JobAnswer>(fetch, `${pathOf(jobId)}/cancel`, { requestId }),
    async correct(jobId, correction) {
      await send(fetch, `${pathOf(jobId)}/corrections`, jsonInit(correction));
    },
    answer: (jobId, answer) => postJson<FilmAnswer>(fetch, `${pathOf(jobId)}/answer`, answer),
    events: (jobId, options) => jobEvents(fetch, `${pathOf(jobId)}/events`, options),
    artifact: async (of, signal) => (await send(fetch, artifactPath(of), signal && { signal })).blob(),
    transcript: (of, signal) => getJson<Transcript>(fetch, artifactPath({ ...of, kind: "transcript" }), signal),
    async isThere(of, signal) {
      try {
        const response = await send(fetch, artifactPath(of), {
          headers: { range: "bytes=0-0" },
          cache: "no-store",
          ...(signal && { signal }),
        });
        await response.body?.cancel();
        return true;
      } catch (error) {
        if (error instanceof RequestFailed && error.problem.code === "not_found") return false;
        throw error;
      }
    },
  };
}

async function* jobEvents(fetch: Fetch, path: string, options: FollowOptions): AsyncGenerator<JobEvent, void> {
  for await (const event of follow(fetch, path, options)) {
    const jobEvent = JSON.parse(event.data) as JobEvent;
    if (jobEvent?.state) yield jobEvent;
  }
}

const steps = (fetch: Fetch, path: string, method: "POST" | "PUT", body: object, signal: AbortSignal): AsyncIterable<StoryboardStep> =>
  streamSteps<
    Exclude<StoryboardFrame, { kind: "error" }>,
    Extract<StoryboardFrame, { kind: "error" }>,
    Extract<StoryboardStep, { kind: "error" }>
  >(fetch, {
    path,
    method,
    body,
    signal,
    kinds,
    silenceMs,
    errorStep: (problem, frame) => ({ kind: "error", problem, findings: frame?.findings ?? [] }),
  });
