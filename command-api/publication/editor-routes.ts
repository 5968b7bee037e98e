import { createHash } from "node:crypto";
import type { Config } from "@colloquy/infra/config.ts";
import { jsonBody } from "@colloquy/infra/http/json-body.ts";
import { requireJson } from "@colloquy/infra/http/mutations.ts";
import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import { perAccount } from "@colloquy/infra/http/rate-limit.ts";
import { courseKeys } from "@colloquy/infra/object-store/course-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { sourceIdOf } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { noQuery, versioned } from "@colloquy/schemas/payload.ts";
import {
  type EditorAssetResponse,
  type EditorHistoryResponse,
  type EditorSessionResponse,
  type EditorSourceResponse,
  editorAssetParameters,
  editorAssetQuery,
  editorHistoryQuery,
  editorSessionQuery,
  editorSourceQuery,
  type PublishResponse,
  publishRequest,
  type TutoredResponse,
  tutoredRequest,
} from "@colloquy/schemas/publication/requests.ts";
import express, { type Request, type Response, Router } from "express";
import { z } from "zod";
import { AssetRefused, takeAsset } from "./assets.ts";
import type { Published } from "./decider.ts";
import { isListed, isOwner, requireListed, requireOwner, requirePublishHeader } from "./editor-access.ts";
import type { Publication } from "./handlers.ts";

interface Needs {
  config: Pick<Config, "PUBLICATION_EDITOR_COURSE_IDS" | "PUBLIC_OBJECT_STORE_COURSE_IDS" | "development">;
  publication: Publication;
  objectStore: Pick<ObjectStore, "put">;
  /** How many learners are being tutored on these sources of a course. */
  tutoredOn(courseId: string, sourceIds: readonly string[]): Promise<number>;
}

/** The routes below take in their bodies themselves, once they know that an owner sends them. */
export const editorPaths = /^\/api\/course-editor\//;

/** What the course itself holds is checked when it is published, with words that lead to the place. */
const envelope = publishRequest.extend({ course: z.unknown() });

/** `/api/course-editor/…`: whether one may edit, what one edits, and publishing it. */
export function editorRoutes({ config, publication, objectStore, tutoredOn }: Needs): Router {
  const publishes = perAccount({ points: bounds.publication.perMinute, seconds: 60 });
  const uploads = perAccount({ points: bounds.publication.assetsPerMinute, seconds: 60 });
  const reads = perAccount({ points: bounds.publication.readsPerMinute, seconds: 60 });
  const router = Router();

  /** The live revision of a course that may be edited. @throws {ProblemError} */
  async function editable(courseId: string): Promise<Published> {
    requireListed(config, courseId);
    const live = await publication.live(courseId);
    if (!live) throw new ProblemError("not_found");
    if (live.origin !== "object-store") throw new ProblemError("course_not_editable");
    return live;
  }

  router.get("/api/course-editor/session", async (request, response) => {
    const { course: courseId } = parse(editorSessionQuery, request.query);
    const owner = isOwner(request.account);
    const live = owner && isListed(config, courseId) ? await publication.live(courseId) : null;
    const base = live?.origin === "object-store" ? { sequence: live.sequence, revisionId: live.revisionId } : null;
    const body: EditorSessionResponse = versioned({ owner, editable: base !== null, courseId, ...(base && { base }) });
    response.set("cache-control", "private, no-store").json(body);
  });

  router.get("/api/course-editor/source", async (request, response) => {
    const { accountId } = requireOwner(request);
    const { course: courseId, revision: revisionId } = parse(editorSourceQuery, request.query);
    await reads(accountId);
    const live = await editable(courseId);
    // Only what the stream names is read: never a key that somebody made up.
    const asked = revisionId === undefined ? live : (await publication.history(courseId)).find((one) => one.revisionId === revisionId);
    if (!asked) throw new ProblemError("not_found");
    const written = await publication.read(asked);
    // An older one that is lost does not come back by asking again; an editor goes on with what is published.
    if (!written)
      throw new ProblemError(asked.revisionId === live.revisionId ? "unavailable" : "not_found", {
        detail: "Parts of this revision are missing from the object store.",
      });
    const { course, sequence } = written;
    const body: EditorSourceResponse = versioned({ course, sequence, revisionId: written.revisionId });
    response.set("cache-control", "private, no-store").json(body);
  });

  router.get("/api/course-editor/history", async (request, response) => {
    const { accountId } = requireOwner(request);
    const { course: courseId } = parse(editorHistoryQuery, request.query);
    await reads(accountId);
    await editable(courseId);
    const published = (await publication.history(courseId)).toReversed().slice(0, bounds.publication.history);
    const revisions = published.map(({ sequence, revisionId, at, publishedBy }) => ({ sequence, revisionId, at, publishedBy }));
    const body: EditorHistoryResponse = versioned({ courseId, revisions });
    response.set("cache-control", "private, no-store").json(body);
  });

  router.post("/api/course-editor/tutored", async (request, response) => {
    const { accountId } = requireOwner(request);
    parse(noQuery, request.query);
    await reads(accountId);
    await received(request, response, requireJson, jsonBody(bounds.publication.bodyBytes));
    const { courseId, changed } = parse(tutoredRequest, request.body);
    await editable(courseId);
    const count = await tutoredOn(
      courseId,
      [...new Set(changed)].map((entityId) => sourceIdOf(courseId, entityId)),
    );
    const learners = count > 0 && count < bounds.publication.learnersCounted ? "some" : count;
    const body: TutoredResponse = versioned({ learners });
    response.set("cache-control", "private, no-store").json(body);
  });

  router.post("/api/course-editor/publish", async (request, response) => {
    const { accountId } = requireOwner(request);
    parse(noQuery, request.query);
    requirePublishHeader(request);
    await publishes(accountId);
    await received(request, response, requireJson, jsonBody(bounds.publication.bodyBytes));
    const { requestId, courseId, base, course, renamedIds, aliases } = parse(envelope, request.body);
    await editable(courseId);
    const { sequence, revisionId, position } = await publication.publishCourse({
      requestId,
      courseId,
      base,
      course,
      renamedIds,
      aliases,
      accountId,
      correlationId: request.id,
      origin: "object-store",
      readAsset: () => Promise.resolve(null),
    });
    const body: PublishResponse = versioned({ sequence, revisionId, position });
    response.json(body);
  });

  router.put("/api/course-editor/assets/:sha256", async (request, response) => {
    const { accountId } = requireOwner(request);
    const { course: courseId } = parse(editorAssetQuery, request.query);
    const { sha256 } = parse(editorAssetParameters, request.params);
    requirePublishHeader(request);
    await uploads(accountId);
    await editable(courseId);
    await received(request, response, express.raw({ limit: bounds.course.assetBytes, type: () => true }));
    const { asset, bytes } = picture(sha256, request.body);
    await objectStore.put(courseKeys.asset(courseId, asset.sha256), bytes, { ifNoneMatch: true });
    const body: EditorAssetResponse = versioned({ sha256: asset.sha256, bytes: asset.bytes, type: asset.type });
    response.json(body);
  });

  return router;
}

/** A picture as it is kept. @throws {ProblemError} for bytes that did not arrive as they were sent, or that are no picture */
function picture(sha256: string, body: unknown): ReturnType<typeof takeAsset> {
  const given = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (createHash("sha256").update(given).digest("hex") !== sha256)
    throw new ProblemError("invalid_request", { detail: "The bytes are not those that the address names. Upload the picture again." });
  try {
    return takeAsset("The picture", given);
  } catch (error) {
    if (error instanceof AssetRefused) throw new ProblemError("invalid_request", { detail: `${error.message}.`, cause: error });
    throw error;
  }
}

/** Runs middleware that takes in a body. */
async function received(request: Request, response: Response, ...handlers: express.RequestHandler[]): Promise<void> {
  for (const handler of handlers)
    await new Promise<void>((resolve, reject) => {
      handler(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error as Error)));
    });
}
