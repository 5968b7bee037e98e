import type { AccountStore } from "./account-store.ts";

/** How long a pause in writing is before what is written is kept. */
const idleMs = 250;

/** Keeps one thing that is not handed on yet in this browser, in a row of `workspace`, so that a reload or a crash loses nothing of it. */
export class KeptRow<Value extends object> {
  readonly #store: Pick<AccountStore, "workspace">;
  readonly #key: string;
  #waiting: Value | null | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #flush = () => void this.flush();

  constructor(store: Pick<AccountStore, "workspace">, key: string) {
    this.#store = store;
    this.#key = key;
  }

  /** What was kept before, to be checked. */
  async read(): Promise<Partial<Value> | undefined> {
    return (await this.#store.workspace.get(this.#key))?.value as Partial<Value> | undefined;
  }

  /** Keeps it after a short pause, and at once when the page is left; null: there is nothing to keep any more. */
  write(value: Value | null): void {
    if (this.#waiting === undefined) addEventListener("pagehide", this.#flush);
    this.#waiting = value;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#flush, idleMs);
  }

  async flush(): Promise<void> {
    const value = this.#waiting;
    if (value === undefined) return;
    this.#waiting = undefined;
    clearTimeout(this.#timer);
    removeEventListener("pagehide", this.#flush);
    if (value) await this.#store.workspace.put({ key: this.#key, value: { ...value }, savedAt: Date.now() });
    else await this.#store.workspace.delete(this.#key);
  }
}
