import { z } from "zod";
import { meResponse, signOutResponse } from "../account.ts";
import { askAgainQuery, askFrame, askRequest, releasedResponse } from "../ai/ask.ts";
import { modelsResponse } from "../ai/models.ts";
import { referencesQuery, referencesResponse, sourceQuery, sourceResponse } from "../ai/references.ts";
import { auditedSessionsResponse, auditQuery, auditRecordResponse } from "../audit.ts";
import { conversationResponse, conversationsQuery, conversationsResponse } from "../conversations.ts";
import { courseResponse } from "../courses/reading.ts";
import { coursesResponse, revisionResponse } from "../courses/revision.ts";
import { embedRenewRequest, embedResponse, embedTokenRequest, embedTokenResponse } from "../embed.ts";
import { erasureRequest, erasureResponse } from "../erasure.ts";
import type { ErrorCode } from "../errors.ts";
import { healthResponse, readyResponse } from "../health.ts";
import { noQuery, readQuery } from "../payload.ts";
import { pullQuery, pullResponse, pushRequest, pushResponse, streamedChange, streamQuery } from "../sync/protocol.ts";
import { checkpointLine, evidenceEntry, ledgerKeysResponse } from "../tutor/ledger.ts";
import {
  ledgerQuery,
  tutorReply,
  tutorSessionResponse,
  tutorSessionsQuery,
  tutorSessionsResponse,
  tutorStartRequest,
  tutorTurnRequest,
} from "../tutor/requests.ts";

/** One answer of a route: a payload of ours, or a body of another kind. */
interface Answer {
  about: string;
  /** Such as `text/html`; JSON where a schema is given and nothing else is said. */
  type?: string;
  schema?: z.ZodType;
}

export interface DescribedRoute {
  method: "get" | "post" | "put" | "delete";
  /** As Express writes it. */
  path: string;
  summary: string;
  /** Who may: anybody, whoever is signed in, auditors, whoever has the operator's token. */
  access: "public" | "account" | "auditor" | "operator";
  /** Only JSON routes check theirs; pages take any. */
  query?: z.ZodObject;
  body?: z.ZodType;
  answers: Readonly<Record<number, Answer>>;
  /** Beside those every JSON route may give (see `document.ts`). */
  errors?: readonly ErrorCode[];
}

const page = (about: string): Answer => ({ about, type: "text/html" });
const notModified: Answer = { about: "What the browser has still holds (`If-None-Match`)." };
const moved = (about: string): Answer => ({ about });
const behind = "read_model_behind";

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

/** Every route of the program, by the service that answers it: the table the OpenAPI document is made of. */
export const routes: Readonly<Record<"query" | "command", readonly DescribedRoute[]>> = {
  query: [
    {
      ...{ method: "get", path: "/healthz", summary: "Whether the process answers", access: "public", query: noQuery },
      answers: { 200: { about: "It does.", schema: healthResponse } },
    },
    {
      ...{ method: "get", path: "/readyz", summary: "Whether everything the program leans on works", access: "public", query: noQuery },
      answers: {
        200: { about: "Ready.", schema: readyResponse },
        503: { about: "Not ready; the same body says why.", schema: readyResponse },
      },
    },
    {
      ...{ method: "get", path: "/metrics", summary: "Figures of every process, for Prometheus", access: "operator" },
      answers: { 200: { about: "Text in Prometheus' exposition format.", type: "text/plain" } },
      errors: ["not_found"],
    },
    {
      ...{ method: "get", path: "/api/openapi.json", summary: "This document", access: "public", query: noQuery },
      answers: { 200: { about: "OpenAPI 3.1.", type: "application/json" } },
    },
    {
      ...{ method: "get", path: "/api/me", summary: "Who is signed in, or null", access: "public", query: readQuery },
      answers: { 200: { about: "The account.", schema: meResponse } },
    },
    {
      ...{ method: "get", path: "/api/conversations", summary: "A page of the history", access: "account", query: conversationsQuery },
      answers: { 200: { about: "Newest first, pinned ones before.", schema: conversationsResponse } },
      errors: [behind],
    },
    {
      ...{
        method: "get",
        path: "/api/conversations/:conversationId",
        summary: "One conversation, whole",
        access: "account",
        query: readQuery,
      },
      answers: { 200: { about: "The record.", schema: conversationResponse } },
      errors: ["not_found", behind],
    },
    {
      ...{ method: "get", path: "/api/account/archive", summary: "Everything the account owns", access: "account", query: noQuery },
      answers: { 200: { about: "A zip file.", type: "application/zip" } },
    },
    {
      ...{ method: "get", path: "/api/sync/pull", summary: "Changes after a cursor, in server order", access: "account", query: pullQuery },
      answers: { 200: { about: "A page of changes.", schema: pullResponse } },
    },
    {
      ...{
        method: "get",
        path: "/api/sync/stream",
        summary: "Changes as they come; `Last-Event-ID` resumes",
        access: "account",
        query: streamQuery,
      },
      answers: {
        200: {
          about: "Server-sent events; the data of each is a change, its id the cursor.",
          type: "text/event-stream",
          schema: streamedChange,
        },
      },
      errors: ["rate_limited"],
    },
    {
      ...{ method: "get", path: "/api/courses", summary: "The live courses", access: "public", query: readQuery },
      answers: { 200: { about: "As the catalogue lists them.", schema: coursesResponse } },
      errors: [behind],
    },
    {
      ...{
        method: "get",
        path: "/api/courses/source",
        summary: "The place an address of this site leads to",
        access: "public",
        query: sourceQuery,
      },
      answers: { 200: { about: "The place.", schema: sourceResponse } },
      errors: ["not_found", behind],
    },
    {
      ...{ method: "get", path: "/api/courses/:courseId/revision", summary: "Which revision is live", access: "public", query: readQuery },
      answers: { 200: { about: "The revision.", schema: revisionResponse }, 304: notModified },
      errors: ["not_found", behind],
    },
    {
      ...{
        method: "get",
        path: "/api/courses/:courseId",
        summary: "A course with every address resolved",
        access: "public",
        query: readQuery,
      },
      answers: { 200: { about: "The live revision.", schema: courseResponse }, 304: notModified },
      errors: ["not_found", behind],
    },
    {
      ...{
        method: "get",
        path: "/api/courses/:courseId/assets/:sha256",
        summary: "A picture of a course",
        access: "public",
        query: readQuery,
      },
      answers: { 200: { about: "Its bytes; they never change.", type: "image/*" }, 304: notModified },
      errors: ["not_found", behind],
    },
    {
      ...{
        method: "get",
        path: "/api/ai/references",
        summary: "Places in live courses by name or text",
        access: "public",
        query: referencesQuery,
      },
      answers: { 200: { about: "Best first; for an empty query those published last.", schema: referencesResponse } },
      errors: [behind],
    },
    {
      ...{
        method: "get",
        path: "/api/tutor/sessions",
        summary: "The account's tutoring sessions",
        access: "account",
        query: tutorSessionsQuery,
      },
      answers: { 200: { about: "The one used last first.", schema: tutorSessionsResponse } },
      errors: [behind],
    },
    {
      ...{
        method: "get",
        path: "/api/tutor/sessions/:sessionId",
        summary: "One tutoring session",
        access: "account",
        query: readQuery,
      },
      answers: { 200: { about: "As it stands; answer keys are never in it.", schema: tutorSessionResponse } },
      errors: ["not_found", behind],
    },
    {
      ...{
        method: "get",
        path: "/api/tutor/sessions/:sessionId/ledger",
        summary: "The evidence of a session, chained and signed",
        access: "account",
        query: ledgerQuery,
      },
      answers: {
        200: {
          about: "One entry or checkpoint a line, the last a final checkpoint; with `format=xapi` a JSON list of xAPI 1.0.3 statements.",
          type: "application/x-ndjson",
          schema: z.union([evidenceEntry, checkpointLine]),
        },
      },
      errors: ["not_found", behind],
    },
    {
      ...{
        method: "get",
        path: "/api/tutor/ledger-keys",
        summary: "The public keys that ledgers are signed with",
        access: "public",
        query: noQuery,
      },
      answers: { 200: { about: "The present key first.", schema: ledgerKeysResponse } },
    },
    {
      ...{ method: "get", path: "/api/audit/sessions", summary: "Tutoring sessions to audit", access: "auditor", query: auditQuery },
      answers: { 200: { about: "The one used last first; learners by pseudonym.", schema: auditedSessionsResponse } },
      errors: ["cross_site", "rate_limited", behind],
    },
    {
      ...{
        method: "get",
        path: "/api/audit/sessions/:sessionId",
        summary: "What happened in a session, event by event",
        access: "auditor",
        query: readQuery,
      },
      answers: { 200: { about: "Moments, verification, and where the replay differs.", schema: auditRecordResponse } },
      errors: ["cross_site", "not_found", "rate_limited", behind],
    },
    {
      ...{
        method: "get",
        path: "/api/audit/sessions/:sessionId/ledger",
        summary: "The evidence of a session, chained and signed",
        access: "auditor",
        query: readQuery,
      },
      answers: {
        200: {
          about: "One entry or checkpoint a line, the last a final checkpoint.",
          type: "application/x-ndjson",
          schema: z.union([evidenceEntry, checkpointLine]),
        },
      },
      errors: ["cross_site", "not_found", "rate_limited", behind],
    },
    { method: "get", path: "/", summary: "The front page", access: "public", answers: { 200: page("The page."), 304: notModified } },
    { method: "get", path: "/ai", summary: "The workspace", access: "public", answers: { 200: page("The page.") } },
    {
      ...{ method: "get", path: "/audit", summary: "Search and replay of tutoring sessions, for auditors", access: "public" },
      answers: { 200: page("The page."), 303: moved("Nobody is signed in."), 403: page("The account is no auditor's.") },
    },
    {
      ...{ method: "get", path: "/sign-in", summary: "Ways to sign in", access: "public" },
      answers: { 200: page("The page."), 303: moved("Signed in already.") },
    },
    { method: "get", path: "/courses", summary: "The catalogue", access: "public", answers: { 200: page("The page."), 304: notModified } },
    {
      ...{ method: "get", path: "/courses/:courseId", summary: "The front of a course", access: "public" },
      answers: { 200: page("The page."), 304: notModified, 404: page("There is no such course.") },
    },
    {
      ...{ method: "get", path: "/courses/:courseId/*slugs", summary: "A collection or topic to read", access: "public" },
      answers: {
        200: page("The page."),
        304: notModified,
        308: moved("It has moved."),
        404: page("There is no such page; the nearest are named."),
      },
    },
    {
      ...{ method: "get", path: "/assets/*path", summary: "A file of the built interface", access: "public" },
      answers: { 200: { about: "The file; it never changes under its name.", type: "*/*" }, 304: notModified },
      errors: ["not_found"],
    },
    {
      ...{
        method: "get",
        path: "/api/embed",
        summary: "Whether pages of the asking origin may hold elements",
        access: "public",
        query: noQuery,
      },
      answers: { 200: { about: "Whether they may.", schema: embedResponse } },
    },
    {
      ...{ method: "get", path: "/embed.js", summary: "The script that names the elements for pages of other sites", access: "public" },
      answers: { 200: { about: "The script.", type: "text/javascript" }, 304: notModified },
    },
    { method: "get", path: "/embed", summary: "The reference of the elements", access: "public", answers: { 200: page("The page.") } },
    { method: "get", path: "/embed/try", summary: "The elements, for trying", access: "public", answers: { 200: page("The page.") } },
    {
      ...{ method: "get", path: "/embed/custom-elements.json", summary: "The custom-elements manifest", access: "public" },
      answers: { 200: { about: "The manifest, schema 1.0.0.", type: "application/json" } },
    },
    {
      ...{ method: "get", path: "/embed/sign-in", summary: "The sign-in window of a page of another site", access: "public" },
      answers: { 200: page("What signing in there means."), 303: moved("To signing in."), 403: page("That site is not allowed.") },
    },
    {
      method: "get",
      path: "/icon.svg",
      summary: "The brand",
      access: "public",
      answers: { 200: { about: "The drawing.", type: "image/svg+xml" } },
    },
  ],
  command: [
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
      answers: { 200: { about: "The token, good from that origin alone.", schema: embedTokenResponse } },
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
        path: "/api/ai/tutor/start",
        summary: "A tutoring session on one course",
        access: "account",
        query: noQuery,
        body: tutorStartRequest,
      },
      answers: { 200: { about: tutorAnswer, schema: tutorReply } },
      errors: [...tutorErrors, "unknown_reference"],
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
      errors: [...tutorErrors, "stale_course_revision", "stale_session", "wrong_phase", "plan_unverified"],
    },
    {
      ...{ method: "post", path: "/api/sync/push", summary: "What a device did", access: "account", query: noQuery, body: pushRequest },
      answers: { 200: { about: "What became of each change.", schema: pushResponse } },
      errors: ["rate_limited"],
    },
  ],
};
