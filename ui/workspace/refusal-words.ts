import type { ErrorCode } from "@colloquy/schemas/errors.ts";
import { problemTitleOfCode } from "../api/problems.ts";
import { msg } from "../messages/page.ts";

const outdated = "workspace.pageOutDateReloadTryAgain";
const words = {
  not_found: "workspace.conversationDeletedAnotherDevice",
  request_id_reused: "workspace.savedOtherContentReloadPageSee",
  too_long: "workspace.textLongerThanAllowed",
  too_large: "workspace.tooLargeAskLessOnceStart",
  too_many: "workspace.conversationLongOneMay",
  not_allowed: "workspace.accountMayNotChangeSignOwners",
  unavailable: "workspace.conversationCannotChangedMoment",
  invalid_request: outdated,
  unknown_field: outdated,
  unsupported_schema_version: outdated,
} as const satisfies Partial<Record<ErrorCode, string>>;

/** Why the service rejected a change, and what to do, by code and change type. */
export function refusalWords(code: ErrorCode | undefined, changeType: string): string {
  if (code === "too_many" && changeType === "reference_attached") return msg("workspace.manySourcesOneMay");
  if (code) return code in words ? msg(words[code as keyof typeof words]) : problemTitleOfCode(code);
  return msg("workspace.serviceRefusedReloadPage");
}
