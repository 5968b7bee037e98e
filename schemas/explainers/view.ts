import { versioned } from "../payload.ts";
import type { ExplainerJob, ExplainerJobSummary, JobEvent } from "./job.ts";
import { percentOf, remainingOf } from "./progress.ts";
import { type ExplainerState, isReportedFilm, isReportedStoryboard, type KeptFilm } from "./state.ts";

/** A job for its owner: without answer key and worker. Pure. @throws {TypeError} if there is no job */
export function jobView(state: ExplainerState): ExplainerJob {
  const { storyboard, review, render } = state;
  if (!storyboard || !review) throw new TypeError("there is no such job");
  const { jobId, courseId, topicId, topicTitle, courseRevisionId, emphasis, version, createdAt, answered, questionKey } = state;
  return {
    jobId,
    courseId,
    topicId,
    topicTitle,
    courseRevisionId,
    emphasis,
    state: state.state,
    version,
    createdAt,
    storyboard,
    review,
    settings: render?.settings ?? null,
    progress: render?.progress ?? null,
    attempt: render?.attempt ?? 0,
    failure: failureOf(state),
    retryAt: retryAtOf(state),
    ...(state.offered && { offered: true }),
    answerable: questionKey !== null,
    // After the owner changed the question, the earlier answer is hidden; its evidence stays.
    answered: questionKey && answered && answeredView(answered),
    films: state.films.map((film) => filmView(film, isReportedFilm(state, film))),
    corrections: state.corrections.map(({ correctionId, sceneId, text, at, settledAt = null }) => ({
      correctionId,
      sceneId,
      text,
      at,
      settledAt,
    })),
  };
}

function filmView(
  { contentHash: _, boardHash: __, edited: ___, marked: ____, ...film }: KeptFilm,
  isWrong: boolean,
): ExplainerJob["films"][number] {
  return isWrong ? { ...film, marked: true } : film;
}

function answeredView({ choice, right, explanation, evidence = null, unrecorded = null }: NonNullable<ExplainerState["answered"]>) {
  return { choice, right, explanation, evidence, unrecorded };
}

/** One line of the list of an account's jobs. Pure. */
export function jobSummary(state: ExplainerState): ExplainerJobSummary {
  const { jobId, courseId, topicId, topicTitle, emphasis, createdAt, storyboard } = state;
  return {
    jobId,
    courseId,
    topicId,
    topicTitle,
    emphasis,
    state: state.state,
    createdAt,
    title: storyboard?.title ?? "",
    seconds: storyboard?.seconds ?? 0,
    marked: storyboard !== null && isReportedStoryboard(state, storyboard.storyboardId),
  };
}

/** The state of a job after an event, for the stream of progress. Pure. */
export function jobEventOf(state: ExplainerState, at: string): JobEvent {
  const { render } = state;
  const { progress = null, percent = 0, attempt = 0, claimedAt = null } = render ?? {};
  const elapsed = claimedAt === null ? 0 : Date.parse(at) - Date.parse(claimedAt);
  const remainingMs = state.state === "rendering" && progress ? remainingOf(percentOf(progress), elapsed) : null;
  return versioned({
    state: state.state,
    version: state.version,
    progress,
    percent,
    remainingMs,
    attempt,
    failure: failureOf(state),
    retryAt: retryAtOf(state),
    at,
  });
}

const failureOf = ({ state, render }: ExplainerState): ExplainerJob["failure"] =>
  state === "failed" || state === "queued" ? (render?.failure ?? null) : null;

const retryAtOf = ({ state, render }: ExplainerState): string | null => (state === "queued" ? (render?.notBefore ?? null) : null);
