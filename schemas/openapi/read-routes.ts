import { z } from "zod";
import { meResponse } from "../account.ts";
import { referencesQuery, referencesResponse, sourceQuery, sourceResponse } from "../ai/references.ts";
import { auditedSessionsResponse, auditQuery, auditRecordResponse } from "../audit.ts";
import { conversationResponse, conversationsQuery, conversationsResponse } from "../conversations.ts";
import { courseResponse } from "../courses/reading.ts";
import { coursesResponse, identityResponse, revisionResponse } from "../courses/revision.ts";
import { healthResponse, readyResponse } from "../health.ts";
import { noQuery, readQuery } from "../payload.ts";
import { reviewResponse } from "../review.ts";
import { annotatedResponse, pullQuery, pullResponse, streamedChange, streamQuery } from "../sync/protocol.ts";
import { checkpointLine, evidenceEntry, ledgerKeysResponse } from "../tutor/ledger.ts";
import { ledgerQuery, tutorSessionResponse, tutorSessionsQuery, tutorSessionsResponse } from "../tutor/requests.ts";
import { behind, type DescribedRoute, notModified } from "./described.ts";

/** What is read as JSON, and how the program is. */
export const reads: readonly DescribedRoute[] = [
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
    ...{ method: "get", path: "/api/annotations", summary: "Whether anything was marked or drawn", access: "account", query: noQuery },
    answers: { 200: { about: "Whether it was.", schema: annotatedResponse }, 304: notModified },
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
      path: "/api/courses/:courseId/identity",
      summary: "What became of pages and ids that were published once",
      access: "public",
      query: readQuery,
    },
    answers: { 200: { about: "Moved pages, renamed ids, deleted ids.", schema: identityResponse }, 304: notModified },
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
    ...{ method: "get", path: "/api/review", summary: "What the account reviews", access: "account", query: readQuery },
    answers: { 200: { about: "Its cards, in the words of the live revisions.", schema: reviewResponse } },
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
];
