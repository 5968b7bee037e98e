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
import { abortedBy, call, type Fetch, type RequestOf, send } from "./http.ts";
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
    start: (body, signal) => steps(fetch, "POST /api/ai/tutor/start", { body }, signal),
    turn: (body, signal) => steps(fetch, "POST /api/ai/tutor/turn", { body }, signal),
    goal: (body, signal) => call(fetch, "POST /api/ai/tutor/goal", { body }, abortedBy(signal)),
    sessions: async (query, signal) => (await call(fetch, "GET /api/tutor/sessions", { query }, abortedBy(signal))).sessions,
    ledger: async (sessionId, query, signal) => {
      const request = { parameters: { sessionId }, query };
      return (await send(fetch, "GET /api/tutor/sessions/:sessionId/ledger", request, abortedBy(signal))).text();
    },
    ledgerKeys: async (signal) => (await call(fetch, "GET /api/tutor/ledger-keys", {}, abortedBy(signal))).keys,
    session: (sessionId, query, signal) =>
      call(fetch, "GET /api/tutor/sessions/:sessionId", { parameters: { sessionId }, query }, abortedBy(signal)),
  };
}

const steps = <Key extends "POST /api/ai/tutor/start" | "POST /api/ai/tutor/turn">(
  fetch: Fetch,
  route: Key,
  request: RequestOf<Key>,
  signal: AbortSignal,
): AsyncIterable<TutorStep> =>
  streamSteps<Key, Exclude<TutorFrame, { kind: "error" }>, Extract<TutorFrame, { kind: "error" }>, Extract<TutorStep, { kind: "error" }>>(
    fetch,
    {
      route,
      request,
      signal,
      kinds,
      silenceMs,
      errorStep: (problem) => ({ kind: "error", problem }),
    },
  );
