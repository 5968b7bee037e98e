import type { Table } from "./rows.ts";

/** A table in memory, for when the browser refuses to store or its storage is full. */
export class MemoryTable<Row extends { key: string }> implements Table<Row> {
  readonly #rows = new Map<string, Row>();

  async get(key: string): Promise<Row | undefined> {
    return structuredClone(this.#rows.get(key));
  }
  async put(row: Row): Promise<void> {
    this.#rows.set(row.key, structuredClone(row));
  }
  async putAll(rows: Row[]): Promise<void> {
    for (const row of rows) this.#rows.set(row.key, structuredClone(row));
  }
  async delete(key: string): Promise<void> {
    this.#rows.delete(key);
  }
  async getAll(): Promise<Row[]> {
    return structuredClone([...this.#rows.values()].sort(byKey));
  }
  async getMany(keys: string[]): Promise<Row[]> {
    return structuredClone(keys.flatMap((key) => this.#rows.get(key) ?? []));
  }
  async deleteAll(keys: string[]): Promise<void> {
    for (const key of keys) this.#rows.delete(key);
  }
}

export const byKey = (one: { key: string }, other: { key: string }): number => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0);

/**
 * A stored table that falls back to memory when the browser refuses: stored rows stay readable, later rows last as long as the page. Calls
 * `refused` on each failure.
 */
export class FallbackTable<Row extends { key: string }> implements Table<Row> {
  readonly #stored: Table<Row>;
  readonly #memory = new MemoryTable<Row>();
  readonly #deleted = new Set<string>();
  readonly #refused: (error: unknown) => void;
  constructor(stored: Table<Row>, refused: (error: unknown) => void) {
    this.#stored = stored;
    this.#refused = refused;
  }

  async get(key: string): Promise<Row | undefined> {
    const kept = await this.#memory.get(key);
    if (kept || this.#deleted.has(key)) return kept;
    return this.#try(() => this.#stored.get(key), undefined);
  }
  put(row: Row): Promise<void> {
    return this.putAll([row]);
  }
  async putAll(rows: Row[]): Promise<void> {
    try {
      await this.#stored.putAll(rows);
      for (const row of rows) await this.#memory.delete(row.key);
    } catch (error) {
      this.#refused(error);
      await this.#memory.putAll(rows);
    }
    for (const row of rows) this.#deleted.delete(row.key);
  }
  delete(key: string): Promise<void> {
    return this.deleteAll([key]);
  }
  async deleteAll(keys: string[]): Promise<void> {
    await this.#memory.deleteAll(keys);
    try {
      await this.#stored.deleteAll(keys);
    } catch (error) {
      this.#refused(error);
      for (const key of keys) this.#deleted.add(key);
    }
  }
  async getMany(keys: string[]): Promise<Row[]> {
    const stored = await this.#try(() => this.#stored.getMany(keys.filter((key) => !this.#deleted.has(key))), []);
    const rows = new Map([...stored, ...(await this.#memory.getMany(keys))].map((row) => [row.key, row]));
    return keys.flatMap((key) => rows.get(key) ?? []);
  }
  async getAll(): Promise<Row[]> {
    const rows = new Map((await this.#try(() => this.#stored.getAll(), [])).map((row) => [row.key, row]));
    for (const key of this.#deleted) rows.delete(key);
    for (const row of await this.#memory.getAll()) rows.set(row.key, row);
    return [...rows.values()].sort(byKey);
  }

  async #try<Value>(read: () => Promise<Value>, otherwise: Value): Promise<Value> {
    try {
      return await read();
    } catch (error) {
      this.#refused(error);
      return otherwise;
    }
  }
}
