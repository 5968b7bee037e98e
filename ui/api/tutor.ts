import { bounds } from "@colloquy/schemas/bounds.ts";
import type { LedgerKey } from "@colloquy/schemas/tutor/ledger.ts";
import type {
  TutorFrame,
  TutorGoalResponse,
  TutorSessionResponse,
  TutorSessionsResponse,
  TutorStartRequest,
  TutorTurnRequest,
} from "@colloquy/schemas/tutor/requests.ts";
import { streamSteps } from "./frames.ts";
import { type Fetch, getJson, postJson, send, withQuery } from "./http.ts";
import type { ClientProblem } from "./problems.ts";

export type TutorStart = Omit<TutorStartRequest, "schemaVersion">;
export type TutorTurn = Omit<TutorTurnRequest, "schemaVersion">;
/** A frame of the service; errors carry a problem. */
export type TutorStep = Exclude<TutorFrame, { kind: "error" }> | { kind: "error"; problem: ClientProblem };

/** The tutor's client. */
export interface TutorApi {
  /** Starts a session; the last step is `complete` or `error`. Aborting throws the `AbortError`; then nothing has happened. */
  start(request: TutorStart, signal: AbortSignal): AsyncIterable<TutorStep>;
  /** Carries out a learner's action, with the same steps as `start`. */
  turn(request: TutorTurn, signal: AbortSignal): AsyncIterable<TutorStep>;
  /** Whether a course covers a goal, and which other courses do. @throws {RequestFailed} */
  goal(request: { courseId: string; goal: string }, signal?: AbortSignal): Promise<TutorGoalResponse>;
  /** The sessions of a conversation, newest first. */
  sessions(options: { conversationId: string; after?: string }, signal?: AbortSignal): Promise<TutorSessionsResponse["sessions"]>;
  /** A session's ledger as newline-delimited JSON, from its first entry to a checkpoint signed now. @throws {RequestFailed} */
  ledger(sessionId: string, options: { after?: string }, signal?: AbortSignal): Promise<string>;
  /** The public keys that verify ledger signatures. */
  ledgerKeys(signal?: AbortSignal): Promise<LedgerKey[]>;
  /** A session's current state. @throws {RequestFailed} `not_found` */
  session(sessionId: string, options: { after?: string }, signal?: AbortSignal): Promise<TutorSessionResponse>;
}

const kinds = new Set<string>(["status", "citation", "text_delta", "complete", "error"]);
/** Three missed heartbeats mean a dead connection. */
const silenceMs = bounds.ask.heartbeatMs * 3.5;

export function tutorApi(fetch: Fetch): TutorApi {
  return {
    start: (request, signal) => steps(fetch, "/api/ai/tutor/start", request, signal),
    turn: (request, signal) => steps(fetch, "/api/ai/tutor/turn", request, signal),
    goal: (request, signal) => postJson<TutorGoalResponse>(fetch, "/api/ai/tutor/goal", request, signal),
    sessions: async (options, signal) =>
      (await getJson<TutorSessionsResponse>(fetch, withQuery("/api/tutor/sessions", options), signal)).sessions,
    ledger: async (sessionId, options, signal) =>
      (await send(fetch, withQuery(`/api/tutor/sessions/${encodeURIComponent(sessionId)}/ledger`, options), signal && { signal })).text(),
    ledgerKeys: async (signal) => (await getJson<{ keys: LedgerKey[] }>(fetch, "/api/tutor/ledger-keys", signal)).keys,
    session: (sessionId, options, signal) =>
      getJson<TutorSessionResponse>(fetch, withQuery(`/api/tutor/sessions/${encodeURIComponent(sessionId)}`, options), signal),
  };
}

const steps = (fetch: Fetch, path: string, body: object, signal: AbortSignal): AsyncIterable<TutorStep> =>
  streamSteps<Exclude<TutorFrame, { kind: "error" }>, Extract<TutorFrame, { kind: "error" }>, Extract<TutorStep, { kind: "error" }>>(
    fetch,
    {
      path,
      body,
      signal,
      kinds,
      silenceMs,
      errorStep: (problem) => ({ kind: "error", problem }),
    },
  );
