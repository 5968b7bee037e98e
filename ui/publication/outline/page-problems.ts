import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { childrenOf, containerOf } from "@colloquy/schemas/courses/editing/edit.ts";
import { isSeen, type TextField, textRules, wrongText } from "@colloquy/schemas/courses/field-rules.ts";
import { reservedSlugs } from "@colloquy/schemas/courses/slugs.ts";
import { msg } from "../../messages/page.ts";

/** The problem with a field's text, or null. Invalid text is reported, never blocked. */
export function fieldProblem(field: TextField, text: string): string | null {
  if (wrongText(field, text) === null) return null;
  const { max } = textRules[field];
  const { length } = text.trim();
  if (length > max) return msg("editor.mostCharacters", { max, count: length });
  if (!length || ("visible" in textRules[field] && !isSeen(text))) return msg("editor.mustNotEmpty");
  if (field === "slug") return msg("editor.onlyLowerCaseLetters");
  if (field === "language") return msg("editor.languageTagSuchEn");
  if (field === "id") return msg("editor.lettersDigitsHyphensUnderscores", { min: textRules.id.min, max });
  return msg("editor.thisCannotStandHere");
}

/** The problem with a slug: invalid, reserved, or used by a sibling. */
export function slugProblem(course: AuthoredCourse, id: string, slug: string): string | null {
  const problem = fieldProblem("slug", slug);
  if (problem) return problem;
  const container = containerOf(course, id);
  if (container === undefined) return null;
  if (container === null && reservedSlugs.includes(slug)) return msg("editor.addressReservedChooseAnother");
  const other = neighbours(course, id).find((one) => one.slug === slug);
  return other ? msg("editor.addressAlreadyChooseAnother", { title: other.title }) : null;
}

/** The siblings in the same container, whose slugs must differ. */
export function neighbours(course: AuthoredCourse, id: string): { id: string; slug: string; title: string }[] {
  const container = containerOf(course, id);
  const ids = new Set(container === undefined ? [] : childrenOf(course, container).map((ref) => ref.id));
  return [...course.topics, ...course.collections].filter((one) => one.id !== id && ids.has(one.id));
}

/** The present address of a page or part, without `/courses/`; null if it is in no container. */
export function addressOf(course: AuthoredCourse, id: string): string | null {
  const slugs: string[] = [];
  // Guards against a cycle of containers.
  const most = course.collections.length + 1;
  for (let at: string | null | undefined = id; at !== null && slugs.length <= most; at = containerOf(course, at)) {
    const node = [...course.topics, ...course.collections].find((one) => one.id === at);
    if (at === undefined || !node) return null;
    slugs.unshift(node.slug);
  }
  return [course.manifest.courseId, ...slugs].join("/");
}
