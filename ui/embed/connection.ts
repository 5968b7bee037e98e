import type { EmbedMessage, EmbedOffer, EmbedRecordRequest } from "@colloquy/schemas/embed/embed.ts";
import { pause } from "../api/backoff.ts";
import { type Api, createApi } from "../api/client.ts";
import { call, type Fetch } from "../api/http.ts";
import { RequestFailed } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import { Emitter } from "../store/emitter.ts";
import { type SignInWindow, signInWindow } from "./sign-in-window.ts";
import type { EmbedState } from "./types.ts";

/** A token is renewed after this share of its lifetime. */
const renewAfter = 0.75;

/** Delays between attempts to record a change, in milliseconds. */
const recordPausesMs = [400, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

export type RecordedChange = EmbedRecordRequest["changes"][number];

interface Token {
  text: string;
  /** Expiry on the page's clock. */
  until: number;
}

const connections = new Map<string, Connection>();

/** The page's single connection to a service, so that all elements sign in and out together. */
export function connectionTo(service: string): Connection {
  const known = connections.get(service) ?? new Connection(service);
  connections.set(service, known);
  return known;
}

/**
 * The connection of elements on another site's page to their service. The token lives only in memory and is renewed while the learner stays
 * signed in at the service. On the service's own pages the session cookie is used.
 */
export class Connection {
  readonly service: string;
  readonly events = new Emitter<{ change: undefined }>();
  readonly api: Api;
  state: EmbedState = "loading";
  /** Why the last sign-in failed. */
  trouble: "blocked" | "closed" | null = null;
  /** What the service offers; empty while unknown. */
  offers: ReadonlySet<EmbedOffer> = new Set();
  /** An opaque id of the signed-in reader, stable for the page's lifetime. */
  reader: string | null = null;
  readonly #own: boolean;
  readonly #open: Fetch;
  #token: Token | null = null;
  #renewing: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #window: SignInWindow | null = null;
  readonly #nonce = uuidv7();

  constructor(service: string, open: Fetch = (input, init) => globalThis.fetch(input, init)) {
    this.service = service;
    this.#own = service === location.origin;
    this.#open = open;
    this.api = createApi(this.#fetch);
    void this.connect();
  }

  /** Asks whether this page may embed the service and, on the service's own pages, who is signed in. */
  async connect(): Promise<void> {
    this.#setState("loading");
    try {
      const { allowed, offers } = await call(this.#atService, "GET /api/embed", {});
      this.offers = new Set(offers);
      if (this.#own) {
        this.reader = (await this.api.me())?.accountId ?? null;
        return this.#setState(this.reader === null ? "signed-out" : "signed-in");
      }
      this.#setState(allowed ? "signed-out" : "refused");
    } catch {
      this.#setState("unreachable");
    }
  }

  /** Opens the sign-in window; browsers allow this only in a click. */
  signIn(): void {
    if (this.#own) location.assign(`/sign-in?return=${encodeURIComponent(location.pathname + location.search)}`);
    if (this.#own || (this.state !== "signed-out" && this.state !== "signing-in")) return;
    this.#window?.close();
    this.trouble = null;
    this.#window = signInWindow(this.service, this.#nonce, {
      onToken: (message) => this.#signedIn(message),
      onGone: (trouble) => {
        this.trouble = trouble;
        this.#window = null;
        this.#setState("signed-out");
      },
    });
    this.#setState(this.#window ? "signing-in" : "signed-out");
  }

  #signedIn({ token, seconds, reader }: EmbedMessage): void {
    this.#window = null;
    this.reader = reader;
    this.#setToken(token, seconds);
    this.#setState("signed-in");
  }

  #setToken(text: string, seconds: number): void {
    this.#token = { text, until: performance.now() + seconds * 1_000 };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#renew().catch(() => undefined), seconds * 1_000 * renewAfter);
  }

  #signedOut(): void {
    clearTimeout(this.#timer);
    this.#token = null;
    this.#setState("signed-out");
  }

  /** Renews the token; concurrent callers share one request. */
  #renew(): Promise<void> {
    this.#renewing ??= this.#renewNow().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #renewNow(): Promise<void> {
    const token = this.#token;
    if (!token) return;
    const withToken: Fetch = (input, init = {}) =>
      this.#atService(input, { ...init, headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token.text}` } });
    try {
      const next = await call(withToken, "POST /auth/embed/renew", { body: {} });
      this.#setToken(next.token, next.seconds);
    } catch (error) {
      if (error instanceof RequestFailed && (error.problem.status === 401 || error.problem.status === 403)) this.#signedOut();
      throw error;
    }
  }

  readonly #atService: Fetch = (path, init) => this.#open(`${this.service}${path}`, init);

  readonly #fetch: Fetch = async (path, init = {}) => {
    // After sleep the token may have expired, so it is renewed before the request.
    if (this.#token && this.#token.until - performance.now() < 5_000) await this.#renew().catch(() => undefined);
    const token = this.#token;
    const headers = { ...(init.headers as Record<string, string>), ...(token && { authorization: `Bearer ${token.text}` }) };
    const response = await this.#atService(path, { ...init, headers });
    if (response.status === 401 && this.state === "signed-in") this.#signedOut();
    return response;
  };

  /**
   * Records changes in the reader's history; idempotent. Retries after a lost connection or a new sign-in, and survives closing the page.
   * False if refused for good.
   */
  async record(conversationId: string, changes: RecordedChange[]): Promise<boolean> {
    const { reader } = this;
    for (const waitMs of [...recordPausesMs, null]) {
      await this.#untilSignedIn();
      if (reader !== this.reader) return false;
      const { retry, done } = await this.#recordNow(conversationId, changes);
      if (done) return true;
      if (!retry || waitMs === null) return false;
      await pause(waitMs);
    }
    return false;
  }

  async #recordNow(conversationId: string, changes: RecordedChange[]): Promise<{ done: boolean; retry: boolean }> {
    try {
      // A beacon cannot set the header; `keepalive` lets the request outlive the page.
      const { results } = await call(this.#fetch, "POST /api/embed/record", { body: { conversationId, changes } }, { keepalive: true });
      const refused = results.find(({ outcome }) => outcome === "refused");
      // The answer may not be in the history yet, so a retry makes sense.
      return { done: refused === undefined, retry: refused?.code === "not_found" || refused?.code === "unavailable" };
    } catch (error) {
      const status = error instanceof RequestFailed ? error.problem.status : 0;
      return { done: false, retry: status === 0 || status === 401 || status === 429 || status >= 500 };
    }
  }

  #untilSignedIn(): Promise<void> {
    if (this.state === "signed-in") return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.events.on("change", () => {
        if (this.state !== "signed-in") return;
        stop();
        resolve();
      });
    });
  }

  #setState(state: EmbedState): void {
    this.state = state;
    this.events.emit("change");
  }
}
