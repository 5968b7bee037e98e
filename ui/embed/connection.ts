import type { EmbedMessage, EmbedOffer, EmbedRecordRequest, EmbedResponse, EmbedTokenResponse } from "@colloquy/schemas/embed/embed.ts";
import type { PushResponse } from "@colloquy/schemas/sync/protocol.ts";
import { pause } from "../api/backoff.ts";
import { type Api, createApi } from "../api/client.ts";
import { type Fetch, getJson, jsonInit, postJson, send } from "../api/http.ts";
import { RequestFailed } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import { Emitter } from "../store/emitter.ts";
import { type SignInWindow, signInWindow } from "./sign-in-window.ts";
import type { EmbedState } from "./types.ts";

/** A token is renewed when so much of its time has gone. */
const renewAfter = 0.75;

/** Pauses before something is tried again that was not recorded, in milliseconds. */
const recordPausesMs = [400, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

export type RecordedChange = EmbedRecordRequest["changes"][number];

interface Token {
  text: string;
  /** When it is over, on the page's clock. */
  until: number;
}

const connections = new Map<string, Connection>();

/** The one connection of a page to a service: all its elements are signed in and out together. */
export function connectionTo(service: string): Connection {
  const known = connections.get(service) ?? new Connection(service);
  connections.set(service, known);
  return known;
}

/**
 * How elements in a page of another site speak to their service. The token is kept in memory alone, so it goes with the page; it is
 * renewed by itself for as long as the learner stays signed in at the service. On the service's own pages its session counts.
 */
export class Connection {
  readonly service: string;
  readonly events = new Emitter<{ change: undefined }>();
  readonly api: Api;
  state: EmbedState = "loading";
  /** Why the last try to sign in came to nothing. */
  trouble: "blocked" | "closed" | null = null;
  /** What the service offers; nothing while that is not known. */
  offers: ReadonlySet<EmbedOffer> = new Set();
  /** Who is signed in, as far as a page may know: the same text for the same reader, for as long as the page lasts. */
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

  /** Asks whether this page may hold elements of the service, and on its own pages who is signed in. */
  async connect(): Promise<void> {
    this.#setState("loading");
    try {
      const { allowed, offers } = await getJson<EmbedResponse>(this.#open, `${this.service}/api/embed`);
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

  /** Opens the sign-in window, which browsers allow in a click. */
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

  /** The next token for the one there is; all who need it wait for one request. */
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
      this.#open(input, { ...init, headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token.text}` } });
    try {
      const next = await postJson<EmbedTokenResponse>(withToken, `${this.service}/auth/embed/renew`, {});
      this.#setToken(next.token, next.seconds);
    } catch (error) {
      if (error instanceof RequestFailed && (error.problem.status === 401 || error.problem.status === 403)) this.#signedOut();
      throw error;
    }
  }

  readonly #fetch: Fetch = async (path, init = {}) => {
    // A page that slept may find that its token is over: then it learns so by asking.
    if (this.#token && this.#token.until - performance.now() < 5_000) await this.#renew().catch(() => undefined);
    const token = this.#token;
    const headers = { ...(init.headers as Record<string, string>), ...(token && { authorization: `Bearer ${token.text}` }) };
    const response = await this.#open(`${this.service}${path}`, { ...init, headers });
    if (response.status === 401 && this.state === "signed-in") this.#signedOut();
    return response;
  };

  /**
   * Has something written into its reader's history, under the ids it has: sending it again changes nothing. Goes on after a lost
   * connection and after the reader has signed in again, and is sent when the page goes away just then. False when it is refused for good.
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
      // Its header rules a beacon out; `keepalive` lets a request of this size outlive its page.
      const init = { ...jsonInit({ conversationId, changes }), keepalive: true };
      const { results } = (await (await send(this.#fetch, "/api/embed/record", init)).json()) as PushResponse;
      const refused = results.find(({ outcome }) => outcome === "refused");
      // The answer it belongs to may be on its way into the history still.
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
