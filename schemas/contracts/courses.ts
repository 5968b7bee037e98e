import { z } from "zod";
import { courseResponse } from "../courses/reading.ts";
import { coursesResponse, identityResponse, revisionResponse } from "../courses/revision.ts";
import { id, readQuery } from "../payload.ts";
import { sourceQuery, sourceResponse } from "../sources/references.ts";
import { content, contract, idIn, json, notModified } from "./contract.ts";

const problems = ["not_found", "read_model_behind"] as const;
const cache = "public, no-cache";

export const listCourses = contract({
  method: "GET",
  path: "/api/courses",
  summary: "The live courses",
  access: "public",
  embed: "public",
  query: readQuery,
  cache,
  responses: { 200: json("In the catalogue's order.", coursesResponse) },
  problems: ["read_model_behind"],
});

export const resolveSource = contract({
  method: "GET",
  path: "/api/courses/source",
  summary: "The place in a course that an address leads to",
  access: "public",
  embed: "public",
  query: sourceQuery,
  cache: "no-cache",
  responses: { 200: json("The place.", sourceResponse) },
  problems,
});

export const readRevision = contract({
  method: "GET",
  path: "/api/courses/:courseId/revision",
  summary: "Which revision of a course is live",
  access: "public",
  embed: "public",
  parameters: idIn("courseId"),
  query: readQuery,
  cache,
  responses: { 200: json("The revision.", revisionResponse), 304: notModified },
  problems,
});

export const readIdentity = contract({
  method: "GET",
  path: "/api/courses/:courseId/identity",
  summary: "What became of earlier addresses and ids of a course",
  access: "public",
  parameters: idIn("courseId"),
  query: readQuery,
  cache,
  responses: { 200: json("Moved pages, renamed ids, deleted ids.", identityResponse), 304: notModified },
  problems,
});

export const readCourse = contract({
  method: "GET",
  path: "/api/courses/:courseId",
  summary: "A whole course with every address resolved",
  access: "public",
  embed: "public",
  parameters: idIn("courseId"),
  query: readQuery,
  cache,
  responses: { 200: json("The live revision.", courseResponse), 304: notModified },
  problems,
});

export const readCourseAsset = contract({
  method: "GET",
  path: "/api/courses/:courseId/assets/:sha256",
  summary: "A picture of a course",
  access: "public",
  embed: "public",
  parameters: z.object({ courseId: id, sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  query: readQuery,
  cache: "public, max-age=31536000, immutable",
  responses: { 200: content("image/*", "Its bytes, which never change."), 304: notModified },
  problems,
});
