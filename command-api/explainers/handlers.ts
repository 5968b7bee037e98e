import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import type { CachedFilm } from "@colloquy/projections/explainers/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ExplainerEventData } from "@colloquy/schemas/explainers/events.ts";
import { type Artifact, type RenderSettings, rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import type { JobState } from "@colloquy/schemas/explainers/job.ts";
import type { Review } from "@colloquy/schemas/explainers/review.ts";
import { type ExplainerState, exists, type SettledRequest } from "@colloquy/schemas/explainers/state.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { usualSettings } from "@colloquy/schemas/explainers/usual.ts";
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

/** What a new job is made of. `content`: of the request, by which the same one is known again. */
export type Draft = Omit<Drafted, "digest" | "jobId" | "at"> & { content: object; review: Review; reviewedBy: WrittenBy };
export type Edit = Omit<Edited, "digest" | "at"> & { content: object; expectedVersion: number; review: Review; reviewedBy: WrittenBy };

export interface JobAnswer {
  jobId: string;
  version: number;
  state: JobState;
  /** Of the job's last event: what is read after it knows of it. */
  position: string;
}

/** A job with its storyboard, as a request left it. */
export type DraftedJob = JobAnswer & { storyboard: Storyboard; review: Review };

export interface ExplainerHandlers {
  /** The job an earlier request of the same content has drafted; null for a new one. @throws {ProblemError} `request_id_reused` */
  draftedBy(request: JobRequest, content: object): Promise<DraftedJob | null>;
  /** A storyboard that passed its checks becomes a job. */
  draft(request: JobRequest, draft: Draft): Promise<DraftedJob>;
  /** The account's own job. @throws {ProblemError} `not_found`, also for another account's */
  own(request: JobRequest, jobId: string): Promise<ExplainerState>;
  /** Whether an earlier request of the same content has edited the job. @throws {ProblemError} `not_found`, `request_id_reused` */
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
  /** `renderId`: of the film that was watched. @throws {ProblemError} `not_found`, `unknown_reference`, `too_many` */
  correct(
    request: JobRequest,
    jobId: string,
    asked: { renderId?: string | undefined; sceneId?: string | undefined; text: string },
  ): Promise<JobAnswer>;
  /** An owner of the course has dealt with a reported correction, whoever's film it is of. @throws {ProblemError} `not_found` */
  settle(request: JobRequest, jobId: string, correctionId: string): Promise<{ correctionId: string; settledAt: string; position: string }>;
  /** Grades the answer to the closing question, and makes it evidence where a tutoring session can take it. */
  answer(
    request: JobRequest,
    jobId: string,
    asked: { choice: number; sessionId?: string | undefined },
  ): Promise<NonNullable<ExplainerState["answered"]>>;
}

interface Needs {
  jobs: ExplainerJobs;
  /** Films of the same content that this account may be given. */
  cached(accountId: string, content: { contentHash: string; boardHash: string; edited: boolean }): Promise<CachedFilm[]>;
  /** Whether an artifact is still where it was put, every byte as it was. */
  isKept(artifact: Artifact): Promise<boolean>;
  /** How many of the account's jobs wait or are worked on. */
  underWay(accountId: string): Promise<number>;
  /** Where answers to closing questions become evidence. */
  evidence: FilmEvidenceKeeping;
  /** Whether films may be asked for with a voice. */
  voices: boolean;
  /** Whether films are made of a course. */
  offers(courseId: string): boolean;
  /** RFC 3339. */
  now(): string;
}

/** What an account does with its films: load, decide, append; the same request again is answered as it was. */
export function explainerHandlers({ jobs, cached, isKept, underWay, evidence, voices, offers, now }: Needs): ExplainerHandlers {
  const inTurn = keyedMutex();
  const jobIdFrom = ({ accountId, requestId }: JobRequest): string => eventIdFrom("explainer job", accountId, requestId);

  async function own({ accountId }: JobRequest, jobId: string): Promise<ExplainerState> {
    const { state } = await jobs.load(jobId);
    return owned(state, accountId);
  }

  /** Carries out a request once. `command` is told the job as it is, and what stands in every owner's command. */
  async function once(
    request: JobRequest,
    jobId: string,
    content: object,
    command: (state: ExplainerState, common: { digest: string; at: string }) => Promise<OwnerCommand> | OwnerCommand,
  ): Promise<{ state: ExplainerState; settled: Settled }> {
    const digest = digestOf(content);
    const handled = await jobs.handleWith(jobId, request, (loaded) => {
      const { state } = loaded;
      if (exists(state)) owned(state, request.accountId);
      return settledFor(request, loaded, digest) ? null : command(state, { digest, at: now() });
    });
    const settled = settledFor(request, handled, digest);
    if (!settled) throw new TypeError("the request was handled without an event");
    return { state: handled.state, settled };
  }

  /** The first of which no object was lost or damaged: such a one would be given out for ever, and never made again. */
  async function whole(films: readonly CachedFilm[]): Promise<CachedFilm | null> {
    for (const film of films) {
      const kept = await Promise.all(film.artifacts.map(isKept));
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
    const { settled } = await once(request, jobId, content, async (state, common) => {
      const settings = asked.settings ?? state.render?.settings ?? usualSettings;
      if (settings.voice !== "none" && !voices)
        throw new ProblemError("invalid_request", { detail: "Films with a voice are not offered here." });
      if (!state.storyboard) throw new ProblemError("not_found");
      const contentHash = contentHashOf(state.storyboard, settings, rendererVersion);
      const boardHash = boardHashOf(state.storyboard);
      const own = ownFilm(state, contentHash);
      const film =
        (own && (await whole([own]))) ?? (await whole(await cached(state.accountId, { contentHash, boardHash, edited: state.edited })));
      if (!film && (await underWay(state.accountId)) >= bounds.explainer.queuedPerAccount)
        throw new ProblemError("quota_exhausted", {
          detail: "Too many of your films are waiting to be made already.",
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
      const { state, settled } = await once(request, jobId, { draft: content }, (_, common) => ({
        ...common,
        ...draft,
        type: "draft",
        jobId,
      }));
      return draftedOf(jobId, state, settled);
    },

    async editedBy(request, jobId, content) {
      const loaded = await jobs.load(jobId);
      owned(loaded.state, request.accountId);
      const settled = settledFor(request, loaded, digestOf({ edit: content }));
      return settled && draftedOf(jobId, loaded.state, settled);
    },

    async edit(request, jobId, { content, ...edit }) {
      await own(request, jobId);
      const { state, settled } = await once(request, jobId, { edit: content }, (_, common) => ({ ...common, ...edit, type: "edit" }));
      return draftedOf(jobId, state, settled);
    },

    // An account's approvals one after the other: how many of its films wait is looked up before one more does.
    render(request, jobId, asked) {
      const { settings = null, expectedVersion = null } = asked;
      return inTurn(request.accountId, () =>
        approve(request, jobId, { render: { settings, expectedVersion } }, { ...asked, again: false }),
      );
    },

    retry: (request, jobId) => inTurn(request.accountId, () => approve(request, jobId, { retry: true }, { again: true })),

    async cancel(request, jobId) {
      await own(request, jobId);
      const { settled } = await once(request, jobId, { cancel: true }, (_, common) => ({ ...common, type: "cancel" }));
      return answerOf(jobId, settled);
    },

    async correct(request, jobId, { renderId = null, sceneId = null, text }) {
      await own(request, jobId);
      const correctionId = eventIdFrom("correction", jobId, request.requestId);
      // One that names no film is known again as it was before films could be named.
      const content = { correct: { sceneId, text, ...(renderId !== null && { renderId }) } };
      const { settled } = await once(request, jobId, content, (_, common) => ({
        ...common,
        type: "correct",
        correctionId,
        renderId,
        sceneId,
        text,
      }));
      return answerOf(jobId, settled);
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
      const { state } = await once(request, jobId, { answer: { choice, sessionId } }, async (state, common) => {
        const film = filmOf(state);
        const place = film ? await evidence.place(request, film, sessionId) : { unrecorded: "no_session" as const };
        return { ...common, type: "answer", choice, sessionId: null, unrecorded: null, ...place };
      });
      const film = filmOf(state);
      if (!state.answered) throw new TypeError("an answer left no trace");
      const { sessionId: to, ...answered } = state.answered;
      if (!film || !to || answered.evidence || answered.unrecorded) return answered;
      // What is answered stays answered, whatever becomes of this: the same request again goes on from here, to the same session.
      const counted = await evidence.record(request, film, { sessionId: to, choice: answered.choice });
      await jobs.handle(jobId, request, { type: "count", at: now(), ...counted });
      return { ...answered, ...counted };
    },
  };
}

/** What the closing question of a film is; null for one that its owner changed, or of which it is not known who wrote it. */
function filmOf({ jobId, courseId, topicId, courseRevisionId, storyboard, questionKey: key, by }: ExplainerState): AnsweredFilm | null {
  const question = storyboard?.scenes.findLast((scene) => scene.layout === "question");
  if (!storyboard || !question || !key || !by) return null;
  return { jobId, courseId, topicId, courseRevisionId, question, key, citations: storyboard.sources, by };
}

/** @throws {ProblemError} `not_found`: another account's is as if it were not there */
function owned(state: ExplainerState, accountId: string): ExplainerState {
  if (!exists(state) || state.accountId !== accountId) throw new ProblemError("not_found");
  return state;
}

/** With the name of what was asked, so that one id cannot stand for two things. */
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
