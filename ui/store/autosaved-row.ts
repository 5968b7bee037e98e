import type { AccountStore } from "./account-store.ts";
import { stashForNextPage, takeStash } from "./page-stash.ts";

/** How long what is written waits at most before it is kept. */
const waitMs = 250;

/** Where it is kept: an account's store in this browser, or as long as the page, where an element of another site has no account's. */
export type RowStore = Pick<AccountStore, "workspace"> & Partial<Pick<AccountStore, "accountId">>;

/** Keeps one thing that is not handed on yet in this browser, in a row of `workspace`, so that a reload or a crash loses nothing of it. */
export class AutosavedRow<Value extends object> {
  readonly #store: RowStore;
  readonly #key: string;
  /** What the database does not have yet. */
  #unkept: { value: Value | null } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: RowStore, key: string) {
    this.#store = store;
    this.#key = key;
  }

  /** What was kept before, to be checked. */
  async read(): Promise<Partial<Value> | undefined> {
    const { accountId, workspace } = this.#store;
    const left = accountId === undefined ? undefined : takeStash(accountId, this.#key);
    if (left !== undefined) await this.#put(left as Value | null);
    return (await workspace.get(this.#key))?.value as Partial<Value> | undefined;
  }

  /** Keeps it a moment later, and at once when the page is left; null: there is nothing to keep any more. */
  write(value: Value | null): void {
    if (!this.#unkept) addEventListener("pagehide", this.#leave);
    this.#unkept = { value };
    this.#timer ??= setTimeout(() => void this.flush(), waitMs);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const unkept = this.#unkept;
    if (!unkept) return;
    await this.#put(unkept.value);
    if (this.#unkept !== unkept) return;
    this.#unkept = null;
    removeEventListener("pagehide", this.#leave);
  }

  readonly #leave = (): void => {
    const { accountId } = this.#store;
    if (!this.#unkept) return;
    if (accountId !== undefined) stashForNextPage(accountId, this.#key, this.#unkept.value);
    // The page may stay, or come back.
    void this.flush().then(() => accountId !== undefined && takeStash(accountId, this.#key));
  };

  async #put(value: Value | null): Promise<void> {
    if (value) await this.#store.workspace.put({ key: this.#key, value: { ...value }, savedAt: Date.now() });
    else await this.#store.workspace.delete(this.#key);
  }
}
