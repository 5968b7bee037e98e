import type { Account, MeResponse, SignOutResponse } from "@colloquy/schemas/accounts/account.ts";
import type { ErasureResponse } from "@colloquy/schemas/accounts/erasure.ts";
import type { AskFrame } from "@colloquy/schemas/ask/ask.ts";
import type { ModelsResponse } from "@colloquy/schemas/ask/models.ts";
import type { ReferenceResult, ReferencesResponse } from "@colloquy/schemas/ask/references.ts";
import type { AssistantResponse, AssistantsResponse } from "@colloquy/schemas/assistants/assistant.ts";
import type { Conversation, ConversationResponse, ConversationsResponse } from "@colloquy/schemas/conversations/requests.ts";
import type { CoursesResponse } from "@colloquy/schemas/courses/revision.ts";
import { accountHeader } from "@colloquy/schemas/headers.ts";
import type { ReviewResponse } from "@colloquy/schemas/review/requests.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import type { PullResponse, PushResponse, RemoteChange } from "@colloquy/schemas/sync/protocol.ts";
import { ask, type OnConnectionLost, type Question, release, resumeAnswer } from "./ask.ts";
import { type FollowOptions, follow } from "./event-stream.ts";
import { type Fetch, getJson, postJson, withQuery } from "./http.ts";
import { RequestFailed } from "./problems.ts";
import { type TutorApi, tutorApi } from "./tutor.ts";

/** What the workspace asks of the services, typed by the wire's schemas. Everything throws `RequestFailed` (problems.ts). */
export interface Api {
  /** Called whenever a request is refused because nobody is signed in any more, or somebody else. */
  onSignedOut: (() => void) | null;
  /** Who is signed in; null for nobody. */
  me(signal?: AbortSignal): Promise<Account | null>;
  /** Acts for an account from here on, as after `me`: for a page that opens while the service cannot say who is there. */
  setAccount(accountId: string): void;
  /** Ends the session; gives back where the browser goes next. */
  signOut(): Promise<string>;
  models(signal?: AbortSignal): Promise<ModelsResponse>;
  /** At most 20 places of the live courses, best first; for an empty query the recently published ones. */
  references(query: string, signal?: AbortSignal): Promise<ReferenceResult[]>;
  /** The place a page's path stands for; null when it leads nowhere. */
  source(href: string, signal?: AbortSignal): Promise<ReferenceResult | null>;
  /** Every live course. */
  courses(signal?: AbortSignal): Promise<CoursesResponse["courses"]>;
  tutor: TutorApi;
  /** For clients that are loaded when they are needed. */
  send: Fetch;
  /** What the account reviews. `after` waits until tutoring up to that position is in it. */
  review(options?: { after?: string }, signal?: AbortSignal): Promise<ReviewResponse>;
  /** A page of the history, newest first. `after` waits until the list holds that position. */
  conversations(
    options?: { state?: "active" | "pinned" | "archived"; q?: string; cursor?: string; limit?: number; after?: string },
    signal?: AbortSignal,
  ): Promise<ConversationsResponse>;
  /** The whole record; null when there is none for this account. */
  conversation(conversationId: string, options?: { after?: string }, signal?: AbortSignal): Promise<Conversation | null>;
  push(deviceId: string, changes: Change[], signal?: AbortSignal): Promise<PushResponse>;
  /** The assistants that were let in on the account's behalf, and where another can connect. */
  assistants(signal?: AbortSignal, after?: string): Promise<AssistantsResponse>;
  /** Ends what an assistant may do, or allows it again; gives it as it is then. */
  allowAssistant(clientId: string, allowed: boolean): Promise<AssistantResponse>;
  /** Deletes a part of what the account owns; `remaining`: the same request goes on with the rest. */
  erase(requestId: string): Promise<{ deleted: number; remaining: boolean }>;
  pull(after: string | null, limit: number, signal?: AbortSignal): Promise<PullResponse>;
  /** Changes of every device of the account as they are made; resumes by cursor. */
  changes(options: FollowOptions): AsyncIterable<RemoteChange>;
  /** The frames of an answer; see ask.ts. */
  ask(question: Question, signal: AbortSignal, onLost?: OnConnectionLost): AsyncIterable<AskFrame>;
  /** The rest of a kept answer, after the frame of that number. */
  resumeAnswer(requestId: string, seq: number, signal: AbortSignal, onLost?: OnConnectionLost): AsyncIterable<AskFrame>;
  /** Lets go of a kept answer: stops it, or says that it was stored. */
  release(requestId: string): Promise<void>;
}

/**
 * A client over a `fetch`, the page's own unless another is given. From the first `me` that finds somebody on it acts for that account:
 * when somebody else signs in meanwhile, its requests fail as `sign_in_required`.
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
      const { account } = await getJson<MeResponse>(open, "/api/me", signal);
      accountId ??= account?.accountId ?? null;
      return account;
    },
    setAccount: (id) => {
      accountId ??= id;
    },
    signOut: async () => (await postJson<SignOutResponse>(fetch, "/auth/sign-out", {})).redirect,
    models: (signal) => getJson<ModelsResponse>(fetch, "/api/ai/models", signal),
    references: async (q, signal) => (await getJson<ReferencesResponse>(fetch, withQuery("/api/ai/references", { q }), signal)).references,
    source: (href, signal) =>
      orNull(async () => (await getJson<{ source: ReferenceResult }>(fetch, withQuery("/api/courses/source", { href }), signal)).source),
    courses: async (signal) => (await getJson<CoursesResponse>(fetch, "/api/courses", signal)).courses,
    tutor: tutorApi(fetch),
    send: fetch,
    review: (options = {}, signal) => getJson<ReviewResponse>(fetch, withQuery("/api/review", options), signal),
    conversations: (options = {}, signal) => getJson<ConversationsResponse>(fetch, withQuery("/api/conversations", options), signal),
    conversation: (conversationId, options = {}, signal) =>
      orNull(async () => {
        const path = withQuery(`/api/conversations/${encodeURIComponent(conversationId)}`, options);
        return (await getJson<ConversationResponse>(fetch, path, signal)).conversation;
      }),
    push: (deviceId, changes, signal) => postJson<PushResponse>(fetch, "/api/sync/push", { deviceId, changes }, signal),
    assistants: (signal, after) =>
      getJson<AssistantsResponse>(fetch, `/api/ai/assistants${after === undefined ? "" : `?after=${encodeURIComponent(after)}`}`, signal),
    allowAssistant: (clientId, allowed) => postJson<AssistantResponse>(fetch, "/api/ai/assistants", { clientId, allowed }),
    erase: (requestId) => postJson<ErasureResponse>(fetch, "/api/account/erase", { requestId, confirmed: true }),
    pull: (after, limit, signal) => getJson<PullResponse>(fetch, withQuery("/api/sync/pull", { after: after ?? undefined, limit }), signal),
    changes: (options) => remoteChanges(fetch, options),
    ask: (...asked) => ask(fetch, ...asked),
    resumeAnswer: (...asked) => resumeAnswer(fetch, ...asked),
    release: (requestId) => release(fetch, requestId),
  };
  return api;
}

async function* remoteChanges(fetch: Fetch, options: FollowOptions): AsyncGenerator<RemoteChange, void> {
  for await (const event of follow(fetch, "/api/sync/stream", options)) {
    const change = JSON.parse(event.data) as RemoteChange;
    if (change?.entityId) yield change;
  }
}

/** Nothing there is an answer, not a failure. */
async function orNull<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RequestFailed && (error.problem.code === "not_found" || error.problem.code === "unknown_reference")) return null;
    throw error;
  }
}
