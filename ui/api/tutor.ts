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
import { msg } from "../messages/page.ts";
import { type Fetch, getJson, jsonInit, postJson, send, withQuery } from "./http.ts";
import { readLines, SilenceError } from "./lines.ts";
import { type ClientProblem, clientProblem, problemOfThrown, RequestFailed } from "./problems.ts";

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

/** The same request may be sent again after any error: the service recognises its id. */
async function* steps(fetch: Fetch, path: string, body: object, signal: AbortSignal): AsyncGenerator<TutorStep, void> {
  try {
    const { headers, ...init } = jsonInit(body, signal);
    const response = await send(fetch, path, { ...init, headers: { ...headers, accept: "application/x-ndjson" } });
    if (response.body)
      for await (const line of readLines(response.body, { silenceMs, finish: true })) {
        const frame = frameOf(line);
        if (!frame) continue;
        yield frame.kind === "error" ? { kind: "error", problem: problemOfFrame(frame) } : frame;
        if (frame.kind === "complete" || frame.kind === "error") return;
      }
    yield { kind: "error", problem: brokenOff() };
  } catch (error) {
    if (signal.aborted) throw new DOMException("stopped", "AbortError");
    yield { kind: "error", problem: problemOf(error) };
  }
}

/** Ignores unknown lines: a newer server may send frames that this page does not know. */
function frameOf(line: string): TutorFrame | null {
  if (!line.trim()) return null;
  try {
    const frame = JSON.parse(line) as TutorFrame;
    return kinds.has(frame?.kind) ? frame : null;
  } catch {
    return null;
  }
}

function problemOfFrame({ code, title, retryable, retryAfterSeconds }: Extract<TutorFrame, { kind: "error" }>): ClientProblem {
  return { ...clientProblem(code, { title }), retryable, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

const brokenOff = (): ClientProblem =>
  clientProblem("unavailable", {
    title: msg("api.theConnectionBroke"),
    detail: msg("api.nothingLostTryAgain"),
  });

function problemOf(error: unknown): ClientProblem {
  if (error instanceof SilenceError) return clientProblem("ai_timeout");
  if (error instanceof RequestFailed) return error.problem;
  return error instanceof TypeError && navigator.onLine ? brokenOff() : problemOfThrown(error);
}
