import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { containerOf, editCollection, editTopic } from "@colloquy/schemas/courses/editing/edit.ts";
import { renamesOver } from "@colloquy/schemas/courses/editing/rename.ts";
import { freeSlug, isSlugOf } from "@colloquy/schemas/courses/slugs.ts";
import type { EditingState } from "../session.ts";
import { neighbours } from "./page-problems.ts";

type Known = Pick<EditingState, "baseCourse" | "renamedIds">;

/** Whether a page was published, under this or an earlier id, so that readers may know its address. */
const wasPublished = (course: AuthoredCourse, { baseCourse, renamedIds }: Known, id: string): boolean =>
  [...baseCourse.topics, ...baseCourse.collections].some((one) => one.id === id) ||
  renamesOver(baseCourse, renamedIds, course).some(({ to }) => to === id);

/** Changes a title. The slug follows it while the page was never published and its author has not written a slug. */
export function withTitle(course: AuthoredCourse, known: Known, id: string, title: string): AuthoredCourse {
  const topic = course.topics.find((one) => one.id === id);
  const page = topic ?? course.collections.find((one) => one.id === id);
  if (!page) return course;
  const slugFollows = !wasPublished(course, known, id) && isSlugOf(page.slug, page.title);
  const slug = slugFollows ? slugFor(course, id, title) : page.slug;
  return topic ? editTopic(course, id, { title, slug }) : editCollection(course, id, { title, slug });
}

/** A slug made from a title that no sibling uses. */
export function slugFor(course: AuthoredCourse, id: string, title: string): string {
  const taken = neighbours(course, id).map(({ slug }) => slug);
  return freeSlug(title, taken, containerOf(course, id) === null);
}
