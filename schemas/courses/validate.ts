import type { z } from "zod";
import type { FieldError } from "../errors.ts";
import { issueWords } from "../text/issue-words.ts";
import { type AuthoredCourse, authoredCourse } from "./authored.ts";
import { checkCourse, mostErrors } from "./check-course.ts";

/** `unknown`: it has fields that no course has, so it is no course of ours. */
export type CourseCheck = { ok: true; course: AuthoredCourse } | { ok: false; unknown: boolean; fields: FieldError[] };

/** Checks a whole course that may be anything: its shape, then everything its parts must agree on (`checkCourse`). */
export function validateCourse(course: unknown): CourseCheck {
  const shape = authoredCourse.safeParse(course, { error: issueWords });
  if (!shape.success) {
    const { issues } = shape.error;
    const unknown = issues.some(({ code }) => code === "unrecognized_keys");
    return { ok: false, unknown, fields: issues.flatMap(fieldsOfIssue).slice(0, mostErrors) };
  }
  const fields = checkCourse(shape.data);
  return fields.length ? { ok: false, unknown: false, fields } : { ok: true, course: shape.data };
}

function fieldsOfIssue(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String).join(".");
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, message: "this field is not known" }));
}
