import { conversationExcerpt } from "@colloquy/schemas/conversations/excerpt.ts";
import type { ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import type { Api } from "../api/client.ts";
import type { AccountStore } from "./account-store.ts";
import { HistoryIndex, termsOf } from "./history-index.ts";
import type { Library } from "./library.ts";

/** Words are put into the index in pieces, so that typing goes on meanwhile. */
const rowsAtOnce = 400;

/** What a line of the list has room for, and some more. */
const excerptLength = 66;

/** Looks through an account's conversations in this browser; where it does not have all of them, at the service as well. */
export class HistorySearch {
  readonly #library: Library;
  readonly #store: Pick<AccountStore, "words" | "records" | "persistent">;
  readonly #api: Pick<Api, "conversations">;
  readonly #index = new HistoryIndex();
  /** Excerpts the service has sent with what it found. */
  readonly #sent = new Map<string, string>();
  #ready: Promise<void> | null = null;

  constructor(library: Library, store: Pick<AccountStore, "words" | "records" | "persistent">, api: Pick<Api, "conversations">) {
    this.#library = library;
    this.#store = store;
    this.#api = api;
  }

  /** Reads the words that are kept; from then on they follow what happens. Begun when somebody is about to search. */
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

  /** What is found here, best first, archived conversations included. */
  async here(query: string): Promise<ConversationSummary[]> {
    await this.prepare();
    return this.#index.search(termsOf(query), this.#library.all);
  }

  /** What the service finds beside it; nothing where this browser has everything. @throws {RequestFailed} */
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

  /** The stretch of a conversation's text that matched, its first words when it was the title alone. */
  async excerpt(conversationId: string, terms: readonly string[]): Promise<string | null> {
    const record = this.#library.cached(conversationId) ?? (await this.#store.records.get(conversationId))?.record;
    return record ? conversationExcerpt(record.turns, terms, excerptLength) : (this.#sent.get(conversationId) ?? null);
  }
}
