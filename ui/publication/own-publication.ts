import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";
import { courseDigest } from "./publishing/course-digest.ts";
import { type CourseSource, courseSource } from "./source.ts";

/**
 * What is published now, where it is what went out from a draft and was never answered; else null. The draft remembers digests of what was
 * sent, so that this can be told after a reload, too. @throws when the service does not give what is published
 */
export async function ownPublication(draft: Pick<CourseDraft, "courseId" | "sent">): Promise<CourseSource | null> {
  if (!draft.sent?.length) return null;
  const published = await courseSource(draft.courseId);
  return draft.sent.includes(await courseDigest(published.course)) ? published : null;
}
