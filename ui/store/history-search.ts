import { conversationExcerpt } from "@colloquy/schemas/conversations/excerpt.ts";
import type { ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import type { Api } from "../api/client.ts";
import type { AccountStore } from "./account-store.ts";
import { HistoryIndex, termsOf } from "./history-index.ts";
import type { Library } from "./library.ts";

/** The index is filled in batches, so that typing stays responsive. */
const rowsAtOnce = 400;

/** A little more than fits into one line of the list. */
const excerptLength = 66;

/** Searches an account's conversations in this browser, and at the service if this browser does not have all of them. */
export class HistorySearch {
  readonly #library: Library;
  readonly #store: Pick<AccountStore, "words" | "records" | "persistent">;
  readonly #api: Pick<Api, "conversations">;
  readonly #index = new HistoryIndex();
  /** Excerpts that the service sent with its results. */
  readonly #sent = new Map<string, string>();
  #ready: Promise<void> | null = null;

  constructor(library: Library, store: Pick<AccountStore, "words" | "records" | "persistent">, api: Pick<Api, "conversations">) {
    this.#library = library;
    this.#store = store;
    this.#api = api;
  }

  /** Fills the index and keeps it up to date. Called when somebody focuses the search field. */
  prepare(): Promise<void> {
    this.#ready ??= this.#read();
    return this.#ready;
  }

  async #read(): Promise<void> {
    const since = new Map<string, string | null>();
    let reading = true;
    this.#library.replica.events.on("words", ({ rows }) => {
      for (const { key, words } of rows) {
        if (reading) since.set(key, words);
        else this.#index.set(key, words);
      }
    });
    const rows = await this.#store.words.getAll();
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      for (const { key, words } of rows.slice(at, at + rowsAtOnce)) if (!since.has(key)) this.#index.set(key, words);
      await new Promise((resolve) => setTimeout(resolve));
    }
    reading = false;
    for (const [key, words] of since) this.#index.set(key, words);
  }

  /** Results in this browser, best first, including archived conversations. */
  async here(query: string): Promise<ConversationSummary[]> {
    await this.prepare();
    return this.#index.search(termsOf(query), this.#library.all);
  }

  /** Further results of the service; empty if this browser has every conversation. @throws {RequestFailed} */
  async elsewhere(query: string, found: readonly ConversationSummary[], signal: AbortSignal): Promise<ConversationSummary[]> {
    if (this.#library.loaded && this.#store.persistent) return [];
    const known = new Set(found.map(({ conversationId }) => conversationId));
    const pages = await Promise.all(
      (["active", "archived"] as const).map((state) => this.#api.conversations({ state, q: query, limit: 50 }, signal)),
    );
    return pages.flatMap(({ conversations }) =>
      conversations.filter(({ conversationId, match }) => {
        if (match !== undefined) this.#sent.set(conversationId, match);
        return !known.has(conversationId);
      }),
    );
  }

  /** The text around the match, or the beginning of the conversation if only its title matched. */
  async excerpt(conversationId: string, terms: readonly string[]): Promise<string | null> {
    const record = this.#library.cached(conversationId) ?? (await this.#store.records.get(conversationId))?.record;
    return record ? conversationExcerpt(record.turns, terms, excerptLength) : (this.#sent.get(conversationId) ?? null);
  }
}
