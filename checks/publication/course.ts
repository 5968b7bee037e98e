import { sampleCourse } from "@colloquy/command-api/publication/course.fixture.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";

export const courseId = "crash-course";

/** A course with one mark in every unit, so that a mixture of two revisions shows. */
export const contentOf = (mark: string): AuthoredCourse =>
  sampleCourse((course) => {
    course.manifest.courseId = courseId;
    course.manifest.title = `Content ${mark}`;
    for (const collection of course.collections) collection.title = `Content ${mark}`;
    for (const topic of course.topics) {
      topic.title = `Content ${mark}`;
      topic.blocks.push({ id: `mark-of-${topic.id}`, type: "core.theory", source: `Content ${mark}` });
    }
  });

/** The marks in titles and sources; a consistent revision has one. */
export const marksIn = (texts: Iterable<string>): Set<string> =>
  new Set([...texts].flatMap((text) => [...text.matchAll(/Content (\S+)/g)].map(([, mark = ""]) => mark)));
