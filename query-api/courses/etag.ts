import { createHash } from "node:crypto";
import type { Request, Response } from "express";

/**
 * Says what a response depends on, so that a browser that has it already is told so before anything is made.
 * @returns whether the answer was "not modified" and has been sent.
 */
export function notModified(request: Request, response: Response, ...dependsOn: (string | number)[]): boolean {
  response.set("etag", `W/"${createHash("sha256").update(JSON.stringify(dependsOn)).digest("base64url").slice(0, 27)}"`);
  if (!request.fresh) return false;
  response.status(304).end();
  return true;
}
