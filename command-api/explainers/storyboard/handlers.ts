import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { StoryboardEditRequest, StoryboardFrame, StoryboardRequest } from "@colloquy/schemas/explainers/requests.ts";
import type { QuestionKey, Scene, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { sceneSeconds } from "@colloquy/schemas/explainers/timing.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { rejected } from "../../command-handler.ts";
import type { ModelGateway } from "../../model-gateway/gateway.ts";
import { courseNotOffered, refuseStale, refuseWhileRendering } from "../decider.ts";
import type { DraftedJob, ExplainerHandlers } from "../handlers.ts";
import type { JobRequest } from "../jobs.ts";
import type { Asking } from "./asking.ts";
import { withWholeQuotes } from "./checks/whole-quotes.ts";
import { drawUp } from "./draw-up.ts";
import { type CheckLayout, findingsOf, reviewed, storyboardOf, withoutAnswer } from "./look.ts";
import { StoryboardRejected } from "./rejected.ts";
import type { FilmTopics } from "./topics.ts";

export interface StoryboardNeeds {
  gateway: ModelGateway;
  topics: FilmTopics;
  jobs: Pick<ExplainerHandlers, "draftedBy" | "draft" | "own" | "editedBy" | "edit">;
  /** How many storyboards an account has had drawn up since a time. */
  draftedSince(accountId: string, since: string): Promise<number>;
  /** Whether films are made of a course. */
  offers(courseId: string): boolean;
  checkLayout: CheckLayout;
  /** RFC 3339. */
  now(): string;
  /** Milliseconds on a clock that never goes back. */
  clock(): number;
}

/** What a request is carried out with. `begin`: what comes now may take long, and is told in frames. */
export interface StoryboardRun {
  request: JobRequest;
  signal: AbortSignal;
  /** A model is going to be asked. @throws {ProblemError} `rate_limited` when the account has tried too often today */
  count(): Promise<void>;
  begin(): (frame: StoryboardFrame) => void;
}

export interface StoryboardHandlers {
  /** @returns the last frame. @throws {ProblemError} before `begin` what the request itself is refused for */
  draw(asked: StoryboardRequest, run: StoryboardRun): Promise<StoryboardFrame>;
  /** As `draw`, for what an owner made of the scenes. */
  edit(jobId: string, asked: StoryboardEditRequest, run: StoryboardRun): Promise<StoryboardFrame>;
}

/** Storyboards as accounts ask for them. Whoever hangs up before the last frame has done nothing, and nothing that failed is recorded. */
export function storyboardHandlers(needs: StoryboardNeeds): StoryboardHandlers {
  const { gateway, topics, jobs, draftedSince, offers, checkLayout, now, clock } = needs;
  /** Accounts a model is at work for. */
  const busy = new Set<string>();

  /** One work of models at a time for an account. */
  async function alone<Result>({ request: { accountId } }: StoryboardRun, work: () => Promise<Result>): Promise<Result> {
    if (busy.has(accountId))
      throw new ProblemError("rate_limited", { detail: "A storyboard of yours is being worked on already.", retryAfterSeconds: 5 });
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
    if ((await draftedSince(accountId, new Date(today).toISOString())) < bounds.explainer.perDay) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((today + dayMs - at.getTime()) / 1_000));
    throw new ProblemError("quota_exhausted", {
      detail: `An account may have ${bounds.explainer.perDay} storyboards drawn up a day. There are more from midnight UTC.`,
      retryAfterSeconds,
    });
  }

  function askingOf({ signal }: StoryboardRun, model: StoryboardRequest["model"], tell: Asking["tell"]): Asking {
    const began = clock();
    return { gateway, model, signal, tell, elapsedMs: () => Math.round(clock() - began) };
  }

  return {
    draw: (asked, run) =>
      alone(run, async () => {
        const { request, signal } = run;
        const { courseId, topicId, emphasis, model } = asked;
        if (!offers(courseId)) throw rejected(courseNotOffered);
        const content = { courseId, topicId, emphasis, model };
        const before = await jobs.draftedBy(request, content);
        if (before) return completed(run.begin(), before);
        const topic = await topics.live(courseId, topicId);
        await refuseBeyondQuota(request.accountId);
        gateway.check({ model, need: "tutor" });
        await run.count();
        const asking = askingOf(run, model, run.begin());
        const drawn = await drawUp(topic, emphasis, { asking, checkLayout, newId: idsOf("storyboard", request) });
        signal.throwIfAborted();
        const { revisionId: courseRevisionId, title: topicTitle } = topic;
        return last(await jobs.draft(request, { courseId, topicId, topicTitle, courseRevisionId, emphasis, content, ...drawn }));
      }),

    edit: (jobId, asked, run) =>
      alone(run, async () => {
        const { request, signal } = run;
        const { expectedVersion, model } = asked;
        const content = { expectedVersion, model, scenes: asked.scenes };
        const before = await jobs.editedBy(request, jobId, content);
        if (before) return completed(run.begin(), before);
        const state = await jobs.own(request, jobId);
        const { storyboard: present, questionKey: key, ...job } = state;
        if (!present) throw new ProblemError("not_found");
        if (!offers(job.courseId)) throw rejected(courseNotOffered);
        const refused = refuseStale(state, expectedVersion) ?? refuseWhileRendering(state);
        if (refused) throw rejected(refused);
        refuseForeign(asked.scenes, present);
        const topic = await topics.at(job.courseId, job.courseRevisionId, job.topicId);
        gateway.check({ model, need: "tutor" });
        await run.count();
        const asking = askingOf(run, model, run.begin());
        const newId = idsOf("storyboard edit", request);
        const timed = asked.scenes.map((scene) => ({ ...scene, seconds: sceneSeconds(scene) }));
        const scenes = withWholeQuotes(timed, topic.passages);
        const board = { storyboardId: newId(), title: titleAfter(present, scenes), emphasis: present.emphasis, scenes };
        const findings = await findingsOf(board, topic, checkLayout);
        if (findings.length > 0) throw new StoryboardRejected(findings);
        const storyboard = storyboardOf(board, topic);
        asking.tell(versioned({ kind: "artifact" as const, artifact: storyboard }));
        const questionKey = keyAfter(present, scenes, key);
        const { review: found, by: reviewedBy } = await reviewed(asking, board, topic, { key: questionKey, repaired: false });
        const review = withoutAnswer(found, scenes, questionKey, { before: present.scenes, edited: job.edited });
        if (!review.approved) throw new StoryboardRejected(review.findings);
        signal.throwIfAborted();
        return last(await jobs.edit(request, jobId, { content, expectedVersion, storyboard, questionKey, review, reviewedBy }));
      }),
  };
}

const dayMs = 86_400_000;

/** Ids that the same request always makes, one after the other. */
function idsOf(what: string, { accountId, requestId }: JobRequest): () => string {
  let count = 0;
  return () => {
    count += 1;
    return eventIdFrom(what, accountId, requestId, String(count));
  };
}

const last = ({ jobId, version, position, review }: DraftedJob): StoryboardFrame =>
  versioned({ kind: "complete" as const, jobId, version, position, review });

/** What an earlier request came to, told again. */
function completed(tell: (frame: StoryboardFrame) => void, job: DraftedJob): StoryboardFrame {
  tell(versioned({ kind: "artifact" as const, artifact: job.storyboard }));
  return last(job);
}

/** Scenes are changed, dropped and put in another order; others than those of the storyboard are nobody's. */
function refuseForeign(scenes: readonly Scene[], { scenes: present }: Storyboard): void {
  const known = new Set(present.map(({ sceneId }) => sceneId));
  const fields = scenes.flatMap(({ sceneId }, index) =>
    known.has(sceneId) ? [] : [{ path: `scenes.${index}.sceneId`, message: "this scene is not one of the storyboard's" }],
  );
  if (fields.length > 0) throw new ProblemError("invalid_request", { fields });
}

/** A film is called what its title scene says, once its owner has changed that. */
function titleAfter({ title, scenes: before }: Storyboard, scenes: readonly Scene[]): string {
  const [was, is] = [before[0], scenes[0]].map((scene) => (scene?.layout === "title" ? scene.content.heading : undefined));
  return is === undefined || is === was ? title : is;
}

/** The key stays with the very question it belongs to. */
function keyAfter({ scenes: before }: Storyboard, scenes: readonly Scene[], key: QuestionKey | null): QuestionKey | null {
  const questions = [before.at(-1), scenes.at(-1)].map((scene) => (scene?.layout === "question" ? JSON.stringify(scene.content) : null));
  return questions[0] !== null && questions[0] === questions[1] ? key : null;
}
