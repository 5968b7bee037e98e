import type { ReferenceResult } from "@colloquy/schemas/ai/references.ts";

/** What stands between an "@" and the caret. `start` is the place of the "@". */
export interface Mention {
  start: number;
  end: number;
  query: string;
}

const longestMention = 80;

/** The mention the caret stands in: an "@" that begins a word, on the caret's line. Null when there is none. */
export function mentionAt(text: string, caret: number): Mention | null {
  const start = text.lastIndexOf("@", caret - 1);
  if (start === -1 || start >= caret || caret - start > longestMention) return null;
  if (start > 0 && !/[\s([{"'“‘]/.test(text[start - 1] ?? "")) return null;
  const query = text.slice(start + 1, caret);
  return query.includes("\n") || /^\s/.test(query) ? null : { start, end: caret, query };
}

export type Search = (query: string, signal: AbortSignal) => Promise<ReferenceResult[]>;

/** Asks for references while one types. Only the newest question's reply counts, however late an older one comes. */
export class ReferenceSearch {
  readonly #search: Search;
  readonly #show: (results: ReferenceResult[] | "failed") => void;
  #current: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(search: Search, show: (results: ReferenceResult[] | "failed") => void) {
    this.#search = search;
    this.#show = show;
  }

  ask(query: string, waitMs: number): void {
    this.cancel();
    const mine = new AbortController();
    this.#current = mine;
    this.#timer = setTimeout(async () => {
      try {
        const results = await this.#search(query, mine.signal);
        if (this.#current === mine) this.#show(results);
      } catch {
        if (this.#current === mine) this.#show("failed");
      }
    }, waitMs);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#current?.abort();
    this.#current = null;
  }
}
