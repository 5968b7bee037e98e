import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { route, sent, serve } from "@colloquy/infra/http/route.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import { isOwner } from "@colloquy/schemas/accounts/account.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { searchReferences } from "@colloquy/schemas/contracts/ask.ts";
import * as contracts from "@colloquy/schemas/contracts/courses.ts";
import { pageKey } from "@colloquy/schemas/courses/identity.ts";
import { imageType } from "@colloquy/schemas/courses/image-type.ts";
import type { CourseResponse } from "@colloquy/schemas/courses/reading.ts";
import type { CourseListing, Passage, Source } from "@colloquy/schemas/courses/revision.ts";
import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";
import type { Router } from "express";
import { notModified } from "../etag.ts";
import type { Entry } from "./contents.ts";
import { assetHref } from "./render-topic.ts";
import { type CourseRevision, type CourseRevisions, readableBy } from "./revisions.ts";

/** The part of the passage library that is used here. */
export interface References {
  references(query: string): Promise<ReferenceResult[]>;
  resolve(reference: { href: string }): Promise<{ source: Source; courseId: string; revisionId: string; passages: Passage[] } | null>;
}

/** Waits until the projection of courses has applied a position. @throws {ProblemError} `read_model_behind` */
export type WaitForCourses = (after: string | undefined) => Promise<void>;

interface Needs {
  revisions: CourseRevisions;
  catalogue: Pick<CourseCatalogue, "list">;
  library: References;
  waitForCourses: WaitForCourses;
}

/** `GET /api/courses/…` and `GET /api/ai/references`: public. What is for instructors is answered to owners only. */
export function courseApi({ revisions, catalogue, library, waitForCourses: hold }: Needs): Router {
  const live = async (courseId: string, after: string | undefined): Promise<CourseRevision> => {
    await hold(after);
    const revision = await revisions.live(courseId);
    if (!revision) throw new ProblemError("not_found");
    return revision;
  };

  return serve([
    route(contracts.listCourses, async ({ query: { after } }) => {
      await hold(after);
      const listed = ({ position: _, ...course }: CourseListing) => course;
      return { courses: (await catalogue.list()).map(listed) };
    }),
    // Before the routes with a course's id, which would match its path.
    route(contracts.resolveSource, async ({ query: { href, after }, request }) => {
      await hold(after);
      const resolved = await library.resolve({ href });
      if (!resolved || (resolved.source.audience === "instructors" && !isOwner(request.account))) throw new ProblemError("not_found");
      return { source: referenceOf(resolved) };
    }),
    route(contracts.readRevision, async ({ parameters, query: { after }, request, response }) => {
      const { courseId, sequence, revisionId } = (await live(parameters.courseId, after)).listing;
      if (notModified(request, response, courseId, sequence, revisionId)) return sent;
      return { courseId, sequence, revisionId };
    }),
    route(contracts.readIdentity, async ({ parameters, query: { after }, request, response }) => {
      const revision = readableBy(request.account, await live(parameters.courseId, after));
      const { courseId, sequence, revisionId } = revision.listing;
      if (notModified(request, response, courseId, sequence, revisionId, revision.audience)) return sent;
      const { aliases, renames, deleted } = await revision.identity();
      const pages = [...aliases].flatMap(([from, target]) => {
        const to = revision.contents.byId.get(target)?.path;
        return to === undefined ? [] : [{ from: pageKey(courseId, from), to: pageKey(courseId, to) }];
      });
      return { courseId, sequence, revisionId, pages, renames: [...renames], deleted: [...deleted] };
    }),
    route(contracts.readCourse, async ({ parameters, query: { after }, request, response }) => {
      const revision = readableBy(request.account, await live(parameters.courseId, after));
      const { courseId, sequence, revisionId } = revision.listing;
      if (notModified(request, response, courseId, sequence, revisionId, revision.audience)) return sent;
      return { course: await resolvedCourse(revision) };
    }),
    route(contracts.readCourseAsset, async ({ parameters: { courseId, sha256 }, query: { after }, request, response }) => {
      const bytes = await (await live(courseId, after)).asset(sha256);
      const type = bytes && imageType(bytes);
      if (!bytes || !type) throw new ProblemError("not_found");
      response.set({
        etag: `"${sha256}"`,
        "content-type": type,
        // An SVG that is opened as a page can style itself and nothing else.
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        "content-disposition": "inline",
      });
      if (request.fresh) response.status(304).end();
      else response.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      return sent;
    }),
    route(searchReferences, async ({ query: { q, after } }) => {
      await hold(after);
      return { references: await library.references(q) };
    }),
  ]);
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
