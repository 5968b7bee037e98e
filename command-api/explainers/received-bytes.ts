import { createHash } from "node:crypto";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Request } from "express";

/** Takes in an artifact as it comes, as many bytes as were said and no more. @throws {ProblemError} `too_large`, `invalid_request` when they are not what was said */
export async function receivedBytes(request: Request, sha256: string): Promise<Buffer> {
  const wrong = (detail: string): ProblemError => new ProblemError("invalid_request", { detail });
  const length = Number(request.headers["content-length"] ?? Number.NaN);
  if (!Number.isInteger(length) || length < 1) throw wrong("Say how long the artifact is (content-length).");
  if (length > bounds.explainer.artifactBytes) throw new ProblemError("too_large");
  const hash = createHash("sha256");
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (at + chunk.length > length) throw wrong("More bytes came than were said.");
    hash.update(chunk);
    at += chunk.copy(bytes, at);
  }
  if (at < length) throw wrong("Fewer bytes came than were said.");
  if (hash.digest("hex") !== sha256) throw wrong("The bytes are not those that the address names. Upload the artifact again.");
  return bytes;
}
