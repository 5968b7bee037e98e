import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import type { EditorSourceResponse } from "@colloquy/schemas/publication/requests.ts";
import type { Base } from "./session.ts";

/** A revision as its authors wrote it. */
export interface CourseSource {
  base: Base;
  course: AuthoredCourse;
  /** What was asked for is lost; this is what is published instead. */
  instead?: boolean;
}

/** The source of a course: its live revision's, or that of the one that is named. @throws when the service does not give it */
export async function courseSource(courseId: string, revisionId?: string): Promise<CourseSource> {
  const query = new URLSearchParams({ course: courseId, ...(revisionId && { revision: revisionId }) });
  const response = await fetch(`/api/course-editor/source?${query}`, { headers: { accept: "application/json" } });
  if (!response.ok) throw new SourceRefused(response.status);
  const { course, sequence, revisionId: given } = (await response.json()) as EditorSourceResponse;
  return { base: { sequence, revisionId: given }, course };
}

export class SourceRefused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the source was answered with ${status}`);
    this.status = status;
  }
}
