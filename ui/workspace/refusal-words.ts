import type { ErrorCode } from "@colloquy/schemas/errors.ts";
import { titleOfCode } from "../api/problems.ts";
import { marked, msg } from "../messages/page.ts";

const outdated = marked("This page is older than the service. Reload it and try again.");
const words = {
  not_found: marked("The conversation was deleted on another device, or what it refers to is gone."),
  request_id_reused: marked("It is kept already, and differently. Reload the page to see what is kept."),
  too_long: marked("A text of it is longer than allowed. Shorten it and try again."),
  too_large: marked("It is larger than allowed. Ask for less at once, or begin a new conversation."),
  too_many: marked("This conversation is as long as one may be. Begin a new one."),
  not_allowed: marked("This account may not change it. Sign in with the account it belongs to."),
  unavailable: marked("This conversation cannot be changed at the moment. Try again later, or begin a new one."),
  invalid_request: outdated,
  unknown_field: outdated,
  unsupported_schema_version: outdated,
} satisfies Partial<Record<ErrorCode, string>>;

/** Why the service will never take a change, and what to do, by its code and the change's type. */
export function refusalWords(code: ErrorCode | undefined, changeType: string): string {
  if (code === "too_many" && changeType === "reference_attached") return msg("It has as many sources as one may have. Remove one first.");
  if (code) return code in words ? msg(words[code as keyof typeof words]) : titleOfCode(code);
  return msg("The service refused it. Reload the page and try again.");
}
