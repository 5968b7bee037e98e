import { z } from "zod";
import { bounds } from "../bounds.ts";
import { publishHeader } from "../headers.ts";
import { noQuery } from "../payload.ts";
import { questionBankQuery, questionBankResponse } from "../publication/questions.ts";
import {
  editorAssetParameters,
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
  tutoredRequest,
  tutoredResponse,
} from "../publication/requests.ts";
import { contract, json, perMinute } from "./contract.ts";

const reads = perMinute(bounds.publication.readsPerMinute);
const header = { name: publishHeader, value: "1", refusal: "Publishing needs the header X-Course-Publish: 1." };

export const readEditorSession = contract({
  method: "GET",
  path: "/api/course-editor/session",
  summary: "Whether the caller may edit a course",
  access: "public",
  query: editorSessionQuery,
  responses: { 200: json("Whether they may; no details for anybody but an owner.", editorSessionResponse) },
});

export const readCourseSource = contract({
  method: "GET",
  path: "/api/course-editor/source",
  summary: "The source of a revision, as its authors wrote it",
  access: "owner",
  query: editorSourceQuery,
  limit: reads,
  responses: { 200: json("The course.", editorSourceResponse) },
  problems: ["not_found", "course_not_editable"],
});

export const readCourseHistory = contract({
  method: "GET",
  path: "/api/course-editor/history",
  summary: "Who published the revisions of a course, and when",
  access: "owner",
  query: editorHistoryQuery,
  limit: reads,
  responses: { 200: json("The revisions, newest first.", editorHistoryResponse) },
  problems: ["not_found", "course_not_editable"],
});

export const readQuestionBank = contract({
  method: "GET",
  path: "/api/course-editor/questions",
  summary: "A course's own questions, and how learners answered them",
  access: "owner",
  query: questionBankQuery,
  limit: reads,
  responses: { 200: json("The questions of the live revision; figures from five learners on, never who.", questionBankResponse) },
  problems: ["not_found", "course_not_editable"],
});

export const countTutoredLearners = contract({
  method: "POST",
  path: "/api/course-editor/tutored",
  summary: "How many learners are tutored on what a draft changes",
  access: "owner",
  query: noQuery,
  request: tutoredRequest,
  maxBytes: bounds.publication.bodyBytes,
  limit: reads,
  responses: { 200: json("A number, or `some` for a few; never who.", tutoredResponse) },
  problems: ["not_found", "course_not_editable"],
});

export const publishCourse = contract({
  method: "POST",
  path: "/api/course-editor/publish",
  summary: "Publish a whole course as its next revision; needs the header `X-Course-Publish: 1`",
  access: "owner",
  security: "publication",
  header,
  query: noQuery,
  request: publishRequest,
  // The course itself is checked by the publication, whose findings lead to the place in the course.
  envelope: publishRequest.extend({ course: z.unknown() }),
  maxBytes: bounds.publication.bodyBytes,
  limit: perMinute(bounds.publication.perMinute),
  responses: { 200: json("The revision; the same when a request is sent again.", publishResponse) },
  problems: ["not_allowed", "not_found", "course_not_editable", "stale_base", "request_id_reused", "course_invalid"],
});

export const uploadCourseAsset = contract({
  method: "PUT",
  path: "/api/course-editor/assets/:sha256",
  summary: "Upload a picture of a course under the hash of its bytes; needs the header `X-Course-Publish: 1`",
  access: "owner",
  header,
  parameters: editorAssetParameters,
  query: editorAssetQuery,
  bytes: "image/*",
  maxBytes: bounds.course.assetBytes,
  limit: perMinute(bounds.publication.assetsPerMinute),
  responses: { 200: json("What the course lists for it.", editorAssetResponse) },
  problems: ["cross_site", "not_allowed", "not_found", "course_not_editable"],
});
