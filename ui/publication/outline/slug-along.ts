import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { containerOf, editCollection, editTopic } from "@colloquy/schemas/courses/editing/edit.ts";
import { renamesOver } from "@colloquy/schemas/courses/editing/rename.ts";
import { freeSlug, isSlugOf } from "@colloquy/schemas/courses/slugs.ts";
import type { EditingState } from "../session.ts";
import { neighbours } from "./page-problems.ts";

type Known = Pick<EditingState, "baseCourse" | "renamedIds">;

/** Whether readers may know a page by its address: it was published, under this id or an earlier one. */
const wasPublished = ({ baseCourse, renamedIds }: Known, id: string): boolean =>
  [...baseCourse.topics, ...baseCourse.collections].some((one) => one.id === id) ||
  renamesOver(baseCourse, renamedIds).some(({ to }) => to === id);

/** Gives a page or part another title. As long as it was never published its address goes along, until its author has written one. */
export function retitled(course: AuthoredCourse, known: Known, id: string, title: string): AuthoredCourse {
  const topic = course.topics.find((one) => one.id === id);
  const page = topic ?? course.collections.find((one) => one.id === id);
  if (!page) return course;
  const goesAlong = !wasPublished(known, id) && isSlugOf(page.slug, page.title);
  const slug = goesAlong ? slugFor(course, id, title) : page.slug;
  return topic ? editTopic(course, id, { title, slug }) : editCollection(course, id, { title, slug });
}

/** A slug made of a title, free where the page stands. */
export function slugFor(course: AuthoredCourse, id: string, title: string): string {
  const taken = neighbours(course, id).map(({ slug }) => slug);
  return freeSlug(title, taken, containerOf(course, id) === null);
}
