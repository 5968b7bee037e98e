import { followRenames } from "@colloquy/schemas/courses/identity.ts";
import type { CourseResponse } from "@colloquy/schemas/courses/reading.ts";
import { call, type Fetch } from "../../api/http.ts";

/** The id of the topic or collection of a page; null for the front of the course. */
export const idOfPage = ({ dataset }: HTMLElement): string | null => dataset.topic || dataset.collection || null;

/**
 * Where a page is in the live revision, when its address leads nowhere or to another page: it may have been renamed or moved.
 * @param id of its topic or collection as it was read
 * @param shown the id of the page that its address leads to now
 * @returns its present id, and its address unless it is the shown page; null if the page was deleted
 * @throws {RequestFailed} if the service does not answer
 * @throws if its two answers are of different revisions, as shortly after a publication
 */
export async function presentPage(
  courseId: string,
  id: string,
  shown: string | null,
  open: Fetch = (...of) => fetch(...of),
): Promise<{ id: string; href: string | null } | null> {
  const course = { parameters: { courseId } };
  const { renames, deleted, sequence } = await call(open, "GET /api/courses/:courseId/identity", course);
  const present = followRenames(renames)(id);
  if (present === shown) return { id: present, href: null };
  if (deleted.includes(present)) return null;
  const live = (await call(open, "GET /api/courses/:courseId", course)).course;
  if (live.sequence !== sequence) throw new Error("The course was published meanwhile. Read it again.");
  const entry = allEntries(live.contents).find((one) => one.id === present);
  return entry ? { id: present, href: entry.href } : null;
}

type Entry = CourseResponse["course"]["contents"][number];
const allEntries = (entries: readonly Entry[]): Entry[] => entries.flatMap((entry) => [entry, ...allEntries(entry.children)]);
