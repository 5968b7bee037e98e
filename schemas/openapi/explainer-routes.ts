import { artifactTypes } from "../explainer/film.ts";
import {
  artifactOfQuery,
  correctionsQuery,
  correctionsResponse,
  explainerJobResponse,
  explainerJobsQuery,
  explainerJobsResponse,
  explainerOffer,
  explainerOfferQuery,
  jobEvent,
} from "../explainer/job.ts";
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
} from "../explainer/requests.ts";
import {
  artifactQuery,
  artifactResponse,
  claimRequest,
  claimResponse,
  completeRequest,
  failRequest,
  leaseRequest,
  leaseResponse,
  workerResponse,
} from "../explainer/worker.ts";
import { noQuery, readQuery } from "../payload.ts";
import { behind, type DescribedRoute, notModified } from "./described.ts";

const root = "/api/visual-explainers";

/** Films that are read and watched. */
export const explainerReads: readonly DescribedRoute[] = [
  {
    ...{
      method: "get",
      path: `${root}/offer`,
      summary: "Whether films are made of a course",
      access: "account",
      query: explainerOfferQuery,
    },
    answers: { 200: { about: "Whether, and how many storyboards the account has left today.", schema: explainerOffer } },
  },
  {
    ...{ method: "get", path: `${root}/jobs`, summary: "The account's films", access: "account", query: explainerJobsQuery },
    answers: { 200: { about: "Newest first.", schema: explainerJobsResponse } },
    errors: [behind],
  },
  {
    ...{
      method: "get",
      path: `${root}/corrections`,
      summary: "What was reported of a course's films",
      access: "owner",
      query: correctionsQuery,
    },
    answers: { 200: { about: "Newest first; never who reported it.", schema: correctionsResponse } },
    errors: [behind],
  },
  {
    ...{ method: "get", path: `${root}/jobs/:jobId`, summary: "One film, from its storyboard on", access: "account", query: readQuery },
    answers: { 200: { about: "The job.", schema: explainerJobResponse } },
    errors: ["not_found", behind],
  },
  {
    ...{ method: "get", path: `${root}/jobs/:jobId/events`, summary: "How a film goes on", access: "account", query: noQuery },
    answers: {
      200: {
        about: "Server-sent events; the id is the number of the job's event (`Last-Event-ID`).",
        type: "text/event-stream",
        schema: jobEvent,
      },
    },
    errors: ["not_found", "rate_limited"],
  },
  {
    ...{
      method: "get",
      path: `${root}/jobs/:jobId/artifact`,
      summary: "A film, or what belongs to it",
      access: "account",
      query: artifactOfQuery,
    },
    answers: {
      200: { about: "The whole of it.", type: artifactTypes.video },
      206: { about: "The part that was asked for (`Range`, `If-Range`).", type: artifactTypes.video },
      304: notModified,
      416: { about: "The range lies behind its end." },
    },
    errors: ["not_found"],
  },
];

const frames = "In frames, one a line: `status` and `artifact`, then `complete` or `error`.";
const drawing = ["not_found", "not_allowed", "quota_exhausted", "rate_limited", "ai_unavailable"] as const;

/** What an account does with its films, and the boundary to the workers that make them. */
export const explainerCommands: readonly DescribedRoute[] = [
  {
    ...{ method: "post", path: `${root}/storyboard`, summary: "Draw up a film's storyboard", access: "account", query: noQuery },
    body: storyboardRequest,
    answers: { 200: { about: frames, type: "application/x-ndjson", schema: storyboardFrame } },
    errors: [...drawing, "request_id_reused"],
  },
  {
    ...{
      method: "put",
      path: `${root}/jobs/:jobId/storyboard`,
      summary: "The scenes as their owner wants them, reviewed again",
      access: "account",
      query: noQuery,
    },
    body: storyboardEditRequest,
    answers: { 200: { about: frames, type: "application/x-ndjson", schema: storyboardFrame } },
    errors: [...drawing, "stale_session", "wrong_phase", "request_id_reused"],
  },
  {
    ...{
      method: "post",
      path: `${root}/jobs/:jobId/render`,
      summary: "Approve a storyboard: have its film made",
      access: "account",
      query: noQuery,
    },
    body: renderRequest,
    answers: { 200: { about: "Queued, or completed: the same was made before.", schema: renderResponse } },
    errors: ["not_found", "stale_session", "wrong_phase", "request_id_reused", "storyboard_rejected", "quota_exhausted", "rate_limited"],
  },
  {
    ...{
      method: "post",
      path: `${root}/jobs/:jobId/retry`,
      summary: "Try again what failed or was cancelled",
      access: "account",
      query: noQuery,
    },
    body: jobRequest,
    answers: { 200: { about: "How the job stands.", schema: jobResponse } },
    errors: ["not_found", "wrong_phase", "request_id_reused", "quota_exhausted", "rate_limited"],
  },
  {
    ...{ method: "post", path: `${root}/jobs/:jobId/cancel`, summary: "Stop making a film", access: "account", query: noQuery },
    body: jobRequest,
    answers: { 200: { about: "How the job stands.", schema: jobResponse } },
    errors: ["not_found", "wrong_phase", "request_id_reused", "rate_limited"],
  },
  {
    ...{
      method: "post",
      path: `${root}/jobs/:jobId/corrections`,
      summary: "Report what is wrong in a film",
      access: "account",
      query: noQuery,
    },
    body: correctionRequest,
    answers: { 200: { about: "How the job stands.", schema: jobResponse } },
    errors: ["not_found", "unknown_reference", "request_id_reused", "rate_limited"],
  },
  {
    ...{
      method: "post",
      path: `${root}/jobs/:jobId/answer`,
      summary: "Answer a film's closing question, once",
      access: "account",
      query: noQuery,
    },
    body: filmAnswerRequest,
    answers: { 200: { about: "What is right, and why.", schema: filmAnswerResponse } },
    errors: ["not_found", "wrong_phase", "request_id_reused", "rate_limited"],
  },
  {
    ...{ method: "post", path: `${root}/worker/claim`, summary: "A film to make", access: "worker", query: noQuery },
    body: claimRequest,
    answers: { 200: { about: "The job, under a lease.", schema: claimResponse }, 204: { about: "Nothing waits that this worker can do." } },
    errors: ["not_found"],
  },
  {
    ...{
      method: "post",
      path: `${root}/worker/jobs/:jobId/lease`,
      summary: "Go on with a job, and say how far it is",
      access: "worker",
      query: noQuery,
    },
    body: leaseRequest,
    answers: { 200: { about: "How long the lease holds, and whether to stop.", schema: leaseResponse } },
    errors: ["not_found", "lease_lost"],
  },
  {
    ...{
      method: "put",
      path: `${root}/worker/jobs/:jobId/artifacts/:kind`,
      summary: "What was made, under the hash of its bytes",
      access: "worker",
    },
    query: artifactQuery,
    bytes: "application/octet-stream",
    answers: { 200: { about: "It is kept.", schema: artifactResponse } },
    errors: ["not_found", "lease_lost", "too_large"],
  },
  {
    ...{ method: "post", path: `${root}/worker/jobs/:jobId/complete`, summary: "The film is made", access: "worker", query: noQuery },
    body: completeRequest,
    answers: { 200: { about: "It counts.", schema: workerResponse } },
    errors: ["not_found", "lease_lost"],
  },
  {
    ...{ method: "post", path: `${root}/worker/jobs/:jobId/fail`, summary: "The film could not be made", access: "worker", query: noQuery },
    body: failRequest,
    answers: { 200: { about: "It is tried again, or given up.", schema: workerResponse } },
    errors: ["not_found", "lease_lost"],
  },
];
