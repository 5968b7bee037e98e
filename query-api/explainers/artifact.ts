import { pipeline } from "node:stream/promises";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { filmObjectKey } from "@colloquy/infra/object-store/film-objects.ts";
import type { ByteRange, ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { type Artifact, artifactTypes } from "@colloquy/schemas/explainers/film.ts";
import type { Request, Response } from "express";

const extensions = { video: "mp4", captions: "vtt", chapters: "chapters.vtt", poster: "png", transcript: "json" } as const;

/**
 * Sends an artifact, or the part of it a player asks for, as it comes from the object store. A browser keeps it for its own person only, and
 * asks again whether it still may each time: what is in a film is seen by its owner alone.
 * @throws {ProblemError} `not_found` when it was lost or damaged
 */
export async function sendArtifact(
  request: Request,
  response: Response,
  objectStore: Pick<ObjectStore, "stream">,
  artifact: Artifact,
  isWhole: (artifact: Artifact) => Promise<boolean>,
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
  if (!(await isWhole(artifact))) throw gone(response);
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
  if (!found) throw gone(response);
  await pipeline(found.stream, response).catch((error: unknown) => {
    // Players leave in the middle all the time.
    if (!response.destroyed) throw error;
  });
}

/** What the viewer of a film is told whose bytes were lost or damaged: trying again does not bring them back, making it again does. */
function gone(response: Response): ProblemError {
  for (const name of response.getHeaderNames()) if (/^(content|etag|accept)/.test(name)) response.removeHeader(name);
  return new ProblemError("not_found", { detail: "A part of this film was lost or damaged. Have it made again." });
}

/** Whether `If-None-Match` names what there is. */
const matches = (header: string | undefined, etag: string): boolean =>
  header?.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag) ?? false;

/**
 * The one range a request asks for; null for none, and for what is no single range of bytes: then the whole is sent.
 */
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
