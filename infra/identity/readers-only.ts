import type { Account } from "@colloquy/schemas/accounts/account.ts";
import type { Request, RequestHandler } from "express";
import { ProblemError } from "../http/problem.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);
/** A sign-out ends what may be read; letting go of an assistant ends what it may read. */
const openToAll = new Set(["/auth/sign-out", "/api/ai/assistants"]);

/** Whether an account is an auditor's and nothing else: it reads, and writes nothing. */
export const onlyReads = ({ roles }: Pick<Account, "roles">): boolean => roles.length > 0 && roles.every((role) => role === "auditor");

/**
 * Middleware behind `session`: an auditor who is no learner changes nothing but how pages look to themselves.
 * @throws {ProblemError} `not_allowed`
 */
export const refuseWhoOnlyReads: RequestHandler = (request, _response, next) => {
  const { account, method, path } = request;
  if (safeMethods.has(method) || !account || !onlyReads(account)) return next();
  // Express takes paths in any case and with a slash at the end; whatever is not exactly one of these is refused.
  if (openToAll.has(path) || (path === "/api/sync/push" && isOfPreferences(request))) return next();
  throw new ProblemError("not_allowed", { detail: "Auditors read and write nothing. Sign in as a learner to learn." });
};

function isOfPreferences({ body }: Request): boolean {
  const changes: unknown = body?.changes;
  return Array.isArray(changes) && changes.every((change) => change?.domain === "preferences");
}
