import type { ReactiveController, ReactiveControllerHost } from "lit";
import { isAbort, problemOfThrown, problemTitle } from "../api/problems.ts";
import { msg } from "../messages/page.ts";

/** A list of the account in the settings: read again on request, and changed one row at a time, where a refusal is shown. */
export class AccountList<Content extends object> implements ReactiveController {
  /** Null before it is read; words where it could not be read. */
  content: Content | string | null = null;
  /** The row that is being changed. */
  changing: string | null = null;
  refused: { row: string; words: string } | null = null;
  readonly #host: ReactiveControllerHost;
  readonly #request: (signal: AbortSignal) => Promise<Content>;
  #reading: AbortController | null = null;

  constructor(host: ReactiveControllerHost, request: (signal: AbortSignal) => Promise<Content>) {
    this.#host = host;
    this.#request = request;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("online", this.#online);
  }

  hostDisconnected(): void {
    removeEventListener("online", this.#online);
    this.#reading?.abort();
  }

  /** Reads the list again; the previous one stays until then. */
  async read(): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    this.refused = null;
    if (typeof this.content === "string") this.content = null;
    this.#host.requestUpdate();
    try {
      const content = await this.#request(reading.signal);
      if (!reading.signal.aborted) this.content = content;
    } catch (error) {
      if (!isAbort(error) && !reading.signal.aborted) this.content = wordsOfThrown(error);
    }
    this.#host.requestUpdate();
  }

  /** Replaces the list by what `request` returns, unless another change runs. Resolves to whether it was changed. */
  async change(row: string, request: () => Promise<Content>): Promise<boolean> {
    if (this.changing !== null) return false;
    this.changing = row;
    this.refused = null;
    // A list that is still being read would show the former state.
    this.#reading?.abort();
    this.#host.requestUpdate();
    try {
      this.content = await request();
    } catch (error) {
      if (!isAbort(error)) this.refused = { row, words: wordsOfThrown(error) };
    }
    this.changing = null;
    this.#host.requestUpdate();
    return this.refused === null;
  }

  readonly #online = () => {
    if (typeof this.content === "string") void this.read();
  };
}

const wordsOfThrown = (error: unknown): string =>
  navigator.onLine ? problemTitle(problemOfThrown(error)) : msg("workspace.offlineTryAgainOnce");
