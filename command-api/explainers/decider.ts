import type { CachedFilm } from "@colloquy/projections/explainers/queries.ts";
import type { ExplainerEvent, ExplainerEventData, ExplainerEventType } from "@colloquy/schemas/explainers/events.ts";
import { isInProgress } from "@colloquy/schemas/explainers/in-progress.ts";
import {
  type ExplainerState,
  evolve,
  exists,
  initialState,
  isReportedContent,
  isReportedFilm,
  isReportedStoryboard,
  type RenderState,
  type SettledRequest,
  storyboardOfFilm,
} from "@colloquy/schemas/explainers/state.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { type Decider, Rejection } from "../decider.ts";
import type { ExplainerCommand } from "./commands.ts";

type Command<Type extends ExplainerCommand["type"]> = Extract<ExplainerCommand, { type: Type }>;

const event = <Type extends ExplainerEventType>(type: Type, data: ExplainerEventData[Type]): ExplainerEvent =>
  ({ type, data: { schemaVersion: 1, ...data } }) as ExplainerEvent;

type Decision = ExplainerEvent[] | Rejection;

function decide(command: ExplainerCommand, state: ExplainerState): Decision {
  if (command.type === "draft") return draft(state, command);
  if (!exists(state)) {
    if (command.type === "sweep" || command.type === "claim" || command.type === "count" || command.type === "erase") return [];
    return new Rejection("leaseId" in command ? "lease_lost" : "not_found");
  }
  switch (command.type) {
    case "edit":
      return edit(state, command);
    case "approve":
      return approve(state, command);
    case "cancel":
      return cancel(state, command);
    case "correct":
      return correct(state, command);
    case "settle":
      return settle(state, command);
    case "offer":
      return offer(state, command);
    case "withdraw":
      return state.offered ? [event("FilmWithdrawn", { digest: command.digest, at: command.at })] : new Rejection("not_found");
    case "answer":
      return answer(state, command);
    case "count":
      return count(state, command);
    case "claim":
      return claim(state, command);
    case "renew":
      return renew(state, command);
    case "complete":
      return complete(state, command);
    case "fail":
      return fail(state, command);
    case "sweep":
      return sweep(state, command);
    case "erase":
      return [event("ExplainerErased", { at: command.at })];
  }
}

function draft(state: ExplainerState, { type: _, review, reviewedBy, ...job }: Command<"draft">): Decision {
  if (state.version >= 0) return new Rejection("wrong_phase");
  const { storyboardId } = job.storyboard;
  return [event("StoryboardDrafted", job), event("StoryboardReviewed", { storyboardId, review, by: reviewedBy })];
}

function edit(state: ExplainerState, command: Command<"edit">): Decision {
  const { type: _, review, reviewedBy, expectedVersion, ...change } = command;
  const refused = refuseStale(state, expectedVersion) ?? refuseWhileRendering(state);
  if (refused) return refused;
  const { storyboardId } = change.storyboard;
  return [event("StoryboardEdited", change), event("StoryboardReviewed", { storyboardId, review, by: reviewedBy })];
}

function approve(state: ExplainerState, command: Command<"approve">): Decision {
  const { digest, at, renderId, settings, rendererVersion, contentHash, boardHash, expectedVersion, again } = command;
  const { storyboard, review } = state;
  const refused = refuseStale(state, expectedVersion) ?? refuseWhileRendering(state);
  if (refused) return refused;
  if (again && state.state !== "failed" && state.state !== "cancelled")
    return new Rejection("wrong_phase", { detail: "Only a failed or cancelled video can be retried." });
  if (!storyboard || !review?.approved) return new Rejection("storyboard_rejected");
  const { storyboardId } = storyboard;
  const approved = event("RenderApproved", { digest, renderId, storyboardId, settings, rendererVersion, contentHash, boardHash, at });
  const isWrong = isReportedStoryboard(state, storyboardId) || isReportedContent(state, { contentHash, boardHash });
  const cached = isWrong ? null : command.cached;
  if (!command.offered && cached?.fromJobId !== state.jobId) return courseNotOffered;
  if (!cached) return [approved, event("RenderQueued", { renderId, at })];
  const { fromJobId, milliseconds, artifacts, metrics } = cached;
  return [approved, event("RenderReused", { renderId, fromJobId, milliseconds, artifacts, metrics, at })];
}

/** The job's own video of this content. */
export function ownFilm({ films, jobId }: ExplainerState, contentHash: string): CachedFilm | null {
  const film = films.find((one) => one.contentHash === contentHash);
  return film ? { ...film, fromJobId: jobId } : null;
}

function cancel(state: ExplainerState, { digest, at }: Command<"cancel">): Decision {
  if (!state.render || !isInProgress(state)) return new Rejection("wrong_phase", { detail: "No video is being made." });
  return [event("RenderCancelled", { digest, renderId: state.render.renderId, at })];
}

function correct(state: ExplainerState, { digest, at, correctionId, sceneId, text, ...asked }: Command<"correct">): Decision {
  if (state.corrections.length >= filmBounds.corrections) return new Rejection("too_many");
  const renderId = asked.renderId ?? state.films.at(-1)?.renderId ?? null;
  if (asked.renderId !== null && !state.films.some((film) => film.renderId === renderId))
    return new Rejection("unknown_reference", { detail: "This video no longer exists. Reload the page." });
  // Edits only remove scenes, so the first storyboard has every scene of a video whose own storyboard was not kept.
  const { scenes = [] } = storyboardOfFilm(state, renderId) ?? state.drafted ?? state.storyboard ?? {};
  if (sceneId !== null && !scenes.some((scene) => scene.sceneId === sceneId))
    return new Rejection("unknown_reference", { detail: "This video has no such scene." });
  return [event("CorrectionReported", { digest, correctionId, renderId, sceneId, text, at })];
}

/** Once; the first owner of the course counts. */
function settle({ corrections }: ExplainerState, { digest, at, correctionId }: Command<"settle">): Decision {
  const correction = corrections.find((one) => one.correctionId === correctionId);
  if (!correction) return new Rejection("not_found");
  return correction.settledAt ? [] : [event("CorrectionSettled", { digest, correctionId, at })];
}

/** What others get to see was rendered as it is, is not known to be wrong, and has an answer to its question. */
function offer(state: ExplainerState, { digest, at }: Command<"offer">): Decision {
  const { storyboard, questionKey, films } = state;
  const film = films.find((one) => one.storyboardId === storyboard?.storyboardId);
  if (!storyboard || !film) return new Rejection("wrong_phase", { detail: "The video has not been made yet." });
  if (isReportedFilm(state, film)) return new Rejection("wrong_phase", { detail: "A mistake was reported in this video. Make it anew." });
  if (!questionKey) return new Rejection("wrong_phase", { detail: "You changed the closing question, so its right answer is not known." });
  return [event("FilmOffered", { digest, storyboardId: storyboard.storyboardId, at })];
}

function answer(state: ExplainerState, { digest, at, choice, sessionId, unrecorded }: Command<"answer">): Decision {
  const question = state.storyboard?.scenes.findLast((scene) => scene.layout === "question");
  if (state.films.length === 0 || !question) return new Rejection("wrong_phase", { detail: "The video has not been made yet." });
  if (!state.questionKey) return new Rejection("wrong_phase", { detail: "You changed this question, so its right answer is not known." });
  if (state.answered) return new Rejection("wrong_phase", { detail: "This question was already answered." });
  if (choice >= question.content.choices.length)
    return new Rejection("invalid_request", { fields: [{ path: "choice", message: "the question has no such choice" }] });
  return [event("ClosingQuestionAnswered", { digest, choice, correct: choice === state.questionKey.right, sessionId, unrecorded, at })];
}

/** Once for each answer that has a tutoring session. */
function count({ answered }: ExplainerState, { at, evidence, unrecorded }: Command<"count">): ExplainerEvent[] {
  if (!answered?.sessionId || answered.evidence || answered.unrecorded) return [];
  return [event("ClosingQuestionCounted", { evidence, unrecorded, at })];
}

function claim(state: ExplainerState, command: Command<"claim">): ExplainerEvent[] {
  const { at, leaseId, workerId, leaseUntil, rendererVersion, voices } = command;
  const expired = expire(state, at);
  const now = after(state, expired);
  const { render } = now;
  if (!render || now.state !== "queued" || render.rendererVersion !== rendererVersion) return expired;
  if (isBefore(at, render.notBefore) || (render.settings.voice !== "none" && !voices)) return expired;
  const claimed = { renderId: render.renderId, leaseId, workerId, attempt: render.attempt + 1, leaseUntil, ...(voices && { voices }), at };
  return [...expired, event("RenderClaimed", claimed)];
}

function renew(state: ExplainerState, { at, leaseId, progress, leaseUntil }: Command<"renew">): Decision {
  const held = leased(state, leaseId, at);
  if (held instanceof Rejection) return held;
  const { renderId, lease, ...render } = held;
  const left = Date.parse(lease.until) - Date.parse(at);
  const isHalfOver = left < filmBounds.leaseSeconds * 500;
  const isOld = Date.parse(at) - Date.parse(render.progressedAt ?? at) >= filmBounds.progressMs;
  const { stage, done, total } = render.progress ?? {};
  const hasMoved = stage !== progress.stage || done !== progress.done || total !== progress.total;
  if (!isHalfOver && !(hasMoved && (isOld || stage !== progress.stage))) return [];
  return [event("RenderProgressed", { renderId, leaseId, progress, leaseUntil, at })];
}

function complete(state: ExplainerState, { type: _, ...made }: Command<"complete">): Decision {
  // The worker repeats the request if it did not get the answer.
  if (state.render?.finished === made.leaseId) return [];
  const held = leased(state, made.leaseId, made.at);
  return held instanceof Rejection ? held : [event("RenderCompleted", { renderId: held.renderId, ...made })];
}

function fail(state: ExplainerState, { at, leaseId, code, retryable }: Command<"fail">): Decision {
  const held = leased(state, leaseId, at);
  if (held instanceof Rejection) return held;
  const { renderId, attempt } = held;
  const again = retryable && attempt < filmBounds.attempts.most;
  const failed = event("RenderFailed", { renderId, leaseId, attempt, code, retryable, again, at });
  if (!again) return [failed];
  const notBefore = new Date(Date.parse(at) + backoffMs(attempt)).toISOString();
  return [failed, event("RenderRequeued", { renderId, attempt: attempt + 1, notBefore, at })];
}

/** The pause after the n-th attempt, doubled each time. */
export const backoffMs = (attempt: number): number =>
  Math.min(filmBounds.attempts.firstMs * 2 ** (attempt - 1), filmBounds.attempts.mostMs);

function sweep(state: ExplainerState, { at, rendererVersion, speakerAt }: Command<"sweep">): ExplainerEvent[] {
  const expired = expire(state, at);
  const { render, state: now } = after(state, expired);
  if (!render || now !== "queued") return expired;
  const isOld = render.rendererVersion !== rendererVersion;
  if (!isOld && !isUnspoken(render, at, speakerAt)) return expired;
  const { renderId, attempt } = render;
  const code = isOld ? "renderer_failed" : "speech_unavailable";
  return [...expired, event("RenderFailed", { renderId, leaseId: null, attempt, code, retryable: true, again: false, at })];
}

/** The render needs a voice, and no worker that can speak was known for a while. */
function isUnspoken({ settings, queuedAt, notBefore }: RenderState, at: string, speakerAt: string): boolean {
  const since = Math.max(...[queuedAt, notBefore ?? queuedAt, speakerAt].map(Date.parse));
  return settings.voice !== "none" && Date.parse(at) - since >= filmBounds.speakerMs;
}

/** Expires a lease. The job is claimable at once, because the lease was the pause. */
function expire({ state, render }: ExplainerState, at: string): ExplainerEvent[] {
  if (state !== "rendering" || !render?.lease || isBefore(at, render.lease.until)) return [];
  const { renderId, attempt, lease } = render;
  const expired = event("RenderLeaseExpired", { renderId, leaseId: lease.leaseId, attempt, at });
  if (attempt < filmBounds.attempts.most) return [expired, event("RenderRequeued", { renderId, attempt: attempt + 1, notBefore: at, at })];
  return [
    expired,
    event("RenderFailed", { renderId, leaseId: lease.leaseId, attempt, code: "worker_lost", retryable: true, again: false, at }),
  ];
}

/** What a request that was carried out led to; null for a new one. An id that was used for something else is rejected. */
export function settledBy(state: ExplainerState, requestId: string, digest: string): SettledRequest | Rejection | null {
  const settled = state.requests[requestId];
  return settled && settled.digest !== digest ? new Rejection("request_id_reused") : (settled ?? null);
}

type LeasedRender = RenderState & { lease: NonNullable<RenderState["lease"]> };

/** The render that a lease holds. An expired lease is rejected, also before its expiry is recorded. */
export function leased(state: ExplainerState, leaseId: string, at: string): LeasedRender | Rejection {
  const { render } = state;
  if (state.state !== "rendering" || render?.lease?.leaseId !== leaseId || !isBefore(at, render.lease.until))
    return new Rejection("lease_lost");
  return { ...render, lease: render.lease };
}

export const courseNotOffered = new Rejection("not_allowed", { detail: "Videos of this course are not offered here." });

/** Events that leave the storyboard as it is (a report, an answer) do not make a version stale. */
export function refuseStale({ version, boardVersion = version }: ExplainerState, expectedVersion: number | null): Rejection | null {
  if (expectedVersion === null || (expectedVersion >= boardVersion && expectedVersion <= version)) return null;
  return new Rejection("stale_session", { detail: "This video was changed elsewhere. Reload it and try again." });
}

export const refuseWhileRendering = (state: ExplainerState): Rejection | null =>
  isInProgress(state) ? new Rejection("wrong_phase", { detail: "The video is being made. Cancel that first." }) : null;

const isBefore = (at: string, until: string | null): boolean => until !== null && Date.parse(at) < Date.parse(until);

/** The state after events that are not recorded yet. */
const after = (state: ExplainerState, events: readonly ExplainerEvent[]): ExplainerState =>
  events.reduce<ExplainerState>((before, one) => evolve(before, { ...one, metadata: { revision: before.version + 1 } }), state);

export const explainerDecider: Decider<ExplainerCommand, ExplainerEvent, ExplainerState> = { initialState, decide, evolve };
