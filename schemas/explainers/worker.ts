import { z } from "zod";
import { filmBounds } from "../film-bounds.ts";
import { id, payload } from "../payload.ts";
import { artifact, artifactKinds, filmMetrics } from "./film.ts";
import { failureCode, progress, renderJob } from "./render.ts";

/** `POST /api/visual-explainers/worker/claim`: 200 with a job, 204 without one. Bearer token of the workers. */
export const claimRequest = payload({
  workerId: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, "expected letters, digits, `.`, `_` and `-`, at most 64"),
  capabilities: z.strictObject({ rendererVersion: z.int().min(1), voices: z.boolean() }),
});
export const claimResponse = payload({ job: renderJob, leaseId: id, leaseSeconds: z.int().min(1) });
export type ClaimResponse = z.infer<typeof claimResponse>;

/** `POST …/worker/jobs/:jobId/lease`: renews the lease and says how far the render is; `stop`: it was cancelled. */
export const leaseRequest = payload({ leaseId: id, progress });
export const leaseResponse = payload({ leaseSeconds: z.int().min(1), stop: z.boolean() });

/** `PUT …/worker/jobs/:jobId/artifacts/:kind?leaseId=&sha256=`: the bytes, `content-length` stated. */
export const artifactQuery = z.strictObject({ leaseId: id, sha256: artifact.shape.sha256 });
export const artifactResponse = payload({ stored: z.literal(true) });

/** `POST …/worker/jobs/:jobId/complete`. */
export const completeRequest = payload({
  leaseId: id,
  milliseconds: z.int().min(1).max(filmBounds.filmMs),
  artifacts: z.array(artifact).min(1).max(artifactKinds.length),
  metrics: filmMetrics,
});
/** `POST …/worker/jobs/:jobId/fail`. */
export const failRequest = payload({ leaseId: id, code: failureCode, retryable: z.boolean() });
export const workerResponse = payload({ accepted: z.literal(true) });
