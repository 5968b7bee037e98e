import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { HandmadeBoard } from "@colloquy/schemas/explainers/handmade.ts";
import type { StoryboardEditRequest, StoryboardFrame, StoryboardRequest } from "@colloquy/schemas/explainers/requests.ts";
import type { QuestionKey, Scene, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { sceneSeconds } from "@colloquy/schemas/explainers/timing.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { rejected } from "../../command-handler.ts";
import type { ModelGateway } from "../../model-gateway/gateway.ts";
import { courseNotOffered, refuseStale, refuseWhileRendering } from "../decider.ts";
import type { DraftedJob, ExplainerHandlers } from "../handlers.ts";
import type { JobRequest } from "../jobs.ts";
import { acceptedBoard } from "./accepted.ts";
import { extendQuotes } from "./checks/extend-quotes.ts";
import { copiedStoryboard } from "./copied.ts";
import { draftStoryboard } from "./draft.ts";
import { handmadeOf, handmadeStoryboard } from "./handmade.ts";
import { refuseUnknownScenes } from "./known-scenes.ts";
import type { ModelRequests } from "./model-requests.ts";
import { type CheckLayout, findingsOf, reviewStoryboard, StoryboardRejected, storyboardOf, withoutAnswer } from "./review.ts";
import type { FilmTopics } from "./topics.ts";

interface StoryboardNeeds {
  gateway: ModelGateway;
  topics: FilmTopics;
  jobs: Pick<ExplainerHandlers, "draftedBy" | "draft" | "own" | "offered" | "editedBy" | "edit">;
  /** How many storyboards an account had drafted since a time. */
  draftedSince(accountId: string, since: string): Promise<number>;
  /** Whether videos of a course are offered. */
  offers(courseId: string): boolean;
  checkLayout: CheckLayout;
  /** Boards that were written by hand. */
  handmade?(): Promise<readonly HandmadeBoard[]>;
  /** RFC 3339. */
  now(): string;
  /** Milliseconds on a monotonic clock. */
  clock(): number;
}

/** The context of a request. `begin` starts the stream of frames. */
export interface StoryboardRun {
  request: JobRequest;
  signal: AbortSignal;
  /** Counts a request that asks a model. @throws {ProblemError} `rate_limited` after too many in one day */
  count(): Promise<void>;
  begin(): (frame: StoryboardFrame) => void;
}

export interface StoryboardHandlers {
  /** @returns the last frame. @throws {ProblemError} before `begin` is called, if the request is refused */
  draft(asked: StoryboardRequest, run: StoryboardRun): Promise<StoryboardFrame>;
  /** As `draft`, for scenes that the owner edited. */
  edit(jobId: string, asked: StoryboardEditRequest, run: StoryboardRun): Promise<StoryboardFrame>;
}

/** Storyboards on request. Nothing is recorded if the client disconnects before the last frame or the request fails. */
export function storyboardHandlers(needs: StoryboardNeeds): StoryboardHandlers {
  const { gateway, topics, jobs, draftedSince, offers, checkLayout, handmade = async () => [], now, clock } = needs;
  /** Accounts with a running request. */
  const busy = new Set<string>();

  /** Allows one running request per account. */
  async function oneAtATime<Result>({ request: { accountId } }: StoryboardRun, work: () => Promise<Result>): Promise<Result> {
    if (busy.has(accountId))
      throw new ProblemError("rate_limited", {
        detail: "Another storyboard of yours is in progress. Wait until it is finished.",
        retryAfterSeconds: 5,
      });
    busy.add(accountId);
    try {
      return await work();
    } finally {
      busy.delete(accountId);
    }
  }

  async function refuseBeyondQuota(accountId: string): Promise<void> {
    const at = new Date(now());
    const today = new Date(at).setUTCHours(0, 0, 0, 0);
    if ((await draftedSince(accountId, new Date(today).toISOString())) < filmBounds.perDay) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((today + dayMs - at.getTime()) / 1_000));
    throw new ProblemError("quota_exhausted", {
      detail: `An account may have ${filmBounds.perDay} storyboards drawn up a day. There are more from midnight UTC.`,
      retryAfterSeconds,
    });
  }

  function requestsOf({ signal }: StoryboardRun, model: StoryboardRequest["model"], emit: ModelRequests["emit"]): ModelRequests {
    const began = clock();
    return { gateway, model, signal, emit, elapsedMs: () => Math.round(clock() - began) };
  }

  return {
    draft: (asked, run) =>
      oneAtATime(run, async () => {
        const { request, signal } = run;
        const { courseId, topicId, emphasis, model, filmId } = asked;
        if (!offers(courseId)) throw rejected(courseNotOffered);
        const content = { courseId, topicId, emphasis, model, ...(filmId !== undefined && { filmId }) };
        const before = await jobs.draftedBy(request, content);
        if (before) return repeatCompleted(run.begin(), before);
        const topic = await topics.live(courseId, topicId);
        await refuseBeyondQuota(request.accountId);
        const newId = idsOf("storyboard", request);
        const { revisionId: courseRevisionId, title: topicTitle } = topic;
        const draft = { courseId, topicId, topicTitle, courseRevisionId, emphasis, content };
        if (filmId !== undefined) {
          const film = await jobs.offered(filmId);
          if (!film || film.courseId !== courseId || film.topicId !== topicId)
            throw new ProblemError("not_found", { detail: "This video is no longer offered. Reload the page." });
          const copy = await copiedStoryboard(film, topic, { checkLayout, newId });
          signal.throwIfAborted();
          const emit = run.begin();
          if ("findings" in copy) throw new StoryboardRejected(copy.findings);
          return repeatCompleted(emit, await jobs.draft(request, { ...draft, ...copy, emphasis: film.emphasis }));
        }
        const board = handmadeOf(await handmade(), { courseId, topicId, emphasis });
        const ready = board && (await handmadeStoryboard(board, topic, { checkLayout, newId }));
        if (ready && "storyboard" in ready) {
          signal.throwIfAborted();
          return repeatCompleted(run.begin(), await jobs.draft(request, { ...draft, ...ready }));
        }
        await gateway.check({ model, need: "tutor" });
        await run.count();
        const requests = requestsOf(run, model, run.begin());
        const drawn = await draftStoryboard(topic, emphasis, { requests, checkLayout, newId });
        signal.throwIfAborted();
        return completeFrame(await jobs.draft(request, { ...draft, ...drawn }));
      }),

    edit: (jobId, asked, run) =>
      oneAtATime(run, async () => {
        const { request, signal } = run;
        const { expectedVersion, model } = asked;
        const content = { expectedVersion, model, scenes: asked.scenes };
        const before = await jobs.editedBy(request, jobId, content);
        if (before) return repeatCompleted(run.begin(), before);
        const state = await jobs.own(request, jobId);
        const { storyboard: present, questionKey: key, ...job } = state;
        if (!present) throw new ProblemError("not_found");
        if (!offers(job.courseId)) throw rejected(courseNotOffered);
        const refused = refuseStale(state, expectedVersion) ?? refuseWhileRendering(state);
        if (refused) throw rejected(refused);
        refuseUnknownScenes(asked.scenes, present);
        const topic = await topics.at(job.courseId, job.courseRevisionId, job.topicId);
        await gateway.check({ model, need: "tutor" });
        await run.count();
        const requests = requestsOf(run, model, run.begin());
        const newId = idsOf("storyboard edit", request);
        const timed = asked.scenes.map((scene) => ({ ...scene, seconds: sceneSeconds(scene) }));
        const scenes = extendQuotes(timed, topic.passages);
        const board = { storyboardId: newId(), title: titleAfter(present, scenes), emphasis: present.emphasis, scenes };
        const findings = await findingsOf(board, topic, checkLayout);
        if (findings.length > 0) throw new StoryboardRejected(findings);
        const storyboard = storyboardOf(board, topic);
        requests.emit(versioned({ kind: "artifact" as const, artifact: storyboard }));
        const questionKey = keyAfter(present, scenes, key);
        const { review: found, by: reviewedBy } = await reviewStoryboard(requests, board, topic, {
          key: questionKey,
          repaired: false,
          accepted: acceptedBoard(state, topic),
        });
        const review = withoutAnswer(found, scenes, questionKey, { before: present.scenes, edited: job.edited });
        if (!review.approved) throw new StoryboardRejected(review.findings);
        signal.throwIfAborted();
        return completeFrame(await jobs.edit(request, jobId, { content, expectedVersion, storyboard, questionKey, review, reviewedBy }));
      }),
  };
}

const dayMs = 86_400_000;

/** Ids derived from the request, so that a repeated request makes the same ones. */
function idsOf(what: string, { accountId, requestId }: JobRequest): () => string {
  let count = 0;
  return () => {
    count += 1;
    return eventIdFrom(what, accountId, requestId, String(count));
  };
}

const completeFrame = ({ jobId, version, position, review }: DraftedJob): StoryboardFrame =>
  versioned({ kind: "complete" as const, jobId, version, position, review });

/** The frames of a storyboard that is there already. */
function repeatCompleted(tell: (frame: StoryboardFrame) => void, job: DraftedJob): StoryboardFrame {
  tell(versioned({ kind: "artifact" as const, artifact: job.storyboard }));
  return completeFrame(job);
}

/** A changed title scene renames the video. */
function titleAfter({ title, scenes: before }: Storyboard, scenes: readonly Scene[]): string {
  const [was, is] = [before[0], scenes[0]].map((scene) => (scene?.layout === "title" ? scene.content.heading : undefined));
  return is === undefined || is === was ? title : is;
}

/** The answer key is only kept while the question is unchanged. */
function keyAfter({ scenes: before }: Storyboard, scenes: readonly Scene[], key: QuestionKey | null): QuestionKey | null {
  const questions = [before.at(-1), scenes.at(-1)].map((scene) => (scene?.layout === "question" ? JSON.stringify(scene.content) : null));
  return questions[0] !== null && questions[0] === questions[1] ? key : null;
}
