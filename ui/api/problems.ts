import { type ErrorCode, errorCodes, type Problem } from "@colloquy/schemas/errors.ts";
import { fromEnglish, msg } from "../messages/page.ts";

/** A problem from the server, or one of the client (`status` 0: no response arrived). */
export interface ClientProblem extends Problem {
  retryAfterSeconds?: number;
}

/** Thrown by every client function; the texts of `problem` can be shown as they are. */
export class RequestFailed extends Error {
  override name = "RequestFailed";
  readonly problem: ClientProblem;
  constructor(problem: ClientProblem, cause?: unknown) {
    super(problem.title, { cause });
    this.problem = problem;
  }
}

/** A problem of the client, with the code's standard text by default. */
export function clientProblem(code: ErrorCode, more: { title?: string; detail?: string; status?: number } = {}): ClientProblem {
  const { retryable } = errorCodes[code];
  return {
    schemaVersion: 1,
    status: more.status ?? 0,
    code,
    title: more.title ?? problemTitleOfCode(code),
    requestId: "",
    retryable,
    ...(more.detail && { detail: more.detail }),
  };
}

/** A code's standard text in the reader's language. */
export const problemTitleOfCode = (code: ErrorCode): string => msg(`problem.${code}`);

/** A problem's title in the reader's language, where that is known. */
export const problemTitle = ({ title }: Pick<ClientProblem, "title">): string => fromEnglish(title);

/** The problem of a request without a response. */
export function unreachable(): ClientProblem {
  return navigator.onLine
    ? clientProblem("unavailable", {
        title: msg("api.serviceCannotReached"),
        detail: msg("api.nothingWroteLostTry"),
      })
    : clientProblem("unavailable", {
        // Still true when it is read later.
        title: msg("api.youWereOffline"),
        detail: msg("api.nothingWroteLostTryAgain"),
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

/** The problem of a failed response. Foreign bodies (such as a proxy's page) are never shown. */
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

/** The problem of a thrown error; aborts are thrown again. */
export function problemOfThrown(error: unknown): ClientProblem {
  if (isAbort(error)) throw error;
  return error instanceof RequestFailed ? error.problem : unreachable();
}

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";
