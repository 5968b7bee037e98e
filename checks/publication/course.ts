import { sampleCourse } from "@colloquy/command-api/publication/course.fixture.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";

export const courseId = "crash-course";

/** A course that says in every unit which content it is, so that two halves of different ones show. */
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

/** Every mark that some titles and sources carry: one for a whole revision. */
export const marksIn = (texts: Iterable<string>): Set<string> =>
  new Set([...texts].flatMap((text) => [...text.matchAll(/Content (\S+)/g)].map(([, mark = ""]) => mark)));
