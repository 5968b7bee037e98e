import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";

export type Search = (query: string, signal: AbortSignal) => Promise<ReferenceResult[]>;

/** Searches references while the learner types. Only the newest query's results are shown, whatever arrives later. */
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
