import { z } from "zod";
import { correctionsQuery, correctionsResponse, settledResponse } from "../explainers/corrections.ts";
import { artifactTypes } from "../explainers/film.ts";
import {
  artifactOfQuery,
  explainerJobResponse,
  explainerJobsQuery,
  explainerJobsResponse,
  explainerOffer,
  explainerOfferQuery,
  jobEvent,
} from "../explainers/job.ts";
import { previewRequest, previewResponse } from "../explainers/preview.ts";
import {
  correctionRequest,
  filmAnswerRequest,
  filmAnswerResponse,
  jobRequest,
  jobResponse,
  renderRequest,
  renderResponse,
  storyboardEditRequest,
  storyboardFrame,
  storyboardRequest,
} from "../explainers/requests.ts";
import { filmBounds } from "../film-bounds.ts";
import { noQuery, readQuery } from "../payload.ts";
import { content, contract, events, idIn, json, ndjson, notModified, perMinute } from "./contract.ts";
import { exampleIds } from "./example-ids.ts";

const root = "/api/visual-explainers";
const requests = perMinute(filmBounds.requestsPerMinute);
const storyboards = perMinute(filmBounds.storyboardsPerMinute);
const frames = ndjson("Frames, one per line: `status` and `artifact`, then `complete` or `error`.", storyboardFrame);
const storyboardProblems = ["not_found", "not_allowed", "quota_exhausted", "ai_unavailable", "request_id_reused"] as const;

export const readExplainerOffer = contract({
  method: "GET",
  path: `${root}/offer`,
  summary: "Whether videos can be made of a course",
  access: "account",
  embed: "learner",
  query: explainerOfferQuery,
  responses: { 200: json("Whether they can, and how many storyboards the account has left today.", explainerOffer) },
});

export const listExplainerJobs = contract({
  method: "GET",
  path: `${root}/jobs`,
  summary: "The account's videos",
  access: "account",
  embed: "learner",
  query: explainerJobsQuery,
  responses: { 200: json("Newest first.", explainerJobsResponse) },
  problems: ["read_model_behind"],
});

export const listCorrections = contract({
  method: "GET",
  path: `${root}/corrections`,
  summary: "The mistakes reported in a course's videos",
  access: "owner",
  query: correctionsQuery,
  responses: { 200: json("Open ones first, then newest first; never who reported them.", correctionsResponse) },
  problems: ["read_model_behind"],
});

export const readExplainerJob = contract({
  method: "GET",
  path: `${root}/jobs/:jobId`,
  summary: "One video job, from its storyboard on",
  access: "account",
  embed: "learner",
  owned: true,
  parameters: idIn("jobId"),
  query: readQuery,
  responses: { 200: json("The job.", explainerJobResponse) },
  problems: ["not_found", "read_model_behind"],
});

export const streamJobEvents = contract({
  method: "GET",
  path: `${root}/jobs/:jobId/events`,
  summary: "The progress of a video job",
  access: "account",
  embed: "learner",
  owned: true,
  parameters: idIn("jobId"),
  query: noQuery,
  concurrent: {
    most: filmBounds.streamsPerAccount,
    refusal: "This account has too many open progress streams. Close a tab, or try again in a few seconds.",
  },
  responses: { 200: events("Server-sent events; the id is the number of the job's event (`Last-Event-ID`).", jobEvent) },
  problems: ["not_found"],
});

export const readArtifact = contract({
  method: "GET",
  path: `${root}/jobs/:jobId/artifact`,
  summary: "A video, or a file that belongs to it",
  access: "account",
  embed: "learner",
  owned: true,
  parameters: idIn("jobId"),
  query: artifactOfQuery,
  cache: "private, no-cache",
  responses: {
    200: content(artifactTypes.video, "The whole file."),
    206: content(artifactTypes.video, "The requested part (`Range`, `If-Range`)."),
    304: notModified,
    416: { description: "The range begins after the end of the file." },
  },
  problems: ["not_found"],
});

export const readFilmFont = contract({
  method: "GET",
  path: `${root}/fonts/:font`,
  summary: "A font that videos and their previews are set in",
  access: "public",
  embed: "public",
  parameters: z.object({ font: z.string().regex(/^[a-z0-9-]{1,60}$/) }),
  query: noQuery,
  cache: "public, max-age=86400",
  responses: { 200: content("font/woff2", "Its bytes."), 304: notModified },
  problems: ["not_found"],
});

export const drawStoryboard = contract({
  method: "POST",
  path: `${root}/storyboard`,
  summary: "Create the storyboard of a video",
  access: "account",
  embed: "learner",
  query: noQuery,
  request: storyboardRequest,
  limit: storyboards,
  responses: { 200: frames },
  problems: storyboardProblems,
  example: {
    schemaVersion: 1,
    requestId: exampleIds.requestId,
    courseId: exampleIds.courseId,
    topicId: exampleIds.topicId,
    emphasis: "intuition",
    model: { choice: "automatic" },
  },
});

export const editStoryboard = contract({
  method: "PUT",
  path: `${root}/jobs/:jobId/storyboard`,
  summary: "Replace the scenes of a storyboard, which are reviewed again",
  access: "account",
  embed: "learner",
  owned: true,
  parameters: idIn("jobId"),
  query: noQuery,
  request: storyboardEditRequest,
  limit: storyboards,
  responses: { 200: frames },
  problems: [...storyboardProblems, "stale_session", "wrong_phase"],
});

export const previewStoryboard = contract({
  method: "POST",
  path: `${root}/jobs/:jobId/preview`,
  summary: "Scenes of a storyboard as its video shows them, edited or not",
  access: "account",
  embed: "learner",
  owned: true,
  parameters: idIn("jobId"),
  query: noQuery,
  request: previewRequest,
  limit: perMinute(filmBounds.preview.perMinute),
  concurrent: {
    most: filmBounds.preview.atOnce,
    refusal: "Too many previews of this account are being made. Try again in a few seconds.",
  },
  responses: { 200: json("Each scene with everything that is drawn of it and when, or why it cannot be drawn.", previewResponse) },
  problems: ["not_found"],
});

export const renderVideo = contract({
  method: "POST",
  path: `${root}/jobs/:jobId/render`,
  summary: "Approve a storyboard and render its video",
  access: "account",
  embed: "learner",
  owned: true,
  parameters: idIn("jobId"),
  query: noQuery,
  request: renderRequest,
  limit: requests,
  responses: { 200: json("Queued, or completed where the same video was rendered before.", renderResponse) },
  problems: ["not_found", "not_allowed", "stale_session", "wrong_phase", "request_id_reused", "storyboard_rejected", "quota_exhausted"],
});

export const retryRender = contract({
  method: "POST",
  path: `${root}/jobs/:jobId/retry`,
  summary: "Retry a failed or cancelled render",
  access: "account",
  embed: "learner",
  owned: true,
  parameters: idIn("jobId"),
  query: noQuery,
  request: jobRequest,
  limit: requests,
  responses: { 200: json("The state of the job.", jobResponse) },
  problems: ["not_found", "not_allowed", "wrong_phase", "request_id_reused", "quota_exhausted"],
});

export const cancelRender = contract({
  method: "POST",
  path: `${root}/jobs/:jobId/cancel`,
  summary: "Cancel a render",
  access: "account",
  embed: "learner",
  owned: true,
  parameters: idIn("jobId"),
  query: noQuery,
  request: jobRequest,
  limit: requests,
  responses: { 200: json("The state of the job.", jobResponse) },
  problems: ["not_found", "wrong_phase", "request_id_reused"],
});

export const reportCorrection = contract({
  method: "POST",
  path: `${root}/jobs/:jobId/corrections`,
  summary: "Report a mistake in a video",
  access: "account",
  embed: "learner",
  owned: true,
  parameters: idIn("jobId"),
  query: noQuery,
  request: correctionRequest,
  limit: requests,
  responses: { 200: json("The state of the job.", jobResponse) },
  problems: ["not_found", "unknown_reference", "request_id_reused"],
});

export const settleCorrection = contract({
  method: "POST",
  path: `${root}/corrections/:correctionId/settle`,
  summary: "Mark a reported mistake as settled",
  access: "owner",
  parameters: idIn("correctionId"),
  query: noQuery,
  request: jobRequest,
  limit: requests,
  responses: { 200: json("When it was settled, by the first owner who did.", settledResponse) },
  problems: ["not_found", "request_id_reused"],
});

export const offerFilm = contract({
  method: "POST",
  path: `${root}/jobs/:jobId/offer`,
  summary: "Offer a video of one's own to everyone who reads its page",
  access: "owner",
  owned: true,
  parameters: idIn("jobId"),
  query: noQuery,
  request: jobRequest,
  limit: requests,
  responses: { 200: json("The state of the job.", jobResponse) },
  problems: ["not_found", "wrong_phase", "request_id_reused"],
});

export const withdrawFilm = contract({
  method: "POST",
  path: `${root}/jobs/:jobId/withdraw`,
  summary: "Stop offering a video; any owner of courses may",
  access: "owner",
  owned: true,
  parameters: idIn("jobId"),
  query: noQuery,
  request: jobRequest,
  limit: requests,
  responses: { 200: json("The state of the job.", jobResponse) },
  problems: ["not_found", "request_id_reused"],
});

export const answerFilmQuestion = contract({
  method: "POST",
  path: `${root}/jobs/:jobId/answer`,
  summary: "Answer a video's closing question, once",
  access: "account",
  embed: "learner",
  owned: true,
  parameters: idIn("jobId"),
  query: noQuery,
  request: filmAnswerRequest,
  limit: requests,
  responses: { 200: json("The correct answer, and why.", filmAnswerResponse) },
  problems: ["not_found", "wrong_phase", "request_id_reused"],
});
