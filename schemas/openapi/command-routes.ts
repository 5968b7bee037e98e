import { signOutResponse } from "../account.ts";
import { askAgainQuery, askFrame, askRequest, releasedResponse } from "../ai/ask.ts";
import { modelsResponse } from "../ai/models.ts";
import { assistantRequest, assistantResponse, assistantsQuery, assistantsResponse } from "../connector.ts";
import {
  editorAssetQuery,
  editorAssetResponse,
  editorHistoryQuery,
  editorHistoryResponse,
  editorSessionQuery,
  editorSessionResponse,
  editorSourceQuery,
  editorSourceResponse,
  publishRequest,
  publishResponse,
} from "../course-editor/wire.ts";
import { embedRecordRequest, embedRenewRequest, embedSignInResponse, embedTokenRequest, embedTokenResponse } from "../embed.ts";
import { erasureRequest, erasureResponse } from "../erasure.ts";
import type { ErrorCode } from "../errors.ts";
import { noQuery, readQuery } from "../payload.ts";
import { pushRequest, pushResponse } from "../sync/protocol.ts";
import { tutorGoalRequest, tutorGoalResponse, tutorReply, tutorStartRequest, tutorTurnRequest } from "../tutor/requests.ts";
import { behind, type DescribedRoute, moved, page } from "./described.ts";

const tutorAnswer =
  "The session. With `accept: application/x-ndjson` in frames: `status`, `citation`, `text_delta`, then `complete` or `error`.";
const tutorErrors = [
  "not_found",
  "request_id_reused",
  "model_not_capable",
  "rate_limited",
  "ai_unavailable",
  "ai_timeout",
] as const satisfies readonly ErrorCode[];

/** Signing in, what changes something, and what models are asked. */
export const commands: readonly DescribedRoute[] = [
  {
    ...{ method: "get", path: "/auth/login", summary: "To the identity provider", access: "public" },
    answers: { 303: moved("To the provider."), 503: page("Nobody can sign in now.") },
  },
  {
    ...{ method: "get", path: "/auth/callback", summary: "Back from the identity provider", access: "public" },
    answers: { 303: moved("Signed in, and back to where it began."), 400: page("The sign-in did not work.") },
  },
  {
    ...{ method: "get", path: "/auth/demo", summary: "Sign in as a demonstration account; in development only", access: "public" },
    answers: { 303: moved("Signed in.") },
    errors: ["cross_site"],
  },
  {
    ...{ method: "post", path: "/auth/sign-out", summary: "Sign out", access: "public", query: noQuery },
    answers: { 200: { about: "Where the browser goes next.", schema: signOutResponse } },
  },
  {
    ...{ method: "post", path: "/api/account/erase", summary: "Delete everything the account owns", access: "account", query: noQuery },
    body: erasureRequest,
    answers: { 200: { about: "What was deleted, and whether the same request has to go on.", schema: erasureResponse } },
    errors: [behind],
  },
  {
    ...{ method: "post", path: "/auth/embed", summary: "A token for a page of another site", access: "account", query: noQuery },
    body: embedTokenRequest,
    answers: { 200: { about: "The token, good from that origin alone.", schema: embedSignInResponse } },
    errors: ["not_allowed", "rate_limited"],
  },
  {
    ...{ method: "post", path: "/auth/embed/renew", summary: "The next token for the one a page has", access: "account", query: noQuery },
    body: embedRenewRequest,
    answers: { 200: { about: "The token.", schema: embedTokenResponse } },
    errors: ["not_allowed", "rate_limited"],
  },
  {
    ...{ method: "get", path: "/api/ai/models", summary: "The models that may be picked", access: "public", query: readQuery },
    answers: { 200: { about: "The models.", schema: modelsResponse } },
  },
  {
    ...{
      method: "post",
      path: "/api/ai/ask",
      summary: "One turn, answered from courses",
      access: "account",
      query: noQuery,
      body: askRequest,
    },
    answers: { 200: { about: "Frames, one a line; the last is `complete` or `error`.", type: "application/x-ndjson", schema: askFrame } },
    errors: ["request_id_reused", "unknown_reference", "rate_limited"],
  },
  {
    ...{
      method: "get",
      path: "/api/ai/ask/:requestId",
      summary: "A running or kept turn, read again",
      access: "account",
      query: askAgainQuery,
    },
    answers: { 200: { about: "Its frames, from `after` on.", type: "application/x-ndjson", schema: askFrame } },
    errors: ["not_found", "rate_limited"],
  },
  {
    ...{ method: "delete", path: "/api/ai/ask/:requestId", summary: "Let go of a turn: stop it", access: "account", query: noQuery },
    answers: { 200: { about: "It is let go of.", schema: releasedResponse } },
    errors: ["cross_site"],
  },
  {
    ...{
      method: "post",
      path: "/api/ai/tutor/goal",
      summary: "Whether a course has anything to say on a goal",
      access: "account",
      query: noQuery,
      body: tutorGoalRequest,
    },
    answers: { 200: { about: "And which courses have, when it has not. No model is asked.", schema: tutorGoalResponse } },
    errors: ["not_found", "rate_limited"],
  },
  {
    ...{
      method: "post",
      path: "/api/ai/tutor/start",
      summary: "A tutoring session on one course",
      access: "account",
      query: noQuery,
      body: tutorStartRequest,
    },
    answers: { 200: { about: tutorAnswer, schema: tutorReply } },
    errors: [...tutorErrors, "unknown_reference", "nothing_to_ask"],
  },
  {
    ...{
      method: "post",
      path: "/api/ai/tutor/turn",
      summary: "What a learner does in a session",
      access: "account",
      query: noQuery,
      body: tutorTurnRequest,
    },
    answers: { 200: { about: tutorAnswer, schema: tutorReply } },
    errors: [...tutorErrors, "stale_course_revision", "stale_session", "wrong_phase", "plan_unverified", "nothing_to_ask"],
  },
  {
    ...{
      method: "get",
      path: "/api/ai/assistants",
      summary: "The assistants that were used on the account's behalf",
      access: "account",
      query: assistantsQuery,
    },
    answers: { 200: { about: "The latest first, a page at a time.", schema: assistantsResponse } },
    errors: [],
  },
  {
    ...{
      method: "post",
      path: "/api/ai/assistants",
      summary: "Ends what an assistant may do, at once, or allows it again",
      access: "account",
      query: noQuery,
      body: assistantRequest,
    },
    answers: { 200: { about: "The assistant as it is now.", schema: assistantResponse } },
    errors: ["not_found"],
  },
  {
    ...{
      method: "post",
      path: "/api/embed/record",
      summary: "What a page of another site may have written down: a conversation begins, a quiz was answered",
      access: "account",
      query: noQuery,
      body: embedRecordRequest,
    },
    answers: { 200: { about: "What became of each change.", schema: pushResponse } },
    errors: ["rate_limited"],
  },
  {
    ...{
      method: "get",
      path: "/api/course-editor/session",
      summary: "Whether this session may edit a course on its page",
      access: "public",
      query: editorSessionQuery,
    },
    answers: { 200: { about: "Whether it may; nothing more for whoever is no owner.", schema: editorSessionResponse } },
  },
  {
    ...{
      method: "get",
      path: "/api/course-editor/source",
      summary: "A revision as its authors wrote it",
      access: "owner",
      query: editorSourceQuery,
    },
    answers: { 200: { about: "The course.", schema: editorSourceResponse } },
    errors: ["not_found", "rate_limited"],
  },
  {
    ...{
      method: "get",
      path: "/api/course-editor/history",
      summary: "Who published a course's revisions, and when",
      access: "owner",
      query: editorHistoryQuery,
    },
    answers: { 200: { about: "The revisions, the latest first.", schema: editorHistoryResponse } },
    errors: ["not_found", "rate_limited"],
  },
  {
    ...{
      method: "post",
      path: "/api/course-editor/publish",
      summary: "Publish the whole course as its next revision; needs the header `X-Course-Publish: 1`",
      access: "owner",
      query: noQuery,
      body: publishRequest,
    },
    answers: { 200: { about: "The revision, the same for a request that is sent again.", schema: publishResponse } },
    errors: ["not_allowed", "not_found", "stale_base", "request_id_reused", "course_invalid", "rate_limited"],
  },
  {
    ...{
      method: "put",
      path: "/api/course-editor/assets/:sha256",
      summary: "Upload a picture of a course under the hash of its bytes; needs the header `X-Course-Publish: 1`",
      access: "owner",
      query: editorAssetQuery,
      bytes: "image/*",
    },
    answers: { 200: { about: "What the course lists for it.", schema: editorAssetResponse } },
    errors: ["cross_site", "not_allowed", "not_found", "too_large", "rate_limited"],
  },
  {
    ...{ method: "post", path: "/api/sync/push", summary: "What a device did", access: "account", query: noQuery, body: pushRequest },
    answers: { 200: { about: "What became of each change.", schema: pushResponse } },
    errors: ["rate_limited"],
  },
];
