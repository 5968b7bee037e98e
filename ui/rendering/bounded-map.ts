/** A cache of limited size: an entry beyond the limit evicts the one that was set least recently. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    for (const [oldest] of this) {
      if (this.size <= this.#limit) break;
      this.delete(oldest);
    }
    return this;
  }
}
