import { z } from "zod";
import { artifactKind } from "../explainers/film.ts";
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
} from "../explainers/worker.ts";
import { filmBounds } from "../film-bounds.ts";
import { id, noQuery } from "../payload.ts";
import { contract, idIn, json } from "./contract.ts";

const root = "/api/visual-explainers/worker";
const problems = ["not_found", "lease_lost"] as const;

export const claimJob = contract({
  method: "POST",
  path: `${root}/claim`,
  summary: "Claim a video to render",
  access: "worker",
  query: noQuery,
  request: claimRequest,
  responses: {
    200: json("The job, under a lease.", claimResponse),
    204: { description: "No job waits that this worker can do." },
  },
  problems: ["not_found"],
});

export const renewLease = contract({
  method: "POST",
  path: `${root}/jobs/:jobId/lease`,
  summary: "Renew the lease of a job and report its progress",
  access: "worker",
  parameters: idIn("jobId"),
  query: noQuery,
  request: leaseRequest,
  responses: { 200: json("How long the lease holds, and whether to stop.", leaseResponse) },
  problems,
});

export const uploadArtifact = contract({
  method: "PUT",
  path: `${root}/jobs/:jobId/artifacts/:kind`,
  summary: "Upload a rendered file under the hash of its bytes",
  access: "worker",
  parameters: z.object({ jobId: id, kind: artifactKind }),
  query: artifactQuery,
  bytes: "application/octet-stream",
  maxBytes: filmBounds.artifactBytes,
  responses: { 200: json("It is stored.", artifactResponse) },
  problems,
});

export const completeRender = contract({
  method: "POST",
  path: `${root}/jobs/:jobId/complete`,
  summary: "Report that a video is rendered",
  access: "worker",
  parameters: idIn("jobId"),
  query: noQuery,
  request: completeRequest,
  responses: { 200: json("It is accepted.", workerResponse) },
  problems,
});

export const failRender = contract({
  method: "POST",
  path: `${root}/jobs/:jobId/fail`,
  summary: "Report that a video could not be rendered",
  access: "worker",
  parameters: idIn("jobId"),
  query: noQuery,
  request: failRequest,
  responses: { 200: json("It is retried later, or has failed for good.", workerResponse) },
  problems,
});
