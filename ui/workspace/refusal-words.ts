import { type ErrorCode, errorCodes } from "@colloquy/schemas/errors.ts";

const outdated = "This page is older than the service. Reload it and try again.";
const words: Partial<Record<ErrorCode, string>> = {
  not_found: "The conversation was deleted on another device, or what it refers to is gone.",
  request_id_reused: "It is kept already, and differently. Reload the page to see what is kept.",
  too_long: "A text of it is longer than allowed. Shorten it and try again.",
  too_large: "It is larger than allowed. Ask for less at once, or begin a new conversation.",
  too_many: "This conversation is as long as one may be. Begin a new one.",
  not_allowed: "This account may not change it. Sign in with the account it belongs to.",
  unavailable: "This conversation cannot be changed at the moment. Try again later, or begin a new one.",
  invalid_request: outdated,
  unknown_field: outdated,
  unsupported_schema_version: outdated,
};

/** Why the service will never take a change, and what to do, by its code and the change's type. */
export function refusalWords(code: ErrorCode | undefined, changeType: string): string {
  if (code === "too_many" && changeType === "reference_attached") return "It has as many sources as one may have. Remove one first.";
  return (code && (words[code] ?? errorCodes[code].title)) ?? "The service refused it. Reload the page and try again.";
}
