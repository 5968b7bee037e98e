import { createHash } from "node:crypto";
import type { Request, Response } from "express";

/** A weak ETag of everything that a response depends on. */
export const etagOf = (...dependsOn: (string | number)[]): string =>
  `W/"${createHash("sha256").update(JSON.stringify(dependsOn)).digest("base64url").slice(0, 27)}"`;

/**
 * Sets the ETag and answers 304 if the browser already has this state, before the response is made.
 * @returns whether 304 was sent
 */
export function notModified(request: Request, response: Response, ...dependsOn: (string | number)[]): boolean {
  const etag = etagOf(...dependsOn);
  response.set("etag", etag);
  // Not `request.fresh`: Express treats every request with `cache-control: no-cache` as stale, which scripts send with their own conditions.
  const known = request
    .get("if-none-match")
    ?.split(",")
    .some((tag) => tag.trim() === etag);
  if (known) response.status(304).end();
  return known === true;
}
