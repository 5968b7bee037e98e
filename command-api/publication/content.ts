import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import type { CourseOrigin, IdentityIndex, RevisionManifest, RevisionUnit } from "@colloquy/schemas/courses/revision.ts";
import canonicalize from "canonicalize";
import { sha256Of } from "./assets.ts";

/** A value as bytes: RFC 8785, so that the same value is always the same bytes. */
export function bytesOf(value: object): Uint8Array {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("Not a JSON value");
  return new TextEncoder().encode(text);
}

/** What a course consists of, named by content. */
export interface CourseContent {
  /** By their hash. */
  units: Map<string, Uint8Array>;
  /** A manifest but for its sequence. */
  manifest: Omit<RevisionManifest, "sequence">;
  /** Of everything its authors wrote. */
  contentHash: string;
}

/** Cuts a course into its units. @param course one that passed validation. */
export function contentOf(course: AuthoredCourse, origin: CourseOrigin): CourseContent {
  const units = new Map<string, Uint8Array>();
  const addUnit = (unit: RevisionUnit): string => {
    const bytes = bytesOf(unit);
    const sha256 = sha256Of(bytes);
    units.set(sha256, bytes);
    return sha256;
  };
  const { courseId, title, summary, language, license, root } = course.manifest;
  const manifest: CourseContent["manifest"] = {
    schemaVersion: 1,
    courseId,
    title,
    summary,
    language,
    ...(license !== undefined && { license }),
    origin,
    root,
    collections: course.collections.map((collection) => ({
      ...collection,
      unit: addUnit({ schemaVersion: 1, kind: "collection", collection }),
    })),
    topics: course.topics.map((topic) => ({
      id: topic.id,
      slug: topic.slug,
      title: topic.title,
      ...(topic.summary !== undefined && { summary: topic.summary }),
      unit: addUnit({ schemaVersion: 1, kind: "topic", topic }),
    })),
    assets: course.assets,
  };
  return { units, manifest, contentHash: sha256Of(bytesOf(manifest)) };
}

/** The name of a revision: it follows from its content, its place in the course's history and every id that ever was. */
export function revisionIdOf(manifest: RevisionManifest, identity: IdentityIndex): string {
  return sha256Of(bytesOf({ manifest, identity }));
}
