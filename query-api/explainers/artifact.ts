import { pipeline } from "node:stream/promises";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { filmObjectKey, isWhole } from "@colloquy/infra/object-store/film-objects.ts";
import type { ByteRange, ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { type Artifact, artifactTypes } from "@colloquy/schemas/explainers/film.ts";
import type { Request, Response } from "express";
import { LRUCache } from "lru-cache";

const extensions = { video: "mp4", captions: "vtt", chapters: "chapters.vtt", poster: "png", transcript: "json" } as const;

/** How long a whole artifact counts as whole, in milliseconds: a player requests it in many ranges. */
const wholeForMs = 60_000;

/** Whether an artifact is stored without damage. A damaged one is checked at each request, because it may have been repaired. */
export function artifactCheck(objectStore: Pick<ObjectStore, "stream">, now: () => number): (artifact: Artifact) => Promise<boolean> {
  const checkedAt = new LRUCache<string, number>({ max: 1_000 });
  return async (artifact) => {
    const at = checkedAt.get(artifact.sha256);
    if (at !== undefined && now() - at < wholeForMs) return true;
    checkedAt.delete(artifact.sha256);
    if (!(await isWhole(objectStore, artifact))) return false;
    checkedAt.set(artifact.sha256, now());
    return true;
  };
}

/**
 * Streams an artifact, or the requested range, from the object store. A browser may cache it for its user only and must revalidate it,
 * because only the film's owner may see it.
 * @throws {ProblemError} `not_found` if it was lost or damaged
 */
export async function sendArtifact(
  request: Request,
  response: Response,
  objectStore: Pick<ObjectStore, "stream">,
  artifact: Artifact,
  checkArtifact: (artifact: Artifact) => Promise<boolean>,
): Promise<void> {
  const { kind, sha256, bytes: size } = artifact;
  const etag = `"${sha256}"`;
  response.set({
    "content-type": artifactTypes[kind],
    "content-disposition": `inline; filename="film.${extensions[kind]}"`,
    "cache-control": "private, no-cache",
    "accept-ranges": "bytes",
    vary: "cookie",
    etag,
  });
  if (matches(request.get("if-none-match"), etag)) return void response.status(304).end();
  if (!(await checkArtifact(artifact))) throw lost(response);
  const condition = request.get("if-range");
  const range = condition === undefined || condition === etag ? rangeOf(request.get("range"), size) : null;
  if (range === "unsatisfiable") {
    response.set("content-range", `bytes */${size}`).removeHeader("content-disposition");
    return void response.status(416).end();
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  response.status(range ? 206 : 200).set("content-length", String(end - start + 1));
  if (range) response.set("content-range", `bytes ${start}-${end}/${size}`);
  if (request.method === "HEAD") return void response.end();
  const found = await objectStore.stream(filmObjectKey(sha256), { start, end });
  if (!found) throw lost(response);
  await pipeline(found.stream, response).catch((error: unknown) => {
    // Players often close the connection early.
    if (!response.destroyed) throw error;
  });
}

/** The problem for a lost or damaged film: a retry does not help, a new render does. */
function lost(response: Response): ProblemError {
  for (const name of response.getHeaderNames()) if (/^(content|etag|accept)/.test(name)) response.removeHeader(name);
  return new ProblemError("not_found", { detail: "A part of this film was lost or damaged. Create it again." });
}

/** Whether `If-None-Match` names this ETag. */
const matches = (header: string | undefined, etag: string): boolean =>
  header?.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag) ?? false;

/** The single byte range of a request; null if there is none or several: then the whole artifact is sent. */
export function rangeOf(header: string | undefined, size: number): Required<ByteRange> | "unsatisfiable" | null {
  const [, first = "", last = ""] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return null;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}
