import { Browser } from "@colloquy/infra/identity/testing/browser.ts";
import { bounds as wireBounds } from "@colloquy/schemas/bounds.ts";
import { type ErrorCode, errorCodes, type Problem } from "@colloquy/schemas/errors.ts";
import { whoCookie } from "../harness/identity-provider.ts";
import type { RecordedRequest, RequestKind, RequestLog } from "./request-log.ts";

/**
 * No answer takes longer, and none that is told in pieces is silent for longer; a live stream is given up by browsers after three of its
 * heartbeats. Milliseconds.
 */
export const bounds = { answerMs: 25_000, silenceMs: 25_000, liveSilenceMs: 3 * wireBounds.sync.heartbeatMs } as const;

/** A request that failed. `final`: sending it again will not help. */
export class RetryLater extends Error {
  override name = "Again";
  readonly afterMs: number;
  readonly code: ErrorCode | null;
  readonly final: boolean;
  constructor(message: string, afterMs: number, { code = null, final = false }: { code?: ErrorCode | null; final?: boolean } = {}) {
    super(message);
    this.afterMs = afterMs;
    this.code = code;
    this.final = final;
  }
}

export interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  body?: object;
  headers?: { [name: string]: string };
  /** Other statuses than of success that are an answer here. */
  fits?: readonly number[];
}

export interface Answer {
  status: number;
  text: string;
  headers: Headers;
}

/** An HTTP client that records every request. */
export interface RecordingClient {
  /** Signs in at the provider, as the sign-in button does. @throws {RetryLater} */
  signIn(): Promise<void>;
  /** @throws {RetryLater} for a refusal in words and for a broken connection */
  send(name: RequestKind, path: string, sent?: RequestOptions): Promise<Answer>;
  /** As `send`, for an answer in lines; gives each as it comes, and ends when the answer does. `ends`: what its last line makes of it. */
  lines(
    name: RequestKind,
    path: string,
    sent: RequestOptions & { signal?: AbortSignal; ends?: typeof outcomeOfLastFrame },
  ): AsyncGenerator<string>;
  /** Notes what is wrong with an answer; `done`: something that was begun at `began` and needs no end of its own. */
  note(name: RequestKind, outcome: "done" | "wrong", why: string, began?: number): void;
}

/**
 * What a stream's last line makes of it. `fits`: refusals that are an answer here. What comes of being too busy is wrong, because nobody here
 * does more than people do.
 */
export function outcomeOfLastFrame(line: string | undefined, fits: readonly ErrorCode[] = []): Pick<RecordedRequest, "outcome" | "why"> {
  const frame = JSON.parse(line ?? "{}") as { kind?: string; code?: ErrorCode; title?: string; retryable?: boolean };
  if (frame.kind === "complete") return { outcome: "done", why: "" };
  const { kind, code, title, retryable } = frame;
  if (kind !== "error" || !code) return { outcome: "broken", why: "it ended without a last word" };
  if (fits.includes(code)) return { outcome: "done", why: code };
  return { outcome: retryable && errorCodes[code].status !== 429 ? "waits" : "wrong", why: `${code}: ${title}` };
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === "object" && value !== null && "code" in value && String(value.code) in errorCodes;

export function recordingClient({
  url,
  issuer,
  who,
  record,
}: {
  url: string;
  issuer: string;
  who: string;
  record: RequestLog;
}): RecordingClient {
  let browser = new Browser();
  const cookies = (): string =>
    [...browser.cookies]
      .filter(([key]) => key.startsWith("localhost "))
      .map(([key, { value }]) => `${key.split(" ")[1]}=${value}`)
      .join("; ");
  const note = (name: RequestKind, began: number, outcome: RecordedRequest["outcome"], status = 0, why = ""): void => {
    record.requests.push({ name, who, startedAt: began, endedAt: performance.now(), outcome, status, why });
  };
  const lost = (name: RequestKind, path: string, began: number, error: unknown): RetryLater => {
    const timeout = error instanceof Error && error.name === "TimeoutError";
    const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
    const why = `${path}: ${error instanceof Error ? `${error.message} ${cause?.message || (cause?.code ?? "")}` : error}`;
    note(name, began, timeout ? "hung" : cause?.code === "ECONNREFUSED" ? "unreachable" : "broken", 0, why);
    return new RetryLater(why, 500);
  };
  /** What is wrong with a refusal; null when it is as promised. */
  const faultOf = (status: number, headers: Headers, text: string): string | null => {
    const type = headers.get("content-type") ?? "";
    if (status === 503 && !headers.has("retry-after")) return "503 without Retry-After";
    if (type.includes("text/html")) return text.includes("<h1") || text.includes("<main") ? null : "a page without words";
    if (!type.includes("application/problem+json")) return `not problem+json but ${type || "nothing"}`;
    const problem: unknown = JSON.parse(text);
    if (!isProblem(problem)) return "a problem without a code of the list";
    return errorCodes[problem.code].status === status ? null : `${problem.code} with status ${status}`;
  };

  function refused(
    name: RequestKind,
    path: string,
    began: number,
    { status, headers, text }: Answer,
    fits: readonly number[] = [],
  ): RetryLater {
    const what = `${path}: ${status} ${text.slice(0, 240)}`;
    const fault = faultOf(status, headers, text);
    const passing = [429, 503, 504].includes(status);
    // All that people do by using it is within the limits of an account; the run goes on all the same.
    const tooMany = status === 429 && !fits.includes(status);
    const code = (headers.get("content-type") ?? "").includes("problem") ? ((JSON.parse(text) as Problem).code ?? null) : null;
    if (fault || tooMany) note(name, began, "wrong", status, `${fault ?? "429 in ordinary use"}: ${what}`);
    else note(name, began, fits.includes(status) ? "done" : passing ? "waits" : "wrong", status, what);
    return new RetryLater(what, 1_000 * Math.min(3, Number(headers.get("retry-after") ?? 0.5) || 0.5), {
      code,
      final: !passing && !fits.includes(status),
    });
  }

  return {
    async signIn() {
      const began = performance.now();
      const fresh = new Browser();
      fresh.cookies.set(`127.0.0.1 ${whoCookie} /`, { value: who, path: "/" });
      const init = { signal: AbortSignal.timeout(bounds.answerMs) };
      let at: { response: Response; url: string };
      let text: string;
      try {
        at = await fresh.follow(`${url}/auth/login?return=/offline`, init);
        text = await at.response.text();
      } catch (error) {
        throw lost("sign in", "/auth/login", began, error);
      }
      const { status, headers } = at.response;
      // The provider's own trouble, while it is killed and started, is not ours.
      if (at.url.startsWith(issuer)) {
        note("sign in", began, "waits", status, "the provider itself");
        throw new RetryLater("the provider itself", 500);
      }
      if (status === 200 && at.url.endsWith("/offline")) {
        browser = fresh;
        return note("sign in", began, "done", status);
      }
      // What was begun before the provider forgot it is refused as a page with words.
      if (status === 400 && text.includes("<h1")) {
        note("sign in", began, "waits", status, at.url);
        throw new RetryLater("refused", 500);
      }
      throw refused("sign in", "/auth/callback", began, { status, headers, text });
    },

    async send(name, path, { method = "GET", body, headers = {}, fits = [] } = {}) {
      const began = performance.now();
      let answer: Answer;
      try {
        const response = await fetch(url + path, {
          method,
          redirect: "manual",
          headers: { cookie: cookies(), ...(body && { "content-type": "application/json" }), ...headers },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(bounds.answerMs),
        });
        answer = { status: response.status, headers: response.headers, text: await response.text() };
      } catch (error) {
        throw lost(name, `${method} ${path}`, began, error);
      }
      if (answer.status >= 300 && answer.status !== 304 && !fits.includes(answer.status))
        throw refused(name, `${method} ${path}`, began, answer);
      note(name, began, "done", answer.status);
      return answer;
    },

    async *lines(name, path, { method = "GET", body, headers = {}, fits = [], signal, ends = () => ({ outcome: "done", why: "" }) }) {
      const began = performance.now();
      const silence = new AbortController();
      const stream = {};
      let timer: NodeJS.Timeout | undefined;
      const heard: number[] = [];
      const listen = (): void => {
        heard.push(performance.now());
        clearTimeout(timer);
        timer = setTimeout(
          () => silence.abort(new DOMException("no word for long", "TimeoutError")),
          name === "live stream" ? bounds.liveSilenceMs : bounds.silenceMs,
        );
      };
      listen();
      let refusal: RetryLater | undefined;
      let last: string | undefined;
      try {
        const response = await fetch(url + path, {
          method,
          headers: { cookie: cookies(), accept: "application/x-ndjson", ...(body && { "content-type": "application/json" }), ...headers },
          ...(body && { body: JSON.stringify(body) }),
          signal: signal ? AbortSignal.any([silence.signal, signal]) : silence.signal,
        });
        if (!response.ok || !response.body) {
          const { status, headers: told } = response;
          refusal = refused(name, `${method} ${path}`, began, { status, headers: told, text: await response.text() }, fits);
          throw refusal;
        }
        record.streams.add(stream);
        let kept = "";
        for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
          listen();
          const lines = (kept + piece).split("\n");
          kept = lines.pop() ?? "";
          for (const line of lines) {
            if (line === "") continue;
            last = line;
            yield line;
          }
        }
      } catch (error) {
        if (error === refusal || signal?.aborted) throw error;
        const lastHeard = ((heard.at(-1) ?? began) - began) / 1_000;
        throw lost(name, `${method} ${path} (${heard.length - 1} pieces, the last after ${lastHeard.toFixed(1)} s)`, began, error);
      } finally {
        clearTimeout(timer);
        record.streams.delete(stream);
      }
      const { outcome, why } = ends(last);
      note(name, began, outcome, 200, why);
    },

    note: (name, outcome, why, began = performance.now()) => note(name, began, outcome, 200, why),
  };
}
