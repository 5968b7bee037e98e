/** Digests of a stream's changes by event id. */
export interface ChangeLog {
  get(eventId: string): string | undefined;
  readonly size: number;
}

/** So many of the newest are copied when one is added; the others are shared by all states. */
const newestAtMost = 1_000;

/** A log of which each addition makes a new one, cheaply also where there are a hundred thousand. */
export class LayeredLog implements ChangeLog {
  static readonly empty = new LayeredLog(new Map(), new Map());
  readonly #shared: ReadonlyMap<string, string>;
  readonly #newest: ReadonlyMap<string, string>;

  private constructor(shared: ReadonlyMap<string, string>, newest: ReadonlyMap<string, string>) {
    this.#shared = shared;
    this.#newest = newest;
  }

  get(eventId: string): string | undefined {
    return this.#newest.get(eventId) ?? this.#shared.get(eventId);
  }
  get size(): number {
    return this.#shared.size + this.#newest.size;
  }

  with(entries: readonly (readonly [eventId: string, digest: string])[]): LayeredLog {
    const added = entries.filter(([id]) => this.get(id) === undefined);
    if (this.#newest.size + added.length > newestAtMost)
      return new LayeredLog(new Map([...this.#shared, ...this.#newest, ...added]), new Map());
    return new LayeredLog(this.#shared, new Map([...this.#newest, ...added]));
  }
}
