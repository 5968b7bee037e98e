import { z } from "zod";
import { bounds } from "../bounds.ts";
import type { ErrorCode } from "../errors.ts";
import { noQuery, readQuery } from "../payload.ts";
import { checkpointLine, evidenceEntry, ledgerKeysResponse } from "../tutor/ledger.ts";
import {
  ledgerQuery,
  tutorGoalRequest,
  tutorGoalResponse,
  tutorReply,
  tutorSessionResponse,
  tutorSessionsQuery,
  tutorSessionsResponse,
  tutorStartRequest,
  tutorTurnRequest,
} from "../tutor/requests.ts";
import { contract, idIn, json, ndjson, perMinute } from "./contract.ts";
import { exampleIds } from "./example-ids.ts";

const { courseId, conversationId, sessionId, courseRevisionId, requestId } = exampleIds;
const goal = "Know which directions a map leaves alone";
const turns = perMinute(bounds.tutor.turnsPerMinute);
const reply = json(
  "The session. With `accept: application/x-ndjson` as frames: `status`, `citation`, `text_delta`, then `complete` or `error`.",
  tutorReply,
);
const problems = [
  "not_found",
  "request_id_reused",
  "model_not_capable",
  "ai_unavailable",
  "ai_timeout",
  "quota_exhausted",
] as const satisfies ErrorCode[];

export const checkGoal = contract({
  method: "POST",
  path: "/api/ai/tutor/goal",
  summary: "Check whether a course covers a goal",
  access: "account",
  embed: "learner",
  query: noQuery,
  request: tutorGoalRequest,
  limit: turns,
  responses: { 200: json("Whether it does, and otherwise which courses do. No model is asked.", tutorGoalResponse) },
  problems: ["not_found"],
  example: { schemaVersion: 1, courseId, goal },
});

export const startTutoring = contract({
  method: "POST",
  path: "/api/ai/tutor/start",
  summary: "Start a tutoring session on a course",
  access: "account",
  embed: "learner",
  query: noQuery,
  request: tutorStartRequest,
  limit: turns,
  responses: { 200: reply },
  problems: [...problems, "unknown_reference", "nothing_to_ask", "no_questions", "questions_shown"],
  example: { schemaVersion: 1, requestId, conversationId, courseId, goal, references: [], model: { choice: "automatic" } },
});

export const takeTutorTurn = contract({
  method: "POST",
  path: "/api/ai/tutor/turn",
  summary: "Send a learner's action in a session",
  access: "account",
  embed: "learner",
  query: noQuery,
  request: tutorTurnRequest,
  limit: turns,
  responses: { 200: reply },
  problems: [
    ...problems,
    "stale_course_revision",
    "stale_session",
    "wrong_phase",
    "check_spelling",
    "plan_unverified",
    "nothing_to_ask",
    "questions_shown",
  ],
  example: { schemaVersion: 1, requestId, sessionId, expectedVersion: 0, courseRevisionId, action: { type: "pause" } },
});

export const listTutorSessions = contract({
  method: "GET",
  path: "/api/tutor/sessions",
  summary: "The account's tutoring sessions",
  access: "account",
  query: tutorSessionsQuery,
  responses: { 200: json("Most recently used first.", tutorSessionsResponse) },
  problems: ["read_model_behind"],
});

export const readTutorSession = contract({
  method: "GET",
  path: "/api/tutor/sessions/:sessionId",
  summary: "One tutoring session",
  access: "account",
  embed: "learner",
  owned: true,
  parameters: idIn("sessionId"),
  query: readQuery,
  responses: { 200: json("As it stands, without answer keys.", tutorSessionResponse) },
  problems: ["not_found", "read_model_behind"],
});

export const exportLedger = contract({
  method: "GET",
  path: "/api/tutor/sessions/:sessionId/ledger",
  summary: "Export the signed evidence ledger of a session",
  access: "account",
  owned: true,
  parameters: idIn("sessionId"),
  query: ledgerQuery,
  responses: {
    200: ndjson(
      "One entry or checkpoint per line, the last a final checkpoint; with `format=xapi` a JSON list of xAPI 1.0.3 statements.",
      z.union([evidenceEntry, checkpointLine]),
    ),
  },
  problems: ["not_found", "read_model_behind"],
});

export const listLedgerKeys = contract({
  method: "GET",
  path: "/api/tutor/ledger-keys",
  summary: "The public keys that ledgers are signed with",
  access: "public",
  query: noQuery,
  cache: "public, max-age=60",
  responses: { 200: json("The current key first.", ledgerKeysResponse) },
});
