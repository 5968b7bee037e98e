import { bounds } from "@colloquy/schemas/bounds.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import type { RenamedId } from "@colloquy/schemas/courses/editing/rename.ts";
import { remark } from "@colloquy/schemas/courses/remarks.ts";
import type { FieldError } from "@colloquy/schemas/errors.ts";
import type { ClientProblem } from "../../api/problems.ts";

/** What was sent, as far as a refusal can name parts of it. */
interface Sent {
  course: AuthoredCourse;
  renamedIds: readonly RenamedId[];
}

/** The errors that a refusal names, each with a path in the course that was sent; none if it is not about the course. */
export function errorsOfRefusal({ code, fields = [] }: ClientProblem, { course, renamedIds }: Sent): FieldError[] {
  const { bodyBytes, renames } = bounds.publication;
  if (code === "too_large") return [{ path: `topics.${largestTopic(course)}`, ...remark("course-large", { most: bodyBytes / 1_048_576 }) }];
  if (code === "too_many" && fields.some(({ path }) => path === "renamedIds"))
    return [{ path: "manifest", ...remark("renames-many", { most: renames }) }];
  if (code !== "course_invalid" && code !== "unknown_field") return [];
  // A rename concerns the page: the ids of its blocks follow from the page's own.
  const renamePath = /^renamedIds\.(\d+)\./;
  const paths = new Set<string>();
  return fields.flatMap((field) => {
    const rename = renamePath.exec(field.path)?.[1];
    if (rename === undefined) return [field];
    const { from, to } = renamedIds[Number(rename)] ?? { from: "", to: "" };
    const path = idPathOf(course, to);
    if (paths.has(path)) return [];
    paths.add(path);
    // Where the service has only words for programs, the way out is told here.
    return [{ ...field, ...(field.remark === undefined && remark("rename-refused", { from, to })), path }];
  });
}

/** The path of the id of the topic or collection that is, or contains, what has an id. */
function idPathOf({ collections, topics }: AuthoredCourse, id: string): string {
  const at = collections.findIndex((one) => one.id === id);
  if (at >= 0) return `collections.${at}.id`;
  const topic = topics.findIndex((one) => one.id === id || [...one.blocks, ...one.objectives].some((part) => part.id === id));
  return topic >= 0 ? `topics.${topic}.id` : "manifest";
}

function largestTopic({ topics }: AuthoredCourse): number {
  const sizes = topics.map(({ blocks }) => blocks.reduce((sum, { source }) => sum + source.length, 0));
  return sizes.indexOf(Math.max(...sizes));
}
