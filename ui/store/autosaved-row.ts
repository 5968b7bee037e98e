import type { AccountStore } from "./account-store.ts";
import { stashForNextPage, takeStash } from "./page-stash.ts";

/** Longest delay before a value is stored. */
const waitMs = 250;

/** An account's store, or tables in memory for embedded elements without an account. */
export type RowStore = Pick<AccountStore, "workspace"> & Partial<Pick<AccountStore, "accountId">>;

/** A row of `workspace` for input that was not submitted yet; it survives a reload or a crash. */
export class AutosavedRow<Value extends object> {
  readonly #store: RowStore;
  readonly #key: string;
  /** The value that the database does not have yet. */
  #unsaved: { value: Value | null } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: RowStore, key: string) {
    this.#store = store;
    this.#key = key;
  }

  /** The stored value, unvalidated. */
  async read(): Promise<Partial<Value> | undefined> {
    const { accountId, workspace } = this.#store;
    const left = accountId === undefined ? undefined : takeStash(accountId, this.#key);
    if (left !== undefined) await this.#put(left as Value | null);
    return (await workspace.get(this.#key))?.value as Partial<Value> | undefined;
  }

  /** Stores the value after a short delay, and at once when the page is left; null deletes the row. */
  write(value: Value | null): void {
    if (!this.#unsaved) addEventListener("pagehide", this.#leave);
    this.#unsaved = { value };
    this.#timer ??= setTimeout(() => void this.flush(), waitMs);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const unkept = this.#unsaved;
    if (!unkept) return;
    await this.#put(unkept.value);
    if (this.#unsaved !== unkept) return;
    this.#unsaved = null;
    removeEventListener("pagehide", this.#leave);
  }

  readonly #leave = (): void => {
    const { accountId } = this.#store;
    if (!this.#unsaved) return;
    if (accountId !== undefined) stashForNextPage(accountId, this.#key, this.#unsaved.value);
    // The page may stay, or be restored from the back/forward cache.
    void this.flush().then(() => accountId !== undefined && takeStash(accountId, this.#key));
  };

  async #put(value: Value | null): Promise<void> {
    if (value) await this.#store.workspace.put({ key: this.#key, value: { ...value }, savedAt: Date.now() });
    else await this.#store.workspace.delete(this.#key);
  }
}
