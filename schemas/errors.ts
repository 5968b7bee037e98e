/**
 * The closed list of error codes a client can meet, each with its HTTP status, whether trying again may help,
 * and the words shown when nobody has better ones. The words never name a model provider.
 */
export const errorCodes = {
  invalid_request: { status: 400, retryable: false, title: "The request is not valid." },
  unknown_field: { status: 400, retryable: false, title: "The request has a field this service does not know." },
  unsupported_schema_version: { status: 400, retryable: false, title: "This version of the message is not supported. Reload the page." },
  too_long: { status: 400, retryable: false, title: "A text is longer than allowed." },
  too_many: { status: 400, retryable: false, title: "There are more entries than allowed." },
  sign_in_required: { status: 401, retryable: false, title: "Sign in to continue." },
  not_owner: { status: 403, retryable: false, title: "Only the owner may do this." },
  not_allowed: { status: 403, retryable: false, title: "This account may not do this." },
  sign_in_again: { status: 403, retryable: false, title: "Sign in again to confirm that it is you." },
  cross_site: { status: 403, retryable: false, title: "Requests from another site are refused." },
  course_not_editable: { status: 403, retryable: false, title: "This course cannot be edited here." },
  not_found: { status: 404, retryable: false, title: "There is nothing here." },
  stale_course_revision: { status: 409, retryable: false, title: "The course was updated in the meantime." },
  stale_session: { status: 409, retryable: true, title: "The session continued in another window." },
  stale_base: { status: 409, retryable: false, title: "The course was published by somebody else in the meantime." },
  request_id_reused: { status: 409, retryable: false, title: "This request id was used for something else." },
  lease_lost: { status: 409, retryable: false, title: "The lease was lost." },
  wrong_phase: { status: 409, retryable: false, title: "This is not possible at this point." },
  too_large: { status: 413, retryable: false, title: "The request is too large." },
  json_required: { status: 415, retryable: false, title: "Send JSON (content-type: application/json)." },
  unknown_reference: { status: 422, retryable: false, title: "A reference does not lead to anything in a published course." },
  course_invalid: { status: 422, retryable: false, title: "The course has errors." },
  model_not_capable: { status: 422, retryable: false, title: "The chosen model cannot do this." },
  nothing_to_ask: { status: 422, retryable: false, title: "Nothing can be asked about this part of the course." },
  no_questions: { status: 422, retryable: false, title: "The course has no questions of its own yet." },
  plan_unverified: { status: 422, retryable: true, title: "No plan could be verified." },
  storyboard_rejected: { status: 422, retryable: true, title: "The storyboard did not pass review." },
  rate_limited: { status: 429, retryable: true, title: "Too many requests. Wait a moment." },
  quota_exhausted: { status: 429, retryable: true, title: "The quota is used up for now." },
  ai_unavailable: { status: 503, retryable: true, title: "No model can answer right now." },
  unavailable: { status: 503, retryable: true, title: "The service is not available right now." },
  ai_timeout: { status: 504, retryable: true, title: "The model took too long." },
  read_model_behind: { status: 504, retryable: true, title: "The page is catching up. Try again in a moment." },
} as const;

export type ErrorCode = keyof typeof errorCodes;

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
