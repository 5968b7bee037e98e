import { createHash } from "node:crypto";
import type { Request, Response } from "express";

/** The name of a state: the same whenever everything it depends on is. */
export const etagOf = (...dependsOn: (string | number)[]): string =>
  `W/"${createHash("sha256").update(JSON.stringify(dependsOn)).digest("base64url").slice(0, 27)}"`;

/**
 * Says what a response depends on, so that a browser that has it already is told so before anything is made.
 * @returns whether the answer was "not modified" and has been sent.
 */
export function notModified(request: Request, response: Response, ...dependsOn: (string | number)[]): boolean {
  const etag = etagOf(...dependsOn);
  response.set("etag", etag);
  // Express calls everything stale for `cache-control: no-cache`, which scripts send with every condition of their own; we are the origin.
  const known = request
    .get("if-none-match")
    ?.split(",")
    .some((tag) => tag.trim() === etag);
  if (known) response.status(304).end();
  return known === true;
}
