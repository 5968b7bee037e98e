import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import type { CachedFilm } from "@colloquy/projections/explainers/queries.ts";
import { defaultSettings } from "@colloquy/schemas/explainers/default-settings.ts";
import type { ExplainerEventData } from "@colloquy/schemas/explainers/events.ts";
import { type Artifact, type RenderSettings, rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import type { JobState } from "@colloquy/schemas/explainers/job.ts";
import type { Review } from "@colloquy/schemas/explainers/review.ts";
import { type ExplainerState, exists, type SettledRequest } from "@colloquy/schemas/explainers/state.ts";
import type { QuestionKey, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { type LoadedStream, unlessRejected } from "../command-handler.ts";
import { keyedMutex } from "../keyed-mutex.ts";
import type { AnsweredFilm, FilmEvidenceKeeping } from "../tutor/film-evidence.ts";
import type { OwnerCommand } from "./commands.ts";
import { boardHashOf, contentHashOf } from "./content-hash.ts";
import { ownFilm, settledBy } from "./decider.ts";
import type { ExplainerJobs, JobRequest } from "./jobs.ts";

type Drafted = ExplainerEventData["StoryboardDrafted"];
type Edited = ExplainerEventData["StoryboardEdited"];
type WrittenBy = Drafted["by"];

/** A new job. `content`: of the request, to recognise a repeated one. */
export type Draft = Omit<Drafted, "digest" | "jobId" | "at"> & { content: object; review: Review; reviewedBy: WrittenBy };
export type Edit = Omit<Edited, "digest" | "at"> & { content: object; expectedVersion: number; review: Review; reviewedBy: WrittenBy };

export interface JobAnswer {
  jobId: string;
  version: number;
  state: JobState;
  /** Of the job's last event, for read-your-writes. */
  position: string;
}

/** A job with its storyboard after a request. */
export type DraftedJob = JobAnswer & { storyboard: Storyboard; review: Review };

export interface ExplainerHandlers {
  /** The job that an earlier request of the same content drafted; null for a new request. @throws {ProblemError} `request_id_reused` */
  draftedBy(request: JobRequest, content: object): Promise<DraftedJob | null>;
  /** Records a checked storyboard as a new job. */
  draft(request: JobRequest, draft: Draft): Promise<DraftedJob>;
  /** The account's own job. @throws {ProblemError} `not_found`, also for a job of another account */
  own(request: JobRequest, jobId: string): Promise<ExplainerState>;
  /** The job as an earlier request of the same content edited it; null for a new request. @throws {ProblemError} `not_found`, `request_id_reused` */
  editedBy(request: JobRequest, jobId: string, content: object): Promise<DraftedJob | null>;
  /** @throws {ProblemError} `not_found`, `stale_session`, `wrong_phase` */
  edit(request: JobRequest, jobId: string, edit: Edit): Promise<DraftedJob>;
  /** The approval. @throws {ProblemError} `not_found`, `not_allowed`, `stale_session`, `wrong_phase`, `storyboard_rejected`, `quota_exhausted` */
  render(
    request: JobRequest,
    jobId: string,
    asked: { settings?: RenderSettings | undefined; expectedVersion?: number | undefined },
  ): Promise<JobAnswer>;
  retry(request: JobRequest, jobId: string): Promise<JobAnswer>;
  cancel(request: JobRequest, jobId: string): Promise<JobAnswer>;
  /** `renderId`: of the watched video. @throws {ProblemError} `not_found`, `unknown_reference`, `too_many` */
  correct(
    request: JobRequest,
    jobId: string,
    asked: { renderId?: string | undefined; sceneId?: string | undefined; text: string },
  ): Promise<JobAnswer>;
  /** An owner of the course marks a reported correction as dealt with. @throws {ProblemError} `not_found` */
  settle(request: JobRequest, jobId: string, correctionId: string): Promise<{ correctionId: string; settledAt: string; position: string }>;
  /** The account offers its own video, as an owner of the course. @throws {ProblemError} `not_found`, `wrong_phase` */
  offer(request: JobRequest, jobId: string): Promise<JobAnswer>;
  /** An owner of courses withdraws a video that is offered, whoever offered it. @throws {ProblemError} `not_found` */
  withdraw(request: JobRequest, jobId: string): Promise<JobAnswer>;
  /** The storyboard of an offered video with its key; null if it is not offered. */
  offered(jobId: string): Promise<OfferedFilm | null>;
  /** Grades the answer to the closing question and records it as evidence if a tutoring session can take it. */
  answer(
    request: JobRequest,
    jobId: string,
    asked: { choice: number; sessionId?: string | undefined },
  ): Promise<NonNullable<ExplainerState["answered"]>>;
}

export type OfferedFilm = Pick<ExplainerState, "courseId" | "topicId" | "emphasis"> & {
  storyboard: Storyboard;
  questionKey: QuestionKey;
  by: WrittenBy;
};

interface Needs {
  jobs: ExplainerJobs;
  /** Videos of the same content that this account may reuse. */
  cached(accountId: string, content: { contentHash: string; boardHash: string; edited: boolean }): Promise<CachedFilm[]>;
  /** Whether the object of an artifact exists with its bytes unchanged. */
  isIntact(artifact: Artifact): Promise<boolean>;
  /** How many of the account's jobs are queued or rendering. */
  countInProgress(accountId: string): Promise<number>;
  /** Records answers to closing questions as evidence. */
  evidence: FilmEvidenceKeeping;
  /** Whether videos with a voice are offered. */
  voices: boolean;
  /** Whether videos of a course are offered. */
  offers(courseId: string): boolean;
  /** RFC 3339. */
  now(): string;
}

/** What an account does with its videos. A repeated request gets its first answer. */
export function explainerHandlers({ jobs, cached, isIntact, countInProgress, evidence, voices, offers, now }: Needs): ExplainerHandlers {
  const inTurn = keyedMutex();
  const jobIdFrom = ({ accountId, requestId }: JobRequest): string => eventIdFrom("explainer job", accountId, requestId);

  async function own({ accountId }: JobRequest, jobId: string): Promise<ExplainerState> {
    const { state } = await jobs.load(jobId);
    return requireOwner(state, accountId);
  }

  /** Handles a request once. `command` gets the job's state and the fields that every owner command has. */
  async function handleOnce(
    request: JobRequest,
    jobId: string,
    content: object,
    command: (state: ExplainerState, common: { digest: string; at: string }) => Promise<OwnerCommand> | OwnerCommand,
  ): Promise<{ state: ExplainerState; settled: Settled }> {
    const digest = digestOf(content);
    const handled = await jobs.handleWith(jobId, request, (loaded) => {
      const { state } = loaded;
      if (exists(state)) requireOwner(state, request.accountId);
      return settledFor(request, loaded, digest) ? null : command(state, { digest, at: now() });
    });
    const settled = settledFor(request, handled, digest);
    if (!settled) throw new TypeError("the request was handled without an event");
    return { state: handled.state, settled };
  }

  /** The first video whose objects are all intact. A damaged one must not be reused, or it would never be made again. */
  async function firstIntact(films: readonly CachedFilm[]): Promise<CachedFilm | null> {
    for (const film of films) {
      const kept = await Promise.all(film.artifacts.map(isIntact));
      if (kept.every(Boolean)) return film;
    }
    return null;
  }

  async function approve(
    request: JobRequest,
    jobId: string,
    content: object,
    { again, ...asked }: { again: boolean; settings?: RenderSettings | undefined; expectedVersion?: number | undefined },
  ): Promise<JobAnswer> {
    await own(request, jobId);
    const { settled } = await handleOnce(request, jobId, content, async (state, common) => {
      const settings = asked.settings ?? state.render?.settings ?? defaultSettings;
      if (settings.voice !== "none" && !voices)
        throw new ProblemError("invalid_request", { detail: "Videos with a voice are not offered here." });
      if (!state.storyboard) throw new ProblemError("not_found");
      const contentHash = contentHashOf(state.storyboard, settings, rendererVersion);
      const boardHash = boardHashOf(state.storyboard);
      const own = ownFilm(state, contentHash);
      const film =
        (own && (await firstIntact([own]))) ??
        (await firstIntact(await cached(state.accountId, { contentHash, boardHash, edited: state.edited })));
      if (!film && (await countInProgress(state.accountId)) >= filmBounds.queuedPerAccount)
        throw new ProblemError("quota_exhausted", {
          detail: "Too many of your videos are waiting. Try again when one is finished.",
          retryAfterSeconds: 30,
        });
      const renderId = eventIdFrom("render", jobId, request.requestId);
      return {
        ...common,
        type: "approve",
        renderId,
        settings,
        rendererVersion,
        contentHash,
        boardHash,
        cached: film,
        offered: offers(state.courseId),
        again,
        expectedVersion: asked.expectedVersion ?? null,
      };
    });
    return answerOf(jobId, settled);
  }

  return {
    own,

    async draftedBy(request, content) {
      const jobId = jobIdFrom(request);
      const loaded = await jobs.load(jobId);
      const settled = settledFor(request, loaded, digestOf({ draft: content }));
      return settled && draftedOf(jobId, loaded.state, settled);
    },

    async draft(request, { content, ...draft }) {
      const jobId = jobIdFrom(request);
      const { state, settled } = await handleOnce(request, jobId, { draft: content }, (_, common) => ({
        ...common,
        ...draft,
        type: "draft",
        jobId,
      }));
      return draftedOf(jobId, state, settled);
    },

    async editedBy(request, jobId, content) {
      const loaded = await jobs.load(jobId);
      requireOwner(loaded.state, request.accountId);
      const settled = settledFor(request, loaded, digestOf({ edit: content }));
      return settled && draftedOf(jobId, loaded.state, settled);
    },

    async edit(request, jobId, { content, ...edit }) {
      await own(request, jobId);
      const { state, settled } = await handleOnce(request, jobId, { edit: content }, (_, common) => ({ ...common, ...edit, type: "edit" }));
      return draftedOf(jobId, state, settled);
    },

    // One approval of an account at a time, because the limit of queued videos is checked before a video is queued.
    render(request, jobId, asked) {
      const { settings = null, expectedVersion = null } = asked;
      return inTurn(request.accountId, () =>
        approve(request, jobId, { render: { settings, expectedVersion } }, { ...asked, again: false }),
      );
    },

    retry: (request, jobId) => inTurn(request.accountId, () => approve(request, jobId, { retry: true }, { again: true })),

    async cancel(request, jobId) {
      await own(request, jobId);
      const { settled } = await handleOnce(request, jobId, { cancel: true }, (_, common) => ({ ...common, type: "cancel" }));
      return answerOf(jobId, settled);
    },

    async correct(request, jobId, { renderId = null, sceneId = null, text }) {
      await own(request, jobId);
      const correctionId = eventIdFrom("correction", jobId, request.requestId);
      // Without a render id the digest stays as it was before requests had one.
      const content = { correct: { sceneId, text, ...(renderId !== null && { renderId }) } };
      const { settled } = await handleOnce(request, jobId, content, (_, common) => ({
        ...common,
        type: "correct",
        correctionId,
        renderId,
        sceneId,
        text,
      }));
      return answerOf(jobId, settled);
    },

    async offer(request, jobId) {
      await own(request, jobId);
      const { settled } = await handleOnce(request, jobId, { offer: true }, (_, common) => ({ ...common, type: "offer" }));
      return answerOf(jobId, settled);
    },

    async withdraw(request, jobId) {
      const digest = digestOf({ withdraw: true });
      const handled = await jobs.handleWith(jobId, request, (loaded) =>
        settledFor(request, loaded, digest) ? null : { type: "withdraw", digest, at: now() },
      );
      const settled = settledFor(request, handled, digest);
      if (!settled) throw new TypeError("the request was handled without an event");
      return answerOf(jobId, settled);
    },

    async offered(jobId) {
      const { state } = await jobs.load(jobId);
      const { courseId, topicId, emphasis, storyboard, questionKey, by } = state;
      if (!exists(state) || !state.offered || !storyboard || !questionKey || !by) return null;
      return { courseId, topicId, emphasis, storyboard, questionKey, by };
    },

    async settle(request, jobId, correctionId) {
      const digest = digestOf({ settle: { correctionId } });
      const { state, position } = await jobs.handleWith(jobId, request, (loaded) =>
        settledFor(request, loaded, digest) ? null : { type: "settle", digest, at: now(), correctionId },
      );
      const settledAt = state.corrections.find((one) => one.correctionId === correctionId)?.settledAt;
      if (!settledAt || position === null) throw new TypeError("a correction that was settled is not");
      return { correctionId, settledAt, position };
    },

    async answer(request, jobId, { choice, sessionId = null }) {
      await own(request, jobId);
      const { state } = await handleOnce(request, jobId, { answer: { choice, sessionId } }, async (state, common) => {
        const film = answeredFilmOf(state);
        const place = film ? await evidence.place(request, film, sessionId) : { unrecorded: "no_session" as const };
        return { ...common, type: "answer", choice, sessionId: null, unrecorded: null, ...place };
      });
      const film = answeredFilmOf(state);
      if (!state.answered) throw new TypeError("an answer left no trace");
      const { sessionId: to, ...answered } = state.answered;
      if (!film || !to || answered.evidence || answered.unrecorded) return answered;
      // The answer is recorded even if this fails; a repeated request continues here, with the same session.
      const counted = await evidence.record(request, film, { sessionId: to, choice: answered.choice });
      await jobs.handle(jobId, request, { type: "count", at: now(), ...counted });
      return { ...answered, ...counted };
    },
  };
}

/** The closing question of a video; null if its owner changed it or its author is unknown. */
function answeredFilmOf({
  jobId,
  courseId,
  topicId,
  courseRevisionId,
  storyboard,
  questionKey: key,
  by,
}: ExplainerState): AnsweredFilm | null {
  const question = storyboard?.scenes.findLast((scene) => scene.layout === "question");
  if (!storyboard || !question || !key || !by) return null;
  return { jobId, courseId, topicId, courseRevisionId, question, key, citations: storyboard.sources, by };
}

/** @throws {ProblemError} `not_found`, also for a job of another account */
function requireOwner(state: ExplainerState, accountId: string): ExplainerState {
  if (!exists(state) || state.accountId !== accountId) throw new ProblemError("not_found");
  return state;
}

/** `content` includes the kind of request, so that one id cannot be used for two kinds. */
const digestOf = (content: object): string => sha256(canonicalText(content));

type Settled = SettledRequest & Pick<JobAnswer, "position">;

/** What an earlier request of this id and content led to; null for a new one. @throws {ProblemError} `request_id_reused` */
function settledFor({ requestId }: JobRequest, { state, position }: LoadedStream<ExplainerState>, digest: string): Settled | null {
  const settled = unlessRejected(settledBy(state, requestId, digest));
  return settled && { ...settled, position: position ?? "" };
}
const answerOf = (jobId: string, { version, state, position }: Settled): JobAnswer => ({ jobId, version, state, position });

function draftedOf(jobId: string, { storyboard, review }: ExplainerState, settled: Settled): DraftedJob {
  if (!storyboard || !review) throw new TypeError("a draft left no trace");
  return { ...answerOf(jobId, settled), storyboard, review };
}
