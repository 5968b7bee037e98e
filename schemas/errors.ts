/** The closed list of error codes a client can meet, each with its HTTP status and whether trying again may help. */
export const errorCodes = {
  invalid_request: { status: 400, retryable: false },
  unknown_field: { status: 400, retryable: false },
  unsupported_schema_version: { status: 400, retryable: false },
  too_long: { status: 400, retryable: false },
  too_many: { status: 400, retryable: false },
  sign_in_required: { status: 401, retryable: false },
  not_owner: { status: 403, retryable: false },
  not_allowed: { status: 403, retryable: false },
  sign_in_again: { status: 403, retryable: false },
  cross_site: { status: 403, retryable: false },
  course_not_editable: { status: 403, retryable: false },
  not_found: { status: 404, retryable: false },
  stale_course_revision: { status: 409, retryable: false },
  stale_session: { status: 409, retryable: true },
  stale_base: { status: 409, retryable: false },
  request_id_reused: { status: 409, retryable: false },
  lease_lost: { status: 409, retryable: false },
  wrong_phase: { status: 409, retryable: false },
  too_large: { status: 413, retryable: false },
  json_required: { status: 415, retryable: false },
  unknown_reference: { status: 422, retryable: false },
  course_invalid: { status: 422, retryable: false },
  model_not_capable: { status: 422, retryable: false },
  nothing_to_ask: { status: 422, retryable: false },
  no_questions: { status: 422, retryable: false },
  questions_shown: { status: 422, retryable: false },
  check_spelling: { status: 422, retryable: false },
  plan_unverified: { status: 422, retryable: true },
  storyboard_rejected: { status: 422, retryable: true },
  rate_limited: { status: 429, retryable: true },
  quota_exhausted: { status: 429, retryable: true },
  ai_unavailable: { status: 503, retryable: true },
  unavailable: { status: 503, retryable: true },
  ai_timeout: { status: 504, retryable: true },
  read_model_behind: { status: 504, retryable: true },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** What a code says when nobody has better words; never the name of a model provider. The interface has them as messages, `problem.<code>`. */
export const errorTitles = {
  invalid_request: "The request is not valid.",
  unknown_field: "The request has a field this service does not know.",
  unsupported_schema_version: "This version of the message is not supported. Reload the page.",
  too_long: "A text is longer than allowed.",
  too_many: "There are more entries than allowed.",
  sign_in_required: "Sign in to continue.",
  not_owner: "Only the owner may do this.",
  not_allowed: "This account may not do this.",
  sign_in_again: "Sign in again to confirm that it is you.",
  cross_site: "Requests from another site are refused.",
  course_not_editable: "This course cannot be edited here.",
  not_found: "There is nothing here.",
  stale_course_revision: "The course was updated in the meantime.",
  stale_session: "The session continued in another window.",
  stale_base: "The course was published by somebody else in the meantime.",
  request_id_reused: "This request id was used for something else.",
  lease_lost: "The lease was lost.",
  wrong_phase: "This is not possible at this point.",
  too_large: "The request is too large.",
  json_required: "Send JSON (content-type: application/json).",
  unknown_reference: "A reference does not lead to anything in a published course.",
  course_invalid: "The course has errors.",
  model_not_capable: "The chosen model cannot do this.",
  nothing_to_ask: "Nothing can be asked about this part of the course.",
  no_questions: "No question on this goal can count yet.",
  questions_shown: "You have seen the answer to every question on this.",
  check_spelling: "Almost: check the spelling, then send it again.",
  plan_unverified: "No plan could be verified.",
  storyboard_rejected: "The storyboard did not pass review.",
  rate_limited: "Too many requests. Wait a moment.",
  quota_exhausted: "The quota is used up for now.",
  ai_unavailable: "No model can answer right now.",
  unavailable: "The service is not available right now.",
  ai_timeout: "The model took too long.",
  read_model_behind: "The page is catching up. Try again in a moment.",
} as const satisfies Record<ErrorCode, string>;

/** The field an `invalid_request` names when a cursor lies behind the last change there is: forget it and begin anew. */
export const cursorField = "after";

/** One field of a request that was refused, by its JSON path. */
export interface FieldError {
  path: string;
  message: string;
  /** Names the message in `courses/remarks.ts`, so that an interface can show it in other languages. */
  remark?: string;
  values?: Readonly<Record<string, string | number>>;
}

/** The body of every error response (`application/problem+json`, RFC 9457). */
export interface Problem {
  schemaVersion: 1;
  status: number;
  code: ErrorCode;
  title: string;
  detail?: string;
  requestId: string;
  retryable: boolean;
  fields?: FieldError[];
  /** With `stale_base`: the revision that is live instead of the one the author began from. */
  live?: { sequence: number; revisionId: string };
}
