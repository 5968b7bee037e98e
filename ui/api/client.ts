import type { Account, OpenSessionEntry, SignOutRequest } from "@colloquy/schemas/accounts/account.ts";
import type { AskFrame } from "@colloquy/schemas/ask/ask.ts";
import type { AssistantResponse, AssistantsResponse } from "@colloquy/schemas/assistants/assistant.ts";
import type { Conversation, ConversationsResponse } from "@colloquy/schemas/conversations/requests.ts";
import type { CoursesResponse } from "@colloquy/schemas/courses/revision.ts";
import { accountHeader } from "@colloquy/schemas/headers.ts";
import type { ModelsResponse } from "@colloquy/schemas/models.ts";
import type { ReviewResponse } from "@colloquy/schemas/review/requests.ts";
import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import type { PullResponse, PushResponse, RemoteChange } from "@colloquy/schemas/sync/protocol.ts";
import { ask, type OnConnectionLost, type Question, release, resumeAnswer } from "./ask.ts";
import { type FollowOptions, follow } from "./event-stream.ts";
import { abortedBy, call, type Fetch } from "./http.ts";
import { RequestFailed } from "./problems.ts";
import { type TutorApi, tutorApi } from "./tutor.ts";
import { uuidv7 } from "./uuid.ts";

/** The workspace's typed client of the services. Everything throws `RequestFailed` (problems.ts). */
export interface Api {
  /** Called when a request is refused because nobody, or somebody else, is signed in. */
  onSignedOut: (() => void) | null;
  /** The signed-in account; null for nobody. */
  me(signal?: AbortSignal): Promise<Account | null>;
  /** Acts for an account from now on, as after `me`: for a page that opens while the service cannot be reached. */
  setAccount(accountId: string): void;
  /** Ends the session, or all of the account; returns the address to go to next. */
  signOut(choice?: Omit<SignOutRequest, "schemaVersion">): Promise<string>;
  /** The browsers in which the account is signed in. */
  sessions(signal?: AbortSignal): Promise<OpenSessionEntry[]>;
  /** Signs one of them out; returns the others. */
  endSession(sessionId: string): Promise<OpenSessionEntry[]>;
  models(signal?: AbortSignal): Promise<ModelsResponse>;
  /** At most 20 places of live courses, best first; for an empty query, recently published ones. */
  references(query: string, signal?: AbortSignal): Promise<ReferenceResult[]>;
  /** The place that a page's path names; null if there is none. */
  source(href: string, signal?: AbortSignal): Promise<ReferenceResult | null>;
  /** Every live course. */
  courses(signal?: AbortSignal): Promise<CoursesResponse["courses"]>;
  tutor: TutorApi;
  /** The authenticated `fetch`, for clients that are loaded on demand. */
  send: Fetch;
  /** The account's review cards. `after` waits until the read model has reached that position. */
  review(options?: { after?: string }, signal?: AbortSignal): Promise<ReviewResponse>;
  /** A page of the history, newest first. `after` waits until the read model has reached that position. */
  conversations(
    options?: { state?: "active" | "pinned" | "archived"; q?: string; cursor?: string; limit?: number; after?: string },
    signal?: AbortSignal,
  ): Promise<ConversationsResponse>;
  /** The whole record; null if this account has none. */
  conversation(conversationId: string, options?: { after?: string }, signal?: AbortSignal): Promise<Conversation | null>;
  push(deviceId: string, changes: Change[], signal?: AbortSignal): Promise<PushResponse>;
  /** The account's connected assistants, and the address for connecting another. */
  assistants(signal?: AbortSignal, after?: string): Promise<AssistantsResponse>;
  /** Revokes an assistant's access, or allows it again; returns its new state. */
  allowAssistant(clientId: string, allowed: boolean): Promise<AssistantResponse>;
  /** Deletes a part of the account's data; repeat the same request while `remaining` is true. */
  erase(requestId: string): Promise<{ deleted: number; remaining: boolean }>;
  pull(after: string | null, limit: number, signal?: AbortSignal): Promise<PullResponse>;
  /** The feed: changes of all devices as they are made; resumes by cursor. */
  changes(options: FollowOptions): AsyncIterable<RemoteChange>;
  /** The frames of an answer; see ask.ts. */
  ask(question: Question, signal: AbortSignal, onLost?: OnConnectionLost): AsyncIterable<AskFrame>;
  /** The rest of a kept answer after the frame of that number. */
  resumeAnswer(requestId: string, seq: number, signal: AbortSignal, onLost?: OnConnectionLost): AsyncIterable<AskFrame>;
  /** Releases a kept answer: stops it, or confirms that it was stored. */
  release(requestId: string): Promise<void>;
}

/**
 * A client over a `fetch`. After the first `me` that finds an account it acts for that account: if somebody else signs in, its requests
 * fail with `sign_in_required`.
 */
export function createApi(open: Fetch = (input, init) => globalThis.fetch(input, init)): Api {
  let accountId: string | null = null;
  const fetch: Fetch = async (input, init = {}) => {
    if (accountId === null) return open(input, init);
    const response = await open(input, { ...init, headers: { ...(init.headers as Record<string, string>), [accountHeader]: accountId } });
    if (response.status === 401) api.onSignedOut?.();
    return response;
  };
  const api: Api = {
    onSignedOut: null,
    me: async (signal) => {
      const { account } = await call(open, "GET /api/me", {}, abortedBy(signal));
      accountId ??= account?.accountId ?? null;
      return account;
    },
    setAccount: (id) => {
      accountId ??= id;
    },
    signOut: async (body = {}) => (await call(fetch, "POST /auth/sign-out", { body })).redirect,
    sessions: async (signal) => (await call(fetch, "GET /auth/sessions", {}, abortedBy(signal))).sessions,
    endSession: async (sessionId) => (await call(fetch, "POST /auth/sessions/end", { body: { sessionId } })).sessions,
    models: (signal) => call(fetch, "GET /api/ai/models", {}, abortedBy(signal)),
    references: async (q, signal) => (await call(fetch, "GET /api/ai/references", { query: { q } }, abortedBy(signal))).references,
    source: (href, signal) =>
      orNull(async () => (await call(fetch, "GET /api/courses/source", { query: { href } }, abortedBy(signal))).source),
    courses: async (signal) => (await call(fetch, "GET /api/courses", {}, abortedBy(signal))).courses,
    tutor: tutorApi(fetch),
    send: fetch,
    review: (query = {}, signal) => call(fetch, "GET /api/review", { query }, abortedBy(signal)),
    conversations: (query = {}, signal) => call(fetch, "GET /api/conversations", { query }, abortedBy(signal)),
    conversation: (conversationId, query = {}, signal) =>
      orNull(async () => {
        const request = { parameters: { conversationId }, query };
        return (await call(fetch, "GET /api/conversations/:conversationId", request, abortedBy(signal))).conversation;
      }),
    push: (deviceId, changes, signal) => call(fetch, "POST /api/sync/push", { body: { deviceId, changes } }, abortedBy(signal)),
    assistants: (signal, after) => call(fetch, "GET /api/ai/assistants", { query: { after } }, abortedBy(signal)),
    allowAssistant: (clientId, allowed) => call(fetch, "POST /api/ai/assistants", { body: { requestId: uuidv7(), clientId, allowed } }),
    erase: (requestId) => call(fetch, "POST /api/account/erase", { body: { requestId, confirmed: true } }),
    pull: (after, limit, signal) => call(fetch, "GET /api/sync/pull", { query: { after: after ?? undefined, limit } }, abortedBy(signal)),
    changes: (options) => remoteChanges(fetch, options),
    ask: (...asked) => ask(fetch, ...asked),
    resumeAnswer: (...asked) => resumeAnswer(fetch, ...asked),
    release: (requestId) => release(fetch, requestId),
  };
  return api;
}

async function* remoteChanges(fetch: Fetch, options: FollowOptions): AsyncGenerator<RemoteChange, void> {
  for await (const event of follow(fetch, "GET /api/sync/stream", {}, options)) {
    const change = JSON.parse(event.data) as RemoteChange;
    if (change?.entityId) yield change;
  }
}

/** "Not found" becomes null. */
async function orNull<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RequestFailed && (error.problem.code === "not_found" || error.problem.code === "unknown_reference")) return null;
    throw error;
  }
}
