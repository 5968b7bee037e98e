import type { Account } from "@colloquy/schemas/accounts/account.ts";
import type { AskFrame, AskRequest } from "@colloquy/schemas/ask/ask.ts";
import type { Conversation, ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import { cursorField, type ErrorCode, errorCodes, errorTitles, type FieldError } from "@colloquy/schemas/errors.ts";
import { accountHeader } from "@colloquy/schemas/headers.ts";
import type { ModelChoice } from "@colloquy/schemas/models.ts";
import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import type { PushRequest, RemoteChange } from "@colloquy/schemas/sync/protocol.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { recordAfter, summaryAfter } from "../../store/fold.ts";
import { answerText, citations, followUps, models, places } from "./fixtures.ts";

type Frame = AskFrame extends infer One ? (One extends AskFrame ? Omit<One, "schemaVersion"> : never) : never;

/** The behaviour of the next answers: normal, refused, broken off, or silent. */
export type AnswerScript =
  | { kind: "answer"; text?: string; chunk?: number; delayMs?: number }
  | { kind: "refused"; code: ErrorCode }
  | { kind: "error-after"; characters: number; code: ErrorCode }
  | { kind: "broken-after"; characters: number }
  /** Breaks the connection but keeps the answer, so that reconnecting gets the rest. */
  | { kind: "lost-after"; characters: number }
  | { kind: "hanging-after"; characters: number }
  /** A quiz in two batches; with `hangs` the second never arrives. */
  | { kind: "quiz"; quiz: Quiz; firstBatch: number; hangs?: boolean };

const encoder = new TextEncoder();
const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** A fake of the services for one account, as a `fetch` for browser tests or behind the development server. All state is in memory. */
export class PlayedService {
  account: Account | null = { accountId: "acc_mira000000000000000000", name: "Mira", roles: ["learner"] };
  models: ModelChoice[] = models;
  script: AnswerScript = { kind: "answer" };
  /** Every request fails like a lost network. */
  unreachable = false;
  /** `POST /api/sync/push` fails like a stopped service. */
  pushFails = false;
  /** Every change is rejected with this code. */
  refuses: ErrorCode | null = null;
  /** Changes of this entity are rejected as `unavailable`; others are accepted. */
  cannotTake: string | null = null;
  /** Paths that fail like a stopped service. */
  readonly unavailable = new Set<string>();
  /** The path of every request, in order. */
  readonly requested: string[] = [];
  /** The tutoring sessions. */
  tutored: TutorSession[] = [];
  readonly asked: AskRequest[] = [];
  readonly aborted: string[] = [];
  /** Released answers. */
  readonly released: string[] = [];
  /** Kept answers that can be resumed. */
  readonly #kept = new Map<string, AskRequest>();
  readonly pushed: PushRequest["changes"] = [];
  readonly #feed: RemoteChange[] = [];
  #restored = false;
  readonly #records = new Map<string, Conversation>();
  readonly #summaries = new Map<string, ConversationSummary>();
  readonly #listeners = new Set<() => void>();
  readonly #cuts = new Set<() => void>();

  /** Adds a change as if another device had pushed it. */
  receive(change: Omit<RemoteChange, "cursor">): void {
    const cursor = String(1000 + this.#feed.length);
    this.#feed.push({ ...change, cursor });
    for (const listener of this.#listeners) listener();
    if (change.domain !== "conversation") return;
    const record = recordAfter(this.#records.get(change.entityId) ?? null, change);
    const summary = summaryAfter(this.#summaries.get(change.entityId) ?? null, change);
    if (record) this.#records.set(change.entityId, { ...record, position: cursor, version: record.version + 1 });
    else this.#records.delete(change.entityId);
    if (summary) this.#summaries.set(change.entityId, summary);
    else this.#summaries.delete(change.entityId);
  }

  /** Breaks all open streams, like a restart of the service. */
  cutStreams(): void {
    for (const cut of [...this.#cuts]) cut();
  }

  readonly fetch = async (input: string | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(typeof input === "string" ? input : input.url, "http://played.test");
    const signal = init.signal ?? (typeof input === "string" ? undefined : input.signal);
    if (this.unreachable) throw new TypeError("Failed to fetch");
    const path = url.pathname;
    this.requested.push(path);
    if (this.unavailable.has(path)) return problem("unavailable");
    if (path === "/api/me") return json({ account: this.account });
    if (path === "/api/ai/models")
      return json({ models: this.models, automatic: this.models.some((model) => model.automaticRank !== null) });
    if (path === "/api/ai/references") return json({ references: this.#find(url.searchParams.get("q") ?? "") });
    if (path === "/api/courses/source") return this.#source(url.searchParams.get("href") ?? "");
    const meant = new Headers(init.headers).get(accountHeader);
    if (!this.account || (meant !== null && meant !== this.account.accountId)) return problem("sign_in_required");
    if (path === "/auth/sign-out") return json({ redirect: "/" });
    if (path === "/api/conversations") return json({ conversations: this.#list(), cursor: null });
    if (path.startsWith("/api/conversations/")) return this.#record(path.slice("/api/conversations/".length));
    if (path === "/api/sync/stream") return this.#stream(Number(new Headers(init.headers).get("last-event-id") ?? 0), signal);
    if (path === "/api/sync/pull")
      return this.#pull(Number(url.searchParams.get("after") ?? 0), Number(url.searchParams.get("limit") ?? 500));
    if (path === "/api/sync/push") return this.#push(JSON.parse(String(init.body)) as PushRequest);
    if (path.startsWith("/api/tutor/sessions")) return this.#tutor(path.split("/")[4], url.searchParams.get("conversationId"));
    if (path === "/api/ai/ask") return this.#ask(JSON.parse(String(init.body)) as AskRequest, signal);
    if (path.startsWith("/api/ai/ask/")) {
      const requestId = path.slice("/api/ai/ask/".length);
      if (init.method === "DELETE") this.released.push(requestId);
      if (init.method === "DELETE") return json({ released: true });
      const request = this.#kept.get(requestId);
      return request ? this.#answer(request, Number(url.searchParams.get("after")), signal) : problem("not_found");
    }
    return problem("not_found");
  };

  /** A kept answer that an earlier page asked for. */
  keep(request: AskRequest): void {
    this.#kept.set(request.requestId, request);
  }

  #find(query: string) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return places.filter((place) => words.every((word) => `${place.title} ${place.trail.join(" ")}`.toLowerCase().includes(word)));
  }

  #source(href: string): Response {
    const source = places.find((place) => place.href === href);
    return source ? json({ source }) : problem("not_found");
  }

  #list(): ConversationSummary[] {
    return [...this.#summaries.values()].sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1));
  }

  #record(conversationId: string): Response {
    const conversation = this.#records.get(conversationId);
    return conversation ? json({ conversation }) : problem("not_found");
  }

  #tutor(sessionId: string | undefined, conversationId: string | null): Response {
    const session = this.tutored.find((one) => one.sessionId === sessionId);
    if (sessionId !== undefined)
      return session ? json({ session, position: "1", live: session.courseRevisionId, goesOn: true }) : problem("not_found");
    return json({ sessions: this.tutored.filter((one) => one.conversationId === conversationId) });
  }

  #pull(after: number, limit: number): Response {
    if (this.#isBeyond(after)) return problem("invalid_request", [{ path: cursorField, message: "" }]);
    const changes = this.#feed.filter(({ cursor }) => Number(cursor) > after);
    const page = changes.slice(0, limit);
    return json({ changes: page, cursor: page.at(-1)?.cursor ?? String(after), more: changes.length > limit });
  }

  #isBeyond(cursor: number): boolean {
    return this.#restored && cursor > Number(this.#feed.at(-1)?.cursor ?? 0);
  }

  #push({ changes, deviceId }: PushRequest): Response {
    if (this.pushFails) return problem("unavailable");
    const { refuses } = this;
    if (refuses) return json({ results: changes.map(({ changeId }) => ({ changeId, outcome: "refused", code: refuses })), position: "0" });
    const results = changes.map((change) => {
      if (change.entityId === this.cannotTake) return { changeId: change.changeId, outcome: "refused", code: "unavailable" };
      const known = this.#feed.some((other) => other.changeId === change.changeId);
      if (!known) {
        this.pushed.push(change);
        this.receive({ ...change, deviceId });
      }
      return { changeId: change.changeId, outcome: known ? "duplicate" : "accepted" };
    });
    return json({ results, position: this.#feed.at(-1)?.cursor ?? "0" });
  }

  /** Restores the service from a backup that is older than every cursor it gave out and lacks its last change. */
  setBack(): void {
    this.#restored = true;
    const known = this.#feed.splice(0).slice(0, -1);
    this.#feed.push(...known.map((change, index) => ({ ...change, cursor: String(index + 1) })));
    for (const [id, record] of this.#records) this.#records.set(id, { ...record, position: "0" });
    for (const cut of this.#cuts) cut();
  }

  #stream(after: number, signal: AbortSignal | null | undefined): Response {
    if (this.#isBeyond(after)) return problem("invalid_request", [{ path: cursorField, message: "" }]);
    let sent = this.#feed.filter((change) => Number(change.cursor) <= after).length;
    const feed = this.#feed;
    const listeners = this.#listeners;
    const cuts = this.#cuts;
    let push = () => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        push = () => {
          for (; sent < feed.length; sent++) {
            const change = feed[sent];
            if (change)
              controller.enqueue(encoder.encode(`id: ${change.cursor}\ndata: ${JSON.stringify({ schemaVersion: 1, ...change })}\n\n`));
          }
        };
        controller.enqueue(encoder.encode(": hello\n\n"));
        push();
        listeners.add(push);
        const cut = () => {
          listeners.delete(push);
          cuts.delete(cut);
          controller.error(new TypeError("network error"));
        };
        cuts.add(cut);
        signal?.addEventListener("abort", () => {
          listeners.delete(push);
          controller.error(new DOMException("stopped", "AbortError"));
        });
      },
      cancel: () => void listeners.delete(push),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  #ask(request: AskRequest, signal: AbortSignal | null | undefined): Response {
    this.asked.push(request);
    const { script } = this;
    if (script.kind === "refused") return problem(script.code);
    const response = this.#answer(request, 0, signal);
    if (script.kind === "lost-after") this.keep(request);
    return response;
  }

  #answer(request: AskRequest, after: number, signal: AbortSignal | null | undefined): Response {
    const frames = this.#frames(request, signal, after > 0);
    let seq = 0;
    const aborted = this.aborted;
    let gone = false;
    signal?.addEventListener("abort", () => {
      gone = true;
      aborted.push(request.requestId);
    });
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        signal?.addEventListener("abort", () => controller.error(new DOMException("stopped", "AbortError")));
      },
      pull: async (controller) => {
        let { value, done } = await frames.next();
        seq += 1;
        while (seq <= after && value && value !== "break") {
          ({ value, done } = await frames.next());
          seq += 1;
        }
        if (gone) return;
        if (value === "break") controller.error(new TypeError("network error"));
        else if (value) controller.enqueue(encoder.encode(`${JSON.stringify({ schemaVersion: 1, ...value, seq })}\n`));
        else if (done) controller.close();
      },
      cancel: () => {
        gone = true;
        aborted.push(request.requestId);
      },
    });
    return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
  }

  async *#frames(request: AskRequest, signal: AbortSignal | null | undefined, again: boolean): AsyncGenerator<Frame | "break", void> {
    const script: AnswerScript = again ? { kind: "answer" } : this.script;
    const delayMs = script.kind === "answer" ? (script.delayMs ?? 0) : 0;
    const started = performance.now();
    const elapsedMs = () => Math.round(performance.now() - started);
    const text = script.kind === "answer" ? (script.text ?? answerText) : answerText;
    yield { kind: "status", phase: "retrieving", elapsedMs: elapsedMs() };
    await sleep(delayMs * 4);
    const pinned =
      request.model.choice === "pinned" ? this.models.find((model) => model.id === (request.model as { id: string }).id) : null;
    const by = pinned ?? this.models[0];
    const who = { provider: by?.provider ?? "p1", model: (by?.id ?? "p1/none").slice(3), fallbackDepth: 0 } as const;
    yield { kind: "status", phase: "generating", elapsedMs: elapsedMs(), detail: { sources: 6, ...who } };
    await sleep(delayMs * 6);
    if (script.kind === "quiz") {
      const { quiz, firstBatch, hangs } = script;
      const questions = { made: firstBatch, wanted: quiz.questions.length };
      const soFar = { ...quiz, questions: quiz.questions.slice(0, firstBatch) };
      yield {
        kind: "status",
        phase: "generating",
        elapsedMs: elapsedMs(),
        detail: { ...who, questions, ...(firstBatch && { quiz: soFar }) },
      };
      if (hangs) return await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
      yield { kind: "artifact", artifact: quiz };
      const ended = { finishReason: "stop", elapsedMs: elapsedMs() } as const;
      return yield { kind: "complete", citations: quiz.sources, followUps: [], ...who, ...ended };
    }
    yield { kind: "status", phase: "writing", elapsedMs: elapsedMs(), detail: { sources: 6, ...who } };
    const end = "characters" in script ? script.characters : text.length;
    const chunk = (script.kind === "answer" && script.chunk) || 12;
    for (let at = 0; at < end && !signal?.aborted; at += chunk) {
      yield { kind: "text_delta", text: text.slice(at, Math.min(end, at + chunk)) };
      if (delayMs) await sleep(delayMs);
    }
    if (script.kind === "hanging-after") return await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
    if (script.kind === "broken-after" || script.kind === "lost-after") return yield "break";
    if (script.kind === "error-after") {
      const { retryable } = errorCodes[script.code];
      const title = errorTitles[script.code];
      return yield { kind: "error", code: script.code, title, retryable };
    }
    yield { kind: "status", phase: "grounding", elapsedMs: elapsedMs() };
    yield {
      kind: "complete",
      citations: text === answerText ? citations : [],
      followUps,
      ...who,
      finishReason: "stop",
      elapsedMs: elapsedMs(),
    };
  }
}

function json(body: object): Response {
  return Response.json({ schemaVersion: 1, ...body });
}

function problem(code: ErrorCode, fields?: FieldError[]): Response {
  const { status, retryable } = errorCodes[code];
  const title = errorTitles[code];
  return new Response(
    JSON.stringify({ schemaVersion: 1, status, code, title, requestId: "played-request", retryable, ...(fields && { fields }) }),
    {
      status,
      headers: { "content-type": "application/problem+json" },
    },
  );
}
