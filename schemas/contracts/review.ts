import { bounds } from "../bounds.ts";
import { noQuery, readQuery } from "../payload.ts";
import { reviewAnswerReply, reviewAnswerRequest, reviewResponse } from "../review/requests.ts";
import { contract, json, perMinute } from "./contract.ts";
import { exampleIds } from "./example-ids.ts";

export const readReview = contract({
  method: "GET",
  path: "/api/review",
  summary: "The account's review cards",
  access: "account",
  query: readQuery,
  responses: { 200: json("The cards, worded as in the live revisions.", reviewResponse) },
  problems: ["read_model_behind"],
});

const { requestId, courseId } = exampleIds;

export const answerReview = contract({
  method: "POST",
  path: "/api/review/answers",
  summary: "Answer a review card's question",
  access: "account",
  query: noQuery,
  request: reviewAnswerRequest,
  limit: perMinute(bounds.tutor.turnsPerMinute),
  responses: { 200: json("How it was marked, and what it changed in the evidence.", reviewAnswerReply) },
  problems: ["not_found", "stale_course_revision", "wrong_phase", "check_spelling", "request_id_reused"],
  example: {
    schemaVersion: 1,
    requestId,
    courseId,
    objectiveId: "obj-eigen-definition",
    blockId: "eig-q-def-1",
    digest: "0".repeat(64),
    response: { text: "-3" },
  },
});
