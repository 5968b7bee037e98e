import { type ErrorCode, errorCodes, type Problem } from "@colloquy/schemas/errors.ts";
import { marked, msg, said } from "../messages/page.ts";

/** A problem as the client knows it: the server's, or one of its own making (`status` 0: no answer arrived at all). */
export interface ClientProblem extends Problem {
  retryAfterSeconds?: number;
}

/** Thrown by every client function; `problem` holds words that may be shown as they are. */
export class RequestFailed extends Error {
  override name = "RequestFailed";
  readonly problem: ClientProblem;
  constructor(problem: ClientProblem, cause?: unknown) {
    super(problem.title, { cause });
    this.problem = problem;
  }
}

/** A problem of the client's own making, with the list's words unless better ones are given. */
export function clientProblem(code: ErrorCode, more: { title?: string; detail?: string; status?: number } = {}): ClientProblem {
  const { title, retryable } = errorCodes[code];
  return {
    schemaVersion: 1,
    status: more.status ?? 0,
    code,
    title: more.title ?? title,
    requestId: "",
    retryable,
    ...(more.detail && { detail: more.detail }),
  };
}

/** The list's own words, so that they can be said in every language; a test holds them to the list. */
export const titles = {
  invalid_request: marked("The request is not valid."),
  unknown_field: marked("The request has a field this service does not know."),
  unsupported_schema_version: marked("This version of the message is not supported. Reload the page."),
  too_long: marked("A text is longer than allowed."),
  too_many: marked("There are more entries than allowed."),
  sign_in_required: marked("Sign in to continue."),
  not_owner: marked("Only the owner may do this."),
  not_allowed: marked("This account may not do this."),
  cross_site: marked("Requests from another site are refused."),
  course_not_editable: marked("This course cannot be edited here."),
  not_found: marked("There is nothing here."),
  stale_course_revision: marked("The course has been published anew since."),
  stale_session: marked("The session moved on elsewhere."),
  stale_base: marked("The course was published by somebody else in the meantime."),
  request_id_reused: marked("This request id was used for something else."),
  lease_lost: marked("The lease was lost."),
  wrong_phase: marked("This is not possible at this point."),
  too_large: marked("The request is too large."),
  json_required: marked("Send JSON (content-type: application/json)."),
  unknown_reference: marked("A reference does not lead to anything in a published course."),
  course_invalid: marked("The course has errors."),
  model_not_capable: marked("The chosen model cannot do this."),
  nothing_to_ask: marked("Nothing can be asked about this part of the course."),
  plan_unverified: marked("No plan could be verified."),
  storyboard_rejected: marked("The storyboard did not pass review."),
  rate_limited: marked("Too many requests. Wait a moment."),
  quota_exhausted: marked("The quota is used up for now."),
  ai_unavailable: marked("No model can answer right now."),
  unavailable: marked("The service is not available right now."),
  ai_timeout: marked("The model took too long."),
  read_model_behind: marked("The page is catching up. Try again in a moment."),
} satisfies Record<ErrorCode, string>;

/** The words of a code in the reader's language. */
export const titleOfCode = (code: ErrorCode): string => msg(titles[code]);

/** What happened, in the reader's language; what only the service has words for is said as it says it. */
export const titleOf = ({ code, title }: Pick<ClientProblem, "code" | "title">): string =>
  title === errorCodes[code].title ? titleOfCode(code) : said(title);

/** What to say when a request got no answer at all. */
export function unreachable(): ClientProblem {
  return navigator.onLine
    ? clientProblem("unavailable", {
        title: msg("The service cannot be reached."),
        detail: msg("Nothing you wrote is lost. Try again in a moment."),
      })
    : clientProblem("unavailable", {
        // Still true when it is read later.
        title: msg("You were offline."),
        detail: msg("Nothing you wrote is lost. Try again once the connection is back."),
      });
}

const codeOfStatus: Record<number, ErrorCode> = {
  400: "invalid_request",
  401: "sign_in_required",
  403: "not_allowed",
  404: "not_found",
  413: "too_large",
  415: "json_required",
  429: "rate_limited",
};

/** Reads the problem of a response that is not ok. Bodies that are not ours (a proxy's page, say) are never shown. */
export async function problemOf(response: Response): Promise<ClientProblem> {
  const retryAfter = Number(response.headers.get("retry-after"));
  const wait = Number.isFinite(retryAfter) && retryAfter > 0 ? { retryAfterSeconds: Math.ceil(retryAfter) } : {};
  if (response.headers.get("content-type")?.includes("problem+json")) {
    const body: unknown = await response.json().catch(() => null);
    if (isProblem(body)) return { ...body, ...wait };
  }
  const code = codeOfStatus[response.status] ?? "unavailable";
  return { ...clientProblem(code, { status: response.status }), ...wait };
}

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === "object" &&
    body !== null &&
    "code" in body &&
    typeof body.code === "string" &&
    Object.hasOwn(errorCodes, body.code) &&
    "title" in body &&
    typeof body.title === "string"
  );
}

/** The problem of anything that was thrown; an abort is not a problem and is thrown again. */
export function problemOfThrown(error: unknown): ClientProblem {
  if (isAbort(error)) throw error;
  return error instanceof RequestFailed ? error.problem : unreachable();
}

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";
