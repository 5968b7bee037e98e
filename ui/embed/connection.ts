import type { EmbedMessage, EmbedResponse, EmbedTokenResponse } from "@colloquy/schemas/embed.ts";
import { type Api, createApi } from "../api/client.ts";
import { type Fetch, getJson, postJson } from "../api/http.ts";
import { RequestFailed } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import { Emitter } from "../store/emitter.ts";
import { type SignInWindow, signInWindow } from "./sign-in-window.ts";
import type { EmbedState } from "./types.ts";

/** A token is renewed when so much of its time has gone. */
const renewAfter = 0.75;

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
  readonly #own: boolean;
  readonly #open: Fetch;
  #token: Token | null = null;
  #renewing: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #window: SignInWindow | null = null;

  constructor(service: string, open: Fetch = (input, init) => globalThis.fetch(input, init)) {
    this.service = service;
    this.#own = service === location.origin;
    this.#open = open;
    this.api = createApi(this.#fetch);
    void this.look();
  }

  /** Asks whether this page may hold elements of the service, and on its own pages who is signed in. */
  async look(): Promise<void> {
    this.#become("loading");
    try {
      if (this.#own) return this.#become((await this.api.me()) ? "signed-in" : "signed-out");
      const { allowed } = await getJson<EmbedResponse>(this.#open, `${this.service}/api/embed`);
      this.#become(allowed ? "signed-out" : "refused");
    } catch {
      this.#become("unreachable");
    }
  }

  /** Opens the sign-in window, which browsers allow in a click. */
  signIn(): void {
    if (this.#own) location.assign(`/sign-in?return=${encodeURIComponent(location.pathname + location.search)}`);
    if (this.#own || (this.state !== "signed-out" && this.state !== "signing-in")) return;
    this.#window?.close();
    this.trouble = null;
    this.#window = signInWindow(this.service, uuidv7(), {
      onToken: (message) => this.#signedIn(message),
      onGone: (trouble) => {
        this.trouble = trouble;
        this.#window = null;
        this.#become("signed-out");
      },
    });
    this.#become(this.#window ? "signing-in" : "signed-out");
  }

  #signedIn({ token, seconds }: Pick<EmbedMessage, "token" | "seconds">): void {
    this.#window = null;
    this.#keep(token, seconds);
    this.#become("signed-in");
  }

  #keep(text: string, seconds: number): void {
    this.#token = { text, until: performance.now() + seconds * 1_000 };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#renew().catch(() => undefined), seconds * 1_000 * renewAfter);
  }

  #signedOut(): void {
    clearTimeout(this.#timer);
    this.#token = null;
    this.#become("signed-out");
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
      this.#keep(next.token, next.seconds);
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

  #become(state: EmbedState): void {
    this.state = state;
    this.events.emit("change");
  }
}
