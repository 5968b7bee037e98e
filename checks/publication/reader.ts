import { setTimeout as pause } from "node:timers/promises";
import type { S3Double } from "@colloquy/infra/object-store/s3-double.fixture.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import type { CourseResponse } from "@colloquy/schemas/courses/reading.ts";
import type { LivePointer, RevisionManifest, RevisionUnit, SearchIndex } from "@colloquy/schemas/courses/revision.ts";
import { courseId, marksIn } from "./course.ts";

export interface ReadReport {
  pages: number;
  pointers: number;
  /** Inconsistencies that a reader saw. */
  torn: string[];
}

/** Reads the course continuously, as a page and from the object store, until the signal. */
export async function readContinuously(reader: string, objects: S3Double["objects"], signal: AbortSignal): Promise<ReadReport> {
  const readings: ReadReport = { pages: 0, pointers: 0, torn: [] };
  let [shown, pointed] = [0, 0];
  while (!signal.aborted) {
    const page = await fetch(`${reader}/api/courses/${courseId}`).catch(() => null);
    if (page?.ok) {
      const { course } = (await page.json()) as CourseResponse;
      readings.pages += 1;
      const marks = marksIn([course.title, ...course.contents.map(({ title }) => title), ...course.topics.flatMap(textsOf)]);
      if (marks.size !== 1) readings.torn.push(`a page of revision ${course.sequence} shows contents ${[...marks].join(" and ")}`);
      if (course.sequence < shown) readings.torn.push(`a page went back from revision ${shown} to ${course.sequence}`);
      shown = course.sequence;
    } else if (page && page.status !== 503 && shown > 0) readings.torn.push(`a page was answered with ${page.status}`);
    const seen = readStore(objects);
    readings.pointers += 1;
    if (seen.trouble) readings.torn.push(seen.trouble);
    if (seen.sequence < pointed) readings.torn.push(`the pointer went back from ${pointed} to ${seen.sequence}`);
    pointed = seen.sequence;
    await pause(5);
  }
  return readings;
}

const textsOf = ({ title, blocks }: AuthoredCourse["topics"][number]): string[] => [title, ...blocks.map(({ source }) => source)];

/** Follows the pointer to every object of its revision. */
export function readStore(objects: S3Double["objects"]): { sequence: number; revisionId: string; trouble: string | null } {
  const object = <T>(key: string): T | null => {
    const found = objects.get(`courses/${courseId}/${key}`);
    return found ? (JSON.parse(found.bytes.toString()) as T) : null;
  };
  const pointer = object<LivePointer>("live.json");
  const { sequence = 0, revisionId = "" } = pointer ?? {};
  const trouble = (what: string) => ({ sequence, revisionId, trouble: `revision ${sequence} in the store ${what}` });
  const manifest = object<RevisionManifest>(`revisions/${revisionId}/manifest.json`);
  const search = object<SearchIndex>(`revisions/${revisionId}/search.json`);
  if (!manifest || !search || !object(`revisions/${revisionId}/identity.json`)) return trouble("is not all there");
  if (manifest.sequence !== sequence || search.revisionId !== revisionId) return trouble("is another one");
  const texts = [manifest.title];
  for (const { unit } of [...manifest.topics, ...manifest.collections]) {
    const found = object<RevisionUnit>(`units/${unit}.json`);
    if (!found) return trouble("misses a unit");
    texts.push(...(found.kind === "topic" ? textsOf(found.topic) : [found.collection.title]));
  }
  const marks = marksIn(texts);
  return marks.size === 1 ? { sequence, revisionId, trouble: null } : trouble(`holds contents ${[...marks].join(" and ")}`);
}
