import type { Config } from "@colloquy/infra/config.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";

type Lists = Pick<Config, "PUBLICATION_EDITOR_COURSE_IDS" | "PUBLIC_OBJECT_STORE_COURSE_IDS" | "development">;

/** Whether a course stands in both lists; where a list is not set, every course does in development and none in production. */
export function isListed(config: Lists, courseId: string): boolean {
  const { PUBLICATION_EDITOR_COURSE_IDS: editor, PUBLIC_OBJECT_STORE_COURSE_IDS: stored, development } = config;
  return [editor, stored].every((list) => (list ? list.includes(courseId) : development));
}

export const isOwner = (account: Account | null | undefined): boolean => account?.roles.includes("owner") ?? false;

/** @throws {ProblemError} `course_not_editable`, also for a course that does not exist */
export function requireListed(config: Lists, courseId: string): void {
  if (!isListed(config, courseId)) throw new ProblemError("course_not_editable");
}
