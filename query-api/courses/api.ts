import { ProblemError, parse } from "@colloquy/infra/http/problem.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { pageKey } from "@colloquy/schemas/courses/identity.ts";
import { imageType } from "@colloquy/schemas/courses/image-type.ts";
import type { CourseResponse } from "@colloquy/schemas/courses/reading.ts";
import type {
  CourseListing,
  CoursesResponse,
  IdentityResponse,
  Passage,
  RevisionResponse,
  Source,
} from "@colloquy/schemas/courses/revision.ts";
import { id, readQuery, versioned } from "@colloquy/schemas/payload.ts";
import {
  type ReferenceResult,
  type ReferencesResponse,
  referencesQuery,
  type SourceResponse,
  sourceQuery,
} from "@colloquy/schemas/sources/references.ts";
import { type Request, Router } from "express";
import { z } from "zod";
import { notModified } from "../etag.ts";
import type { Entry } from "./contents.ts";
import { assetHref } from "./render-topic.ts";
import type { CourseRevision, CourseRevisions } from "./revisions.ts";

/** The part of the passage library that is used here. */
export interface References {
  references(query: string): Promise<ReferenceResult[]>;
  resolve(reference: { href: string }): Promise<{ source: Source; courseId: string; revisionId: string; passages: Passage[] } | null>;
}

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Waits until the projection of courses has applied a position. @throws {ProblemError} `read_model_behind` */
export type WaitForCourses = (after: string | undefined) => Promise<void>;

interface Needs {
  revisions: CourseRevisions;
  catalogue: Pick<CourseCatalogue, "list">;
  library: References;
  waitForCourses: WaitForCourses;
}

/** `GET /api/courses/…` and `GET /api/ai/references`: all of it public. */
export function courseApi({ revisions, catalogue, library, waitForCourses: hold }: Needs): Router {
  const router = Router();
  const waitForQuery = async (request: Request): Promise<void> => hold(parse(readQuery, request.query).after);
  const live = async (courseId: unknown): Promise<CourseRevision> => {
    const checked = id.safeParse(courseId);
    const revision = checked.success ? await revisions.live(checked.data) : null;
    if (!revision) throw new ProblemError("not_found");
    return revision;
  };

  router.get("/api/courses", async (request, response) => {
    await waitForQuery(request);
    const listed = ({ position: _, ...course }: CourseListing) => course;
    const body: CoursesResponse = versioned({ courses: (await catalogue.list()).map(listed) });
    response.set("cache-control", "public, no-cache").json(body);
  });

  router.get("/api/courses/source", async (request, response) => {
    const { href, after } = parse(sourceQuery, request.query);
    await hold(after);
    const resolved = await library.resolve({ href });
    if (!resolved) throw new ProblemError("not_found");
    const body: SourceResponse = versioned({ source: referenceOf(resolved) });
    response.set("cache-control", "no-cache").json(body);
  });

  router.get("/api/courses/:courseId/revision", async (request, response) => {
    await waitForQuery(request);
    const { courseId, sequence, revisionId } = (await live(request.params.courseId)).listing;
    response.set("cache-control", "public, no-cache");
    if (notModified(request, response, courseId, sequence, revisionId)) return;
    const body: RevisionResponse = versioned({ courseId, sequence, revisionId });
    response.json(body);
  });

  router.get("/api/courses/:courseId/identity", async (request, response) => {
    await waitForQuery(request);
    const revision = await live(request.params.courseId);
    response.set("cache-control", "public, no-cache");
    const { courseId, sequence, revisionId } = revision.listing;
    if (notModified(request, response, courseId, sequence, revisionId)) return;
    const { aliases, renames, deleted } = await revision.identity();
    const pages = [...aliases].flatMap(([from, target]) => {
      const to = revision.contents.byId.get(target)?.path;
      return to === undefined ? [] : [{ from: pageKey(courseId, from), to: pageKey(courseId, to) }];
    });
    const body: IdentityResponse = versioned({ courseId, sequence, revisionId, pages, renames: [...renames], deleted: [...deleted] });
    response.json(body);
  });

  router.get("/api/courses/:courseId", async (request, response) => {
    await waitForQuery(request);
    const revision = await live(request.params.courseId);
    response.set("cache-control", "public, no-cache");
    if (notModified(request, response, revision.listing.courseId, revision.listing.sequence, revision.listing.revisionId)) return;
    const body: CourseResponse = versioned({ course: await resolvedCourse(revision) });
    response.json(body);
  });

  router.get("/api/courses/:courseId/assets/:sha256", async (request, response) => {
    await waitForQuery(request);
    const hash = sha256.safeParse(request.params.sha256);
    if (!hash.success) throw new ProblemError("not_found");
    const bytes = await (await live(request.params.courseId)).asset(hash.data);
    const type = bytes && imageType(bytes);
    if (!bytes || !type) throw new ProblemError("not_found");
    response.set({
      "cache-control": "public, max-age=31536000, immutable",
      etag: `"${hash.data}"`,
      "content-type": type,
      // An SVG that is opened as a page can style itself and nothing else.
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "content-disposition": "inline",
    });
    if (request.fresh) return void response.status(304).end();
    response.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  });

  router.get("/api/ai/references", async (request, response) => {
    const { q, after } = parse(referencesQuery, request.query);
    await hold(after);
    const body: ReferencesResponse = versioned({ references: await library.references(q) });
    response.set("cache-control", "private, no-cache").json(body);
  });

  return router;
}

function referenceOf({ source, courseId, revisionId, passages }: NonNullable<Awaited<ReturnType<References["resolve"]>>>): ReferenceResult {
  const { sourceId, kind, href, title, trail } = source;
  const text = (passages[0]?.text ?? "").replaceAll(/\s+/g, " ").trim();
  const longest = bounds.references.excerptLength;
  const excerpt = text.length > longest ? `${text.slice(0, longest - 1).replace(/\s\S*$/, "")}…` : text;
  return { sourceId, kind, href, title, trail, courseId, revisionId, excerpt };
}

/** A course with every address resolved, for other programs. */
async function resolvedCourse(revision: CourseRevision): Promise<CourseResponse["course"]> {
  const { manifest, contents, listing } = revision;
  const { courseId, title, summary, language, license } = manifest;
  const contentsOf = (entry: Entry): CourseResponse["course"]["contents"][number] => ({
    kind: entry.kind,
    id: entry.id,
    href: entry.href,
    title: entry.title,
    children: entry.children.map(contentsOf),
  });
  return {
    courseId,
    revisionId: listing.revisionId,
    sequence: listing.sequence,
    origin: listing.origin,
    title,
    summary,
    language,
    ...(license !== undefined && { license }),
    contents: contents.root.map(contentsOf),
    topics: await Promise.all(contents.topics.map(async ({ id, href }) => ({ ...(await revision.topic(id)), href }))),
    assets: [...revision.assets.values()].map((asset) => ({ ...asset, href: assetHref(courseId, asset.sha256) })),
  };
}
