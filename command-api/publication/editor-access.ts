import type { Config } from "@colloquy/infra/config.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { requireAccount } from "@colloquy/infra/identity/session.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { publishHeader } from "@colloquy/schemas/headers.ts";
import type { Request } from "express";

type Lists = Pick<Config, "PUBLICATION_EDITOR_COURSE_IDS" | "PUBLIC_OBJECT_STORE_COURSE_IDS" | "development">;

/** Whether a course stands in both lists; where a list is not set, every course does in development and none in production. */
export function isListed(config: Lists, courseId: string): boolean {
  const { PUBLICATION_EDITOR_COURSE_IDS: editor, PUBLIC_OBJECT_STORE_COURSE_IDS: stored, development } = config;
  return [editor, stored].every((list) => (list ? list.includes(courseId) : development));
}

export const isOwner = (account: Account | null | undefined): boolean => account?.roles.includes("owner") ?? false;

/** The owner who asks. @throws {ProblemError} `sign_in_required`, `not_owner`: the same for every course there is or is not */
export function requireOwner(request: Request): Account {
  const account = requireAccount(request);
  if (!isOwner(account)) throw new ProblemError("not_owner");
  return account;
}

/** @throws {ProblemError} `course_not_editable`, also for a course that does not exist */
export function requireListed(config: Lists, courseId: string): void {
  if (!isListed(config, courseId)) throw new ProblemError("course_not_editable");
}

/** What no form and no other site's page can send. @throws {ProblemError} `not_allowed` */
export function requirePublishHeader(request: Request): void {
  if (request.get(publishHeader) !== "1")
    throw new ProblemError("not_allowed", { detail: "Publishing needs the header X-Course-Publish: 1." });
}
