import { fileURLToPath } from "node:url";
import type { CourseOrigin } from "@colloquy/schemas/courses/revision.ts";

export interface DemonstrationCourse {
  courseId: string;
  /** A folder in the native format: `course.yaml`, `topics/*.md`, `assets/`. */
  folder: string;
  origin: CourseOrigin;
}

const folderOf = (courseId: string): string => fileURLToPath(new URL(`./courses/${courseId}`, import.meta.url));

/** The courses that ship with the product: one that can be edited, one compiled in and read-only. */
export const demonstrationCourses: DemonstrationCourse[] = [
  { courseId: "linear-maps", folder: folderOf("linear-maps"), origin: "object-store" },
  { courseId: "learning-to-learn", folder: folderOf("learning-to-learn"), origin: "compiled" },
];
